"""Elements around segments, as arrays."""

import numpy as np
import pytest

from stupidos.render import render
from stupidos.web.elements import BITS, MANY, elements, nearest, ways_up
from stupidos.web.neighbourhoods import GROUPS, grouped, headings, neighbourhoods

PAGE = """<body><nav class=menu><ul><li>Home<li>News</ul></nav>
<main id=m><h1>Tea</h1><p>Hot.<p>Green.<div><p>Alone.</div></main>"""


@pytest.fixture(scope="module")
def around():
    return elements([segment.place for segment in render(PAGE)])


def test_parents_come_before_their_children(around):
    assert (around.parent[1:] < np.arange(1, len(around.parent))).all()


def test_an_element_holds_the_segments_below_it(around):
    tags = [around.written[spelling].partition(" ")[0] for spelling in around.spelling]
    held = {tag: (first, end) for tag, first, end in zip(tags, *around.edges, strict=True)}
    assert held["nav"] == (0, 2)
    assert held["main"] == (2, 6)
    assert held["body"] == (0, 6)


def test_open_tags_are_known_by_their_bits(around):
    inside = around.inside[around.of_segment]
    assert [bool(bits & BITS["nav"]) for bits in inside] == [True, True, False, False, False, False]
    assert inside[2] & BITS["h1"]


def test_the_larger_element_holds_more_segments(around):
    sizes = around.edges[1] - around.edges[0]
    inner = np.flatnonzero(sizes < sizes[0])
    assert (sizes[around.larger[inner]] > sizes[inner]).all()


def test_an_element_without_segments_around_it_is_the_page_itself():
    around = elements([segment.place for segment in render("just text")])
    assert around.of_segment.tolist() == [0]
    assert around.edges.tolist() == [[0], [1]]


def test_the_way_up_a_long_chain_reaches_the_root():
    parent = np.maximum(np.arange(1000) - 1, 0)
    steps = np.ones(1000)
    steps[0] = 0
    for above in ways_up(parent):
        steps = steps + steps[above]
    assert (steps == np.arange(1000)).all()
    marked = np.arange(1000) == 7
    assert (nearest(marked, parent, len(ways_up(parent)))[7:] == 7).all()


def test_a_card_is_one_of_many_siblings_that_are_alike():
    cards = "".join(f"<div class=card><h3>Tea {n}</h3><div>Hot</div></div>" for n in range(MANY))
    around = elements([segment.place for segment in render(f"<main>{cards}</main><div class=card>No")])
    tags = [around.written[spelling] for spelling in around.spelling[around.card[around.of_segment]]]
    assert tags == ["div class=card"] * 2 * MANY + [""]
    assert around.siblings[around.card[around.of_segment]].tolist()[:-1] == [MANY] * 2 * MANY


def places_of(around, html):
    levels = np.array([segment.level if segment.kind == "h" else 0 for segment in render(html)])
    return neighbourhoods(around, grouped(around), headings(levels))


def test_kin_have_the_same_element_and_parent(around):
    places = places_of(around, PAGE)
    first, end = places.edges[:, :, -1]
    kin_of = [sorted(places.order[a:b].tolist()) for a, b in zip(first, end, strict=True)]
    assert kin_of == [[0, 1], [0, 1], [2], [3, 4], [3, 4], [5]]


def test_every_neighbourhood_is_on_the_page(around):
    first, end = places_of(around, PAGE).edges
    assert (first >= 0).all()
    assert (first <= end).all()
    assert (end[:, :-1] <= 6).all()
    assert (end[:, -1] <= 12).all()


def test_a_group_holds_the_segment(around):
    first, end = around.edges[:, grouped(around)]
    assert first.shape == (len(GROUPS), 6)
    assert (first <= np.arange(6)).all()
    assert (end > np.arange(6)).all()


def test_a_page_of_one_segment_has_no_heading_behind_it():
    assert [part.tolist() for part in headings(np.array([0]))] == [[-1], [1]]

"""Elements around segments, as arrays."""

import numpy as np
import pytest

from stupidos.render import render
from stupidos.web.elements import _CARD_SIBLINGS, _TAG_BITS, _ancestor_jumps, _nearest, elements_of
from stupidos.web.neighbourhoods import GROUPS, groups_of, headings_of, neighbourhoods_of

PAGE = """<body><nav class=menu><ul><li>Home<li>News</ul></nav>
<main id=m><h1>Tea</h1><p>Hot.<p>Green.<div><p>Alone.</div></main>"""


@pytest.fixture(scope="module")
def elements():
    return elements_of([segment.place for segment in render(PAGE)])


def test_parents_come_before_their_children(elements):
    assert (elements.parent[1:] < np.arange(1, len(elements.parent))).all()


def test_an_element_holds_the_segments_below_it(elements):
    tags = [elements.signatures[signature].partition(" ")[0] for signature in elements.signature]
    held = {tag: (first, end) for tag, first, end in zip(tags, *elements.spans, strict=True)}
    assert held["nav"] == (0, 2)
    assert held["main"] == (2, 6)
    assert held["body"] == (0, 6)


def test_open_tags_are_known_by_their_bits(elements):
    inside = elements.open_tags[elements.of_segment]
    assert [bool(bits & _TAG_BITS["nav"]) for bits in inside] == [True, True, False, False, False, False]
    assert inside[2] & _TAG_BITS["h1"]


def test_the_larger_element_holds_more_segments(elements):
    sizes = elements.spans[1] - elements.spans[0]
    inner = np.flatnonzero(sizes < sizes[0])
    assert (sizes[elements.larger[inner]] > sizes[inner]).all()


def test_an_element_without_segments_around_it_is_the_page_itself():
    elements = elements_of([segment.place for segment in render("just text")])
    assert elements.of_segment.tolist() == [0]
    assert elements.spans.tolist() == [[0], [1]]


def test_the_way_up_a_long_chain_reaches_the_root():
    parent = np.maximum(np.arange(1000) - 1, 0)
    steps = np.ones(1000)
    steps[0] = 0
    for above in _ancestor_jumps(parent):
        steps = steps + steps[above]
    assert (steps == np.arange(1000)).all()
    marked = np.arange(1000) == 7
    assert (_nearest(marked, parent, len(_ancestor_jumps(parent)))[7:] == 7).all()


def test_a_card_is_one_of_many_siblings_that_are_alike():
    cards = "".join(f"<div class=card><h3>Tea {n}</h3><div>Hot</div></div>" for n in range(_CARD_SIBLINGS))
    elements = elements_of([segment.place for segment in render(f"<main>{cards}</main><div class=card>No")])
    tags = [
        elements.signatures[signature] for signature in elements.signature[elements.card[elements.of_segment]]
    ]
    assert tags == ["div class=card"] * 2 * _CARD_SIBLINGS + [""]
    assert (
        elements.siblings[elements.card[elements.of_segment]].tolist()[:-1]
        == [_CARD_SIBLINGS] * 2 * _CARD_SIBLINGS
    )


def neighbourhoods_in(elements, html):
    levels = np.array([segment.level if segment.kind == "h" else 0 for segment in render(html)])
    return neighbourhoods_of(elements, groups_of(elements), headings_of(levels))


def test_the_last_neighbourhood_has_the_same_signature_and_parent(elements):
    neighbourhoods = neighbourhoods_in(elements, PAGE)
    first, end = neighbourhoods.spans[:, :, -1]
    members = [sorted(neighbourhoods.order[a:b].tolist()) for a, b in zip(first, end, strict=True)]
    assert members == [[0, 1], [0, 1], [2], [3, 4], [3, 4], [5]]


def test_every_neighbourhood_is_on_the_page(elements):
    first, end = neighbourhoods_in(elements, PAGE).spans
    assert (first >= 0).all()
    assert (first <= end).all()
    assert (end[:, :-1] <= 6).all()
    assert (end[:, -1] <= 12).all()


def test_a_group_holds_the_segment(elements):
    first, end = elements.spans[:, groups_of(elements)]
    assert first.shape == (len(GROUPS), 6)
    assert (first <= np.arange(6)).all()
    assert (end > np.arange(6)).all()


def test_a_page_of_one_segment_has_no_heading_behind_it():
    assert [part.tolist() for part in headings_of(np.array([0]))] == [[-1], [1]]

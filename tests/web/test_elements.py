"""Elements around segments, as arrays."""

import numpy as np
import pytest

from stupidos.render import render
from stupidos.score.elements import BITS, along, elements
from stupidos.score.surroundings import kin, neighbourhoods

PAGE = """<body><nav class=menu><ul><li>Home<li>News</ul></nav>
<main id=m><h1>Tea</h1><p>Hot.<p>Green.<div><p>Alone.</div></main>"""


@pytest.fixture(scope="module")
def around():
    return elements([segment.place for segment in render(PAGE)])


def test_parents_come_before_their_children(around):
    assert (around.parent[1:] < np.arange(1, len(around.parent))).all()


def test_an_element_holds_the_segments_below_it(around):
    tags = [around.written[spelling].partition(" ")[0] for spelling in around.spelling]
    held = {tag: (first, end) for tag, first, end in zip(tags, around.first, around.end, strict=True)}
    assert held["nav"] == (0, 2)
    assert held["main"] == (2, 6)
    assert held["body"] == (0, 6)


def test_open_tags_are_known_by_their_bits(around):
    inside = around.inside[around.of_segment]
    assert [bool(bits & BITS["nav"]) for bits in inside] == [True, True, False, False, False, False]
    assert around.own[around.of_segment[2]] == BITS["h1"]


def test_the_larger_element_holds_more_segments(around):
    sizes = around.end - around.first
    inner = np.flatnonzero(sizes < sizes[0])
    assert (sizes[around.larger[inner]] > sizes[inner]).all()


def test_an_element_without_segments_around_it_is_the_page_itself():
    around = elements([segment.place for segment in render("just text")])
    assert around.of_segment.tolist() == [0]
    assert around.end.tolist() == [1]


def test_joining_along_a_long_chain_reaches_the_root():
    parent = np.maximum(np.arange(1000) - 1, 0)
    rows = np.ones((1000, 1), np.float32)
    rows[0] = 0
    [joined] = along(parent, (np.add, rows))
    assert joined[999] == 999


def test_kin_have_the_same_element_and_parent(around):
    places = neighbourhoods(around, 6)
    first, end = places.first[-1], places.end[-1]
    kin_of = [sorted(places.order[a:b].tolist()) for a, b in zip(first, end, strict=True)]
    assert kin_of == [[0, 1], [0, 1], [2], [3, 4], [3, 4], [5]]


def test_every_neighbourhood_is_on_the_page(around):
    first, end, _ = neighbourhoods(around, 6)
    assert (first >= 0).all()
    assert (first <= end).all()
    assert (end <= 6).all()


def test_a_family_of_one_is_its_own_kin():
    assert [part.tolist() for part in kin(np.array([5]), np.array([0]))] == [[0], [1]]

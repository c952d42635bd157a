"""The words for what moved a score: features that say the same thing are one topic.

Features are looked up by name; one that is not in the table goes by its own name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from stupidos.page import Kind
from stupidos.render.tags import CELL, HIDDEN
from stupidos.report.facts import PageFacts
from stupidos.web.contributions import AROUND, SECOND_LOOK

_LONGEST_QUOTE = 40  # characters
_EDGE = 0.1  # share of a page that is its beginning or its end
_MOSTLY = 0.9  # share of linked characters

PARTS = WORDING, LINKS, ELEMENTS, POSITION, NEIGHBOURS, OTHER = (
    "its wording",
    "its links and length",
    "its HTML elements",
    "its position on the page",
    "the segments around it",
    "title, copies and the rest",
)

_Contributed = Mapping[str, float]  # log-odds of the features of one topic, by name
_Words = Callable[[PageFacts, int, _Contributed], str]


class Topic(NamedTuple):
    """Features that mean the same thing, and how that is put into words for a segment."""

    part: str  # bar that it belongs to
    names: tuple[str, ...]  # of features
    words: _Words


def _side(contributed: _Contributed) -> str:
    return "main text" if sum(contributed.values()) > 0 else "boilerplate"


def quoted(text: str) -> str:
    """A heading in quotation marks, shortened.

    >>> quoted("Related  stories")
    '‘Related stories’'
    """
    text = " ".join(text.split())
    return f"‘{text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1].rstrip() + '…'}’"


def _wording(facts: PageFacts, i: int, contributed: _Contributed) -> str:
    return f"worded like {_side(contributed)}"


def _links(facts: PageFacts, i: int, contributed: _Contributed) -> str:
    share, length = facts.segment(i).link_share, len(facts.segment(i).text)
    if not share:
        return f"no links in {length:,} characters"
    return "all of it is linked" if share > _MOSTLY else f"{share:.0%} of it is linked"


def _length(facts: PageFacts, i: int, contributed: _Contributed) -> str:
    length = len(facts.segment(i).text)
    return f"{length:,} characters long" if length > 1 else "a single character"


def _kind(facts: PageFacts, i: int, contributed: _Contributed) -> str:
    segment = facts.segment(i)
    if segment.kind is Kind.HEADING:
        return f"a heading of level {segment.level}"
    return "a list item" if segment.kind is Kind.ITEM else "neither a heading nor a list item"


def _in_cell(facts: PageFacts, i: int, contributed: _Contributed) -> str:
    return "in a table cell" if _state(facts, i) & CELL else "not in a table cell"


def _hidden(facts: PageFacts, i: int, contributed: _Contributed) -> str:
    return "hidden at first" if _state(facts, i) & HIDDEN else "not hidden"


def _state(facts: PageFacts, i: int) -> int:
    place = facts.segment(i).place
    return place[4] if place is not None and len(place) > 4 else 0


def _in_tag(tag: str) -> _Words:
    def words(facts: PageFacts, i: int, contributed: _Contributed) -> str:
        return f"inside <{tag}>" if tag in facts.tags(i) else f"not inside <{tag}>"

    return words


_STEPS = {"own element": 0, "parent's element": 1, "grandparent's element": 2}


def _element(facts: PageFacts, i: int, contributed: _Contributed) -> str:
    """The element whose attributes moved the score most."""
    name = max(contributed, key=lambda name: abs(contributed[name]))
    if name in _STEPS:
        element = facts.element(i, _STEPS[name])
    else:
        element = facts.similar(i)[0] if name.startswith(("card", "grid")) else facts.larger(i)[0]
    return f"in {element or 'an element'}, typical of {_side(contributed)}"


def _same_element(facts: PageFacts, i: int, contributed: _Contributed) -> str:
    others = facts.same_element(i)
    if not others.all:
        return f"the only segment in {facts.element(i) or 'such an element'}"
    if sum(contributed.values()) > 0 and others.kept:
        return f"same element as {others.kept} kept {_ones(others.kept)}"
    if others.dropped:
        return f"same element as {others.dropped} dropped {_ones(others.dropped)}"
    return f"same element as {others.all} other {_ones(others.all)}"


def _ones(number: int) -> str:
    return "one" if number == 1 else "ones"


def _similar(facts: PageFacts, i: int, contributed: _Contributed) -> str:
    element, number = facts.similar(i)
    return f"in one of {number} similar {element}" if number else "not in a row of similar blocks"


def _larger(facts: PageFacts, i: int, contributed: _Contributed) -> str:
    element, tally = facts.larger(i)
    return tally.said_of(f"segments in {element}") if element else "not enclosed with others"


def _around(facts: PageFacts, i: int, contributed: _Contributed) -> str:
    tally = facts.around(i)
    return tally.said_of("neighbours") if tally.all else "without neighbours"


def _whole_page(facts: PageFacts, i: int, contributed: _Contributed) -> str:
    return "the page as a whole"


def _second_look(facts: PageFacts, i: int, contributed: _Contributed) -> str:
    return f"placed like {_side(contributed)} among the text to keep"


def _heading(facts: PageFacts, i: int, contributed: _Contributed) -> str:
    if facts.segment(i).kind is Kind.HEADING:
        section = facts.section(i)
        return section.said_of("segments below it") if section.all else "nothing below it"
    heading = facts.heading(i)
    return f"below the heading {quoted(heading)}" if heading else "above the first heading"


def _main_heading(facts: PageFacts, i: int, contributed: _Contributed) -> str:
    below = facts.main_heading(i)
    if below is None:
        return "a page without a main heading"
    return (
        "above the main heading" if below < 0 else "below the main heading" if below else "the main heading"
    )


def _position(facts: PageFacts, i: int, contributed: _Contributed) -> str:
    share = i / max(len(facts.verdicts) - 1, 1)
    where = "near the top" if share < _EDGE else "near the end" if share > 1 - _EDGE else "in the middle"
    return f"{where}: segment {i + 1:,} of {len(facts.verdicts):,}"


def _copies(facts: PageFacts, i: int, contributed: _Contributed) -> str:
    copies = facts.copies(i)
    return f"its text occurs {copies} times on the page" if copies > 1 else "its text occurs once on the page"


def _title(facts: PageFacts, i: int, contributed: _Contributed) -> str:
    text = " ".join(facts.segment(i).text.split())
    return "part of the page’s title" if text and text in facts.title else "not part of the page’s title"


def _description(facts: PageFacts, i: int, contributed: _Contributed) -> str:
    return (
        "beginning of the page’s description" if sum(contributed.values()) > 0 else "page with a description"
    )


def _pooled(*names: str) -> tuple[str, ...]:
    return tuple(AROUND + name for name in names)


_ELEMENT_NAMES = tuple(f"{whose} element" for whose in (
    "own", "parent's", "grandparent's", "largest's", "grid's", "larger's", "card's"
))  # fmt: skip
TOPICS = (
    Topic(WORDING, ("text mean", "text sum", "text sign"), _wording),
    Topic(LINKS, ("link share", "all link", "log linked characters"), _links),
    Topic(LINKS, ("log characters", "log plain characters"), _length),
    Topic(ELEMENTS, ("heading", "item", "heading's level", "list depth"), _kind),
    Topic(ELEMENTS, ("cell",), _in_cell),
    Topic(ELEMENTS, ("hidden",), _hidden),
    Topic(ELEMENTS, _ELEMENT_NAMES, _element),
    Topic(NEIGHBOURS, ("kin of all", "log kin", *_pooled("same signature")), _same_element),
    Topic(NEIGHBOURS, ("log siblings", *_pooled("card")), _similar),
    Topic(NEIGHBOURS, _pooled("larger"), _larger),
    Topic(NEIGHBOURS, _pooled("before", "after"), _around),
    Topic(NEIGHBOURS, _pooled("page"), _whole_page),
    Topic(NEIGHBOURS, (SECOND_LOOK,), _second_look),
    Topic(
        NEIGHBOURS,
        (
            "level of its heading", "text of its heading", "log segments below its heading",
            *_pooled("section"),
        ),
        _heading,
    ),
    Topic(
        POSITION,
        ("below the main heading", "has a main heading", "log segments below the main heading"),
        _main_heading,
    ),
    Topic(
        POSITION,
        (
            "index share", "characters before", "plain text before", "log index", "log index from the end",
            "log characters before", "log characters after",
        ),
        _position,
    ),
    Topic(OTHER, ("seen before", "has further copies", "log times"), _copies),
    Topic(OTHER, ("in title",), _title),
    Topic(OTHER, ("begins in the description", "has a description"), _description),
)  # fmt: skip
_TOPIC_OF = {name: topic for topic in TOPICS for name in topic.names}


def topic_of(name: str) -> Topic:
    """The topic of a feature; a feature that the table lacks is a topic of its own, in its own words.

    >>> topic_of("something new").part
    'title, copies and the rest'
    """
    if name in _TOPIC_OF:
        return _TOPIC_OF[name]
    if name.startswith("in "):
        return Topic(ELEMENTS, (name,), _in_tag(name.removeprefix("in ")))
    return Topic(OTHER, (name,), lambda facts, i, contributed: name)

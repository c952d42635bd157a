"""Reader comments: found by the names of their elements, kept or dropped on request.

CLEANEVAL and forums keep them, news corpora do not; a model cannot know which one a user wants.
"""

from __future__ import annotations

import re
from itertools import compress
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from stupidos.page import Page, Place
from stupidos.render.columns import ROOT, columns_of, texts_of
from stupidos.score.scorer import Scores

# Class and id words of comment sections, as content systems write them. Not the words for the state of a page
# (WordPress: no-comments, comments-open, has-comments), nor the list of posts of a bbPress thread.
_COMMENTS = (
    r"""(?i)(?:id|class)\s*+=\s*+(?:"[^"]*?|'[^']*?|)(?<![a-z])(?<!no[-_])(?<!has[-_])(?<!with[-_])(?<!bbp-)"""
    r"""(?:comments?(?:-?list|-?area|s|-?body|-?content|-?thread)?|disqus\w*|livefyre|fb-comments"""
    r"""|(?<!\d-)replies|respond)"""
    r"""(?![a-z]|[-_](?:open|closed|on|off|enabled|disabled|status)\b)"""
)  # compiled with the first page that has a hint
# Addresses and bodies of threads, whose replies are what their readers came for, whatever they are called
_THREAD_ADDRESS = (
    r"""(?i)\b(?:href|content)\s*+=\s*+["']?+(?:https?:)?+//"""
    r"""(?:(?:forums?|community|discuss|boards?)\.|[^/\s"'>]++/(?:[^\s"'>?]*/)?(?:discussions?/\d|threads?/"""
    r"""|forums?/|(?:viewtopic|showthread)\b|topics?/\d|questions/\d"""
    r"""|r/\w++/comments/|t/[^/\s"'>]++/\d|post/\d++/?+(?![^\s"'>])))"""
)
_HEAD_TAGS = 200  # that are looked at; few pages have more than 80
_ADDRESSES = ("canonical", "og:url")  # of the tags of a head that have the page's own
_THREAD_BODY = r"(?<![\w-])(?:comments|question)-page(?![\w-])"  # Reddit, Stack Exchange
_HINTS = ("comment", "disqus", "livefyre", "replies", "respond")  # a part of every name, faster to rule out
_NEVER_A_SECTION = frozenset(("html", "body", "main"))
# A chapter of a manual, as Sphinx marks it: inside another one, its id is made of its heading
_CHAPTER = r"""\s*(?:class=["']?section["']?\s+)?id=(?:"[^"]*"|[\w-]+)\s*"""
_LONGEST = 1024  # characters of attributes that are looked at
_MOVED = 1000.0  # log-odds; beyond any model's score
_NO_ARTICLE = 300  # characters; a page with less text outside its comments is a thread

Mask: TypeAlias = npt.NDArray[np.bool_]


def _in_comments(place: Place | None, known: dict[int, bool]) -> bool:
    """True if an open element is a comment section; `known` remembers by serial number."""
    chain = []
    inside = False
    while place is not None and place[1]:
        if place[3] in known:
            inside = known[place[3]]
            break
        chain.append(place)
        place = place[0]
    for outer, tag, attributes, serial, _ in reversed(chain):
        if not inside and attributes is not None and _is_section(tag, attributes):
            inside = not (_is_chapter(tag, attributes) and outer and _is_chapter(outer[1], outer[2] or ""))
        known[serial] = inside
    return inside


def _is_chapter(tag: str, attributes: str) -> bool:
    """Whether an element may be a chapter of a manual.

    >>> _is_chapter("section", ' id="comments"'), _is_chapter("div", ' id="comments"')
    (True, False)
    """
    if tag != "section" and "section" not in attributes[:_LONGEST]:
        return False
    return re.fullmatch(_CHAPTER, attributes[:_LONGEST]) is not None


def _hinted(attributes: str) -> bool:
    attributes = attributes.lower()
    return any(hint in attributes for hint in _HINTS)


def _is_section(tag: str, attributes: str) -> bool:
    """True for an element whose class or id is the name of a comment section."""
    if tag in _NEVER_A_SECTION or not _hinted(attributes):
        return False
    return re.search(_COMMENTS, attributes[:_LONGEST]) is not None


def _inside(page: Page) -> Mask:
    """The segments of a page that are in a comment section."""
    known: dict[int, bool] = {}
    places = columns_of(page.segments).places
    return np.fromiter((_in_comments(place, known) for place in places), bool, len(places))


def _kept_lengths(page: Page, scores: Scores, inside: Mask) -> tuple[int, int]:
    """Characters of likely clean segments inside and outside of comment sections."""
    lengths = np.fromiter(map(len, texts_of(page.segments)), np.int64, len(page.segments))
    lengths[scores <= 0] = 0
    return int(lengths[inside].sum()), int(lengths[~inside].sum())


def decided(page: Page, scores: Scores, keep: bool) -> Scores:
    """Scores that settle reader comments: kept where the model was not sure, or dropped.

    Nothing is dropped from a page that has hardly any text but its comments: that is a thread.
    """
    inside = _inside(page)
    if keep:
        # a comment's text, not the "Reply" buttons below it
        long = np.fromiter((len(text) >= 25 for text in texts_of(page.segments)), bool, len(inside))
        return np.where(inside & long, scores + _MOVED, scores)
    comments, article = _kept_lengths(page, scores, inside)
    if article < min(comments / 2, _NO_ARTICLE):
        return scores
    return np.where(inside, scores - _MOVED, scores)


def without_minor_comments(page: Page, scores: Scores) -> Scores:
    """Scores without reader comments, if most of the likely clean text is outside of them.

    Elsewhere the comments are what the page is about, as in a thread.
    """
    if not _hinted(_attributes_around(page, scores > 0)):
        return scores
    inside = _inside(page)
    comments, article = _kept_lengths(page, scores, inside)
    minor = 0 < comments < article and not _is_thread(page)
    return np.where(inside, scores - _MOVED, scores) if minor else scores


def _is_thread(page: Page) -> bool:
    """Whether the address or the body of a page says that it is a thread."""
    for attributes in page.head[:_HEAD_TAGS]:
        if any(name in attributes for name in _ADDRESSES) and re.search(
            _THREAD_ADDRESS, attributes[:_LONGEST]
        ):
            return True
    place: Place | None = columns_of(page.segments).places[0]
    while place is not None:
        _, tag, written, *_ = place
        if tag == "body" and written is not None:
            return re.search(_THREAD_BODY, written[:_LONGEST]) is not None
        place = place[0]
    return False


def _attributes_around(page: Page, chosen: Mask) -> str:
    """Attributes of all elements that hold one of these segments, to be searched at once."""
    seen = {ROOT[3]}
    attributes: set[str | None] = set()  # most elements have those of another one
    for place in compress(columns_of(page.segments).places, chosen.tolist()):
        while place[3] not in seen:
            seen.add(place[3])
            attributes.add(place[2])
            place = place[0]  # type: ignore[assignment]  # the root has been seen
    return "\n".join(filter(None, attributes))

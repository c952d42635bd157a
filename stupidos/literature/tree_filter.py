"""The tree filter: keep only the largest group of kept segments under one ancestor.

Francisco Viveros-Jiménez et al.: *Improving the Boilerpipe Algorithm for Boilerplate Removal in News
Articles Using HTML Tree Structure*, Computación y Sistemas 22(2), 2018, section 4: the kept paragraphs
are grouped by their n-th ancestor, and the group with the most text stays. The grandparent (n = 2) was
best there. An element that contains other paragraphs is not one itself; "in this case we use the closest
child": text beside paragraphs counts as their sibling. Good for single articles; on forums, listings and
covers it drops most of the content.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from stupidos.literature.boilerpipe import LiteratureScorer, density
from stupidos.score.scorer import Scorer, Scores

if TYPE_CHECKING:
    from collections.abc import Iterable

    from stupidos.page import Page, Segment

_GRANDPARENT = 2
# "A text node is a paragraph when it has one of the following tag names."
_PARAGRAPH_TAGS = frozenset("div table ul ol p section article h1 h2 h3 h4 h5 h6 header body".split())


def _containers(segments: Iterable[Segment]) -> set[int]:
    """Serial numbers of the elements that contain a paragraph with text."""
    containers: set[int] = set()
    passed: set[int] = set()  # elements below which no paragraph was found; each is walked over once
    for segment in segments:
        place, below = segment.place, False
        while place is not None and place[3] not in (containers if below else passed):
            (containers if below else passed).add(place[3])
            below = below or place[1] in _PARAGRAPH_TAGS
            place = place[0]
    return containers


def _group_of(segment: Segment, ancestor: int, containers: set[int]) -> int:
    """Serial number of the n-th ancestor of the paragraph that holds a segment; 0 is the whole page.

    >>> from stupidos.render import render
    >>> first, second = render("<body><div><div><p>One</div><div><p>Two</div></div>")
    >>> [_group_of(first, n, set()) == _group_of(second, n, set()) for n in (1, 2)]
    [False, True]

    Text beside a paragraph has the same parent:

    >>> first, second = segments = render("<body><div>One<p>Two</div>")
    >>> _group_of(first, 1, _containers(segments)) == _group_of(second, 1, _containers(segments))
    True
    """
    place = segment.place
    while place is not None and place[1] not in _PARAGRAPH_TAGS:
        place = place[0]
    if place is not None and place[3] in containers:
        ancestor -= 1  # the paragraph is a child of this element
    for _ in range(ancestor):
        if place is not None:
            place = place[0]
    return place[3] if place is not None else 0


def grouped(page: Page, scores: Scores, ancestor: int = _GRANDPARENT) -> Scores:
    """Scores with the kept segments outside the largest group made negative."""
    kept = np.flatnonzero(scores > 0).tolist()
    containers = _containers(page.segments)
    groups = {at: _group_of(page.segments[at], ancestor, containers) for at in kept}
    sizes: dict[int, int] = {}
    for at, group in groups.items():
        sizes[group] = sizes.get(group, 0) + len(page.segments[at].text)
    if len(sizes) < 2:
        return scores
    largest = max(sizes, key=sizes.__getitem__)  # the first of equal ones
    others = [at for at, group in groups.items() if group != largest]
    filtered = scores.copy()
    filtered[others] *= -1.0
    return filtered


@dataclass(frozen=True, slots=True)
class TreeFilter(LiteratureScorer):
    """A Scorer: the largest group of the segments that another scorer keeps."""

    first: Scorer
    ancestor: int = _GRANDPARENT
    name: str = "tree"

    @property
    def signature(self) -> str:
        return f"model:{self.name}|ancestor:{self.ancestor}|first:{self.first.name}"

    def score(self, page: Page) -> Scores:
        return grouped(page, self.first.score(page), self.ancestor)


def by_ancestor(scorer: Scorer, ancestor: int) -> Scorer:
    """A tree filter with another ancestor; other scorers are returned unchanged."""
    return replace(scorer, ancestor=ancestor) if isinstance(scorer, TreeFilter) else scorer


def tree() -> Scorer:
    """The published filter: Boilerpipe's density tree, then grandparents."""
    return TreeFilter(density())

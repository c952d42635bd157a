"""The second look: a page that the network is unsure of, judged again by where its text to keep is.

Only the scores of all segments tell which element holds most of the text to keep: the main element. A second,
small network corrects the scores of such a page by how each segment lies to that element, by what its
neighbours, its siblings and its section score, by how far the next long paragraph to keep is, and by whether
the page had its text before.
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stupidos.web.elements import Elements
from stupidos.web.features import PageArrays
from stupidos.web.neighbourhoods import GROUPS, NEIGHBOURHOODS
from stupidos.web.network import Matrix, _product, pooled, prefix_sums

SURE = 0.88  # expected precision of what scores above zero, from which a page is not looked at again
_MAIN = np.float32(0.7)  # share of the text to keep that lies in the main element
_LONG = 0.5  # length of a long paragraph, by the mean one of the kept text (each character has a vote)
_LARGEST = np.float32(12)  # natural log-odds that are told apart, either sign
_SHORTEST_COPY = 12  # characters; shorter texts come again by chance
_OUTSIDE = np.float32(-6)  # natural log-odds of a neighbour beyond the ends of the page

_GRID = GROUPS.index("grid")

# Inputs by the step that computes them; each step writes a block of rows. The order and the names are those
# of model files. "Kept text" is characters times the probability that they are to be kept; the precision of a
# span is the share of its characters that is kept text; a part is a child of the main element.
_BLOCKS = {
    "scores": ["score", "verdict", "score before", "score after", "score above the page's"],
    "page": ["page's score", "page's precision", "kept text in the main element", "main element's precision"],
    "places": ["in the main element", "before it", "kept text before", "kept text after"],
    "part": ["part's kept text", "part's characters", "part's precision", "part's element"],
    "around": [*(f"precision {name}" for name in NEIGHBOURHOODS), "precision grid"],
    "ends": ["no long paragraph before", "no long paragraph after"],
    "copies": ["seen before"],
    # the rest of this table is logarithms
    "distances": ["log segments of its part", "log segments since a long one", "log segments to a long one"],
}  # fmt: skip
INPUTS = [name for names in _BLOCKS.values() for name in names]
_EDGES = accumulate(map(len, _BLOCKS.values()), initial=0)
_ROWS = {block: slice(*edges) for block, edges in zip(_BLOCKS, pairwise(_EDGES), strict=True)}


class SecondLook(NamedTuple):
    """A network of one hidden layer that corrects scores. Field names are array names of model files."""

    look_hidden: Matrix  # (units, INPUTS)
    look_bias: Matrix  # (units,)
    look_last: Matrix  # (units,)

    def correction(self, inputs: Matrix) -> Matrix:
        """Natural log-odds to add to the score of each segment, from its INPUTS."""
        hidden = _product(self.look_hidden, inputs)
        hidden += self.look_bias[:, None]
        np.maximum(hidden, 0, out=hidden)
        correction: Matrix = _product(self.look_last[None], hidden)[0]
        return correction


def unsure(scores: Matrix, sizes: Matrix, sure: float = SURE) -> bool:
    """Whether a page is worth a second look: the text with scores above zero is of low expected precision.

    >>> sizes = np.array([90, 50, 90], np.float32)
    >>> unsure(np.array([4, 3, -4], np.float32), sizes), unsure(np.array([4, 0.5, -4], np.float32), sizes)
    (False, True)
    """
    twice = np.maximum(scores, 0)  # twice the probability minus 1
    twice *= np.float32(0.5)
    np.tanh(twice, out=twice)
    return float(twice @ sizes) <= (2 * sure - 1) * float((scores > 0) @ sizes)


def look_inputs(page: PageArrays, of_element: Matrix, scores: Matrix) -> Matrix:
    """The INPUTS of each segment, (INPUTS, segments); `of_element` are the log-odds of elements."""
    count = len(scores)
    rows = np.empty((len(INPUTS), count), np.float32)
    scores = np.minimum(np.maximum(scores, -_LARGEST), _LARGEST)
    text = np.empty((2, count), np.float32)  # of each segment: its kept text, and all
    kept, sizes = text
    sizes[:] = page.sizes
    _write_scores(rows, scores)
    np.multiply(rows[1], np.float32(0.5), out=kept)
    kept += np.float32(0.5)
    kept *= sizes
    total = float(kept.sum())
    mean = float(kept @ scores) / total
    np.subtract(rows[0], np.float32(mean / 4), out=rows[4])
    sums = prefix_sums(text, page.neighbourhoods.order)
    main = main_element(page.elements, sums[:, 0])
    span = page.elements.spans[:, main].tolist()
    inside, characters = (sums[span[1]] - sums[span[0]]).tolist()
    constants = (mean / 4, _page_precision(rows[1], kept, total), inside / total, inside / max(characters, 1))
    rows[_ROWS["page"]] = np.array(constants, np.float32)[:, None]
    _write_places(rows, sums[: count + 1, 0], span)
    _write_parts(rows, page.elements, of_element, sums, main)
    _write_around(rows, page, sums)
    rows[_ROWS["copies"]] = (page.first_copy < np.arange(count)) & (sizes >= _SHORTEST_COPY)
    _write_distances(rows, (scores > 0) & (sizes > _LONG * float(kept @ sizes) / total))
    logarithms = rows[_ROWS["distances"]]
    logarithms += 1
    np.log(logarithms, out=logarithms)
    return rows


def main_element(elements: Elements, kept: Matrix) -> int:
    """The smallest element with most of the kept text, which `kept` counts before each segment.

    Those with more than half of it enclose each other, so that it is the last one.
    """
    inside = np.subtract(*kept.take(elements.spans[::-1]))
    return int((inside >= _MAIN * inside[0]).nonzero()[0][-1])


def _write_scores(rows: Matrix, scores: Matrix) -> None:
    """The scores of a segment and of its neighbours, over four; the last row is written later."""
    own, verdict, before, after, _ = rows[_ROWS["scores"]]
    np.multiply(scores, np.float32(0.25), out=own)
    np.tanh(np.multiply(scores, np.float32(0.5), out=verdict), out=verdict)
    before[0] = after[-1] = _OUTSIDE / 4
    before[1:], after[:-1] = own[:-1], own[1:]


def _page_precision(verdicts: Matrix, kept: Matrix, total: float) -> float:
    """The mean probability of the kept text; `verdicts` are twice the probabilities minus 1."""
    return 0.5 + 0.5 * float(kept @ verdicts) / total


def _write_places(rows: Matrix, kept: Matrix, main: list[int]) -> None:
    """Where a segment lies to the main element and within the kept text."""
    inside, above, before, after = rows[_ROWS["places"]]
    inside[:] = above[:] = 0
    inside[main[0] : main[1]] = above[: main[0]] = 1
    np.divide(kept[:-1], kept[-1], out=before)
    np.subtract(1, kept[1:] / kept[-1], out=after)


def _write_parts(rows: Matrix, elements: Elements, of_element: Matrix, sums: Matrix, main: int) -> None:
    """The part of the main element that each segment lies in.

    A segment of its own is one; so is everything before the main element, and everything after it.
    """
    count = rows.shape[1]
    first, end = elements.spans[:, main].tolist()
    children = (elements.parent == main).nonzero()[0]
    children = children[children > 0]  # the page is its own parent
    bounds = np.empty((2, count), np.intp)  # of each segment's part: its first segment, and the end
    firsts, ends = bounds
    firsts[:] = np.arange(count)
    np.add(firsts, 1, out=ends)
    part = elements.of_segment.copy()
    if len(children):
        begin, stop = elements.spans.take(children, axis=1)
        inside = slice(int(begin[0]), end)  # the first child begins there
        at = begin.searchsorted(firsts[inside], "right")
        at -= 1
        within = firsts[inside] < stop.take(at)
        np.copyto(firsts[inside], begin.take(at), where=within)
        np.copyto(ends[inside], stop.take(at), where=within)
        np.copyto(part[inside], children.take(at), where=within)
    bounds[:, :first] = [[0], [first]]
    bounds[:, end:] = [[end], [count]]
    kept, characters = np.subtract(*sums.take(bounds[::-1], axis=0)).T
    total_kept, total = sums[count].tolist()
    share_kept, share, precision, element = rows[_ROWS["part"]]
    np.multiply(kept, 1 / total_kept, out=share_kept)
    np.multiply(characters, 1 / total, out=share)
    np.divide(kept, np.maximum(characters, 1), out=precision)
    of_element.take(part, out=element, mode="clip")
    np.subtract(ends, firsts, out=rows[_ROWS["distances"]][0], casting="unsafe")


def _write_around(rows: Matrix, page: PageArrays, sums: Matrix) -> None:
    """The precision of each neighbourhood, and of the element around the cards."""
    count = rows.shape[1]
    block = rows[_ROWS["around"]]
    means = pooled(sums, page.neighbourhoods.spans).reshape(count, -1, 2)
    np.divide(means[:, :, 0], np.maximum(means[:, :, 1], 1), out=block[:-1].T)
    grids = page.elements.spans[::-1].take(page.groups[_GRID], axis=1)
    kept, characters = np.subtract(*sums.take(grids, axis=0)).T
    np.divide(kept, np.maximum(characters, 1), out=block[-1])


def _write_distances(rows: Matrix, long: npt.NDArray[np.bool_]) -> None:
    """How many segments it is to the long paragraphs to keep before and after each segment."""
    count = len(long)
    none_before, none_after = rows[_ROWS["ends"]]
    _, since, until = rows[_ROWS["distances"]]
    index = np.arange(count)
    last = np.empty(count, np.intp)
    last[0] = -1
    np.maximum.accumulate(np.where(long[:-1], index[:-1], -1), out=last[1:])
    following = np.empty(count, np.intp)
    following[-1] = count
    np.minimum.accumulate(np.where(long[:0:-1], index[:0:-1], count), out=following[-2::-1])
    none_before[:] = last < 0
    none_after[:] = following == count
    since[:] = index - last
    until[:] = following - index

"""FIASCO's visual features: the shape of a text on the screen, in five numbers.

Bauer et al. (FIASCO, 2007), section 3.3: running text is wide and its lines are of one length, lists
are narrow and ragged, headings one line high. The paper blurred a screenshot and took the outlines of
the blobs; here the boxes of the lines come from the browser itself, and their outline is a staircase.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np

from stupidos.literature.tokens import FloatArray

Box: TypeAlias = tuple[float, float, float, float]  # left, top, width, height in CSS pixels
Boxes: TypeAlias = Mapping[int, Sequence[Box]]  # number of a text on its page -> the boxes of its lines

VISUAL_FEATURES = ("solidity I", "solidity II", "solidity III", "relative width", "headline")
_EDGE_TOLERANCE = 0.1  # of a region's width; edges closer than that form no corner
_DEFAULT_HEADLINE_HEIGHT = 18.0  # pixels, for pages without headings


class _TextLine(NamedTuple):
    """A line of text: its edges."""

    left: float
    right: float
    top: float
    bottom: float


def text_lines(boxes: Sequence[Box]) -> list[_TextLine]:
    """Boxes joined to lines: boxes that overlap vertically by more than half of the smaller one.

    >>> text_lines([(0, 0, 50, 10), (50, 1, 30, 10), (0, 12, 20, 10)])
    [_TextLine(left=0, right=80, top=0, bottom=11), _TextLine(left=0, right=20, top=12, bottom=22)]
    """
    merged: list[_TextLine] = []
    for left, top, width, height in sorted(boxes, key=lambda box: (box[1], box[0])):
        if width <= 0 or height <= 0:
            continue
        line = _TextLine(left, left + width, top, top + height)
        if merged and merged[-1].bottom - top > min(height, merged[-1].bottom - merged[-1].top) / 2:
            last = merged[-1]
            merged[-1] = _TextLine(
                min(last.left, line.left),
                max(last.right, line.right),
                last.top,
                max(last.bottom, line.bottom),
            )
        else:
            merged.append(line)
    return merged


def _corners(edges: Sequence[float], tolerance: float) -> list[float]:
    """Where one side of the outline turns: the x of every corner, those of top and bottom included.

    >>> _corners([0.0, 0.2, 30.0], tolerance=5)
    [0.0, 0.2, 30.0, 30.0]
    """
    turns = [edges[0]]
    for above, below in pairwise(edges):
        if abs(above - below) > tolerance:
            turns += (above, below)
    return [*turns, edges[-1]]


def _shape(region: Sequence[_TextLine]) -> tuple[float, float, float]:
    """Solidity I, II and III of a region.

    I: area of the outline over that of the bounding rectangle. II: corners beyond the four of a
    rectangle, a line. III: mean distance of the corners from the middle along the x-axis, where 1 is
    the edge of the bounding rectangle.

    >>> _shape([_TextLine(0, 100, 0, 10), _TextLine(0, 100, 10, 20)])
    (1.0, 0.0, 1.0)
    >>> [round(measure, 3) for measure in _shape([_TextLine(0, 100, 0, 10), _TextLine(0, 75, 10, 20)])]
    [0.875, 1.0, 0.833]
    """
    left, right = min(line.left for line in region), max(line.right for line in region)
    width = max(right - left, 1.0)
    heights = [line.bottom - line.top for line in region]
    area = sum((line.right - line.left) * height for line, height in zip(region, heights, strict=True))
    turns = [
        *_corners([line.left for line in region], _EDGE_TOLERANCE * width),
        *_corners([line.right for line in region], _EDGE_TOLERANCE * width),
    ]
    middle = (left + right) / 2
    distance = float(np.mean([abs(turn - middle) for turn in turns])) / (width / 2)
    return min(area / (width * sum(heights)), 1.0), (len(turns) - 4) / len(region), distance


def visual_features(regions: Sequence[Sequence[_TextLine]], headings: Sequence[bool]) -> FloatArray:
    """The five columns for the regions of a page, all 0 for a region that is not displayed: (regions, 5).

    The last compares a region's height with the mean height of the page's headings.
    """
    columns = np.zeros((len(regions), len(VISUAL_FEATURES)))
    sizes = [(region[-1].bottom - region[0].top) if region else 0.0 for region in regions]
    heads = [size for size, heading in zip(sizes, headings, strict=True) if heading and size]
    headline = float(np.mean(heads)) if heads else _DEFAULT_HEADLINE_HEIGHT
    widths = [
        max(line.right for line in region) - min(line.left for line in region) if region else 0.0
        for region in regions
    ]
    widest = max(widths, default=0.0) or 1.0
    for at, region in enumerate(regions):
        if region:
            far = abs(sizes[at] - headline) / max(sizes[at], headline)
            columns[at] = (*_shape(region), widths[at] / widest, far)
    return columns

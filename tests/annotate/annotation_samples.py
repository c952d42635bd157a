"""Hand-made pages and a cleaner for them that needs no model file."""

from __future__ import annotations

import numpy as np

from stupidos.errors import DecodeError
from stupidos.page import Kind, Page, Place, Segment, Verdict
from stupidos.pipeline import Cleaner
from stupidos.render.pages import Input
from stupidos.score.baseline import Constant
from stupidos.score.scorer import Scorer, Scores

HOSTILE = (
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(2)>",
    '" onmouseover="alert(3)',
    "$title",
)
PLACE: Place = (((None, "html", "", 1), "body", "", 2), "p", "", 3)
PAGES = {
    "bees": "Bees\nHome\nBees sleep at night, all of them at once.\nThey dream of clover.\nLogin\n",
    "tea": "Tea\nMenu\nTea is hot, coffee is hotter, ice is not.\nShare\n",
    "zebra": "Zebra\nMenu\nA zebra has stripes that no other zebra has, say the rangers.\n",
}


def verdict(text: str, score: float, reason: str = "model", kind: Kind = Kind.PARAGRAPH) -> Verdict:
    return Verdict(Segment(text, kind, place=PLACE), score, score > 0 and reason == "model", reason)


class LengthScorer(Constant):
    """Long segments are clean; those of about 20 characters are doubtful."""

    def score(self, page: Page) -> Scores:
        return np.array([(len(segment.text) - 20.5) / 4 for segment in page.segments], dtype=np.float64)


class LineCleaner(Cleaner):
    """A cleaner for pages of PAGES: the first line is the title, every other one a segment."""

    def page(self, data: str | bytes, header: str | None = None, input: Input | None = None) -> Page:
        assert isinstance(data, bytes)
        if data.startswith(b"\x89PNG"):
            raise DecodeError("is no text")
        title, *lines = data.decode().splitlines()
        return Page("", title, [Segment(line, place=PLACE) for line in lines])


def line_cleaner(scorer: Scorer) -> Cleaner:
    return LineCleaner(scorer, scorer)


BY_LENGTH = line_cleaner(LengthScorer("by length", rules=False))

"""Hand-made pages and a judge of them that needs no model."""

from __future__ import annotations

from stupidos.annotate.suggestions import Judged
from stupidos.errors import DecodeError
from stupidos.page import Kind, Place, Segment, Verdict

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


def by_length(data: bytes) -> Judged:
    """Lines as segments; long ones are kept, and the longest one tells how sure this is."""
    if data.startswith(b"\x89PNG"):
        raise DecodeError("is no text")
    title, *lines = data.decode().splitlines()
    verdicts = [verdict(line, (len(line) - 20.5) / 4) for line in lines]
    return Judged(title, verdicts, max((len(line) for line in lines), default=0) / 100)

"""Reader comments: found by what their elements are called, kept or dropped on request.

CLEANEVAL and forums keep them, news corpora do not; no model can know which one a user wants.
"""

from __future__ import annotations

import re

import numpy as np

from stupidos.page import Page, Place
from stupidos.score.scorer import Scores

# Class and id words of comment sections, as content systems write them.
_COMMENTS = re.compile(
    r"""(?:id|class)\s*+=\s*+(?:"[^"]*?|'[^']*?|)(?<![a-z])"""
    r"""(?:comments?(?:-?list|-?area|s|-?body|-?content|-?thread)?|disqus\w*|livefyre|fb-comments|replies|respond)(?![a-z])""",
    re.IGNORECASE,
)
_LONGEST = 1024  # characters of attributes that are looked at
_MOVED = 1000.0  # log-odds; beyond any model's opinion


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
    for _, tag, attributes, serial, _ in reversed(chain):
        named = attributes is not None and tag not in ("html", "body")
        inside = inside or bool(named and _COMMENTS.search((attributes or "")[:_LONGEST]))
        known[serial] = inside
    return inside


def moved(page: Page, scores: Scores, keep: bool) -> Scores:
    """Scores with those of reader comments beyond doubt: kept where the model was not sure, or dropped."""
    known: dict[int, bool] = {}
    inside = np.fromiter(
        (_in_comments(segment.place, known) for segment in page.segments), bool, len(page.segments)
    )
    if not keep:
        return np.where(inside, scores - _MOVED, scores)
    # a comment's text, not the "Reply" buttons below it
    long = np.fromiter((len(segment.text) >= 25 for segment in page.segments), bool, len(page.segments))
    return np.where(inside & long, scores + _MOVED, scores)

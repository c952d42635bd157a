"""Hand-made verdicts to report on."""

from __future__ import annotations

import pytest
from annotation_samples import verdict

from stupidos.page import Kind
from stupidos.report.page_report import PageReport
from stupidos.report.reasons import Reason


@pytest.fixture
def report() -> PageReport:
    """Four segments: two kept, one dropped by its score, one by a rule."""
    verdicts = [
        verdict("Tea", 3.0, kind=Kind.HEADING),
        verdict("Tea is hot.", 12.0),
        verdict("Share this", -2.0),
        verdict("Home | About", 1.5, reason="bar"),
    ]
    return PageReport(
        verdicts,
        title="A page",
        signature="model:test",
        confidence=0.875,
        characters=[[1.0] * len(verdict.segment.text) for verdict in verdicts],
        parts={"its wording": [2.0, 9.0, -1.0, 1.0], "the segments around it": [1.0, 3.0, -1.0, 0.5]},
        reasons=[
            [Reason("below the heading ‘Tea’", 1.25)],
            [Reason("no links in 11 characters", 4.5), Reason("same element as 2 kept ones", 2.0)],
            [Reason("all of it is linked", -1.0)],
            [],
        ],
        metadata={"by": "Ann", "published": "2024-05-01", "tags": "tea, milk"},
        markdown="# Tea\n\nTea is hot.\n",
        html="<article>\n<h1>Tea</h1>\n<p>Tea is hot.</p>\n</article>\n",
    )

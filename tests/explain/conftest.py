"""Hand-made verdicts, and sessions on hand-made pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from annotation_samples import PAGES, by_length, verdict

from stupidos.explain.evidence import Evidence
from stupidos.explain.session import Project, Session
from stupidos.explain.suggest import Judge
from stupidos.page import Kind


@pytest.fixture
def found() -> Evidence:
    """Four segments: two kept, one dropped by its score, one by a rule."""
    verdicts = [
        verdict("Tea", 3.0, kind=Kind.HEADING),
        verdict("Tea is hot.", 12.0),
        verdict("Share this", -2.0),
        verdict("Home | About", 1.5, reason="bar"),
    ]
    return Evidence(
        verdicts,
        title="A page",
        signature="model:test",
        confidence=0.875,
        characters=[[1.0] * len(verdict.segment.text) for verdict in verdicts],
        parts={"text model": [2.0, 9.0, -1.0, 1.0], "neighbours": [1.0, 3.0, -1.0, 0.5]},
    )


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    folder = tmp_path / "gold"
    folder.mkdir()
    return folder


@pytest.fixture
def open_session(gold: Path) -> Iterator[Callable[..., Session]]:
    """A function that opens a session on PAGES (or others); all are closed at the end."""
    opened: list[Session] = []

    def open_one(pages: dict[str, str] = PAGES, **options: Any) -> Session:
        documents = {name: text.encode for name, text in pages.items()}
        train, tell = options.pop("train", None), options.pop("tell", lambda line: None)
        project = Project(documents, gold, **options)
        session = Session(project, Judge("by length", by_length), train, tell)
        opened.append(session)
        return session

    yield open_one
    for session in opened:
        session.close()

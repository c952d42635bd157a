"""Sessions on hand-made pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from annotation_samples import PAGES, by_length

from stupidos.annotate.session import Project, Session
from stupidos.annotate.suggestions import Judge


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

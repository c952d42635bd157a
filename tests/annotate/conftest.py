"""Sessions on hand-made pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from annotation_samples import BY_LENGTH, PAGES

from stupidos.annotate.project import Project
from stupidos.annotate.session import Session


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
        raw_pages = {name: text.encode for name, text in pages.items()}
        train, log = options.pop("train", None), options.pop("log", lambda line: None)
        session = Session(Project(raw_pages, gold, **options), BY_LENGTH, train, log)
        opened.append(session)
        return session

    yield open_one
    for session in opened:
        session.close()

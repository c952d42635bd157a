"""A judged page, asked for what it says about itself."""

from __future__ import annotations

from hashlib import sha1

import pytest

from stupidos.metadata import detect
from stupidos.pipeline import Cleaner

PAGE = """<html lang="en-GB"><title>Tea is hot | Post</title><meta name="author" content="Jane Smith">
<meta name="date" content="2023-12-22"><meta property="og:site_name" content="Post">
<p>The harbour was quiet when the first boat came in, and that is what they all have to say."""


@pytest.fixture(autouse=True)
def without_detector(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detect, "_installed", lambda: False)


def test_a_document_knows_its_metadata() -> None:
    document = Cleaner.load("keep-all").extract(PAGE, url="https://post.example/tea")
    assert (document.title, document.authors, document.date) == ("Tea is hot", ("Jane Smith",), "2023-12-22")
    assert (document.language, document.language_source) == ("en-GB", "declared")
    assert document.metadata.url == "https://post.example/tea"
    assert document.text_sha1 == sha1(document.text.encode()).hexdigest()


def test_a_document_without_text_has_no_hash() -> None:
    document = Cleaner.load("keep-all").extract("")
    assert (document.text_sha1, document.title, document.language) == (None, "", None)

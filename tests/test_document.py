"""A judged page, asked for what it says about itself."""

from __future__ import annotations

from hashlib import sha1

import pytest

from stupidos.document import Document
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


def test_a_document_without_its_text_keeps_what_is_known_of_the_page() -> None:
    document = Cleaner.load("web").extract(PAGE, url="https://post.example/tea")
    known = (document.title, document.authors, document.date, document.confidence)
    bare = document.without_text("skipped: no tea", "tea")
    assert (bare.text, bare.error, bare.skipped) == ("", "skipped: no tea", "tea")
    assert (bare.title, bare.authors, bare.date, bare.confidence) == known
    assert (bare.url, bare.scorer, bare.page) == (document.url, document.scorer, document.page)


def test_metadata_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    document = Cleaner.load("keep-all").extract(PAGE)
    known, language = document.metadata, document.language
    monkeypatch.setattr("stupidos.metadata.extract.metadata", lambda *_: pytest.fail("read again"))
    bare = document.without_text("too short")
    assert bare.metadata is known
    assert document.language == bare.language == language


def test_confidence_and_metadata_come_when_asked_for() -> None:
    document = Cleaner.load("web").extract(PAGE, url="https://post.example/tea")
    assert document.about(confidence=False).confidence is None
    assert document.about(confidence=False).expected_recall is None
    bare = document.about(metadata=False)
    assert (bare.title, bare.metadata, bare.text_sha1) == ("", None, document.text_sha1)
    assert (bare.confidence, bare.url) == (document.confidence, "https://post.example/tea")
    assert document.about().title == "Tea is hot"


def test_a_document_is_named_by_the_best_that_is_known() -> None:
    document = Cleaner.load("keep-all").extract(PAGE)
    assert repr(document) == "<Document Tea is hot: 1 of 1 segments kept>"
    document.url = "https://post.example/tea"
    assert "post.example" in repr(document)
    document.id = "a.html"
    assert repr(document) == "<Document a.html: 1 of 1 segments kept>"
    assert repr(Cleaner.load("keep-all").extract("")) == "<Document without a name: 0 of 0 segments kept>"


def test_a_notebook_shows_the_error_of_a_page() -> None:
    failed = Document(id="a.html", error="no <text>")
    assert failed._repr_markdown_() == "no <text>"
    assert failed._repr_html_() == "<p>no &lt;text&gt;</p>"


@pytest.mark.parametrize("format", ["text", "markdown", "html", "tei"])
def test_a_document_has_its_formats_as_attributes(format: str) -> None:
    document = Cleaner.load("keep-all").extract(PAGE)
    assert getattr(document, format) == document.written(format)
    assert "The harbour was quiet" in document.written(format)
    with pytest.raises(ValueError, match="no format pdf"):
        document.written("pdf")

"""The names that other programs call."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import stupidos
from stupidos.page import Kind, Segment, Verdict

PAGE = """<html><body><ul><li><a href="/">Home</a></li><li><a href="/n">News</a></li></ul>
<p>The harbour was quiet when the first boat came in, and nobody on the quay had expected it so early.</p>
<p>Its crew said that the wind had turned during the night, so they had rowed for the last two miles.</p>
<div id="footer"><p>Copyright 2024 | All rights reserved | Terms of use</p></div></body></html>"""
KEPT = "The harbour was quiet"


@pytest.mark.parametrize("name", stupidos.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(stupidos, name) is not None
    assert name in dir(stupidos)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        stupidos.nonsense  # noqa: B018


def test_a_public_name_is_the_one_of_its_module() -> None:
    assert all(
        getattr(stupidos, name) is getattr(importlib.import_module(f"stupidos.{home}"), name)
        for name, home in stupidos.HOMES.items()
    )


@pytest.mark.parametrize("page", [PAGE, PAGE.encode(), PAGE.encode("utf-16")], ids=["str", "utf-8", "utf-16"])
def test_clean_takes_text_and_bytes(page: str | bytes) -> None:
    text = stupidos.clean(page)
    assert KEPT in text
    assert "All rights reserved" not in text


@pytest.mark.parametrize("page", ["", b"", "   ", "<html></html>"])
def test_cleaning_an_empty_page_gives_an_empty_text(page: str | bytes) -> None:
    assert stupidos.clean(page) == ""


def test_a_cleaner_gives_verdicts_with_reasons() -> None:
    verdicts = stupidos.Cleaner.load("standard").judge(PAGE)
    assert all(isinstance(verdict, Verdict) for verdict in verdicts)
    assert [verdict.keep for verdict in verdicts if KEPT in verdict.segment.text] == [True]
    assert all(verdict.reason and isinstance(float(verdict.score), float) for verdict in verdicts)


def test_the_model_of_dumps_is_loaded_with_the_first_of_them() -> None:
    cleaner = stupidos.Cleaner.load()
    assert cleaner.dumps == "text"
    assert cleaner.dump_scorer.name == "text"


def test_a_cleaner_cleans_the_same_page_to_the_same_bytes() -> None:
    cleaner = stupidos.Cleaner.load("standard")
    assert cleaner.clean(PAGE) == cleaner.clean(PAGE.encode())


def test_segments_carry_what_was_promised() -> None:
    segments = stupidos.render.render(PAGE)
    item = segments[0]
    assert isinstance(item, Segment)
    assert (item.text, item.kind, item.level, item.link_share) == ("Home", Kind.ITEM, 1, 1.0)
    assert item.path.endswith("ul>li")
    assert len(item.ancestors) >= 2
    assert PAGE[item.start : item.end].strip() == "Home"


def test_render_takes_bytes() -> None:
    assert [segment.text for segment in stupidos.render.render("<p>été".encode("utf-16"))] == ["été"]


def test_text_gives_the_character_data_of_every_element() -> None:
    assert stupidos.render.text("<p>a<textarea>b</textarea><script>c</script>").split() == ["a", "b"]


def test_importing_the_package_imports_no_numpy(checkout: Path) -> None:
    code = "import sys, stupidos; print('numpy' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=checkout, capture_output=True, text=True, timeout=60
    )
    assert done.stdout == "False\n"


def test_extract_gives_a_document() -> None:
    document = stupidos.extract(PAGE, url="https://example.org/harbour")
    assert KEPT in document.text
    assert document.url == "https://example.org/harbour"
    assert document.record()["text"] == document.text
    assert len(document.verdicts) > document.text.count("\n\n")
    assert repr(document) == "<Document https://example.org/harbour: 2 of 5 segments kept>"


def test_extract_uses_the_model_that_was_asked_for() -> None:
    assert {verdict.reason for verdict in stupidos.extract(PAGE, model="keep-all").verdicts} == {"keep-all"}


def test_precision_keeps_no_more_than_recall() -> None:
    precise, whole = stupidos.extract(PAGE, precision=True), stupidos.extract(PAGE, recall=True)
    assert len(precise.text) <= len(whole.text)
    with pytest.raises(ValueError, match="not both"):
        stupidos.extract(PAGE, precision=True, recall=True)


@pytest.mark.parametrize("format", ["markdown", "md", "jsonl", "cleaneval", "vertical", "tei"])
def test_clean_writes_every_format(format: str) -> None:
    assert "rowed" in stupidos.clean(PAGE, format=format)


def test_an_unknown_format_is_refused_with_a_list() -> None:
    with pytest.raises(ValueError, match="no format docx: choose from text, "):
        stupidos.clean(PAGE, format="docx")


@pytest.mark.parametrize(
    ("page", "name"), [(None, "None"), (3, "int"), (Path("a.html"), "PosixPath"), ([PAGE], "list")]
)
def test_what_is_not_a_page_is_a_type_error_that_says_what_is_wanted(page: object, name: str) -> None:
    for function in (stupidos.clean, stupidos.extract, stupidos.Cleaner.load().judge):
        with pytest.raises(TypeError, match=f"str or bytes of HTML or plain text, not {name}"):
            function(page)  # type: ignore[arg-type]


def test_a_notebook_shows_a_document_as_markdown() -> None:
    assert KEPT in stupidos.extract(PAGE)._repr_markdown_()


@pytest.mark.parametrize("call", [stupidos.clean, stupidos.extract])
def test_an_address_must_be_text(call: Callable[..., object]) -> None:
    with pytest.raises(TypeError, match="url is a str, not int"):
        call(PAGE, url=3)


@pytest.mark.parametrize("page", ["https://example.org/tea", "pages/tea.html"])
@pytest.mark.parametrize("call", [stupidos.clean, stupidos.extract])
def test_an_address_or_a_file_name_instead_of_a_page_is_logged(
    call: Callable[..., object], page: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("WARNING", logger="stupidos"):
        call(page)
    assert [record.name for record in caplog.records] == ["stupidos"]
    assert f"'{page}'" in caplog.text


@pytest.mark.parametrize("page", ["", "Tea", "<p>tea.html", "a.html is a file", PAGE])
def test_a_page_is_not_logged(page: str, caplog: pytest.LogCaptureFixture) -> None:
    stupidos.extract(page)
    assert not caplog.records


@pytest.mark.parametrize(("characters", "logged"), [(2000, True), (2001, False)])
def test_an_address_is_no_longer_than_two_thousand_characters(
    characters: int, logged: bool, caplog: pytest.LogCaptureFixture
) -> None:
    stupidos.extract("https://example.org/".ljust(characters, "x"))
    assert bool(caplog.records) == logged


def test_headers_count_where_the_page_says_nothing() -> None:
    latin = "<p>Nächster Halt: Bühlertal.".encode("latin-1")
    assert "ä" in stupidos.extract(latin, header="text/html; charset=iso-8859-1", model="keep-all").text
    assert stupidos.extract(PAGE, content_language="de-AT").language_source != ""
    with pytest.raises(ValueError, match="not both"):
        stupidos.extract(PAGE, precision=True, recall=True)

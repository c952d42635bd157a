"""Metadata, languages and fields of `stupidos clean`, from the outside."""

from __future__ import annotations

import json
from pathlib import Path

import crawls
import pytest

from stupidos.cli import main
from stupidos.metadata import detect

HEAD = """<head><title>Tea is hot in the morning | Harbour Post</title>
<meta property="og:site_name" content="Harbour Post"><meta name="author" content="By Jane Smith">
<meta property="article:published_time" content="2023-12-22T10:00:00Z">
<meta property="article:tag" content="tea"></head>"""
BODY = "<body><p>The harbour was quiet when the first boat came in, and that is what they have to say.</p>"
GERMAN = "<body><p>Die Höhe des Turms ist nicht bekannt, und das ändert sich auch mit der Zeit nicht.</p>"
MODEL = ["--model", "keep-all"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(detect, "_installed", lambda: False)
    Path("tea.html").write_text(f"<html lang=en>{HEAD}{BODY}")
    Path("turm.html").write_text(f"<html lang=de>{GERMAN}")


def clean(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["clean", *MODEL, *arguments]) == 0
    return capsys.readouterr().out


def test_a_record_says_what_the_page_says_about_itself(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(clean(capsys, "--format", "jsonl", "tea.html"))
    assert (found["title"], found["authors"]) == ("Tea is hot in the morning", ["Jane Smith"])
    assert (found["date"], found["site"], found["tags"]) == ("2023-12-22T10:00:00Z", "Harbour Post", ["tea"])
    assert (found["language"], found["language_source"]) == ("en", "declared")
    assert (found["modified"], found["license"], found["categories"]) == (None, None, None)
    assert len(found["text_sha1"]) == 40


def test_the_vertical_format_has_attributes(capsys: pytest.CaptureFixture[str]) -> None:
    first = clean(capsys, "--format", "vertical", "tea.html").split("\n")[0]
    assert 'authors="Jane Smith" date="2023-12-22T10:00:00Z"' in first
    assert "modified" not in first


def test_the_header_of_tei_has_author_date_and_language(capsys: pytest.CaptureFixture[str]) -> None:
    header = clean(capsys, "--format", "tei", "tea.html").partition("</teiHeader>")[0]
    assert "<author>Jane Smith</author>" in header
    assert '<date type="published" when="2023-12-22T10:00:00Z">' in header
    assert '<language ident="en" ana="declared">' in header


def test_front_matter_is_above_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    lines = clean(capsys, "--format", "markdown", "--front-matter", "tea.html").split("\n")
    assert lines[:3] == ["---", 'title: "Tea is hot in the morning"', 'authors: ["Jane Smith"]']
    assert "---" in lines[3:]


@pytest.mark.parametrize(
    ("format", "option", "first"),
    [("markdown", "auto", "# Tea is hot in the morning"), ("text", "auto", "The harbour was quiet"),
     ("text", "keep", "Tea is hot in the morning"), ("markdown", "drop", "The harbour was quiet")],
)  # fmt: skip
def test_the_headline_is_put_first(
    format: str, option: str, first: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert clean(capsys, "--format", format, "--title", option, "tea.html").startswith(first)


def test_a_headline_that_was_kept_appears_once(capsys: pytest.CaptureFixture[str]) -> None:
    Path("tea.html").write_text(f"<html>{HEAD}<h1>Tea is hot in the morning</h1>{BODY}")
    assert clean(capsys, "--format", "markdown", "tea.html").count("Tea is hot") == 1
    assert clean(capsys, "--format", "text", "--title", "drop", "tea.html").count("Tea is hot") == 0


def test_pages_in_other_languages_are_skipped_and_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean", *MODEL, "--lang", "de,fr", "tea.html", "turm.html", "-o", "out.jsonl"]) == 0
    assert [json.loads(line)["id"] for line in Path("out.jsonl").read_text().splitlines()] == ["turm.html"]
    assert capsys.readouterr().err == (
        "stupidos: read 1 = written 1 + empty 0 + failed 0; skipped 1 (language en 1)\n"
    )


def test_a_skipped_page_has_no_file_in_a_folder() -> None:
    assert main(["clean", *MODEL, "--lang", "de", "tea.html", "turm.html", "-o", "out/"]) == 0
    assert sorted(path.name for path in Path("out").iterdir()) == ["turm.txt"]


def test_a_single_skipped_page_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean", *MODEL, "--lang", "de", "tea.html"]) == 0
    assert tuple(capsys.readouterr()) == ("", "stupidos: tea.html: skipped: language en\n")


def test_what_is_not_a_language_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean", "--lang", "de,?", "tea.html"]) == 2
    assert "--lang" in capsys.readouterr().err


RECORD = {"id": 7, "html": "<p>Tea is hot.", "rank": [{"a": None}], "title": "wrong", "price": 1.5, "π": "ü"}


@pytest.mark.parametrize(("option", "handed"), [("keep", {"rank", "price", "π"}), ("drop", set())])
def test_other_fields_are_handed_through(
    option: str, handed: set[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("in.jsonl").write_text(json.dumps(RECORD))
    found = json.loads(clean(capsys, "--fields", option, "in.jsonl"))
    assert {name for name in ("rank", "price", "π", "html") if name in found} == handed
    assert all(found[name] == RECORD[name] for name in handed)
    assert (found["id"], found["title"], found["text"]) == ("7", None, "Tea is hot.\n")


def test_records_without_metadata(capsys: pytest.CaptureFixture[str]) -> None:
    kept, bare = (
        json.loads(clean(capsys, "--metadata", option, "--format", "jsonl", "turm.html"))
        for option in ("keep", "drop")
    )
    left_out = kept.keys() - bare.keys()
    assert {"title", "authors", "date", "site", "language", "tags"} <= left_out
    assert bare == {name: value for name, value in kept.items() if name not in left_out}
    assert bare["text_sha1"]


def test_without_metadata_those_of_the_input_are_handed_through(capsys: pytest.CaptureFixture[str]) -> None:
    Path("in.jsonl").write_text(json.dumps(RECORD))
    assert json.loads(clean(capsys, "--metadata", "drop", "in.jsonl"))["title"] == "wrong"


def test_without_metadata_a_language_can_be_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(
            ["clean", *MODEL, "--lang", "de", "--metadata", "drop", "tea.html", "turm.html", "-o", "a.jsonl"]
        )
        == 0
    )
    assert [json.loads(line)["id"] for line in Path("a.jsonl").read_text().splitlines()] == ["turm.html"]


def test_metadata_are_left_out_of_records_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean", "--metadata", "drop", "tea.html"]) == 1
    assert "--metadata is for JSONL records" in capsys.readouterr().err


def test_fields_of_a_page_that_fails_are_handed_through(capsys: pytest.CaptureFixture[str]) -> None:
    Path("in.jsonl").write_text('{"rank": 2, "html": null}')
    assert main(["clean", *MODEL, "in.jsonl"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["rank"], found["error"]) == (2, "no text in the field html or text")


def test_a_number_that_json_lacks_becomes_null(capsys: pytest.CaptureFixture[str]) -> None:
    Path("in.jsonl").write_text('{"html": "<p>Tea", "rank": [NaN, 1e999, 1]}')
    assert json.loads(clean(capsys, "in.jsonl"))["rank"] == [None, None, 1]


def test_a_record_of_a_warc_file_says_how_it_was_crawled(capsys: pytest.CaptureFixture[str]) -> None:
    crawls.write(Path("a.warc"), [crawls.record(1, crawls.page(1))])
    found = json.loads(clean(capsys, "a.warc"))
    assert (found["warc_date"], found["http_status"]) == ("2024-01-01T00:00:00Z", 200)
    assert (found["content_type"], found["payload_digest"]) == (crawls.HTML, None)


def test_other_fields_are_a_column_of_parquet() -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    lines = [{"html": "<p>Tea", "rank": 2, "http_status": "x"}, {"html": "<p>Milk"}]
    Path("in.jsonl").write_text("\n".join(map(json.dumps, lines)))
    assert main(["clean", *MODEL, "in.jsonl", "-o", "out.parquet"]) == 0
    rows = parquet.read_table("out.parquet").to_pylist()
    assert [json.loads(row["fields"] or "{}") for row in rows] == [{"rank": 2, "http_status": "x"}, {}]
    assert rows[0]["authors"] is None

"""Any page, model and format: no exception, well-formed output, nothing that the page does not say."""

from __future__ import annotations

import html
import json
import re
import warnings
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from itertools import compress
from xml.etree import ElementTree

import pytest
from generators import check_message, examples, pages, sources
from html_checks import checked
from hypothesis import given
from hypothesis import strategies as st
from said import READERS, check_said, letters

from stupidos import Cleaner, DecodeError, Options
from stupidos.decode import DecodeWarning
from stupidos.document import Document
from stupidos.write import Style, closing, opening, plain, written

pytestmark = pytest.mark.fuzz

FORMATS = "text cleaneval jsonl markdown html vertical tei".split()
STYLES = [Style(name, dirty) for name in FORMATS for dirty in (False, True)] + [Style("jsonl", segments=True)]
MODELS = (
    *"standard stupidos-2007 simplified fiasco boilerpipe boilerpipe-words boilerpipe-article".split(),
    *"bte tree rules keep-all".split(),
)
WITH_RULES = frozenset({"rules", "standard", "stupidos-2007", "simplified"})
OPTIONS = [
    Options(),
    Options("html"),
    Options("text"),
    Options(br="line", comments="keep", preference="recall"),
    Options(ancestor=2, comments="drop", preference="precision"),
    Options(threshold=-3.0, rules_off=frozenset({"separator_bar"})),
]
REFERENCE = re.compile(r"&#?\w{1,40};?")


@cache
def cleaner(model: str | None, options: Options) -> Cleaner:
    return Cleaner.load(model, options)


def judged(data: str | bytes, by: Cleaner) -> Document:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DecodeWarning)
        return by.document(by.page(data))


def both_ways(source: str) -> str:
    """Every reference with its character behind it: some elements show the one, some the other."""
    return REFERENCE.sub(lambda found: found[0] + html.unescape(found[0]), source)


def says(source: str, text: str) -> bool:
    """Whether the letters of a text are in the source, in the same order."""
    there = iter(letters(both_ways(both_ways(source))))
    return all(letter in there for letter in letters(text))


def check_formats(document: Document) -> None:
    document.id, document.url = "a\n<b>&\"'", "http://example.org/?a&b\x01"
    verdicts = document.verdicts
    kept = [verdict.segment.text for verdict in verdicts if verdict.keep]
    for style in STYLES:
        text = written(document, style)
        assert text == written(document, style)
        text.encode()
        texts = [verdict.segment.text for verdict in verdicts] if style.dirty else kept
        if style.format in READERS:
            check_said(text, document, style, texts)
        CHECKS.get(style.format, check_text)(text, texts, style)


def check_text(text: str, texts: Iterable[str], style: Style) -> None:
    if style.dirty:
        assert len(text.split("\n")) == len(list(texts)) + 1
        return
    if style.format == "cleaneval":
        assert re.fullmatch("\n".join(f"<[phl]>{re.escape(one)}\n" for one in texts), text)
    else:
        assert text.split() == words(texts)


def words(texts: Iterable[str]) -> list[str]:
    """The words of texts, without a mark at their ends that links to a heading."""
    lines = "\n".join(texts).split("\n")
    return " ".join(line.removesuffix("¶") for line in lines).split()


def check_jsonl(text: str, texts: Iterable[str], style: Style) -> None:
    (line,) = text.splitlines()
    record = json.loads(line)
    if style.segments or style.dirty:
        assert [segment["text"] for segment in record["segments"]] == list(texts)
    else:
        assert record["text"].split() == words(texts)


def check_markdown(text: str, texts: Iterable[str], style: Style) -> None:
    assert text == "" or text.endswith("\n")


def check_vertical(text: str, texts: Iterable[str], style: Style) -> None:
    lines = text.splitlines()
    assert lines[0].startswith("<doc ")
    assert lines[-1] == "</doc>"
    assert not any("\t" in line or not line for line in lines)
    tokens = [html.unescape(line) for line in lines if not re.fullmatch(r"<.*>", line)]
    assert "".join(tokens) == "".join("".join(texts).split())


def check_tei(text: str, texts: Iterable[str], style: Style) -> None:
    for count in (1, 2):
        ElementTree.fromstring((opening("tei", count) + text * count + closing("tei", count)).encode())


def check_html(text: str, texts: Iterable[str], style: Style) -> None:
    checked(text)


CHECKS = {
    "jsonl": check_jsonl,
    "markdown": check_markdown,
    "html": check_html,
    "vertical": check_vertical,
    "tei": check_tei,
}


def check_page(data: str | bytes, by: Cleaner) -> None:
    try:
        document = judged(data, by)
    except DecodeError as error:
        check_message(error)
        return
    page, verdicts = document.page, document.verdicts
    assert [verdict.segment for verdict in verdicts] == list(page.segments)
    for segment in page.segments:
        assert segment.text == segment.text.rstrip()
        assert segment.text.split("\n")[0].strip()  # the first line of <pre> may be indented
        source = (
            page.source[segment.start : segment.end] if segment.offsets else page.source.replace("\\", " ")
        )
        if segment.offsets or "\\" not in page.source:
            assert says(source, segment.text)
    check_formats(document)
    again = judged(data, by).verdicts
    assert [(one.keep, one.score, one.reason) for one in again] == [
        (one.keep, one.score, one.reason) for one in verdicts
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DecodeWarning)
        assert by.clean(data) == plain(list(compress(verdicts, [verdict.keep for verdict in verdicts])))


@examples(180)
@given(pages())
def test_a_page_is_cleaned_in_every_format(data: bytes) -> None:
    check_page(data, cleaner(None, Options()))


@examples(50)
@given(sources())
def test_a_page_that_was_decoded_before_is_cleaned_in_every_format(source: str) -> None:
    check_page(source, cleaner(None, Options("html")))


@examples(90)
@given(pages(), st.sampled_from([None, *MODELS]), st.sampled_from(OPTIONS))
def test_a_page_is_cleaned_by_every_model_with_every_option(
    data: bytes, model: str | None, options: Options
) -> None:
    if options.rules_off and model not in WITH_RULES:
        options = replace(options, rules_off=frozenset())  # they have none to switch off
    check_page(data, cleaner(model, options))

"""HTML or plain text."""

import pytest

from stupidos.render.sniff import _FRONT, SNIFFED, looks_like_html, many_pages, not_text


@pytest.mark.parametrize(
    "text",
    [
        "<!DOCTYPE html><p>x",
        "\ufeff\n  <HTML>",
        "<?xml version='1.0'?><html/>",
        "<!-- made by hand --> <p>x",
        '<text id="http://example.org/" encoding="unset">\nwords',
        "<my-element>words</my-element>",
        "Hello <b>world</b>",
        "HTTP/1.1 200 OK\nContent-Type: text/html\n\n<html><body>words",
        "One.<p>Two.<p>Three.<br>",
    ],
)
def test_marked_up_text_is_html(text):
    assert looks_like_html(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Plain words.",
        "<- back, << previous, a < b and b > c",
        "<anna> hello\n<berta> hello you",
        "<john@example.org> wrote:",
        "Close a paragraph with </p> if you like.\n" + "Nobody has to. " * 30,
        "   [1]Home [2]News\n\nReferences\n\n   1. http://example.org/\n",
        "\ud800 alone",
        "<" * 9999,
        "\0\0\0",
    ],
)
def test_plain_text_is_not_html(text):
    assert not looks_like_html(text)


def test_a_picture_is_known_by_name():
    assert not_text(b"\x89PNG\r\n\x1a\n") == "a PNG image"


@pytest.mark.parametrize(
    ("start", "kind"),
    [
        (b"WARC/1.0\r\nWARC-Type: warcinfo", "warc"),
        (b"WARC/ is how they begin", ""),
        (b'{"html": "<p>Hi"}\n{', "jsonl"),
        (b'\n  {"url": "u", "text": "Hi"}', "jsonl"),
        (b'\xef\xbb\xbf{"text": "Hi"}\nnonsense', "jsonl"),
        (b'{"html": "' + b"x" * SNIFFED, "jsonl"),
        (b'{"id": 1, "more": [{}], "text": "' + b"x" * SNIFFED, "jsonl"),
        (b'{"id": "' + b"x" * SNIFFED, ""),
        (b'{"id": {"html": "' + b"x" * SNIFFED, ""),
        (b"{" + b"[" * SNIFFED, ""),
        (b'{"html": ' + b"[" * SNIFFED, ""),
        (b'{"html": "<p>Hi", \n "id": 1}', ""),
        (b'{"html": 5}', ""),
        (b'{"title": "Hi"}', ""),
        (b'{"html": "<p>Hi"} and so on', ""),
        (b'{"html": "<p>Hi"', ""),
        (b'["html", "text"]', ""),
        (b"{html} is a template", ""),
        (b'<script>{"html": "<p>Hi"}</script>', ""),
        (b'Home\n{"html": "<p>Hi"}', ""),
        (b"", ""),
        (b" \n" * SNIFFED, ""),
    ],
)
def test_files_of_many_pages_are_told_from_pages(start, kind):
    assert many_pages(start[:SNIFFED]) == kind


@pytest.mark.parametrize(("start", "kind"), [(b'{"body": 5}\n', "jsonl"), (b"{body}\n", ""), (b"<p>Hi", "")])
def test_any_object_is_a_record_for_those_who_name_a_field(start, kind):
    assert many_pages(start, "body") == kind


@pytest.mark.parametrize(("before", "html"), [(_FRONT - 15, True), (_FRONT - 14, False)])
def test_a_doctype_may_be_preceded_by_junk_of_one_kilobyte(before, html):
    """A doctype has 15 characters with its beginning; all of them must lie in the first kilobyte."""
    assert (
        looks_like_html("x " * (before // 2) + "x" * (before % 2 + 1) + "<!doctype html" + " word" * 9999)
        == html
    )


@pytest.mark.parametrize(("junk", "html"), [(8_000, True), (12_000, True), (17_000, False)])
def test_tags_are_counted_in_the_first_16384_characters(junk, html):
    assert looks_like_html("word " * (junk // 5) + "<b>x</b>" * 500) == html


@pytest.mark.parametrize(("size", "html"), [(149, True), (150, False)])
def test_a_page_has_a_tag_in_less_than_150_characters(size, html):
    assert looks_like_html(("w" * size)[:-3] + "<b>") == html

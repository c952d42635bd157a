"""HTML or plain text."""

import pytest

from stupidos.render.sniff import looks_like_html, not_text


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

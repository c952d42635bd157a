"""Detect from its first bytes whether an input is HTML, plain text or a file of many pages."""

from __future__ import annotations

import re
from functools import cache

from stupidos.signatures import not_text

__all__ = ["looks_like_html", "many_pages", "not_text"]

_BEGINNING = 1 << 14  # characters examined
_FRONT = 1 << 10  # characters of junk that may precede <html>: HTTP headers, an error message
_APART = 150  # characters per tag: pages have 30 to 120, plain text about HTML rarely fewer than 200

_NAMES = (
    "a|abbr|address|article|aside|b|big|blockquote|body|br|button|center|cite|code|dd|del|div|dl|dt|em|fieldset|"
    "figure|font|footer|form|frame|frameset|h[1-6]|head|header|hr|html|i|iframe|img|input|ins|label|li|link|main|"
    "map|meta|nav|noscript|object|ol|option|p|pre|q|rss|s|script|section|select|small|span|strong|style|sub|"
    "sup|svg|table|tbody|td|template|text|textarea|th|thead|time|title|tr|tt|u|ul|video"
)
_ANY_TAG = rf"</?(?:{_NAMES}|[a-z]{{1,20}}-[a-z-]{{1,20}})(?=[\s/>])|<!--"
_USUAL = ("<!doctype html", "<html>", "<html ")
_LEAD = 64  # characters within which most pages begin
_JUNK = "\ufeff\0 \t\r\n\f"
SNIFFED = 1 << 18  # bytes examined to recognise a file of many pages
PAGE_FIELDS = ("html", "text")  # fields of a JSON record that may hold the page
_WARC_START = re.compile(rb"WARC/\d\.\d")
NAME = re.compile(r'\s*+"([^"\\]*+)"\s*+:\s*+')
_COMMA = re.compile(r"\s*+,")
_ROOT = re.compile(r"<!doctype html|<html[\s>]", re.IGNORECASE)


def looks_like_html(text: str) -> bool:
    """Whether `text` is HTML, and not plain text that mentions a few tags.

    >>> looks_like_html("  <P>One"), looks_like_html("Close it with </p>, or leave <p> out." + " Words." * 99)
    (True, False)
    """
    if text[:_LEAD].lstrip(_JUNK)[:14].lower().startswith(_USUAL):  # fast path for nearly all pages
        return True
    tag, start = _tag_patterns()
    beginning = text[:_BEGINNING].lstrip(_JUNK)
    if start.match(beginning) or _ROOT.search(beginning[:_FRONT]):
        return True
    tags = sum(1 for _ in tag.finditer(beginning))
    return tags > 0 and len(beginning) < tags * _APART


@cache
def _tag_patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Any tag, and what a page starts with: few inputs need them, and they take long to compile."""
    return re.compile(_ANY_TAG, re.IGNORECASE), re.compile(rf"<!doctype|<\?xml|{_ANY_TAG}", re.IGNORECASE)


def many_pages(start: bytes, field: str | None = None) -> str:
    """`warc` or `jsonl` if a file of many pages starts with these bytes, else the empty string.

    The input counts as JSONL if its first line is an object with a page in one of PAGE_FIELDS. If the user
    named the field, any object will do.

    >>> many_pages(b"WARC/1.0\\r\\n"), many_pages(b'{"html": "<p>Hi"}\\n'), many_pages(b'{"a": 1}')
    ('warc', 'jsonl', '')
    """
    if _WARC_START.match(start):
        return "warc"
    whole = len(start) < SNIFFED
    start = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not start.startswith(b"{"):
        return ""
    line, end, _ = start.partition(b"\n")
    complete = bool(end) or whole
    text = line.decode("utf-8", "replace")
    return "jsonl" if (_has_page(text, field) if complete else _begins_with_page(text, field)) else ""


def _has_page(line: str, field: str | None) -> bool:
    """Whether `line` is a JSON object that holds a page."""
    import json

    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(record, dict) and (
        field is not None or any(isinstance(record.get(name), str) for name in PAGE_FIELDS)
    )


def _begins_with_page(line: str, field: str | None) -> bool:
    """The same for the start of a long line, cut off inside or after its page.

    >>> _begins_with_page('{"id": 7, "html": "<p>Hi', None), _begins_with_page('{"id": "html": "<p>Hi', None)
    (True, False)
    """
    import json

    decoder, at = json.JSONDecoder(), 1
    try:
        while name := NAME.match(line, at):
            if (field is not None or name[1] in PAGE_FIELDS) and line.startswith('"', name.end()):
                return True
            _, at = decoder.raw_decode(line, name.end())
            comma = _COMMA.match(line, at)
            at = comma.end() if comma else len(line)
    except (ValueError, RecursionError):
        pass
    return False

"""Whether an input is HTML, already plain text, or a file of many pages, from its beginning."""

from __future__ import annotations

import re

from stupidos.signatures import not_text

__all__ = ["looks_like_html", "many_pages", "not_text"]

BEGINNING = 1 << 14  # characters looked at
FRONT = 1 << 10  # where <html> may be preceded by junk, such as HTTP headers or a server's error message
APART = 150  # characters per tag: pages have 30 to 120, a dump that talks about HTML hardly under 200

NAMES = (
    "a|abbr|address|article|aside|b|big|blockquote|body|br|button|center|cite|code|dd|del|div|dl|dt|em|fieldset|"
    "figure|font|footer|form|frame|frameset|h[1-6]|head|header|hr|html|i|iframe|img|input|ins|label|li|link|main|"
    "map|meta|nav|noscript|object|ol|option|p|pre|q|rss|s|script|section|select|small|span|strong|style|sub|"
    "sup|svg|table|tbody|td|template|text|textarea|th|thead|time|title|tr|tt|u|ul|video"
)
TAG = re.compile(rf"</?(?:{NAMES}|[a-z]{{1,20}}-[a-z-]{{1,20}})(?=[\s/>])|<!--", re.IGNORECASE)
START = re.compile(rf"<!doctype|<\?xml|<!--|</?(?:{NAMES}|[a-z]{{1,20}}-[a-z-]{{1,20}})[\s/>]", re.IGNORECASE)
USUAL = ("<!doctype html", "<html>", "<html ")
LEAD = 64  # characters in which a page usually begins
JUNK = "\ufeff\0 \t\r\n\f"
SNIFFED = 1 << 18  # bytes in which a file of many pages shows what it is
PAGE_FIELDS = ("html", "text")  # of a JSON record
_WARC_START = re.compile(rb"WARC/\d\.\d")
NAME = re.compile(r'\s*+"([^"\\]*+)"\s*+:\s*+')
COMMA = re.compile(r"\s*+,")
ROOT = re.compile(r"<!doctype html|<html[\s>]", re.IGNORECASE)


def looks_like_html(text: str) -> bool:
    """Whether `text` is marked up; plain text that merely mentions a tag is not.

    >>> looks_like_html("  <P>One"), looks_like_html("Close it with </p>, or leave <p> out." + " Words." * 99)
    (True, False)
    """
    if text[:LEAD].lstrip(JUNK)[:14].lower().startswith(USUAL):  # spares nearly all pages the rest
        return True
    beginning = text[:BEGINNING].lstrip(JUNK)
    if START.match(beginning) or ROOT.search(beginning[:FRONT]):
        return True
    tags = sum(1 for _ in TAG.finditer(beginning))
    return tags > 0 and len(beginning) < tags * APART


def many_pages(start: bytes, field: str | None = None) -> str:
    """`warc` or `jsonl` for the first bytes of a file of many pages, nothing for those of a page.

    Lines are JSON if the first one is an object with a page in one of its fields; a user who names the
    field has said that they are, so then any object will do.

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
    return "jsonl" if (has_page(text, field) if complete else begins_with_page(text, field)) else ""


def has_page(line: str, field: str | None) -> bool:
    """Whether a line is a JSON object with a page."""
    import json

    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(record, dict) and (
        field is not None or any(isinstance(record.get(name), str) for name in PAGE_FIELDS)
    )


def begins_with_page(line: str, field: str | None) -> bool:
    """The same for the beginning of a line, which breaks off in or behind its page.

    >>> begins_with_page('{"id": 7, "html": "<p>Hi', None), begins_with_page('{"id": "html": "<p>Hi', None)
    (True, False)
    """
    import json

    decoder, at = json.JSONDecoder(), 1
    try:
        while name := NAME.match(line, at):
            if (field is not None or name[1] in PAGE_FIELDS) and line.startswith('"', name.end()):
                return True
            _, at = decoder.raw_decode(line, name.end())
            comma = COMMA.match(line, at)
            at = comma.end() if comma else len(line)
    except (ValueError, RecursionError):
        pass
    return False

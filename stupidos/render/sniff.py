"""Whether an input is HTML or already plain text, from its beginning."""

from __future__ import annotations

import re

from stupidos.signatures import not_text

__all__ = ["looks_like_html", "not_text"]

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

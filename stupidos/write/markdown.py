"""Markdown (CommonMark): headings, lists and paragraphs, everything else escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from stupidos.page import Kind, Segment, Verdict
from stupidos.write import About, Style, blocks

# `_` inside a word and `&` before anything but a reference mean themselves
INLINE = re.compile(r"[\\`*\[\]<]|(?<!\w)_|_(?!\w)|&(?=#?\w{1,32};)|~(?=~)|(?<=~)~")
_LINE_START = re.compile(
    r"^(\s*)(?:(#{1,6}|[-+])(?=\s|$)|(>|[-=]{2,}\s*$)|(\d{1,9})([.)])(?=\s|$))", re.MULTILINE
)
NUMBER = re.compile(r"(\d{1,9}[.)])\s+")


def escaped(text: str) -> str:
    """Escape text for Markdown; line breaks are kept.

    >>> print(escaped("1. snake_case *and* a<b"))
    1\\. snake_case \\*and\\* a\\<b
    """
    text = _LINE_START.sub(_escaped_start, INLINE.sub(r"\\\g<0>", text))
    return text.strip().replace("\n", "\\\n")


def _escaped_start(match: re.Match[str]) -> str:
    blank, mark, rule, number, dot = match.groups()
    return f"{blank}{number}\\{dot}" if number else f"{blank}\\{mark or rule}"


def markdown(segment: Segment) -> str:
    """One segment; an item that carries its number keeps it.

    >>> markdown(Segment("Milk", Kind.ITEM, 2))
    '  - Milk'
    >>> markdown(Segment("2. Stir", Kind.ITEM, 1))
    '2. Stir'
    """
    text, kind, level = segment[:3]
    if kind == Kind.HEADING:
        return "#" * min(max(level, 1), 6) + " " + escaped(" ".join(text.split()))
    if kind == Kind.PARAGRAPH:
        return escaped(text)
    number = NUMBER.match(text)
    mark = f"{number[1]} " if number else "- "
    indent = "  " * (max(level, 1) - 1)
    body = escaped(text[number.end() :] if number else text)
    return indent + mark + body.replace("\n", "\n" + indent + " " * len(mark))


def write(verdicts: Sequence[Verdict], about: About, style: Style) -> Iterator[str]:
    """A page in pieces; dropped segments, if included, are struck through."""
    return (piece.replace(STRIKE, "~~") for piece in blocks(lines(verdicts, style.dirty)))


def lines(verdicts: Sequence[Verdict], dirty: bool) -> Iterator[str]:
    """Each segment with its newline, and a blank line before it unless it goes on with a list."""
    first, item = True, False
    for verdict in verdicts:
        if verdict.keep or dirty:
            text = markdown(verdict.segment if verdict.keep else _struck(verdict.segment))
            both = item and verdict.segment.kind == Kind.ITEM
            yield f"{text}\n" if both or first else f"\n{text}\n"
            first, item = False, verdict.segment.kind == Kind.ITEM


STRIKE = "\ufdd0"  # a noncharacter placeholder, so that the strokes are not escaped


def _struck(segment: Segment) -> Segment:
    return segment._replace(text=STRIKE + segment.text.replace(STRIKE, "") + STRIKE)

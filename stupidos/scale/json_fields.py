"""The fields of a long JSON object, checked as strictly as by `json` but without building large values.

`json.loads` takes up to forty bytes of memory for a byte of a hostile line (`[{},{},{} ...`). Here lists
and objects are matched: flat ones by one regular expression, others with a stack; large ones are skipped.
"""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8, getincrementaldecoder
from collections.abc import Collection, Iterator
from functools import cache
from typing import Any, NamedTuple

DEEPEST = 1000  # levels of nesting, about as many as `json` reads
FLAT = 2  # levels of it that one regular expression matches
CHUNK = 1 << 20  # bytes decoded at once to see that all of them can be
_LONGEST_OTHER = 1 << 16  # bytes of a list, an object or a number that is a field's value
_MOST_OTHERS = 1 << 20  # bytes of all of them

SPACE = rb"[ \t\n\r]*+"
PLAIN = rb'[^"\\\x00-\x1f]*+'
STRING = rb'"%b(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})%b)*+"' % (PLAIN, PLAIN)
# Python reads no integer of more than 4,300 digits, but any other number
WHOLE = rb"(?:0|[1-9](?:[0-9]{0,4299}+(?![0-9])|[0-9]*+(?=[.eE])))"
NUMBER = rb"-?+(?:Infinity|%b(?:\.[0-9]++)?+(?:[eE][+-]?+[0-9]++)?+)" % WHOLE
BLANKS = re.compile(SPACE)
KEY = rb"%b%b:%b" % (STRING, SPACE, SPACE)


class Patterns(NamedTuple):
    """Compiled when the first long line comes. All repeats are possessive: no backtracking, no memory."""

    value: re.Pattern[bytes]  # a value that is nested FLAT levels at most
    opening: re.Pattern[bytes]  # the start of any other
    following: dict[bytes, re.Pattern[bytes]]  # closing bracket -> what may stand behind a value before it
    start: re.Pattern[bytes]
    key: re.Pattern[bytes]
    end: re.Pattern[bytes]


@cache
def patterns() -> Patterns:
    value = rb"(?:%b|%b|true|false|null|NaN)" % (STRING, NUMBER)
    for _ in range(FLAT):
        items = rb"\[%b(?:%b%b(?:,%b(?!\])|(?=\])))*+\]" % (SPACE, value, SPACE, SPACE)
        members = rb"\{%b(?:%b%b%b(?:,%b(?!\})|(?=\})))*+\}" % (SPACE, KEY, value, SPACE, SPACE)
        value = rb"(?:%b|%b|%b)" % (value, items, members)
    more = {b"]": b"", b"}": KEY}
    following = {
        bracket: rb"%b(?:,%b%b%b%b)*+(?:(\%b)|,%b%b)" % (SPACE, SPACE, key, value, SPACE, bracket, SPACE, key)
        for bracket, key in more.items()
    }
    return Patterns(
        re.compile(value),
        re.compile(rb"(?:\[|(\{)%b%b)%b" % (SPACE, KEY.removesuffix(SPACE), SPACE)),
        {bracket: re.compile(pattern) for bracket, pattern in following.items()},
        re.compile(rb"%b\{%b(\})?+" % (SPACE, SPACE)),
        re.compile(rb"(%b)%b:%b" % (STRING, SPACE, SPACE)),
        re.compile(rb"%b(?:,%b(?!\})|(\}))" % (SPACE, SPACE)),
    )


def fields(line: bytes, wanted: Collection[str], others: int = 0) -> dict[str, Any] | None:
    """The values of some fields of a JSON object, and of so many others; None if the JSON is of another kind.

    Values that are neither text nor short are left out.

    >>> fields(b'{"html": "<p>Hi", "links": [[1, {}], 2], "id": 7}', ("id", "html"))
    {'html': '<p>Hi', 'id': 7}
    >>> fields(b'{"html": "<p>Hi", "links": [1,]}', ("html",))
    Traceback (most recent call last):
    ValueError: no value (byte 30)
    """
    encoding = json.detect_encoding(line[:4])
    if not encoding.startswith("utf-8"):
        line = line.decode(encoding, "surrogatepass").encode("utf-8", "surrogatepass")
    check_utf8(line)
    at = len(BOM_UTF8) if encoding == "utf-8-sig" else 0
    start = patterns().start.match(line, at)
    if start is None:
        finish(line, end_of_value(line, expected(BLANKS, line, at, "").end()))
        return None
    spans: dict[str, tuple[int, int]] = {}
    at, closed = start.end(), start[1]
    while not closed:
        key = expected(patterns().key, line, at, "no name of a field")
        behind = end_of_value(line, key.end())
        name: str = json.loads(key[1])
        if name in wanted or name in spans or len(spans) < others:
            spans[name] = key.end(), behind
        end = expected(patterns().end, line, behind, "no comma")
        at, closed = end.end(), end[1]
    finish(line, at)
    return {name: json.loads(line[start:end]) for name, (start, end) in small(line, spans)}


def end_of_value(line: bytes, at: int) -> int:
    """Where the value that starts at `at` ends."""
    value, opening, following = patterns()[:3]
    closers: list[bytes] = []  # of the containers that are open
    while True:
        match = value.match(line, at)
        if match is None:
            match = expected(opening, line, at, "no value")
            if len(closers) == DEEPEST:
                raise ValueError(f"more than {DEEPEST} levels (byte {at})")
            closers.append(b"}" if match[1] else b"]")
            at = match.end()
            continue
        at = match.end()
        while closers:
            match = expected(following[closers[-1]], line, at, "no comma")
            at = match.end()
            if not match[1]:
                break
            closers.pop()
        else:
            return at


def expected(pattern: re.Pattern[bytes], line: bytes, at: int, otherwise: str) -> re.Match[bytes]:
    """The match at `at`, or an error."""
    match = pattern.match(line, at)
    if match is None:
        raise ValueError(f"{otherwise} (byte {at})")
    return match


def finish(line: bytes, at: int) -> None:
    """Refuse anything but blanks from `at` on."""
    if expected(BLANKS, line, at, "").end() < len(line):
        raise ValueError(f"more behind the end (byte {at})")


def small(line: bytes, spans: dict[str, tuple[int, int]]) -> Iterator[tuple[str, tuple[int, int]]]:
    """The fields whose values would not take much memory: texts, and short values of other kinds."""
    left = _MOST_OTHERS
    for name, (start, end) in spans.items():
        if not line.startswith(b'"', start):
            if end - start > min(_LONGEST_OTHER, left):
                continue
            left -= end - start
        yield name, (start, end)


def check_utf8(line: bytes) -> None:
    """Raise UnicodeDecodeError where `json` would; in pieces, as text may take four times the room."""
    if line.isascii():
        return
    decoder, view = getincrementaldecoder("utf-8")("surrogatepass"), memoryview(line)
    for at in range(0, len(line), CHUNK):
        decoder.decode(bytes(view[at : at + CHUNK]), at + CHUNK >= len(line))

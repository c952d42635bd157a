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

_DEEPEST = 1000  # levels of nesting, about the limit of `json`
_FLAT = 2  # levels of nesting that one regular expression matches
_CHUNK = 1 << 20  # bytes decoded at once to check the encoding
_LONGEST_OTHER = 1 << 16  # bytes of a list, an object or a number that is returned as a value
_MOST_OTHERS = 1 << 20  # bytes of all of them

_SPACE = rb"[ \t\n\r]*+"
_PLAIN = rb'[^"\\\x00-\x1f]*+'
_STRING = rb'"%b(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})%b)*+"' % (_PLAIN, _PLAIN)
# Python refuses integers of more than 4,300 digits, but no other numbers
_WHOLE = rb"(?:0|[1-9](?:[0-9]{0,4299}+(?![0-9])|[0-9]*+(?=[.eE])))"
_NUMBER = rb"-?+(?:Infinity|%b(?:\.[0-9]++)?+(?:[eE][+-]?+[0-9]++)?+)" % _WHOLE
_BLANKS = re.compile(_SPACE)
_KEY = rb"%b%b:%b" % (_STRING, _SPACE, _SPACE)


class _Patterns(NamedTuple):
    """Compiled for the first long line. All quantifiers are possessive: no backtracking, no memory."""

    value: re.Pattern[bytes]  # a value of at most _FLAT levels
    opening: re.Pattern[bytes]  # the start of a deeper value
    following: dict[bytes, re.Pattern[bytes]]  # closing bracket -> what may follow a value
    start: re.Pattern[bytes]
    key: re.Pattern[bytes]
    end: re.Pattern[bytes]


@cache
def _patterns() -> _Patterns:
    value = rb"(?:%b|%b|true|false|null|NaN)" % (_STRING, _NUMBER)
    for _ in range(_FLAT):
        items = rb"\[%b(?:%b%b(?:,%b(?!\])|(?=\])))*+\]" % (_SPACE, value, _SPACE, _SPACE)
        members = rb"\{%b(?:%b%b%b(?:,%b(?!\})|(?=\})))*+\}" % (_SPACE, _KEY, value, _SPACE, _SPACE)
        value = rb"(?:%b|%b|%b)" % (value, items, members)
    more = {b"]": b"", b"}": _KEY}
    following = {
        bracket: rb"%b(?:,%b%b%b%b)*+(?:(\%b)|,%b%b)"
        % (_SPACE, _SPACE, key, value, _SPACE, bracket, _SPACE, key)
        for bracket, key in more.items()
    }
    return _Patterns(
        re.compile(value),
        re.compile(rb"(?:\[|(\{)%b%b)%b" % (_SPACE, _KEY.removesuffix(_SPACE), _SPACE)),
        {bracket: re.compile(pattern) for bracket, pattern in following.items()},
        re.compile(rb"%b\{%b(\})?+" % (_SPACE, _SPACE)),
        re.compile(rb"(%b)%b:%b" % (_STRING, _SPACE, _SPACE)),
        re.compile(rb"%b(?:,%b(?!\})|(\}))" % (_SPACE, _SPACE)),
    )


def fields(line: bytes, wanted: Collection[str], others: int = 0) -> dict[str, Any] | None:
    """The values of some fields of a JSON object, and of at most `others` more; None if it is not an object.

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
    _check_utf8(line)
    at = len(BOM_UTF8) if encoding == "utf-8-sig" else 0
    start = _patterns().start.match(line, at)
    if start is None:
        _finish(line, _end_of_value(line, _expected(_BLANKS, line, at, "").end()))
        return None
    spans: dict[str, tuple[int, int]] = {}
    at, closed = start.end(), start[1]
    while not closed:
        key = _expected(_patterns().key, line, at, "no name of a field")
        behind = _end_of_value(line, key.end())
        name: str = json.loads(key[1])
        if name in wanted or name in spans or len(spans) < others:
            spans[name] = key.end(), behind
        end = _expected(_patterns().end, line, behind, "no comma")
        at, closed = end.end(), end[1]
    _finish(line, at)
    return {name: json.loads(line[start:end]) for name, (start, end) in _small(line, spans)}


def _end_of_value(line: bytes, at: int) -> int:
    """Offset of the end of the value that starts at `at`."""
    value, opening, following = _patterns()[:3]
    closers: list[bytes] = []  # closing brackets of the open containers
    while True:
        match = value.match(line, at)
        if match is None:
            match = _expected(opening, line, at, "no value")
            if len(closers) == _DEEPEST:
                raise ValueError(f"more than {_DEEPEST} levels (byte {at})")
            closers.append(b"}" if match[1] else b"]")
            at = match.end()
            continue
        at = match.end()
        while closers:
            match = _expected(following[closers[-1]], line, at, "no comma")
            at = match.end()
            if not match[1]:
                break
            closers.pop()
        else:
            return at


def _expected(pattern: re.Pattern[bytes], line: bytes, at: int, otherwise: str) -> re.Match[bytes]:
    """The match at `at`; ValueError if there is none."""
    match = pattern.match(line, at)
    if match is None:
        raise ValueError(f"{otherwise} (byte {at})")
    return match


def _finish(line: bytes, at: int) -> None:
    """Refuse anything but white space after `at`."""
    if _expected(_BLANKS, line, at, "").end() < len(line):
        raise ValueError(f"data after the end (byte {at})")


def _small(line: bytes, spans: dict[str, tuple[int, int]]) -> Iterator[tuple[str, tuple[int, int]]]:
    """The fields whose values would not take much memory: texts, and short values of other kinds."""
    left = _MOST_OTHERS
    for name, (start, end) in spans.items():
        if not line.startswith(b'"', start):
            if end - start > min(_LONGEST_OTHER, left):
                continue
            left -= end - start
        yield name, (start, end)


def _check_utf8(line: bytes) -> None:
    """Raise UnicodeDecodeError where `json` would; in chunks, as text may take four times the memory."""
    if line.isascii():
        return
    decoder, view = getincrementaldecoder("utf-8")("surrogatepass"), memoryview(line)
    for at in range(0, len(line), _CHUNK):
        decoder.decode(bytes(view[at : at + _CHUNK]), at + _CHUNK >= len(line))

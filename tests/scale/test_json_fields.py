"""Fields of JSON objects, read without building the rest."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from stupidos.scale.json_fields import fields

NAMES = ("id", "html")


def value(chance: random.Random, depth: int = 0) -> Any:
    """Any JSON value."""
    kind = chance.randrange(9 if depth < 6 else 6)
    if kind > 6:
        return [value(chance, depth + 1) for _ in range(chance.randrange(4))]
    if kind == 6:
        names = (chance.choice(("id", "html", "a", "\u00e9\n")) for _ in range(chance.randrange(4)))
        return {name: value(chance, depth + 1) for name in names}
    return (None, True, chance.randrange(-99, 99), chance.random() * 1e9, 't\u00e9xt\\"\n', "")[kind]


def spelt(chance: random.Random) -> bytes:
    """An object, spelt in one of many ways."""
    object = {"html": "<p>", "more": value(chance), "id": value(chance)}
    separators = chance.choice([(",", ":"), (" , ", " : "), (",\t", ":\r")])
    return json.dumps(object, ensure_ascii=chance.random() < 0.5, separators=separators).encode()


def by_json(line: bytes) -> object:
    try:
        found = json.loads(line)
    except ValueError:
        return "not JSON"
    return {name: found[name] for name in NAMES if name in found} if isinstance(found, dict) else None


def by_fields(line: bytes) -> object:
    try:
        return fields(line, NAMES)
    except ValueError:
        return "not JSON"


@pytest.mark.parametrize("seed", range(100))
def test_fields_are_those_that_json_finds(seed: int) -> None:
    line = spelt(random.Random(seed))
    assert by_fields(line) == by_json(line)


@pytest.mark.parametrize("seed", range(300))
def test_what_is_not_json_is_refused_as_by_json(seed: int) -> None:
    chance = random.Random(seed)
    line = bytearray(spelt(chance))
    for _ in range(chance.randrange(1, 3)):
        place = chance.randrange(len(line))
        line[place : place + chance.randrange(2)] = chance.choice(
            [*b'{}[]",:\\ 0-.e\nu\x01\xe9'],
        ).to_bytes()
    assert by_fields(bytes(line)) == by_json(bytes(line))


@pytest.mark.parametrize(
    "line",
    [
        b"{}",
        b" {} \n",
        b"\xef\xbb\xbf{}",
        b'{"html": "a", "html": "b"}',
        b'{"h\\u0074ml": "a"}',
        b'{"id": NaN}x',
        b'{"id": -Infinity, "html": 1e5}',
        b'{"id": 01}',
        b'{"id": 1.}',
        b'{"id": "\\x"}',
        b'{"id": "\\ud800"}',
        b'{"id": "\xed\xa0\x80"}',
        b'{"id": "\t"}',
        b'{"id": 1,}',
        b"{,}",
        b'{"id": [1,]}',
        b'{"id": {"a": 1,}}',
        b'{"id": [[[[[{"a": [[]]}, 2]]], 3]]}',
        b'{"id": [[[[[1}]]]]]}',
        b"[]",
        b"5 5",
        b"",
        b"  ",
        b'"text"',
        '{"id": "\u00e9"}'.encode("utf-16"),
        '{"id": "\u00e9"}'.encode("utf-16-be"),
        '{"id": "\u00e9"}'.encode("utf-32"),
        '{"id": "\u00e9"}'.encode("utf-16-le")[:-1],
        b'{"a": ' + b"1" * 4300 + b"}",
        b'{"a": -' + b"1" * 4301 + b"}",
        b'{"id": 1, "a": [' + b"1" * 5000 + b".5]}",
        b'{"a": ' + b"1" * 5000 + b"e1}",
    ],
)
def test_corners_of_the_grammar_are_those_of_json(line: bytes) -> None:
    assert by_fields(line) == by_json(line)


@pytest.mark.parametrize(("size", "there"), [(1 << 16, True), ((1 << 16) + 1, False)])
def test_a_list_of_64_kilobytes_is_returned(size: int, there: bool) -> None:
    value = b"[" + b" " * (size - 2) + b"]"
    assert ("a" in (fields(b'{"a": ' + value + b', "b": 1}', ("a", "b")) or {})) == there


def test_lists_of_a_megabyte_in_all_are_returned() -> None:
    value = b"[" + b" " * ((1 << 16) - 2) + b"]"
    names = [f"n{number}" for number in range(18)]
    line = b"{" + b",".join(b'"%s":%s' % (name.encode(), value) for name in names) + b', "text": "x"}'
    found = fields(line, (*names, "text"))
    assert found is not None
    assert [*found] == [*names[:16], "text"]


@pytest.mark.parametrize(("levels", "read"), [(1000, True), (1003, False)])
def test_a_thousand_levels_are_read(levels: int, read: bool) -> None:
    line = b'{"a": ' + b"[" * levels + b"]" * levels + b"}"
    if read:
        assert fields(line, ("b",)) == {}
    else:
        with pytest.raises(ValueError, match="more than 1000 levels"):
            fields(line, ("b",))


@pytest.mark.parametrize(("others", "expected"), [(0, "b"), (1, "ab"), (2, "ab"), (3, "abc")])
def test_so_many_fields_are_handed_through_besides(others: int, expected: str) -> None:
    assert "".join(fields(b'{"a": 1, "b": 2, "c": 3}', ("b",), others) or ()) == expected

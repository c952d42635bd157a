"""Long lines of JSON are read field by field, and exactly as `json` reads them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from generators import edited, edits, examples
from hypothesis import given
from hypothesis import strategies as st

from stupidos.scale import jsonl
from stupidos.scale.json_fields import fields
from stupidos.scale.source_items import Raw

pytestmark = pytest.mark.fuzz

NAMES = ["id", "url", "html", "text", "content", "a", "\u00e9\n", "", "\ud800"]
TOKENS = [
    *b'{ } [ ] " , : \\ / \\" \\u \\ud800 \\ude00'.split(),
    *b"0 -0 01 1. .5 1e5 1E+ -Infinity NaN null true nul +1 Infinity".split(),
    *(
        b" ",
        b"\t",
        b"\n",
        b"\r",
        b"\0",
        b"\x01",
        b"\x7f",
        b"\xe9",
        b"\xed\xa0\x80",
        b"\xef\xbb\xbf",
        b"\xc2\x85",
    ),
    *(b"{}", b"[]", b'"id":', b'"html":"<p>"', b"\xff\xfe", b"\0{", b"{\0", b"1" * 400),
]


def values() -> st.SearchStrategy[Any]:
    numbers = st.one_of(st.integers(), st.floats())
    texts = st.text(max_size=6)
    leaves = st.one_of(st.none(), st.booleans(), numbers, texts, st.sampled_from(["\ud800", "<p>Tea"]))
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.lists(inner, max_size=4), st.dictionaries(st.sampled_from(NAMES), inner, max_size=4)
        ),
        max_leaves=12,
    )


def spelt() -> st.SearchStrategy[bytes]:
    objects = st.one_of(st.dictionaries(st.sampled_from(NAMES), values(), max_size=5), values())
    separators = st.sampled_from([(",", ":"), (" , ", " : "), (",\t", ":\r\n"), (", ", ": ")])
    encodings = st.sampled_from(["utf-8"] * 9 + ["utf-8-sig", "utf-16", "utf-16-le", "utf-32-be"])
    return st.builds(
        lambda value, ascii, apart, encoding: json.dumps(value, ensure_ascii=ascii, separators=apart).encode(
            encoding, "surrogatepass"
        ),
        objects,
        st.booleans(),
        separators,
        encodings,
    )


def json_lines() -> st.SearchStrategy[bytes]:
    tokens = st.sampled_from(TOKENS)
    return st.one_of(
        spelt(),
        st.builds(edited, spelt(), edits(tokens)),
        st.lists(tokens, max_size=12).map(b"".join),
        st.lists(tokens, max_size=5).map(lambda some: b'{"id":' + b"".join(some) + b"}"),
    )


def by_json(line: bytes) -> Any:
    found = json.loads(line)
    return (
        {name: found[name] for name in ("id", "html") if name in found} if isinstance(found, dict) else None
    )


def outcome(read: Any, line: bytes) -> str:
    """What a reader makes of a line; as text, since NaN is not itself."""
    try:
        found = read(line)
    except ValueError:
        return "refused"
    return repr(sorted(found.items()) if isinstance(found, dict) else found)


@examples(1400)
@given(json_lines())
def test_fields_are_those_that_json_finds(line: bytes) -> None:
    assert outcome(lambda line: fields(line, ("id", "html")), line) == outcome(by_json, line)


@examples(520)
@given(json_lines(), st.sampled_from([None, "html", "a"]))
def test_a_long_line_is_the_same_page_as_a_short_one(line: bytes, field: str | None) -> None:
    def page() -> Raw:
        found = jsonl.page(Raw("x:1", line), field, 20)
        return found._replace(error=found.error.partition(":")[0])

    with pytest.MonkeyPatch.context() as patch:
        short = page()
        patch.setattr(jsonl, "_MAX_WHOLE_PARSE", -1)
        assert page() == short

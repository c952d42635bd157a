"""Any bytes with any declaration are text, or a DecodeError of one line."""

from __future__ import annotations

import codecs
import warnings

import pytest
from generators import check_message, examples, pages
from hypothesis import given
from hypothesis import strategies as st

from stupidos import DecodeError
from stupidos.decode import _MARKS, DecodeWarning, decode

pytestmark = pytest.mark.fuzz

LABELS = """
utf-8 UTF8 utf-16 utf-16le utf-32 iso-8859-1 latin1 windows-1252 cp1251 koi8-r big5 gb18030 gbk
hz-gb-2312 shift_jis euc-jp iso-2022-jp iso-2022-kr euc-kr x-user-defined replacement utf-7 ebcdic idna
punycode rot13 hex zlib undefined mbcs unicode_escape none binary x "utf-8" 'utf-8 ; \0 \u00fctf-8
""".split()
HEADERS = [
    "",
    "text/html",
    "charset=",
    "text/html; charset={}",
    'x; charset="{}"',
    "{}",
    "text/html;charset={};a=b",
]
ESCAPES = [
    b"\x1b$B",
    b"\x1b(B",
    b"\x1b$)C",
    b"\x0e",
    b"\x0f",
    b"~{",
    b"~}",
    b"~",
    b"\xff",
    b"\0",
    b"\x80\xc3\xa9",
]
BINARY = [
    b"\x89PNG\r\n\x1a\n",
    b"GIF89a",
    b"%PDF-1.4",
    b"PK\x03\x04",
    b"\x1f\x8b\x08",
    b"\xff\xd8\xff",
    b"RIFF",
]


def declarations() -> st.SearchStrategy[bytes]:
    forms = [
        "<meta charset={}>",
        "<meta http-equiv=content-type content='text/html; charset={}'>",
        "<!-- {} -->",
    ]
    forms += ['<?xml version="1.0" encoding="{}"?>', "<meta charset", ""]
    return st.builds(
        lambda form, label: form.format(label).encode(), st.sampled_from(forms), st.sampled_from(LABELS)
    )


def byte_strings() -> st.SearchStrategy[bytes]:
    """Marks, declarations, pages, halves of characters and noise behind each other."""
    text = st.builds(
        lambda text, codec: text.encode(codec, "ignore"),
        st.text(st.characters(codec="utf-8"), max_size=60),
        st.sampled_from(
            "utf-8 utf-16-le utf-16-be utf-32-le cp1252 shift_jis big5 gb18030 iso2022_jp koi8-r".split()
        ),
    )
    pieces = st.one_of(st.binary(max_size=40), text, st.sampled_from(ESCAPES), declarations())
    starts = st.sampled_from([b"", b"", b"", *(mark for mark, _ in _MARKS), *BINARY])
    built = st.builds(lambda start, rest: start + b"".join(rest), starts, st.lists(pieces, max_size=8))
    return st.one_of(built, pages(), st.binary(max_size=300), built.map(lambda data: data[:-1] * 20))


def headers() -> st.SearchStrategy[str | None]:
    named = st.builds(
        lambda form, label: form.format(label), st.sampled_from(HEADERS), st.sampled_from(LABELS)
    )
    return st.one_of(st.none(), named, st.text(max_size=20))


def decoded(data: bytes, header: str | None) -> tuple[str, str] | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DecodeWarning)
        try:
            return decode(data, header)
        except DecodeError as error:
            check_message(error)
            return None


@examples(880)
@given(byte_strings(), headers())
def test_bytes_are_text_or_an_error_of_one_line(data: bytes, header: str | None) -> None:
    found = decoded(data, header)
    assert found == decoded(data, header)
    if found is not None:
        found[0].encode()
        codecs.lookup(found[1])


@examples(180)
@given(
    st.text(st.characters(codec="utf-8", exclude_characters="\ufeff"), max_size=100), st.sampled_from(_MARKS)
)
def test_a_byte_order_mark_goes_before_every_declaration(text: str, marked: tuple[bytes, str]) -> None:
    mark, codec = marked
    if codec == "utf-16-le" and text.startswith("\0"):
        return  # the mark of UTF-32
    assert decoded(mark + text.encode(codec), "text/html; charset=koi8-r") == (text, codec)

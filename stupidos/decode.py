"""Decode bytes to text, using the most reliable evidence first.

Byte order mark; NUL patterns and escape sequences; strict UTF-8; HTTP header; `<meta>`; a detector; cp1252.
Evidence in the bytes takes precedence over declarations, which are often wrong.
"""

from __future__ import annotations

import codecs
import re
import warnings
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from functools import cache

from stupidos.charsets import GUESSABLE, MULTI_BYTE, byte_table, codec_of
from stupidos.errors import DecodeError
from stupidos.signatures import not_text

_MARKS = (  # longer marks first: the UTF-32 mark begins with the UTF-16 one
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_MARKS_BEGIN = frozenset(mark[:1] for mark, _ in _MARKS)
_ESCAPES = (
    (rb"\x1b\$[@B(]|\x1b\([IJ]", "iso2022_jp_ext"),
    (rb"\x1b\$\)C", "iso2022_kr"),
)
_NUL_WINDOW = 4096  # bytes in which NULs are counted
_DECLARED_WITHIN = 1 << 14  # bytes; the standard says 1,024, but some pages put scripts before their <meta>
_DECLARED_FIRST = 1024  # enough for a warning about a wrong but harmless declaration
_SEARCHED = 1 << 21  # bytes searched for text beyond ASCII
_SAMPLE = 4096  # bytes of text given to the detector; more is slower and not better

_GOOD_PER_BAD = 20  # decodable non-ASCII characters required for each undecodable one
_GOOD_PER_BAD_UTF8 = 4  # lower, since non-ASCII bytes are rarely valid UTF-8 by chance
_MIN_DETECTABLE = 10  # non-ASCII bytes inside words before the detector is used; a lone "©" becomes Baltic
_BYTES_PER_CONTROL = 20  # data with more control characters than one in so many bytes is binary

_CHARSET = re.compile(r"charset\s*=\s*([^\s;,]+)", re.IGNORECASE)
_META = re.compile(rb"<!--.*?(?:-->|\Z)|<meta[\s/]([^<>]{0,1000})", re.IGNORECASE | re.DOTALL)
_ATTRIBUTE = re.compile(rb"""([a-z-]+)\s{0,9}=\s{0,9}(?:"([^"]*)|'([^']*)|([^\s"'>]+))""", re.IGNORECASE)
_XML_ENCODING = re.compile(rb"""\s*<\?xml[^<>]{0,200}?encoding\s{0,9}=\s{0,9}["']([\w.:-]{1,40})""")
# Patterns of the detector, compiled when it is first needed.
# No alternative requires a terminator, so none can fail late (linear time).
_MARKUP = rb"(?is)<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1|\Z)|<[a-z/!?][^<>]*>?|&#?\w{1,30};?"
_FOREIGN = rb"[\xc0-\xff][\xa1-\xff]{2}"  # hardly ever in a Western European word
_IN_WORD = rb"(?<=[A-Za-z\x80-\xff])[\x80-\xff]|[\x80-\xff](?=[A-Za-z\x80-\xff])"
_CONTROLS = rb"[\x80-\x9f]"  # control codes in ISO 8859, letters and quotes elsewhere
_NOT_BINARY = bytes(set(range(256)) - set(range(32)) | set(b"\t\n\v\f\r\x1b"))


class DecodeWarning(UserWarning):
    """Bytes that are not what they were declared to be, or that could not all be decoded."""


def quietly() -> AbstractContextManager[object]:
    """Ignore DecodeWarnings: in a crawl or a corpus, too many pages declare a wrong encoding."""
    return warnings.catch_warnings(action="ignore", category=DecodeWarning)


def decode(data: bytes, header: str | None = None) -> tuple[str, str]:
    """The text of a page and the codec that gave it.

    `header` is a Content-Type header or just the charset. Only binary data is rejected.

    >>> decode("żółw".encode())
    ('żółw', 'utf-8')
    >>> decode(b"<meta charset=iso-8859-2>\\xbf\\xf3\\xb3w")[0][-4:]
    'żółw'
    """
    what = not_text(data)
    if what:
        raise DecodeError(f"this is {what}, not text: give a web page or a plain-text dump")
    proved = _by_form(data) if data[:1] in _MARKS_BEGIN or 0 in data[:_NUL_WINDOW] else None
    if proved:
        return proved
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return _by_escapes(data) or _without_utf8(data, header)
    if len(text) == len(
        data
    ):  # pure ASCII; escape sequences are ASCII too, and searching for them takes as long as decoding
        return _by_escapes(data) or (text, "utf-8")
    _checked_declaration("utf-8", _declared(data[:_DECLARED_FIRST], header))
    return text, "utf-8"


def _by_form(data: bytes) -> tuple[str, str] | None:
    """Detect Unicode encodings by byte order mark or by the positions of NULs."""
    for mark, codec in _MARKS:
        if data.startswith(mark):
            text = data[len(mark) :].decode(codec, "replace")
            if "\ufffd" in text and codec == "utf-8":
                _warn("marked as UTF-8, but some of its bytes are not")
            return text, codec
    head = data[:_NUL_WINDOW]
    nulls = [head[start::4].count(0) for start in range(4)]
    if sum(nulls) * 8 < len(head) and (sum(nulls) * 80 < len(head) or _valid(data, "utf-8")):
        return None  # a few NULs in an ordinary page; UTF-16 text without any markup has them only at blanks
    for codec, high in (("utf-32-le", nulls[2:]), ("utf-32-be", nulls[:2])):
        if min(high) * 5 > len(head) and _valid(data, codec):
            return data.decode(codec), codec
    even, odd = nulls[0] + nulls[2], nulls[1] + nulls[3]
    if min(even, odd) * 10 <= max(even, odd):
        codec = "utf-16-le" if odd > even else "utf-16-be"
        text = data.decode(codec, "replace")
        if text.count("\ufffd") * _GOOD_PER_BAD <= len(text) + _GOOD_PER_BAD:
            return text, codec
    return None


def _valid(data: bytes, codec: str) -> bool:
    """Whether `codec` decodes all of `data`."""
    try:
        data.decode(codec)
    except UnicodeDecodeError:
        return False
    return True


def _by_escapes(data: bytes) -> tuple[str, str] | None:
    """Detect ISO-2022 and HZ, which are ASCII with escape sequences."""
    if b"\x1b" in data:
        for escape, codec in _ESCAPES:
            if re.search(escape, data):
                text = _mostly(data, codec)
                if text is not None:
                    return text, codec
    # A stray "~" as in "~user" is an error in HZ, so a page that merely shows "~{" does not pass. One byte
    # is found twenty times as fast as two.
    if b"~" in data and b"~{" in data and b"~}" in data and data.isascii() and _valid(data, "hz"):
        return data.decode("hz"), "hz"
    return None


def _without_utf8(data: bytes, header: str | None) -> tuple[str, str]:
    """Decode bytes that are not valid UTF-8: declarations, then the detector."""
    declared = dict.fromkeys(_declared(data, header))
    text = data.decode("utf-8", "replace")
    bad = text.count("\ufffd")
    good = _beyond_ascii(text) - bad
    if good >= bad * (1 if "utf-8" in declared else _GOOD_PER_BAD_UTF8):
        _warn(f"UTF-8, but {bad} of its characters could not be decoded")
        return text, "utf-8"
    for codec in declared:
        decoded = _mostly(data, codec) if codec != "utf-8" else None
        if decoded is not None:
            return decoded, _checked_declaration(codec, declared)
    controls = len(data[:_NUL_WINDOW].translate(None, _NOT_BINARY))
    if controls * _BYTES_PER_CONTROL > len(data[:_NUL_WINDOW]):
        raise DecodeError("this is binary data, not text: give a web page or a plain-text dump")
    codec = _guessed(data)
    decoded = _mostly(data, codec)
    if decoded is None:
        decoded, codec = _one_byte(data, "cp1252"), "cp1252"
    return decoded, _checked_declaration(codec, declared)


def _checked_declaration(codec: str, declared: Iterable[str]) -> str:
    """Return `codec`; warn if another one was declared first."""
    first = next(iter(declared), codec)
    if first != codec:
        _warn(f"declared as {first}, but its bytes are not; read as {codec}")
    return codec


def _mostly(data: bytes, codec: str) -> str | None:
    """Decode `data` as `codec`; None if too many characters are invalid."""
    if codec not in MULTI_BYTE:
        return _one_byte(data, codec)
    text = data.decode(codec, "replace")
    bad = text.count("\ufffd")
    if bad:
        if bad * _GOOD_PER_BAD > _beyond_ascii(text):
            return None
        _warn(f"{codec}, but {bad} of its characters could not be decoded")
    return text


def _one_byte(data: bytes, codec: str) -> str:
    """Decode `data` with a single-byte codec, which never fails."""
    text: str = codecs.charmap_decode(data, "replace", byte_table(codec))[0]
    return text


def _beyond_ascii(text: str) -> int:
    """How many characters of `text` are not ASCII."""
    return len(text) - len(text.encode("ascii", "ignore"))


def _declared(data: bytes, header: str | None) -> Iterator[str]:
    """Codecs declared by the header and the page, in order of precedence."""
    codec = codec_of(_label(header)) if header else None
    if codec:
        yield codec
    start = data[:_DECLARED_WITHIN]
    for meta in _META.finditer(start):
        codec = codec_of(_meta_label(meta[1])) if meta[1] else None
        if codec:
            # A <meta> readable as ASCII cannot be UTF-16.
            yield "utf-8" if codec.startswith("utf-16") else codec
    xml = _XML_ENCODING.match(start)
    codec = codec_of(xml[1].decode("ascii", "replace")) if xml else None
    if codec:
        yield "utf-8" if codec.startswith("utf-16") else codec


def _label(header: str) -> str:
    """The charset of a Content-Type header; the header itself if it has no charset parameter.

    >>> _label('text/html; charset="koi8-r"'), _label("koi8-r")
    ('"koi8-r"', 'koi8-r')
    """
    named = _CHARSET.search(header)
    return named[1] if named else header


def _meta_label(attributes: bytes) -> str:
    """The charset declared by a `<meta>`, in `charset` or in `content` with `http-equiv`.

    >>> _meta_label(b'http-equiv=Content-Type content="text/html; charset=big5"')
    'big5'
    """
    values: dict[bytes, str] = {
        name.lower(): (double or single or bare).decode("ascii", "replace")
        for name, double, single, bare in _ATTRIBUTE.findall(attributes)
    }
    if b"charset" in values:
        return values[b"charset"]
    named = _CHARSET.search(values.get(b"content", "")) if b"http-equiv" in values else None
    return named[1] if named else ""


def _guessed(data: bytes) -> str:
    """The detector's guess; cp1252 if it has none or there is too little text."""
    sample = _sample(data)
    if not re.search(_FOREIGN, sample) and len(re.findall(_IN_WORD, sample)) < _MIN_DETECTABLE:
        return "cp1252"
    answer = _detected(sample)
    if answer not in GUESSABLE or (answer.startswith("iso8859") and re.search(_CONTROLS, sample)):
        return "cp1252"
    return answer


def _detected(sample: bytes) -> str:
    import chardet  # takes 60 ms; needed for less than one page in twenty

    return str(chardet.detect(sample, include_encodings=GUESSABLE, compat_names=False)["encoding"])


@cache
def load_detector() -> None:
    """Load the tables of the detector, 25 MB, which processes that are forked later share."""
    _detected("Дождь шёл весь день".encode("cp1251"))


def _sample(data: bytes) -> bytes:
    """A sample of the page's text without tags, taken from pieces with non-ASCII bytes.

    >>> _sample(b"<p class=\\xe9>No.</p><p>Oui, les \\xe9t\\xe9s</p>")
    b'Oui, les \\xe9t\\xe9s'
    """
    pieces: list[bytes] = []
    size = at = 0
    for markup in re.compile(_MARKUP).finditer(data, 0, _SEARCHED):
        piece = data[at : markup.start()]
        at = markup.end()
        if not piece.isascii():
            pieces.append(piece[:_SAMPLE])
            size += len(pieces[-1])
            if size >= _SAMPLE:
                break
    else:
        piece = data[at : at + _SAMPLE]
        if not piece.isascii():
            pieces.append(piece)
    return b"\n".join(pieces)


def _warn(message: str) -> None:
    warnings.warn(message, DecodeWarning, stacklevel=4)

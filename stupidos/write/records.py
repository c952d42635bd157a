"""JSONL: the record format shared by the command line, batch runs and Spark."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from stupidos.page import Verdict
from stupidos.write import PIECE_LINES, About, Judged, Style, pieces, plain, text_pieces

# Escaped because some readers treat them as line ends
_LINE_ENDS = {"\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"}
SURROGATES = re.compile("[\ud800-\udfff]")
ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
_JSONL = Style("jsonl")

# What a page says about itself, in the order of a record; null if it does not say it
METADATA = ("authors", "date", "modified", "site", "language", "language_source", "description", "image",
            "license", "categories", "tags")  # fmt: skip
CONFIDENCE = ("confidence", "expected_precision", "expected_recall")  # numbers from 0 to 1
METADATA_FIELDS = ("title", *METADATA)  # what --metadata drop leaves out
_FIELDS = frozenset(METADATA_FIELDS).union(
    ("id", "url", "text", "text_sha1", "segments", "encoding", "model", "model_sha256", *CONFIDENCE,
     "truncated", "error", "format")
)  # fmt: skip


def record(
    verdicts: Sequence[Verdict],
    about: About,
    style: Style = _JSONL,
    text: Iterable[str] | None = None,
) -> dict[str, object]:
    """One page as a flat record; `segments`, `format` and metadata are present if requested.

    What is not known is null.

    `text` is the text in the format that the style asks for, in pieces (`formatted`); default: plain text.

    Fields of the input follow; where one has the name of ours, ours counts.

    >>> found = record([], About(id="a.html", error="no text", fields={"id": 7, "rank": 2}))
    >>> found["id"], found["rank"], found["title"], found["error"]
    ('a.html', 2, None, 'no text')
    """
    found: dict[str, object] = {"id": about.id, "url": about.url or None}
    reserved = _FIELDS
    if style.metadata:
        found["title"] = about.title or None
        found |= metadata_fields(about)
    else:
        reserved -= frozenset(METADATA_FIELDS)
    if style.text_format != "text":
        found["format"] = style.text_format
    if text is not None:
        found["text"] = "".join(text)
    else:
        found["text"] = plain(verdicts) if about.text is None else about.text
    found["text_sha1"] = about.text_sha1
    if style.segments or style.dirty:
        found["segments"] = [_segment(verdict) for verdict in verdicts if verdict.keep or style.dirty]
    found["encoding"] = about.encoding
    found["model"] = about.model
    found["model_sha256"] = about.model_sha256
    found |= {name: _number(getattr(about, name)) for name in CONFIDENCE}
    found["truncated"] = about.truncated or None
    found["error"] = about.error or None
    for name, value in about.fields.items():
        if name not in reserved:
            found[name] = value
    return found


def formatted(document: Judged, style: Style) -> Iterator[str] | None:
    """The text of a record in pieces, in the format that the style asks for; None for plain text."""
    if style.text_format == "text":
        return None
    return pieces(document, style._replace(format=style.text_format, text_format="text", dirty=False))


def metadata_fields(about: About) -> dict[str, object]:
    """What a page says about itself; lists where there may be several values, else None."""
    metadata = about.metadata
    if metadata is None:
        return dict.fromkeys(METADATA)
    return {
        "authors": list(metadata.authors) or None,
        "date": metadata.date,
        "modified": metadata.modified,
        "site": metadata.site,
        "language": about.language,
        "language_source": about.language_source,
        "description": metadata.description,
        "image": metadata.image,
        "license": metadata.license,
        "categories": list(metadata.categories) or None,
        "tags": list(metadata.tags) or None,
    }


def json_line(found: Mapping[str, object]) -> str:
    """A record as one line of UTF-8-safe JSON, including the newline.

    >>> json_line({"text": "a\\u2028b\\ud800"})
    '{"text": "a\\\\u2028b\ufffd"}\\n'
    """
    try:
        line = ENCODER.encode(found)
    except ValueError:  # a field of the input was no JSON: NaN, Infinity
        line = ENCODER.encode({name: _finite(value) for name, value in found.items()})
    line += "\n"  # appended in place: no other reference exists yet
    return _safe(line)


def _finite(value: object) -> object:
    """A value without the numbers that JSON lacks.

    >>> _finite({"a": [1, float("nan")]})
    {'a': [1, None]}
    """
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: _finite(one) for name, one in value.items()}
    return [_finite(one) for one in value] if isinstance(value, list) else value


def _safe(line: str) -> str:
    """JSON without raw line separators and lone surrogates."""
    if line.isascii():
        return line
    for character, escape in _LINE_ENDS.items():
        if character in line:
            line = line.replace(character, escape)
    try:
        line.encode()  # ten times as fast as the search
    except UnicodeEncodeError:
        line = SURROGATES.sub("\ufffd", line)
    return line


def json_pieces(
    found: Mapping[str, object], text: Iterable[str], segments: Iterable[object]
) -> Iterator[str]:
    """The line of a large record in pieces, with `text` and `segments` (if present) generated lazily.

    >>> "".join(json_pieces({"id": "a", "text": "", "segments": [], "error": None}, ["b ", "c"], [1, 2]))
    '{"id": "a", "text": "b c", "segments": [1, 2], "error": null}\\n'
    """
    before = "{"
    for key, value in found.items():
        yield f"{before}{_safe(ENCODER.encode(key))}: "
        if key == "text":
            yield '"'
            yield from (_safe(ENCODER.encode(piece)[1:-1]) for piece in text)
            yield '"'
        elif key == "segments":
            yield from _list_pieces(segments)
        else:
            yield _safe(ENCODER.encode(_finite(value)))
        before = ", "
    yield "}\n"


def _list_pieces(values: Iterable[object]) -> Iterator[str]:
    """A list in JSON, PIECE_LINES values at a time."""
    rest, before = iter(values), "["
    while some := list(islice(rest, PIECE_LINES)):
        yield before + _safe(ENCODER.encode(some)[1:-1])
        before = ", "
    yield "[]" if before == "[" else "]"


def write(document: Judged, style: Style) -> Iterator[str]:
    """A page in pieces; a single piece unless it is large."""
    if len(document.page.segments) <= PIECE_LINES:
        yield json_line(record_of(document, style))
        return
    about, text = document.about(metadata=style.metadata), formatted(document, style)
    about = about._replace(text=None)  # a large one is written in pieces, not held
    if text is None:
        text = text_pieces(document.kept_texts)
    segments = (_segment(verdict) for verdict in _asked_for(document, style) if verdict.keep or style.dirty)
    yield from json_pieces(record((), about, style), text, segments)


def record_of(document: Judged, style: Style = _JSONL) -> dict[str, object]:
    """A document as a record."""
    about, text = document.about(metadata=style.metadata), formatted(document, style)
    if text is None and about.text is None:
        text = text_pieces(document.kept_texts)
    return record(_asked_for(document, style), about, style, text)


def _asked_for(document: Judged, style: Style) -> Sequence[Verdict]:
    """The verdicts of a page, if the record is to have its segments."""
    return document.verdicts if style.segments or style.dirty else ()


def _segment(verdict: Verdict) -> dict[str, object]:
    segment = verdict.segment
    return {
        "text": segment.text,
        "kind": str(segment.kind),
        "level": segment.level,
        "path": segment.path,
        "start": segment.start,
        "end": segment.end,
        "link_share": _number(segment.link_share),
        "score": _number(verdict.score),
        "keep": bool(verdict.keep),
        "reason": verdict.reason,
    }


def _number(value: float | None) -> float | None:
    """Round to four digits for reproducibility; None for infinity, which JSON lacks."""
    return round(float(value), 4) if value is not None and math.isfinite(value) else None

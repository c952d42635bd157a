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


def record(
    verdicts: Sequence[Verdict],
    about: About,
    style: Style = Style("jsonl"),
    text: Iterable[str] | None = None,
) -> dict[str, object]:
    """One page as a flat record; `url` is present if known, `segments` and `format` if requested.

    `text` is the text in the format that the style asks for, in pieces (`formatted`); default: plain text.

    >>> sorted(record([], About(id="a.html", error="no text")))
    ['confidence', 'encoding', 'error', 'id', 'model', 'model_sha256', 'text', 'title', 'truncated']
    """
    found: dict[str, object] = {"id": about.id}
    if about.url:
        found["url"] = about.url
    found["title"] = about.title
    if style.text_format != "text":
        found["format"] = style.text_format
    found["text"] = plain(verdicts) if text is None else "".join(text)
    if style.segments or style.dirty:
        found["segments"] = [_segment(verdict) for verdict in verdicts if verdict.keep or style.dirty]
    found["encoding"] = about.encoding
    found["model"] = about.model
    found["model_sha256"] = about.model_sha256
    found["confidence"] = _number(about.confidence)
    found["truncated"] = about.truncated or None
    found["error"] = about.error or None
    return found


def formatted(document: Judged, style: Style) -> Iterator[str] | None:
    """The text of a record in pieces, in the format that the style asks for; None for plain text."""
    if style.text_format == "text":
        return None
    return pieces(document, Style(style.text_format, links=style.links, images=style.images))


def json_line(found: Mapping[str, object]) -> str:
    """A record as one line of UTF-8-safe JSON, including the newline.

    >>> json_line({"text": "a\\u2028b\\ud800"})
    '{"text": "a\\\\u2028b\ufffd"}\\n'
    """
    line = ENCODER.encode(found)
    line += "\n"  # appended in place: no other reference exists yet
    return _safe(line)


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
        yield f'{before}"{key}": '
        if key == "text":
            yield '"'
            yield from (_safe(ENCODER.encode(piece)[1:-1]) for piece in text)
            yield '"'
        elif key == "segments":
            yield from _list_pieces(segments)
        else:
            yield _safe(ENCODER.encode(value))
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
    verdicts, about, text = document.verdicts, document.about(), formatted(document, style)
    if len(verdicts) <= PIECE_LINES:
        yield json_line(record(verdicts, about, style, text))
        return
    if text is None:
        text = text_pieces(verdict[0] for verdict in verdicts if verdict[2])
    segments = (_segment(verdict) for verdict in verdicts if verdict.keep or style.dirty)
    yield from json_pieces(record((), about, style), text, segments)


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

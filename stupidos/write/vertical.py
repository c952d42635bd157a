"""Vertical text for Sketch Engine and CWB: one token per line, structures as tags, `<g/>` for glue.

Characters that XML reserves are written as references: encode it with `cwb-encode -x`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from stupidos import scripts
from stupidos.page import Kind, Segment, Verdict
from stupidos.write import About, Judged, Style, blocks
from stupidos.write.sentences import sentences

# Kana and Han have one token per character; elsewhere words keep inner - and '
_BLANKLESS = scripts.KANA + scripts.HAN + scripts.HAN_SUPPLEMENT
_TOKEN = re.compile(rf"[{_BLANKLESS}]|[^\W{_BLANKLESS}]+(?:[-'’.][^\W{_BLANKLESS}]+)*|\S")
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


def _tokens(text: str) -> Iterator[str]:
    """The token lines of one segment.

    >>> list(_tokens("Don't stop, 世界"))
    ["Don't", 'stop', '<g/>', ',', '世', '<g/>', '界']
    """
    end = -1
    for match in _TOKEN.finditer(text):
        if match.start() == end:
            yield "<g/>"
        yield match[0].translate(_ESCAPES)
        end = match.end()


def _attributes(**values: object) -> str:
    """Attributes of a tag, omitting empty ones; line breaks become spaces.

    >>> _attributes(id="a&b", url="")
    ' id="a&amp;b"'
    """
    pairs = ((name, " ".join(str(value).split())) for name, value in values.items() if value is not None)
    return "".join(f' {name}="{value.translate(_ESCAPES)}"' for name, value in pairs if value)


def _position(segment: Segment) -> dict[str, int]:
    """The level of a heading, or how deeply a list item is nested."""
    names = {Kind.HEADING: "level", Kind.ITEM: "depth"}
    return {names[segment.kind]: segment.level} if segment.kind in names and segment.level else {}


def write(document: Judged, style: Style) -> Iterator[str]:
    """A page in pieces, as one `<doc>`; segments keep their kind, dropped ones (if included) are marked."""
    return blocks(f"{line}\n" for line in _lines(document.verdicts, document.about(), style.dirty))


def _facts(about: About) -> dict[str, object]:
    """The attributes of a <doc>; several values are separated by a bar, as Sketch Engine has them."""
    from stupidos.write.records import CONFIDENCE, metadata_fields

    known: dict[str, object] = about._asdict()
    del known["metadata"], known["fields"], known["text"]
    for name in CONFIDENCE:
        known[name] = None if known[name] is None else f"{known[name]:.4f}"
    for name, value in metadata_fields(about).items():
        known[name] = "|".join(one.replace("|", "/") for one in value) if isinstance(value, list) else value
    return known


def _lines(verdicts: Sequence[Verdict], about: About, dirty: bool) -> Iterator[str]:
    """The lines of a page."""
    yield f"<doc{_attributes(**_facts(about))}>"
    for segment, score, keep, reason in verdicts:
        if keep or dirty:
            verdict = {"verdict": "keep" if keep else "drop", "score": f"{score:.2f}", "reason": reason}
            yield f"<p{_attributes(type=segment.kind, **_position(segment), **(verdict if dirty else {}))}>"
            for sentence in sentences(segment.text):
                yield "<s>"
                yield from _tokens(sentence)
                yield "</s>"
            yield "</p>"
    yield "</doc>"

"""Vertical text for Sketch Engine and CWB: one token per line, structures as tags, `<g/>` for glue."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from stupidos.page import Verdict
from stupidos.write import About, Style, blocks

# Kana and Han have one token per character; elsewhere words keep inner - and '
# Ranges instead of stupidos.scripts: importing `regex` would slow down the start, and tokens would change
BLANKLESS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
TOKEN = re.compile(rf"[{BLANKLESS}]|[^\W{BLANKLESS}]+(?:[-'’.][^\W{BLANKLESS}]+)*|\S")
ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


def tokens(text: str) -> Iterator[str]:
    """The token lines of one segment.

    >>> list(tokens("Don't stop, 世界"))
    ["Don't", 'stop', '<g/>', ',', '世', '<g/>', '界']
    """
    end = -1
    for match in TOKEN.finditer(text):
        if match.start() == end:
            yield "<g/>"
        yield match[0].translate(ESCAPES)
        end = match.end()


def attributes(**values: object) -> str:
    """Attributes of a tag, omitting empty ones; line breaks become spaces.

    >>> attributes(id="a&b", url="")
    ' id="a&amp;b"'
    """
    pairs = ((name, " ".join(str(value).split())) for name, value in values.items() if value is not None)
    return "".join(f' {name}="{value.translate(ESCAPES)}"' for name, value in pairs if value)


def write(verdicts: Sequence[Verdict], about: About, style: Style) -> Iterator[str]:
    """A page in pieces, as one `<doc>`; segments keep their kind, dropped ones (if included) are marked."""
    return blocks(f"{line}\n" for line in lines(verdicts, about, style.dirty))


def facts(about: About) -> dict[str, object]:
    """The attributes of a <doc>; several values are separated by a bar, as Sketch Engine has them."""
    from stupidos.write.records import metadata_fields

    known: dict[str, object] = about._asdict()
    del known["metadata"], known["fields"]
    known["confidence"] = None if about.confidence is None else f"{about.confidence:.4f}"
    for name, value in metadata_fields(about).items():
        known[name] = "|".join(one.replace("|", "/") for one in value) if isinstance(value, list) else value
    return known


def lines(verdicts: Sequence[Verdict], about: About, dirty: bool) -> Iterator[str]:
    """The lines of a page."""
    yield f"<doc{attributes(**facts(about))}>"
    for segment, score, keep, reason in verdicts:
        if keep or dirty:
            verdict = {"verdict": "keep" if keep else "drop", "score": f"{score:.2f}", "reason": reason}
            yield f"<p{attributes(type=segment.kind, **(verdict if dirty else {}))}>"
            yield from tokens(segment.text)
            yield "</p>"
    yield "</doc>"

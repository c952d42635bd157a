"""Verdicts to what a user reads: text, CleanEval, JSONL, Markdown, vertical and TEI.

Segments that were dropped are left out, or marked when a Style asks for everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from itertools import islice
from typing import NamedTuple

from stupidos.page import Kind, Segment, Verdict

__all__ = [
    "FORMATS",
    "About",
    "Style",
    "blocks",
    "closing",
    "marked",
    "marked_pieces",
    "opening",
    "pieces",
    "plain",
    "text_of",
    "text_pieces",
    "verdicts_of",
    "written",
]


class About(NamedTuple):
    """What is known of a page besides its verdicts."""

    id: str = ""
    url: str = ""
    title: str = ""
    encoding: str = ""
    model: str = ""
    model_sha256: str = ""
    confidence: float | None = None  # expected precision of the cleaned page, 0 to 1
    truncated: str = ""  # why only a part of the page was read as it should: "max-bytes", "max-segments" ...
    error: str = ""


class Style(NamedTuple):
    """How a page is written; `dirty` shows the dropped segments too, marked as such."""

    format: str = "text"
    dirty: bool = False
    segments: bool = False  # a list of the segments in each JSONL record


Writer = Callable[[Sequence[Verdict], About, Style], Iterator[str]]  # pieces that make up the page
NOTHING = About()
AT_ONCE = 1 << 13  # segments or lines that are joined to one piece; few pages have more
LONG = 1 << 20  # characters; more are not joined
ITEM = Kind.ITEM  # looking it up in the class for each segment would take longer than the rest


def plain(verdicts: Sequence[Verdict]) -> str:
    """The text of the kept segments."""
    return text_of(verdict[0] for verdict in verdicts if verdict[2])


def text_of(segments: Iterable[Segment]) -> str:
    """Segments with a blank line between them, but for the items of a list.

    >>> item = Segment("milk", Kind.ITEM)
    >>> text_of([Segment("To buy:"), item, item])
    'To buy:\\n\\nmilk\\nmilk\\n'
    """
    return "".join(text_pieces(segments))


def text_pieces(segments: Iterable[Segment]) -> Iterator[str]:
    """The same, in pieces: a page of a million segments has one string for AT_ONCE of them."""
    rest = iter(segments)
    start, item = 1, False  # no newline before the first segment
    while some := list(islice(rest, AT_ONCE)):
        lines: list[str] = []
        for segment in some:
            if segment[1] is not ITEM:
                lines.append("\n" + segment[0])
                item = False
            else:
                lines.append(segment[0] if item else "\n" + segment[0])
                item = True
        if sum(map(len, lines)) > LONG:
            yield from _sliced(lines, start)
        else:
            yield "\n".join([*lines, ""])[start:]
        start = 0


def _sliced(lines: list[str], start: int) -> Iterator[str]:
    """Lines that are long together, from character `start` on, without a copy of them all."""
    for line in lines:
        for at in range(start, len(line), LONG):
            yield line[at : at + LONG]
        yield "\n"
        start = 0


def blocks(lines: Iterable[str]) -> Iterator[str]:
    """Texts joined, AT_ONCE of them at a time.

    >>> list(blocks(["a\\n", "b\\n"]))
    ['a\\nb\\n']
    """
    rest = iter(lines)
    while some := list(islice(rest, AT_ONCE)):
        yield "".join(some)


def marked(verdicts: Iterable[Verdict]) -> str:
    """The kept segments, each behind its CleanEval mark.

    >>> marked(verdicts_of([Segment("It rained.")]))
    '<p>It rained.\\n'
    """
    return "".join(marked_pieces(v.segment for v in verdicts if v.keep))


def marked_pieces(segments: Iterable[Segment]) -> Iterator[str]:
    """Segments behind their marks, in pieces."""
    start = 1  # no blank line before the first segment
    for piece in blocks(f"\n<{segment.kind}>{segment.text}\n" for segment in segments):
        yield piece[start:]
        start = 0


def judged(verdicts: Iterable[Verdict], mark: bool) -> Iterator[str]:
    """Lines of all segments, each behind its verdict, score and reason, tabs between.

    >>> list(judged([Verdict(Segment("Home | About"), -7.25, False, "bar")], mark=True))
    ['drop\\t-7.25\\tbar\\t<p>Home | About\\n']
    """
    return (
        f"{'keep' if keep else 'drop'}\t{score:.2f}\t{reason}\t"
        f"{f'<{segment.kind}>' if mark else ''}{' '.join(segment.text.split())}\n"
        for segment, score, keep, reason in verdicts
    )


def _text(verdicts: Sequence[Verdict], about: About, style: Style) -> Iterator[str]:
    if style.dirty:
        return blocks(judged(verdicts, mark=False))
    return text_pieces(verdict[0] for verdict in verdicts if verdict[2])


def _cleaneval(verdicts: Sequence[Verdict], about: About, style: Style) -> Iterator[str]:
    if style.dirty:
        return blocks(judged(verdicts, mark=True))
    return marked_pieces(verdict.segment for verdict in verdicts if verdict.keep)


def _from(module: str) -> Writer:
    """The writer of a module that is loaded when first used, since `render` starts often."""

    def write(verdicts: Sequence[Verdict], about: About, style: Style) -> Iterator[str]:
        writer: Writer = import_module(f"stupidos.write.{module}").write
        return writer(verdicts, about, style)

    return write


FORMATS: dict[str, Writer] = {
    "text": _text,
    "cleaneval": _cleaneval,
    "jsonl": _from("records"),
    "markdown": _from("markdown"),
    "vertical": _from("vertical"),
    "tei": _from("tei"),
}


def written(verdicts: Sequence[Verdict], style: Style | str = "text", about: About = NOTHING) -> str:
    """A page in one of the FORMATS (or in a Style); ends in a newline unless it is empty.

    >>> written([], "text")
    ''
    """
    return "".join(pieces(verdicts, Style(style) if isinstance(style, str) else style, about))


def pieces(verdicts: Sequence[Verdict], style: Style, about: About = NOTHING) -> Iterator[str]:
    """The same in pieces, none of them empty, so that a large page is never all in memory at once."""
    return FORMATS[style.format](verdicts, about, style)


def opening(format: str, pages: int) -> str:
    """What stands before the first of several pages in one file; only TEI needs it."""
    if format != "tei":
        return ""
    from stupidos.write import tei

    return tei.opening(pages)


def closing(format: str, pages: int) -> str:
    """What stands behind the last of several pages in one file."""
    if format != "tei":
        return ""
    from stupidos.write import tei

    return tei.closing(pages)


def verdicts_of(segments: Sequence[Segment]) -> list[Verdict]:
    """Verdicts that keep everything, for writing a page nobody has judged."""
    return [Verdict(segment, 0.0, True, "") for segment in segments]

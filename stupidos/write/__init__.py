"""Verdicts to what a user reads: text, CleanEval, JSONL, Markdown, vertical and TEI.

Segments that were dropped are left out, or marked when a Style asks for everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import NamedTuple

from stupidos.page import Kind, Segment, Verdict

__all__ = [
    "FORMATS",
    "About",
    "Style",
    "closing",
    "marked",
    "opening",
    "plain",
    "text_of",
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


Writer = Callable[[Sequence[Verdict], About, Style], str]
NOTHING = About()
AT_ONCE = 1 << 13  # segments
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
    done: list[str] = []
    pieces: list[str] = []
    item = False
    for segment in segments:
        if len(pieces) == AT_ONCE:  # one long text takes less than many short ones
            done.append("\n".join(pieces))
            pieces.clear()
        if segment[1] is not ITEM:
            pieces.append("\n" + segment[0])
            item = False
        else:
            pieces.append(segment[0] if item else "\n" + segment[0])
            item = True
    done.append("\n".join(pieces))
    return "\n".join([*done, ""])[1:] if pieces else ""


def marked(verdicts: Sequence[Verdict]) -> str:
    """The kept segments, each behind its CleanEval mark.

    >>> marked(verdicts_of([Segment("It rained.")]))
    '<p>It rained.\\n'
    """
    return "\n".join(f"<{v.segment.kind}>{v.segment.text}\n" for v in verdicts if v.keep)


def judged(verdicts: Sequence[Verdict], mark: bool) -> str:
    """Every segment on one line behind its verdict, score and reason, tabs between.

    >>> judged([Verdict(Segment("Home | About"), -7.25, False, "bar")], mark=True)
    'drop\\t-7.25\\tbar\\t<p>Home | About\\n'
    """
    return "".join(
        f"{'keep' if keep else 'drop'}\t{score:.2f}\t{reason}\t"
        f"{f'<{segment.kind}>' if mark else ''}{' '.join(segment.text.split())}\n"
        for segment, score, keep, reason in verdicts
    )


def _text(verdicts: Sequence[Verdict], about: About, style: Style) -> str:
    return judged(verdicts, mark=False) if style.dirty else plain(verdicts)


def _cleaneval(verdicts: Sequence[Verdict], about: About, style: Style) -> str:
    return judged(verdicts, mark=True) if style.dirty else marked(verdicts)


def _from(module: str) -> Writer:
    """The writer of a module that is loaded when first used, since `render` starts often."""

    def write(verdicts: Sequence[Verdict], about: About, style: Style) -> str:
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
    if isinstance(style, str):
        style = Style(style)
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

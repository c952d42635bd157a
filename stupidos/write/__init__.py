"""Output formats: text, CleanEval, JSONL, Markdown, vertical and TEI.

Dropped segments are omitted, or marked if Style.dirty is set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import chain, islice
from typing import TYPE_CHECKING, Literal, NamedTuple

from stupidos.page import Kind, Segment, Verdict

if TYPE_CHECKING:
    from stupidos.metadata.extract import Metadata

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
    "sha1_of",
    "text_of",
    "text_pieces",
    "verdicts_of",
    "written",
]


Title = Literal["auto", "keep", "drop"]


class About(NamedTuple):
    """What is told of a page besides its text."""

    id: str = ""
    url: str = ""
    title: str = ""  # the headline
    encoding: str = ""
    model: str = ""
    model_sha256: str = ""
    confidence: float | None = None  # expected precision of the cleaned page, 0 to 1
    truncated: str = ""  # reason if only part of the page was processed: "max-bytes", "max-segments" ...
    error: str = ""
    metadata: Metadata | None = None  # what the page says about itself; None if nobody asked
    language: str | None = None
    language_source: str | None = None  # "declared" or "detected"
    text_sha1: str | None = None
    fields: Mapping[str, object] = {}  # of the input record


class Style(NamedTuple):
    """How a page is written; `dirty` includes the dropped segments, marked as such."""

    format: str = "text"
    dirty: bool = False
    segments: bool = False  # include the segments in each JSONL record
    front_matter: bool = False  # metadata above Markdown
    title: Title = "auto"  # whether the headline is put first: auto (where readers expect it), keep, drop


Writer = Callable[[Sequence[Verdict], About, Style], Iterator[str]]  # pieces that make up the page
_NO_METADATA = About()
PIECE_LINES = 1 << 13  # segments or lines joined into one piece; few pages have more
MAX_PIECE = 1 << 20  # characters
TITLED = ("markdown", "html", "tei")  # formats whose readers expect a headline on top
ITEM = Kind.ITEM  # a local name: attribute lookup in the enum is slow


def plain(verdicts: Sequence[Verdict]) -> str:
    """The text of the kept segments."""
    return text_of(verdict[0] for verdict in verdicts if verdict[2])


def text_of(segments: Iterable[Segment]) -> str:
    """Segments separated by blank lines, except for consecutive list items.

    >>> item = Segment("milk", Kind.ITEM)
    >>> text_of([Segment("To buy:"), item, item])
    'To buy:\\n\\nmilk\\nmilk\\n'
    """
    return "".join(text_pieces(segments))


def text_pieces(segments: Iterable[Segment]) -> Iterator[str]:
    """`text_of` in pieces, one string for every PIECE_LINES segments."""
    rest = iter(segments)
    start, item = 1, False  # no newline before the first segment
    while some := list(islice(rest, PIECE_LINES)):
        lines: list[str] = []
        for segment in some:
            if segment[1] is not ITEM:
                lines.append("\n" + segment[0])
                item = False
            else:
                lines.append(segment[0] if item else "\n" + segment[0])
                item = True
        if sum(map(len, lines)) > MAX_PIECE:
            yield from _sliced(lines, start)
        else:
            yield "\n".join([*lines, ""])[start:]
        start = 0


def _sliced(lines: list[str], start: int) -> Iterator[str]:
    """Yield long lines in pieces from character `start` on, without copying them all."""
    for line in lines:
        for at in range(start, len(line), MAX_PIECE):
            yield line[at : at + MAX_PIECE]
        yield "\n"
        start = 0


def sha1_of(text: str) -> str:
    """SHA-1 of a text in UTF-8; lone surrogates count as U+FFFD, as which they are written.

    >>> sha1_of("ab\\ud800") == sha1_of("ab\\ufffd")
    True
    """
    from hashlib import sha1

    try:
        data = text.encode()
    except UnicodeEncodeError:
        whole = ("\ufffd" if "\ud800" <= letter <= "\udfff" else letter for letter in text)
        data = "".join(whole).encode()
    return sha1(data).hexdigest()


def blocks(lines: Iterable[str]) -> Iterator[str]:
    """Texts joined, PIECE_LINES of them at a time.

    >>> list(blocks(["a\\n", "b\\n"]))
    ['a\\nb\\n']
    """
    rest = iter(lines)
    while some := list(islice(rest, PIECE_LINES)):
        yield "".join(some)


def marked(verdicts: Iterable[Verdict]) -> str:
    """The kept segments, each prefixed with its CleanEval tag.

    >>> marked(verdicts_of([Segment("It rained.")]))
    '<p>It rained.\\n'
    """
    return "".join(marked_pieces(v.segment for v in verdicts if v.keep))


def marked_pieces(segments: Iterable[Segment]) -> Iterator[str]:
    """Segments prefixed with their tags, in pieces."""
    start = 1  # no blank line before the first segment
    for piece in blocks(f"\n<{segment.kind}>{segment.text}\n" for segment in segments):
        yield piece[start:]
        start = 0


def judged(verdicts: Iterable[Verdict], mark: bool) -> Iterator[str]:
    """Lines of all segments: verdict, score, reason and text, separated by tabs.

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
    """The writer of a module that is imported on first use, to keep start-up fast."""

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


def written(verdicts: Sequence[Verdict], style: Style | str = "text", about: About = _NO_METADATA) -> str:
    """A page in one of the FORMATS (or in a Style); ends in a newline unless it is empty.

    >>> written([], "text")
    ''
    """
    return "".join(pieces(verdicts, Style(style) if isinstance(style, str) else style, about))


def pieces(verdicts: Sequence[Verdict], style: Style, about: About = _NO_METADATA) -> Iterator[str]:
    """`written` in non-empty pieces, so that a large page is never in memory as a whole."""
    if about.title and (style.title != "auto" or style.format in TITLED):
        from stupidos.write.headline import titled

        verdicts = titled(verdicts, about, style)
    body = FORMATS[style.format](verdicts, about, style)
    if style.front_matter and style.format == "markdown":
        from stupidos.write.front_matter import front_matter

        return chain(filter(None, [front_matter(about)]), body)
    return body


def needs_metadata(style: Style) -> bool:
    """Whether a style tells more of a page than its text."""
    plain = style.format in ("text", "cleaneval")
    return not plain or style.title != "auto"


def opening(format: str, pages: int) -> str:
    """Header of a file of several pages; only TEI has one."""
    if format != "tei":
        return ""
    from stupidos.write import tei

    return tei.opening(pages)


def closing(format: str, pages: int) -> str:
    """Footer of a file of several pages."""
    if format != "tei":
        return ""
    from stupidos.write import tei

    return tei.closing(pages)


def verdicts_of(segments: Sequence[Segment]) -> list[Verdict]:
    """Verdicts that keep every segment, to write an unclassified page."""
    return [Verdict(segment, 0.0, True, "") for segment in segments]

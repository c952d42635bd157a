"""Output formats: text, CleanEval, JSONL, Markdown, HTML, vertical and TEI.

Dropped segments are omitted, or marked if Style.dirty is set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import chain, islice
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from stupidos.page import Kind, Page, Segment, Verdict
from stupidos.render.without_gc import without_gc

if TYPE_CHECKING:
    from stupidos.metadata.extract import Metadata
    from stupidos.structure import Tree

__all__ = [
    "FORMATS",
    "SEPARATORS",
    "STRUCTURED",
    "About",
    "Judged",
    "Style",
    "before_page",
    "blocks",
    "closing",
    "format_named",
    "long_name",
    "marked",
    "marked_pieces",
    "opening",
    "pieces",
    "plain",
    "reads_tokens",
    "sha1_of",
    "structured",
    "text_of",
    "text_pieces",
    "verdicts_in",
    "verdicts_of",
    "written",
]


_Title = Literal["auto", "keep", "drop"]


class About(NamedTuple):
    """What a writer says about a page in addition to its text."""

    id: str = ""
    url: str = ""
    title: str = ""  # the headline
    encoding: str = ""
    model: str = ""
    model_sha256: str = ""
    confidence: float | None = None  # expected F of the cleaned page, 0 to 1
    truncated: str = ""  # reason if only part of the page was processed: "max-bytes", "max-segments" ...
    error: str = ""
    metadata: Metadata | None = None  # what the page says about itself; None if they were not requested
    language: str | None = None
    language_source: str | None = None  # "declared" or "detected"
    text_sha1: str | None = None
    text: str | None = None  # plain text, if the language was read from it
    fields: Mapping[str, object] = {}  # of the input record
    expected_precision: float | None = None  # 0 to 1
    expected_recall: float | None = None


class Style(NamedTuple):
    """How a page is written; `dirty` includes the dropped segments, marked as such."""

    format: str = "text"
    dirty: bool = False
    segments: bool = False  # include the segments in each JSONL record
    links: Literal["keep", "text", "drop"] = "keep"  # in structured formats; text: only the words of a link
    images: Literal["keep", "alt", "drop"] = "keep"  # alt: only the alternative text
    standalone: Literal["", "page", "file"] = ""  # HTML: a document of each page, or of a file
    text_format: Literal["text", "markdown", "html"] = "text"  # of the text in JSONL records
    separator: str = ""  # line before each of several pages, in formats without marks of their own
    front_matter: bool = False  # metadata above Markdown
    title: _Title = "auto"  # whether the headline is put first: auto (where readers expect it), keep, drop
    metadata: bool = True  # what pages say about themselves in JSONL records; reading it takes time


class Judged(Protocol):
    """What a writer asks of a Document."""

    @property
    def page(self) -> Page: ...

    @property
    def id(self) -> str: ...

    @property
    def url(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def verdicts(self) -> Sequence[Verdict]: ...

    @property
    def kept(self) -> list[int]: ...

    @property
    def kept_texts(self) -> Iterable[tuple[str, Kind]]: ...

    def about(self, confidence: bool = True, metadata: bool = True) -> About: ...


_Text = Segment | tuple[str, Kind]  # whose first two fields are the same
_Writer = Callable[[Judged, Style], Iterator[str]]  # pieces that make up the page
PIECE_LINES = 1 << 13  # segments or lines joined into one piece; few pages have more
_MAX_PIECE = 1 << 20  # characters
_ITEM = Kind.ITEM  # a local name: attribute lookup in the enum is slow
TITLED = ("markdown", "html", "tei")  # formats whose readers expect a headline on top


def plain(verdicts: Sequence[Verdict]) -> str:
    """The text of the kept segments."""
    return text_of(verdict[0] for verdict in verdicts if verdict[2])


def text_of(segments: Iterable[_Text]) -> str:
    """Segments, or only text and kind of each, separated by blank lines, except for consecutive list items.

    >>> item = Segment("milk", Kind.ITEM)
    >>> text_of([Segment("To buy:"), item, item])
    'To buy:\\n\\nmilk\\nmilk\\n'
    """
    return "".join(text_pieces(segments))


def text_pieces(segments: Iterable[_Text]) -> Iterator[str]:
    """`text_of` in pieces, one string for every PIECE_LINES segments."""
    rest = iter(segments)
    start, item = 1, False  # no newline before the first segment
    while some := list(islice(rest, PIECE_LINES)):
        lines: list[str] = []
        for segment in some:
            if segment[1] is not _ITEM:
                lines.append("\n" + segment[0])
                item = False
            else:
                lines.append(segment[0] if item else "\n" + segment[0])
                item = True
        if sum(map(len, lines)) > _MAX_PIECE:
            yield from _sliced(lines, start)
        else:
            piece = "\n".join([*lines, ""])[start:]
            # what Sphinx and others put after a heading, to be clicked on
            yield piece.replace(" ¶\n", "\n").replace("¶\n", "\n")
        start = 0


def _sliced(lines: list[str], start: int) -> Iterator[str]:
    """Yield long lines in pieces from character `start` on, without copying them all."""
    for line in lines:
        for at in range(start, len(line), _MAX_PIECE):
            yield line[at : at + _MAX_PIECE]
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


def marked_pieces(segments: Iterable[_Text]) -> Iterator[str]:
    """Segments prefixed with their tags, in pieces."""
    start = 1  # no blank line before the first segment
    for piece in blocks(f"\n<{segment[1]}>{segment[0]}\n" for segment in segments):
        yield piece[start:]
        start = 0


def _judged(verdicts: Iterable[Verdict], mark: bool) -> Iterator[str]:
    """Lines of all segments: verdict, score, reason and text, separated by tabs.

    >>> list(_judged([Verdict(Segment("Home | About"), -7.25, False, "bar")], mark=True))
    ['drop\\t-7.25\\tbar\\t<p>Home | About\\n']
    """
    return (
        f"{'keep' if keep else 'drop'}\t{score:.2f}\t{reason}\t"
        f"{f'<{segment.kind}>' if mark else ''}{' '.join(segment.text.split())}\n"
        for segment, score, keep, reason in verdicts
    )


def _text(document: Judged, style: Style) -> Iterator[str]:
    if style.dirty:
        return blocks(_judged(_verdicts_in(document, style), mark=False))
    return text_pieces(_kept_in(document, style))


def _cleaneval(document: Judged, style: Style) -> Iterator[str]:
    if style.dirty:
        return blocks(_judged(_verdicts_in(document, style), mark=True))
    return marked_pieces(_kept_in(document, style))


@without_gc
def structured(document: Judged, style: Style) -> Tree:
    """The tree of a page as the style asks for it; dropped segments, if included, are struck through."""
    from stupidos.structure import tree_of
    from stupidos.structure.selection import selected, with_first
    from stupidos.write.headline import Placement, needs_title, placement

    segments, keep = document.page.segments, document.kept
    needed = needs_title(segments, keep, style)
    title = placement(segments, keep, document.title, style) if needed else Placement()
    if title.at >= 0:
        keep[title.at] = int(title.keep)
    if style.dirty:
        keep = [flag or 2 for flag in keep]
    tree = tree_of(document.page, keep, document.url, style.dirty)
    if title.put_first:
        tree = with_first(title.put_first, tree)
    if style.links == style.images == "keep":
        return tree
    return selected(tree, style.links, style.images)


def _from(module: str) -> _Writer:
    """The writer of a module that is imported on first use, to keep start-up fast."""

    def write(document: Judged, style: Style) -> Iterator[str]:
        writer: _Writer = import_module(f"stupidos.write.{module}").write
        return writer(document, style)

    return write


FORMATS: dict[str, _Writer] = {
    "text": _text,
    "cleaneval": _cleaneval,
    "jsonl": _from("records"),
    "markdown": _from("markdown"),
    "html": _from("html"),
    "vertical": _from("vertical"),
    "tei": _from("tei"),
}


STRUCTURED = frozenset({"markdown", "html", "tei"})  # formats that are written from the tree
# Formats for which the tokens of a page are read again: for the tree, or for authors and dates
_FROM_TOKENS = STRUCTURED | {"jsonl", "vertical"}


def reads_tokens(style: Style) -> bool:
    """Whether the tokens of a page are read again to write it.

    >>> reads_tokens(Style("jsonl")), reads_tokens(Style("jsonl", metadata=False))
    (True, False)
    """
    if style.format != "jsonl" or style.metadata:
        return style.format in _FROM_TOKENS
    return style.text_format != "text" or style.title != "auto"


_SHORT_NAMES = {"md": "markdown", "txt": "text", "xml": "tei", "vert": "vertical"}


def long_name(format: str) -> str:
    """The name of a format, which may be given as a suffix.

    >>> long_name("md"), long_name("text")
    ('markdown', 'text')
    """
    return _SHORT_NAMES.get(format, format)


def format_named(name: str) -> str:
    """The format of that name or suffix; a ValueError if there is none."""
    format = long_name(name)
    if format not in FORMATS:
        raise ValueError(f"no format {name}: choose from {', '.join(FORMATS)}")
    return format


@without_gc
def written(document: Judged, style: Style | str = "text") -> str:
    """A page in one of the FORMATS (or in a Style); ends in a newline unless it is empty."""
    return "".join(pieces(document, Style(style) if isinstance(style, str) else style))


def pieces(document: Judged, style: Style) -> Iterator[str]:
    """`written` in non-empty pieces, so that a large page is never in memory as a whole."""
    body = FORMATS[style.format](document, style)
    if style.front_matter and style.format == "markdown":
        from stupidos.write.front_matter import front_matter

        return chain(filter(None, [front_matter(document.about())]), body)
    return body


def _kept_in(document: Judged, style: Style) -> Iterable[_Text]:
    """The kept segments of a page; the headline is put first or dropped if the style asks for it."""
    if style.title == "auto":
        return document.kept_texts
    return (verdict[0] for verdict in _verdicts_in(document, style) if verdict[2])


def _verdicts_in(document: Judged, style: Style) -> Sequence[Verdict]:
    """The verdicts on a page; the headline is put first or dropped if the style asks for it."""
    if style.title == "auto":
        return document.verdicts
    from stupidos.write.headline import titled

    return titled(document.verdicts, document.title, style)


SEPARATORS = {"text": "==> {id} <==", "markdown": "<!-- {id} -->"}  # format -> line before a page
_UNMARKED = frozenset({"text", "cleaneval", "markdown"})  # formats that do not mark where a page begins


def before_page(style: Style, id: str, first: bool) -> str:
    """What is written before one of several pages: a blank line, and the separator if there is one.

    >>> before_page(Style("text", separator=SEPARATORS["text"]), "a.html", first=False)
    '\\n==> a.html <==\\n\\n'
    """
    if style.format not in _UNMARKED:
        return ""
    line = ""
    if style.separator:
        name = " ".join(id.split())
        if style.format == "markdown":  # where two hyphens end a comment
            name = name.replace("--", "- -").replace(">", "&gt;")
        line = style.separator.replace("{id}", name) + "\n\n"
    return line if first else f"\n{line}"


def opening(style: Style | str, pages: int) -> str:
    """Header of a file of several pages; only TEI has one, and HTML if a whole document is wanted."""
    return _around("opening", style, pages)


def closing(style: Style | str, pages: int) -> str:
    """Footer of a file of several pages."""
    return _around("closing", style, pages)


def _around(part: str, style: Style | str, pages: int) -> str:
    """What the module of a format writes before or after the pages of a file."""
    style = Style(style) if isinstance(style, str) else style
    module = "tei" if style.format == "tei" else "html" if style.standalone else ""
    if not module:
        return ""
    written: str = getattr(import_module(f"stupidos.write.{module}"), part)(style, pages)
    return written


def verdicts_of(segments: Sequence[Segment]) -> list[Verdict]:
    """Verdicts that keep every segment, to write an unclassified page."""
    return [Verdict(segment, 0.0, True, "") for segment in segments]

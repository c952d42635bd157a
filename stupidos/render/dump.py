"""Split plain-text dumps (`lynx -dump`, WET records) into segments.

A blank line ends a segment. So does a line with room left for the next word: Lynx puts no blank line between
two `<div>`.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

from stupidos import scripts
from stupidos.page import Kind, Segment
from stupidos.render import lynx
from stupidos.render.packed import Packed

_PART = 1 << 18  # characters of a large dump that are processed at once
_LONG = 1 << 16  # characters; longer segments are split into words in stretches
_BLANK = re.compile(r"\s")
# Where a dump may be cut without splitting a line end or a character and its overstrike.
_CUT = re.compile(r"\n|[\r\f\v\x85\u2028\u2029](?=\w)")
_LINE_END = re.compile("\r\n|[\n\r\f\v\x85\u2028\u2029]")
_OVERSTRUCK = re.compile("[^\n\r\f\v\x85\u2028\u2029]\b")  # bold and underlined type of old terminals
_INVALID = re.compile("[\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u200b\u2060\ufeff\ufffe\uffff]+")
_PARTED = re.compile(f"\r(?={_INVALID.pattern}\n)")  # two line ends that would become one
_BOX = re.compile("[\u2500-\u259f]")  # lines, corners and blocks
_WIDE = re.compile(
    "[\u1100-\u115f\u2e80-\u9fff\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6b\uff01-\uff60]+"
)
_UNSPACED = re.compile(f"[{scripts.EAST_ASIAN}]")
_LETTER = re.compile(r"[^\W_]")

_BULLETS = "*+#@•‣⁃◦▪▫●○■□▸►▶➢➤✓✔❖·–—-o"  # Lynx writes * + o # @ - by depth
_BULLET = re.compile(rf"[{re.escape(_BULLETS)}]\s+(?=\S)")
_NUMBER = re.compile(r"(?:\d{1,3}[.)]|\((?:\d{1,3}|[a-z])\)|[a-z]\))\s+(?=\S)")
_MARKS = frozenset(_BULLETS + "(0123456789abcdefghijklmnopqrstuvwxyz")
_HASHES = re.compile(r"(#{1,6})\s+(?=\S)")
_UNDERLINE = re.compile(r"={3,}|-{3,}")
_SENTENCE_END = ".!?…:;。！？：；"
_PUNCTUATION = _SENTENCE_END + ",、，"

_NARROWEST, _WIDEST = 40, 200  # columns between which a text is wrapped
_RAGGED = 12  # columns by which the lines of one text differ when wrapped at words
_SLACK = 3  # columns left free beyond the next word before a break is deliberate
_HEADING_WORDS, _HEADING_COLUMNS = 12, 80
_LEVEL_OF_INDENT = {0: 2, 2: 3, 4: 4, 6: 5}  # where Lynx puts <h2> to <h5>, if paragraphs are at 3
_LYNX_INDENT = 3


class _DumpLines:
    """Offsets of the lines of a dump, computed on first access."""

    __slots__ = ("_starts", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = array("q")

    def _line(self, number: int) -> tuple[int, str]:
        if not self._starts:
            self._starts.append(0)
            self._starts.extend(end.end() for end in _LINE_END.finditer(self._text))
            self._starts.append(len(self._text))
        start = self._starts[number]
        return start, self._text[start : self._starts[number + 1]]

    def start(self, token: int) -> int:
        """Offset of the first visible character of line `token`."""
        start, line = self._line(token)
        return start + len(line) - len(line.lstrip())

    def end(self, token: int) -> int:
        """Offset after the last visible character of line `token`."""
        start, line = self._line(token)
        return start + len(line.rstrip())


class _Line(NamedTuple):
    """A non-blank line and its relation to the line before."""

    number: int
    body: str
    indent: int = 0
    mark: int = 0  # characters of a bullet or number and the blank after it
    new: bool = True  # a segment starts here
    parted: bool = True  # preceded by a blank line or a rule
    rule: str = ""  # the rule right below the line before


class _DumpLayout(NamedTuple):
    """Layout parameters of a dump."""

    width: int  # columns at which lines were wrapped; 0 if they were not
    indent: int  # columns before most lines of paragraphs
    blanks: bool  # blank lines separate paragraphs


def segments(text: str) -> Sequence[Segment]:
    r"""The segments of a plain-text dump.

    >>> for segment in segments("News\n\n   It rained\n   all day.\n     * wet\n     * cold\n"):
    ...     print(segment.kind, segment.text)
    h News
    p It rained all day.
    l wet
    l cold
    """
    parts = list(_parts(text))
    if len(parts) > 1:
        return _packed(text, parts)
    lines = _cleaned_lines(text)
    body = lynx.list_start(lines)
    numbered = body < len(lines) or ("[1]" in text and lynx.numbered_links(text))
    listed = lynx.listed(lines[body:])
    del lines[body:]
    shown = lynx.without_controls(lines)
    if numbered:
        shown = lynx.without_markers(shown, listed)
    return list(_segments(lines, shown, _layout(lines, len(lines)), _DumpLines(text)))


def _segments(
    lines: Iterable[str], shown: Iterable[str], layout: _DumpLayout, offsets: _DumpLines
) -> Iterator[Segment]:
    """The segments of a dump; `lines` give the layout, `shown` the text to keep."""
    runs = chain(_runs(_read(lines, shown, layout)), [[_Line(-1, "")]])
    open_lists: list[int] = []
    for run, following in pairwise(runs):
        depth = _depth(run[0], open_lists)
        level = depth or _heading_level(run, following, layout)
        kind = Kind.ITEM if depth else Kind.HEADING if level else Kind.PARAGRAPH
        text = _joined(run)
        if text:
            yield Segment(text, kind, level, first=run[0].number, last=run[-1].number, offsets=offsets)


def _parts(text: str) -> Iterator[slice]:
    """Stretches of whole lines, of at least _PART characters."""
    start = 0
    while start < len(text):
        cut = _CUT.search(text, start + _PART)
        end = cut.end() if cut else len(text)
        yield slice(start, end)
        start = end


def _packed(text: str, parts: list[slice]) -> Packed:
    """The segments of a large dump, read part by part: first its layout, then its text."""
    ends = [0]  # of the parts, in lines; each part but the last ends in a line break
    for part in parts:
        ends.append(ends[-1] + sum(1 for _ in _LINE_END.finditer(_cleaned(text[part]))))
    ends[-1] += 1

    def lines(until: int) -> Iterator[str]:
        for number, part in enumerate(parts):
            if ends[number] >= until:
                return
            some = _cleaned_lines(text[part])
            yield from some[: min(ends[number + 1], until) - ends[number]]

    def tail(number: int) -> list[str]:
        """The lines from a part on."""
        return _cleaned_lines(text[parts[number].start :])

    total = ends[-1]
    number = len(parts) - 1
    last = tail(number)
    while number and lynx.reach(last).start < 2:  # the list of links may begin before this part
        number = max(number - len(parts) + number, 0)
        last = tail(number)
    body = lynx.list_start(last)
    listed = lynx.listed(last[body:])
    body += ends[number]
    del last
    layout = _layout(lines(body), body)
    shown = map(lynx.without_control, lines(body))
    if body < total or ("[1]" in text and lynx.numbered_links(text)):
        numbers = lynx.markers(map(lynx.without_control, lines(body)))
        shown = map(lynx.unmarked(numbers, listed), shown)
    offsets = _DumpLines(text)
    return Packed(_segments(lines(body), shown, layout, offsets), offsets)


def _cleaned_lines(text: str) -> list[str]:
    """The lines of `text` without control characters and box drawings."""
    return _LINE_END.split(_cleaned(text))


def _cleaned(text: str) -> str:
    """`text` without control characters and box drawings; the number of lines does not change."""
    if "\b" in text:
        text = _OVERSTRUCK.sub("\b", text)
    if "\r" in text:
        text = _PARTED.sub("\r ", text)
    text = _BOX.sub(" ", _INVALID.sub("", text))
    if "\t" in text:
        text = text.replace("\t", "    ")
    return text


def _columns(line: str) -> int:
    """Width of a line on a terminal.

    >>> _columns("abc"), _columns("中文")
    (3, 4)
    """
    return len(line) if line.isascii() else len(line) + sum(map(len, _WIDE.findall(line)))


def _layout(lines: Iterable[str], number: int) -> _DumpLayout:
    """Wrap width and usual indent of `number` lines, from those followed by another line."""
    widths: Counter[int] = Counter()
    indents: Counter[int] = Counter()
    blanks = beyond = 0
    before = ""
    for line in lines:
        if not line or line.isspace():
            blanks += 1
            before = ""
            continue
        if before:
            columns = _columns(before)
            if columns <= _WIDEST:
                widths[columns] += 1
            else:
                beyond += 1
        before = line.rstrip()
        indents[len(line) - len(line.lstrip())] += len(before)
    inner = widths.total() + beyond
    spaced = blanks * 50 > number and inner < number - 1
    usual = max(indents, key=lambda indent: (indents[indent], -indent), default=0)
    return _DumpLayout(_wrap_width(widths, beyond, inner, spaced), usual, spaced)


def _wrap_width(widths: Counter[int], beyond: int, inner: int, spaced: bool) -> int:
    """The width at which most full lines end; 0 if lines were not wrapped."""
    full, width = 0, 0
    for candidate in range(_NARROWEST, _WIDEST + 1):
        lines = sum(widths[columns] for columns in range(candidate - _RAGGED, candidate + 1))
        if lines >= full and widths[candidate]:
            full, width = lines, candidate
    beyond += sum(count for columns, count in widths.items() if columns > width)
    wrapped = beyond * 2 <= full if spaced else full * 2 >= inner and beyond * 10 <= full
    return width if full and wrapped else 0


def _read(lines: Iterable[str], shown: Iterable[str], layout: _DumpLayout) -> Iterator[_Line]:
    """The lines that are not blank. Widths are those of `lines`, what to keep is in `shown`."""
    before, hanging, parted, rule = "", 0, True, ""
    for number, (line, kept) in enumerate(zip(lines, shown, strict=True)):
        body = kept.strip()
        if not body or not _LETTER.search(body):
            rule = body if before else rule
            before, parted = "", True
            continue
        indent = len(line) - len(line.lstrip())
        flows = before != "" and _flows(before, line, layout)
        mark = _mark(body, indent) if body[0] in _MARKS else 0
        if mark and flows and indent == hanging:
            mark = 0  # a wrapped line that happens to begin with a dash
        new = mark > 0 or not flows
        if new:
            hanging = indent + mark
        yield _Line(number, body, indent, mark, new, parted, rule)
        before, parted, rule = line.rstrip(), False, ""


def _flows(before: str, line: str, layout: _DumpLayout) -> bool:
    """Whether `line` continues `before`, which was wrapped."""
    if not layout.width:
        start = line.lstrip()[:1]
        return layout.blanks and start.islower() and before[-1] not in _SENTENCE_END
    word = line.lstrip()[: _WIDEST + 1]
    first = 2 if _UNSPACED.match(word) else len(word.split(None, 1)[0])
    return layout.width < _columns(before) + 1 + first + _SLACK <= layout.width + _WIDEST


def _mark(body: str, indent: int) -> int:
    """Length of the bullet or number that makes a line a list item, else 0."""
    mark = _NUMBER.match(body) or _BULLET.match(body)
    return mark.end() if mark and (indent or body[0] not in "#o@") else 0


def _runs(lines: Iterable[_Line]) -> Iterator[list[_Line]]:
    """Groups of lines, one for each segment."""
    run: list[_Line] = []
    for line in lines:
        if line.new and run:
            yield run
            run = []
        run.append(line)
    if run:
        yield run


def _depth(line: _Line, open_lists: list[int]) -> int:
    """List depth of a segment, 0 if it is no item; `open_lists` holds the indents of the open lists."""
    while open_lists and open_lists[-1] >= line.indent + (not line.mark):
        open_lists.pop()
    if not line.mark:
        return 0
    open_lists.append(line.indent)
    return len(open_lists)


def _joined(run: list[_Line]) -> str:
    """The text of a run of lines, joined without a blank in scripts that use none.

    >>> _joined([_Line(0, "* 中国", mark=2), _Line(1, "新闻")])
    '中国新闻'
    >>> _joined([_Line(0, "1. as  if"), _Line(1, "it")])
    '1. as if it'
    """
    first = run[0].body
    if run[0].mark and _BULLET.match(first):
        first = first[run[0].mark :]
    elif _HASHES.match(first):
        first = first.lstrip("# ")
    pieces = [first]
    for before, line in pairwise(run):
        unspaced = _UNSPACED.match(before.body[-1]) and _UNSPACED.match(line.body)
        pieces.append(line.body if unspaced else " " + line.body)
    text = "".join(pieces)
    if len(text) <= _LONG:
        return " ".join(text.split())
    del pieces
    words = (" ".join(some.split()) for some in _stretches(text))  # a list of all words would take more
    return " ".join(filter(None, words))


def _stretches(text: str) -> Iterator[str]:
    """Cut a long text at blanks into stretches."""
    start = 0
    while start < len(text):
        blank = _BLANK.search(text, start + _LONG)
        end = blank.start() if blank else len(text)
        yield text[start:end]
        start = end


def _heading_level(run: list[_Line], following: list[_Line], layout: _DumpLayout) -> int:
    """Level of a line that is laid out like a heading, else 0."""
    line, after = run[0], following[0]
    if len(run) > 1:
        return 0
    hashes = _HASHES.match(line.body)
    if hashes and line.indent == 0:
        return len(hashes[1])
    underline = _UNDERLINE.fullmatch(after.rule)
    if underline and _columns(line.body) <= _HEADING_COLUMNS:
        return 1 if underline[0][0] == "=" else 2
    if not (line.parted and after.parted and _heading_like(line.body)):
        return 0
    if layout.indent:
        middle = line.indent + _columns(line.body) // 2
        centred = line.indent >= 4 * _LYNX_INDENT and abs(middle - layout.width // 2) <= 2 * _LYNX_INDENT
        return 1 if centred and layout.width else _LEVEL_OF_INDENT.get(line.indent, 0)
    prose = sum(len(line.body) for line in following) > _HEADING_COLUMNS and after.mark == 0
    return 2 if prose and line.indent == 0 and following[-1].body[-1] in _SENTENCE_END else 0


def _heading_like(body: str) -> bool:
    """Short, unpunctuated, not a bar of links.

    >>> _heading_like("The news of today"), _heading_like("It rained."), _heading_like("Home | News")
    (True, False, False)
    """
    return (
        len(body) <= _HEADING_COLUMNS
        and len(body.split()) <= _HEADING_WORDS
        and body[-1] not in _PUNCTUATION
        and not body[0].islower()
        and "|" not in body
    )

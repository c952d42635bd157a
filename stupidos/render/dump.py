"""Split plain-text dumps (`lynx -dump`, WET records) into segments.

A blank line ends a segment. So does a line that was not filled up although the next word would have fitted:
Lynx puts no blank line between two `<div>`.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

from stupidos.page import Kind, Segment
from stupidos.render import lynx
from stupidos.render.packed import Packed

PART = 1 << 18  # characters of a large dump that are read at once
LONG = 1 << 16  # characters of a segment whose words are not looked at all at once
BLANK = re.compile(r"\s")
# Where a dump can be cut: no line end, and no character with one that is removed, lies on both sides.
CUT = re.compile(r"\n|[\r\f\v\x85\u2028\u2029](?=\w)")
_LINE_END = re.compile("\r\n|[\n\r\f\v\x85\u2028\u2029]")
OVERSTRUCK = re.compile("[^\n\r\f\v\x85\u2028\u2029]\b")  # bold and underlined type of old terminals
INVALID = re.compile("[\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u200b\u2060\ufeff\ufffe\uffff]+")
PARTED = re.compile(f"\r(?={INVALID.pattern}\n)")  # two ends of lines, which would become one
BOX = re.compile("[\u2500-\u259f]")  # lines, corners and blocks
WIDE = re.compile(
    "[\u1100-\u115f\u2e80-\u9fff\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6b\uff01-\uff60]+"
)
UNSPACED = re.compile(
    "[\u2e80-\u9fff\uf900-\ufaff\uff01-\uff60]"
)  # East Asian; ranges, since `regex` (stupidos.scripts) is slow to import
LETTER = re.compile(r"[^\W_]")

BULLETS = "*+#@•‣⁃◦▪▫●○■□▸►▶➢➤✓✔❖·–—-o"  # Lynx writes * + o # @ - by depth
BULLET = re.compile(rf"[{re.escape(BULLETS)}]\s+(?=\S)")
NUMBER = re.compile(r"(?:\d{1,3}[.)]|\((?:\d{1,3}|[a-z])\)|[a-z]\))\s+(?=\S)")
MARKS = frozenset(BULLETS + "(0123456789abcdefghijklmnopqrstuvwxyz")
HASHES = re.compile(r"(#{1,6})\s+(?=\S)")
UNDERLINE = re.compile(r"={3,}|-{3,}")
SENTENCE_END = ".!?…:;。！？：；"
PUNCTUATION = SENTENCE_END + ",、，"

NARROWEST, WIDEST = 40, 200  # columns between which a text is wrapped
RAGGED = 12  # columns by which the lines of one text differ when wrapped at words
SLACK = 3  # columns left free beyond the next word before a break is deliberate
HEADING_WORDS, HEADING_COLUMNS = 12, 80
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
        """Offset behind the last visible character of line `token`."""
        start, line = self._line(token)
        return start + len(line.rstrip())


class Line(NamedTuple):
    """A line with something on it, and how it follows the one before."""

    number: int
    body: str
    indent: int = 0
    mark: int = 0  # characters of a bullet or number and the blank behind it
    new: bool = True  # a segment starts here
    parted: bool = True  # a blank line or a rule stands before it
    rule: str = ""  # the rule right below the line before


class DumpLayout(NamedTuple):
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
    return list(_found(lines, shown, _layout(lines, len(lines)), _DumpLines(text)))


def _found(
    lines: Iterable[str], shown: Iterable[str], layout: DumpLayout, offsets: _DumpLines
) -> Iterator[Segment]:
    """The segments of lines, of which only what is in `shown` is kept."""
    runs = chain(_runs(_read(lines, shown, layout)), [[Line(-1, "")]])
    open_lists: list[int] = []
    for run, following in pairwise(runs):
        depth = _depth(run[0], open_lists)
        level = depth or _heading_level(run, following, layout)
        kind = Kind.ITEM if depth else Kind.HEADING if level else Kind.PARAGRAPH
        text = _joined(run)
        if text:
            yield Segment(text, kind, level, first=run[0].number, last=run[-1].number, offsets=offsets)


def _parts(text: str) -> Iterator[slice]:
    """Stretches of whole lines, of at least PART characters."""
    start = 0
    while start < len(text):
        cut = CUT.search(text, start + PART)
        end = cut.end() if cut else len(text)
        yield slice(start, end)
        start = end


def _packed(text: str, parts: list[slice]) -> Packed:
    """The segments of a large dump, read part by part: first how it is laid out, then what it says."""
    ends = [0]  # of the parts, in lines; the last line of each but the last one is the empty one behind it
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
    while (
        number and lynx.reach(last).start < 2
    ):  # the list of links, or its title, may begin before this part
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
    return Packed(_found(lines(body), shown, layout, offsets), offsets)


def _cleaned_lines(text: str) -> list[str]:
    """The lines of `text` without characters that mean nothing."""
    return _LINE_END.split(_cleaned(text))


def _cleaned(text: str) -> str:
    """The lines of `text` without characters that mean nothing; their number does not change."""
    if "\b" in text:
        text = OVERSTRUCK.sub("\b", text)
    if "\r" in text:
        text = PARTED.sub("\r ", text)
    text = BOX.sub(" ", INVALID.sub("", text))
    if "\t" in text:
        text = text.replace("\t", "    ")
    return text


def _columns(line: str) -> int:
    """How wide a line is on a terminal.

    >>> _columns("abc"), _columns("中文")
    (3, 4)
    """
    return len(line) if line.isascii() else len(line) + sum(map(len, WIDE.findall(line)))


def _layout(lines: Iterable[str], number: int) -> DumpLayout:
    """Wrap width and usual indent, from the lines that are followed by another; so many there are."""
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
            if columns <= WIDEST:
                widths[columns] += 1
            else:
                beyond += 1
        before = line.rstrip()
        indents[len(line) - len(line.lstrip())] += len(before)
    inner = widths.total() + beyond
    spaced = blanks * 50 > number and inner < number - 1
    usual = max(indents, key=lambda indent: (indents[indent], -indent), default=0)
    return DumpLayout(_wrap_width(widths, beyond, inner, spaced), usual, spaced)


def _wrap_width(widths: Counter[int], beyond: int, inner: int, spaced: bool) -> int:
    """The width at which most full lines end, 0 if lines end anywhere."""
    full, width = 0, 0
    for candidate in range(NARROWEST, WIDEST + 1):
        lines = sum(widths[columns] for columns in range(candidate - RAGGED, candidate + 1))
        if lines >= full and widths[candidate]:
            full, width = lines, candidate
    beyond += sum(count for columns, count in widths.items() if columns > width)
    wrapped = beyond * 2 <= full if spaced else full * 2 >= inner and beyond * 10 <= full
    return width if full and wrapped else 0


def _read(lines: Iterable[str], shown: Iterable[str], layout: DumpLayout) -> Iterator[Line]:
    """The lines that are not blank. Widths are those of `lines`, what to keep is in `shown`."""
    before, hanging, parted, rule = "", 0, True, ""
    for number, (line, kept) in enumerate(zip(lines, shown, strict=True)):
        body = kept.strip()
        if not body or not LETTER.search(body):
            rule = body if before else rule
            before, parted = "", True
            continue
        indent = len(line) - len(line.lstrip())
        flows = before != "" and _flows(before, line, layout)
        mark = _mark(body, indent) if body[0] in MARKS else 0
        if mark and flows and indent == hanging:
            mark = 0  # a wrapped line that happens to begin with a dash
        new = mark > 0 or not flows
        if new:
            hanging = indent + mark
        yield Line(number, body, indent, mark, new, parted, rule)
        before, parted, rule = line.rstrip(), False, ""


def _flows(before: str, line: str, layout: DumpLayout) -> bool:
    """Whether `line` only goes on where `before` was full."""
    if not layout.width:
        start = line.lstrip()[:1]
        return layout.blanks and start.islower() and before[-1] not in SENTENCE_END
    word = line.lstrip()[: WIDEST + 1]
    first = 2 if UNSPACED.match(word) else len(word.split(None, 1)[0])
    return layout.width < _columns(before) + 1 + first + SLACK <= layout.width + WIDEST


def _mark(body: str, indent: int) -> int:
    """Length of the bullet or number that makes a line a list item, else 0."""
    mark = NUMBER.match(body) or BULLET.match(body)
    return mark.end() if mark and (indent or body[0] not in "#o@") else 0


def _runs(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """Lines that make one segment each."""
    run: list[Line] = []
    for line in lines:
        if line.new and run:
            yield run
            run = []
        run.append(line)
    if run:
        yield run


def _depth(line: Line, open_lists: list[int]) -> int:
    """How deep a segment lies in lists, whose indents are kept in `open_lists`; 0 for what is no item."""
    while open_lists and open_lists[-1] >= line.indent + (not line.mark):
        open_lists.pop()
    if not line.mark:
        return 0
    open_lists.append(line.indent)
    return len(open_lists)


def _joined(run: list[Line]) -> str:
    """The text of a run; no blank where neither line end nor line start has blanks between words.

    >>> _joined([Line(0, "* 中国", mark=2), Line(1, "新闻")]), _joined([Line(0, "1. as  if"), Line(1, "it")])
    ('中国新闻', '1. as if it')
    """
    first = run[0].body
    if run[0].mark and BULLET.match(first):
        first = first[run[0].mark :]
    elif HASHES.match(first):
        first = first.lstrip("# ")
    pieces = [first]
    for before, line in pairwise(run):
        unspaced = UNSPACED.match(before.body[-1]) and UNSPACED.match(line.body)
        pieces.append(line.body if unspaced else " " + line.body)
    text = "".join(pieces)
    if len(text) <= LONG:
        return " ".join(text.split())
    del pieces
    words = (" ".join(some.split()) for some in _stretches(text))  # a list of all words would take more
    return " ".join(filter(None, words))


def _stretches(text: str) -> Iterator[str]:
    """A text of many words, in stretches of whole ones."""
    start = 0
    while start < len(text):
        blank = BLANK.search(text, start + LONG)
        end = blank.start() if blank else len(text)
        yield text[start:end]
        start = end


def _heading_level(run: list[Line], following: list[Line], layout: DumpLayout) -> int:
    """Level of a line that stands like a heading, else 0."""
    line, after = run[0], following[0]
    if len(run) > 1:
        return 0
    hashes = HASHES.match(line.body)
    if hashes and line.indent == 0:
        return len(hashes[1])
    underline = UNDERLINE.fullmatch(after.rule)
    if underline and _columns(line.body) <= HEADING_COLUMNS:
        return 1 if underline[0][0] == "=" else 2
    if not (line.parted and after.parted and _heading_like(line.body)):
        return 0
    if layout.indent:
        middle = line.indent + _columns(line.body) // 2
        centred = line.indent >= 4 * _LYNX_INDENT and abs(middle - layout.width // 2) <= 2 * _LYNX_INDENT
        return 1 if centred and layout.width else _LEVEL_OF_INDENT.get(line.indent, 0)
    prose = sum(len(line.body) for line in following) > HEADING_COLUMNS and after.mark == 0
    return 2 if prose and line.indent == 0 and following[-1].body[-1] in SENTENCE_END else 0


def _heading_like(body: str) -> bool:
    """Short, unpunctuated, not a bar of links.

    >>> _heading_like("The news of today"), _heading_like("It rained."), _heading_like("Home | News")
    (True, False, False)
    """
    return (
        len(body) <= HEADING_COLUMNS
        and len(body.split()) <= HEADING_WORDS
        and body[-1] not in PUNCTUATION
        and not body[0].islower()
        and "|" not in body
    )

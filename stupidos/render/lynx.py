"""Remove what Lynx adds to a dump: link numbers in brackets, image names, and a final list of links."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

_MARKER = re.compile(r"\[(\d{1,5})\]")
# As Lynx writes them: before the text of the link. Citations follow a word or precede a blank.
_LEADING_MARKER = re.compile(r"(?<![^\s(\[|])\[(\d{1,5})\](?=[^\s.,;:])")
_IMAGE = re.compile(
    r"\[(?:INLINE|IMAGE|LINK|EMBED|USEMAP|ISMAP|[\w%+~.-]{1,80}\.(?:gif|jpe?g|png|bmp|svg|webp|aspx?|php))\]",
    re.IGNORECASE,
)
_FIELD = re.compile(r"_{4,}|\[[ x_]?\](?= |$)|\([ *]\)(?= )|\(BUTTON\)")
# Lynx prints addresses with their blanks; a title after a number has one after its colon.
_ADDRESS = re.compile(
    r"\s*(?:(\d{1,5})\. ?(?:(?:[a-z][a-z+.-]{1,15}:(?! )|javascript:|mailto:).*|$)"
    r"|[a-z][a-z+.-]{1,15}:\S*|$)",
    re.IGNORECASE,
)
# "[USEMAP]" at the margin, after the list: the links of an image map
_LIST_TITLE = re.compile(r"\s*(?:Visible|Hidden) links:?\s*|\[USEMAP\]\s*", re.IGNORECASE)
_TITLE = re.compile(r"\s?\S{1,20}\s*")  # "References" in the language of the locale, at the margin

_SEQUENCE = 5  # link numbers in order from 1 that prove a dump whose list was cut off
_GAP = 9  # numbers Lynx gives to what it does not show, in a row


def list_start(lines: list[str]) -> int:
    """Number of the line where the list of links begins; the number of lines if there is none.

    >>> list_start(["See [1]this.", "", "References", "", "   1. https://example.org/"])
    2
    """
    at, addresses, titled = reach(lines)
    if not addresses and not titled:
        return len(lines)
    if at and _TITLE.fullmatch(lines[at - 1]) and (at == 1 or not lines[at - 2].strip()):
        return at - 1
    return at if titled else len(lines)


class _Reach(NamedTuple):
    """How far up from the end of a dump all lines may belong to a list of links."""

    start: int  # number of the first such line
    addresses: int
    titled: bool  # some line says that links follow


def reach(lines: list[str]) -> _Reach:
    """The lines at the end that may be a list of links."""
    at, addresses, titled = len(lines), 0, False
    while at:
        line = lines[at - 1]
        if _LIST_TITLE.fullmatch(line):
            titled = True
        elif _ADDRESS.fullmatch(line):
            addresses += not line.isspace() and line != ""
        else:
            break
        at -= 1
    return _Reach(at, addresses, titled)


def numbered_links(text: str) -> bool:
    """Whether brackets number the links of `text` one after the other, as Lynx does.

    >>> numbered_links("[1]Home [2]News [3]Sport [4]Mail [5]Help"), numbered_links("Shown.[1] Later [2] ...")
    (True, False)
    """
    expected, others = 1, 0
    for marker in _LEADING_MARKER.finditer(text):
        if int(marker[1]) == expected:
            expected += 1
        else:
            others += 1
    return expected > _SEQUENCE and others * 10 <= expected


def listed(lines: list[str]) -> frozenset[int]:
    """Numbers of the links in the list at the end."""
    addresses = map(_ADDRESS.match, lines)
    return frozenset(int(address[1]) for address in addresses if address and address[1])


def without_markers(lines: list[str], listed: frozenset[int] = frozenset()) -> list[str]:
    """Lines without link numbers; a citation stays, being out of sequence or not in the list.

    >>> without_markers(["[1]Home", "shown [2][4] by [3]them"])
    ['Home', 'shown [4] by them']
    """
    return list(map(unmarked(markers(lines), listed), lines))


def markers(lines: Iterable[str]) -> list[int]:
    """The numbers in brackets, in the order of the page."""
    return [int(number) for line in lines if "[" in line for number in _MARKER.findall(line)]


def unmarked(numbers: list[int], listed: frozenset[int]) -> Callable[[str], str]:
    """A function that removes the link numbers from the lines of a page in order, given all its markers."""
    last = {number: at for at, number in enumerate(numbers)}
    links = _links([number if number in listed or not listed else 0 for number in numbers], last)

    def replaced(marker: re.Match[str]) -> str:
        return "" if next(links) else marker[0]

    return lambda line: _MARKER.sub(replaced, line) if "[" in line else line


def without_controls(lines: list[str]) -> list[str]:
    """Lines without names of images, input fields and buttons.

    >>> without_controls(["[logo.gif] Name: ________ (BUTTON) Send", "snake_case"])
    [' Name:   Send', 'snake_case']
    """
    return list(map(without_control, lines))


def without_control(line: str) -> str:
    """One such line."""
    return _FIELD.sub("", _IMAGE.sub("", line)) if "[" in line or "_" in line or "(" in line else line


def _links(numbers: list[int], last: dict[int, int]) -> Iterator[bool]:
    """Which bracketed numbers count links: the next one, or a later one if those between never come."""
    expected = 1
    for at, number in enumerate(numbers):
        skipped = range(expected, number)
        link = number >= expected and len(skipped) <= _GAP and all(last.get(n, -1) < at for n in skipped)
        if link:
            expected = number + 1
        yield link

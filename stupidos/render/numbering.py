"""Numbers of the items of ordered lists, which may start anywhere and count down."""

from __future__ import annotations

from stupidos.page import Place
from stupidos.render import attributes as attribute

_LENGTH = -(1 << 40)  # stands for the length of a list plus 1, until that is known


class Numbering:
    """Numbers the items of a page. (Not a dataclass: importing dataclasses doubles the start-up time.)"""

    __slots__ = ("_backwards", "_last", "numbers")

    def __init__(self) -> None:
        self.numbers: dict[int, int] = {}  # serial of an <li> in an <ol> -> its number
        self._last: dict[int, int] = {}  # serial of an <ol> -> number of its last item
        self._backwards: dict[int, dict[int, int]] = {}  # of an <ol reversed> -> of its items -> token

    def add(self, listed: Place, serial: int, attributes: str | None, token: int) -> None:
        """Number an item of the <ol> at `listed`: by its value, by the start of the list or its last item."""
        own, step, before = listed[3], 1, 0
        number = attribute.number(attributes, "value") if attributes else None
        if listed[2]:
            if number is None and own not in self._last:
                number = attribute.number(listed[2], "start")
            if attribute.is_reversed(listed[2]):
                step, before = -1, _LENGTH
                self._backwards.setdefault(own, {})[serial] = token
        if number is None:
            number = self._last.get(own, before) + step
        self._last[own] = self.numbers[serial] = number

    def finish(self) -> dict[int, int]:
        """Number reversed lists without a start by their length; give all reversed items by their token."""
        found: dict[int, int] = {}
        for items in self._backwards.values():
            for serial, token in items.items():
                if self.numbers[serial] < _LENGTH // 2:
                    self.numbers[serial] += len(items) + 1 - _LENGTH
                found[token] = self.numbers[serial]
        return found

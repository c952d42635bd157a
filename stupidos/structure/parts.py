"""The raw tree of a very large page in parts, of which only one at a time is in memory."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, count

from stupidos.structure.build import Builder
from stupidos.structure.node import BOUNDARY, HEADINGS, Child, Node
from stupidos.structure.open_elements import NODE

_PART = 1 << 11  # segments of one part
_SEARCHED = 1 << 13  # children of the root among which the last block of a part is searched for
_BLOCKS = frozenset((BOUNDARY.tag, "p", *HEADINGS, "ul", "ol", "table", "blockquote"))


class PartBuilder(Builder):
    """Builds the raw tree of one page part by part."""

    def build_parts(self) -> Iterator[Node]:
        """The tree of a large page in parts, each a root with some of its children."""
        tokens = zip(count(), *[self.tokens.stream()] * 3)
        self.pause = _PART
        while self.walk(chain(self.unread, tokens)):
            self.pause = self.index + _PART
            if not self.pending:  # what waits may belong to any element before it
                yield Node("document", None, self._take_finished())
        self.cut(1)
        yield self.root

    def _take_finished(self) -> list[Child]:
        """Take from the root what is before the last of its blocks, which may not be closed yet."""
        children, root = self.root.children, self.root
        nodes = (entry[NODE] for entry in self.stack[1:])
        outermost = next((node for node in nodes if node is not None and node is not root), None)
        end = 0
        for at in range(len(children) - 1, max(0, len(children) - _SEARCHED), -1):
            child = children[at]
            if outermost is not None:  # everything after it may still grow
                outermost = None if child is outermost else outermost
            if outermost is None and isinstance(child, Node) and child.tag in _BLOCKS:
                end = at
                break
        finished = children[:end]
        del children[:end]
        return finished

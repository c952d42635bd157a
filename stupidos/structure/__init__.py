"""The kept part of a page as a tree, from which Markdown, HTML and TEI are written."""

from __future__ import annotations

from stupidos.structure.node import Child, Node, Tree
from stupidos.structure.tree import tree_of, tree_of_segments

__all__ = ["Child", "Node", "Tree", "tree_of", "tree_of_segments"]

"""HTML and plain-text dumps to segments, as a text browser would show them."""

from stupidos.render.options import RenderOptions
from stupidos.render.pages import read, render, text

__all__ = ["RenderOptions", "read", "render", "text"]

"""Options of the renderer."""

from __future__ import annotations

from typing import Literal, NamedTuple


class RenderOptions(NamedTuple):
    """How a page is shown; the defaults are those of `stupidos render`."""

    br: Literal["paragraph", "line"] = "paragraph"  # what <br> is: the paper's choice, or a line break
    alt: bool = False  # alternative texts of images
    hidden: bool = False  # elements that a browser would not show
    aria_hidden: bool = False  # even then skip inline elements hidden from screen readers: second copies
    controls: bool = False  # the texts of buttons, menus and input fields
    pieces: bool = False  # keep the page as it was split, for a scorer that would split it again
    structure: bool = False  # the same, unless the page is so large that it is split in parts

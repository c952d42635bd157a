"""Images with their real source, where they are loaded late or in several forms; figures with captions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from stupidos.structure import formulas
from stupidos.structure.inline import squeezed
from stupidos.structure.node import BOUNDARY, Attributes, Child, Node, walk
from stupidos.structure.runs import flat

if TYPE_CHECKING:
    from stupidos.structure.flow import Converter

_LAZY = tuple(
    "data-src data-original data-lazy-src data-original-src data-lazy data-url data-image data-full-src "
    "data-large-file data-hi-res-src data-orig-file data-actualsrc".split()
)
_LAZY_SETS = ("srcset", "data-srcset", "data-lazy-srcset")
_PLACEHOLDER = re.compile(
    r"(?:^|[/_.-])(?:(?:placeholder|blank|spacer|pixel|transparent|lazy|loading|grey|gray|1x1|dummy|clear)[\w-]*"
    r"|1x1\.trans|empty)\.(?:gif|png|svg|jpe?g|webp)(?:[?#]|$)",
    re.IGNORECASE,
)
_PLACEHOLDER_WORDS = (
    "placeholder blank spacer pixel transparent lazy loading grey gray 1x1 dummy clear empty".split()
)
_PATHLIKE = re.compile(r"\S+\.(?:jpe?g|png|gif|webp|avif|svg)(?:[?#]\S*)?$", re.IGNORECASE)
_DESCRIPTOR = re.compile(r"^(\d+(?:\.\d+)?)([wx])$")
_TINY = 33  # width or height in pixels at most of an icon, or of what counts visits
_LONG_DATA = 2000  # characters; a shorter data: image is a placeholder
_CAPTIONED = frozenset(("pre", "table", "blockquote"))  # they need no figure around them
_DECORATION = re.compile(
    r"""\b(?:class|id)\s*=\s*["']?[^"'>]*(?:logo|avatar|icon|emoji|badge|sprite|profile|author|tracking)""",
    re.IGNORECASE,
)
_DECORATIONS = "logo avatar icon emoji badge sprite profile author tracking".split()
_AVATAR = re.compile(r"/avatars/|/user_avatar/|\bgravatar\.com/|/profile/photo-", re.I)  # in an address
_AVATAR_NAME = re.compile(r"(?:^|[\s_-])avatar(?:[\s_-]|$)", re.IGNORECASE)  # of a class
_SMILEY = re.compile(r"(?:^|[\s_-])(?:emoji|emoticon|smil(?:ey|ie))(?:[\s_-]|$)", re.IGNORECASE)
_NEAR = 12  # children looked at before an image
_LONGEST_SMILEY = 16  # characters
_SHORT_CODE = re.compile(r":[\w+-]{2,}:")  # names a smiley, and is read by no one
_COPY_BUTTON = re.compile(r"copy\b.*\bclipboard", re.IGNORECASE)
_NUMBER = re.compile(r"\s*(\d{1,5})(?:\.\d+)?(?:px)?\s*$")


def image(node: Node, target: Callable[[str], str], sources: list[Node]) -> Node | None:
    """An image with its real source; None for placeholders and for what only counts visits."""
    found = node.attributes
    source = _real_source(found, sources)
    if not source or is_tiny(found) or _is_beside_text(found, source):
        return None
    if not source.startswith("data:image/"):
        source = target(source)
        if not source:
            return None
    attributes = {"src": source}
    alt = " ".join(found.get("alt", "").split())
    title = " ".join(found.get("title", "").split())
    if alt:
        attributes["alt"] = alt
    if title and title != alt:
        attributes["title"] = title
    return Node("img", attributes)


def _real_source(found: Attributes, sources: list[Node]) -> str:
    """The address of an image: the largest of those it offers, and none that is a placeholder."""
    plain = found.get("src", "").strip()
    offers = bool(sources) or "srcset" in found or any(name[:5] == "data-" for name in found)
    if not offers and _is_real(plain):
        return plain
    for candidate in _candidates(found, sources, plain):
        if _is_real(candidate):
            return candidate
    return plain if plain.startswith("data:image/") and len(plain) > _LONG_DATA else ""


def _candidates(found: Attributes, sources: list[Node], plain: str) -> Iterator[str]:
    """Addresses that an image or its sources offer, the best first."""
    for one in (*(source.attributes for source in sources), found):
        yield from (_best_of_set(one[name]) for name in _LAZY_SETS if name in one)
    yield from (found[name].strip() for name in _LAZY if name in found)
    yield plain
    # no address so far is a real one
    yield from (value for name, value in found.items() if name[:5] == "data-" and _PATHLIKE.match(value))


def _is_real(source: str) -> bool:
    """Whether an address is that of an image, and not of what is shown until the image is there."""
    if not source or source.startswith(("data:", "about:", "javascript:", "#", "blob:", "{", "[")):
        return False
    small = source.lower()
    return not any(word in small for word in _PLACEHOLDER_WORDS) or not _PLACEHOLDER.search(source)


def _best_of_set(srcset: str) -> str:
    """The largest image of a srcset.

    >>> _best_of_set("a,b.jpg 480w, c.jpg 1024w"), _best_of_set("/x.png 2x"), _best_of_set("y.png")
    ('c.jpg', '/x.png', 'y.png')
    """
    best, most = "", -1.0
    words = srcset.split()[:200]
    at = 0
    while at < len(words):
        address, size = words[at], 1.0
        if address.endswith(","):
            address = address.rstrip(",")
        elif at + 1 < len(words):
            described = _DESCRIPTOR.match(words[at + 1].rstrip(","))
            if described:
                size = float(described[1])
                at += 1
        if address and size > most:
            best, most = address, size
        at += 1
    return best


def is_decoration(written: str) -> bool:
    """Whether the names of an image show that it does not belong to the text."""
    small = written.lower()
    return any(word in small for word in _DECORATIONS) and _DECORATION.search(written) is not None


def _is_beside_text(found: Attributes, source: str) -> bool:
    """Whether an image does not belong to the text: an author's avatar, or the icon of a copy button."""
    if ("vatar" in source or "/photo-" in source) and _AVATAR.search(source):
        return True
    if "class" in found and "vatar" in found["class"] and _AVATAR_NAME.search(found["class"]):
        return True
    said = (found.get("title", ""), found.get("alt", ""))
    return any("lipboard" in text and _COPY_BUTTON.match(text) for text in said)


def smiley(found: Attributes) -> str:
    """What the image of a smiley stands for; empty if it is no such image.

    >>> smiley({"class": "wp-smiley", "alt": ":)"}), smiley({"class": "photo", "alt": "tea"})
    (':)', '')
    """
    text = found.get("alt", "").strip()
    if not text or len(text) > _LONGEST_SMILEY or _SHORT_CODE.fullmatch(text):
        return ""
    return text if _SMILEY.search(found.get("class", "")) else ""


def is_tiny(found: Attributes) -> bool:
    """Whether an image is declared as small as an icon in both directions, or as a counting pixel."""
    width, height = _pixels(found, "width"), _pixels(found, "height")
    if 0 <= width <= 1 or 0 <= height <= 1:
        return True
    return 0 <= width < _TINY and 0 <= height < _TINY and not _is_formula(found)


def _pixels(found: Attributes, name: str) -> int:
    """A width or height; negative if there is none."""
    number = _NUMBER.match(found[name]) if name in found else None
    return int(number[1]) if number else -1


def _is_formula(found: Attributes) -> bool:
    return "\\" in found.get("alt", "")


def show(converter: Converter, node: Node, out: list[Child], sources: list[Node] | None = None) -> None:
    """An image, or what it stands for: a formula, a smiley."""
    formula = formulas.image_formula(node)
    if formula is not None:
        out.append(formula)
        return
    text = smiley(node.attributes)
    if text:
        out.append(text)
        return
    found = image(node, converter.target, sources or [])
    if found is not None and not _again(converter, found, out):
        out.append(found)
        converter.seen, converter.seen_without_scripts = found, _without_scripts(converter)


def _again(converter: Converter, found: Node, out: list[Child]) -> bool:
    """Whether an image repeats the one before it, as <noscript> does."""
    seen = converter.seen
    if seen is None or _without_scripts(converter) == converter.seen_without_scripts:
        return False
    if seen.attributes["src"] == found.attributes["src"]:
        return True
    before = next((one for one in out[: -_NEAR - 1 : -1] if one is not BOUNDARY and one != " "), None)
    return before is seen and seen.attributes.get("alt") == found.attributes.get("alt")


def _without_scripts(converter: Converter) -> bool:
    """Whether the element at hand is only for browsers without scripts."""
    return any(one.tag == "noscript" for one in converter.around)


def show_picture(converter: Converter, node: Node, out: list[Child]) -> None:
    """The images of a <picture>."""
    found, sources = _pictures(node)
    for one in found:
        show(converter, one, out, sources)


def _pictures(node: Node) -> tuple[list[Node], list[Node]]:
    """The images of a <picture> and its sources."""
    nodes = list(walk(node))
    return [one for one in nodes if one.tag == "img"], [one for one in nodes if one.tag == "source"]


def _one_of_each(content: list[Child]) -> list[Child]:
    """A figure's content with only the first of several forms of the same image."""
    alts: list[str] = []
    found: list[Child] = []
    for child in content:
        if isinstance(child, Node) and child.tag == "p" and len(child.children) == 1:
            only = child.children[0]
            if isinstance(only, Node) and only.tag == "img":
                alt = only.attributes.get("alt", "")
                if alts and alts[-1] == alt:
                    continue
                alts.append(alt)
        found.append(child)
    return found


def figure(converter: Converter, node: Node, out: list[Child]) -> None:
    """A figure; around a block that needs none only its caption is left, as a paragraph."""
    captions = [child for child in node.children if isinstance(child, Node) and child.tag == "figcaption"]
    content = converter.blocks(
        Node("figure", node.attributes, [c for c in node.children if c not in captions])
    )
    content = _one_of_each(content)
    caption: list[Child] = []
    for one in captions:
        caption += [*converter.flow(one), " "]
    line = squeezed(flat(caption))
    if content and all(isinstance(one, Node) and one.tag in _CAPTIONED for one in content):
        out += [BOUNDARY, *content, *([Node("p", None, line)] if line else []), BOUNDARY]
    elif content or line:
        out.append(Node("figure", None, [*content, *([Node("figcaption", None, line)] if line else [])]))

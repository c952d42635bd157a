"""Front matter: the metadata of a page in YAML above its Markdown, as static site generators read it."""

from __future__ import annotations

import json

from stupidos.write import About
from stupidos.write.records import SURROGATES, metadata_fields

_FENCE = "---\n"


def front_matter(about: About) -> str:
    r"""The front matter of a page, with the blank line after it; unknown fields are left out.

    Values are written as JSON, which is YAML: text of the page is never read as YAML syntax.

    >>> print(front_matter(About(url="https://example.org/", title='Tea: "hot"')), end="")
    ---
    title: "Tea: \"hot\""
    url: "https://example.org/"
    ---
    <BLANKLINE>
    """
    known: dict[str, object] = {"title": about.title or None, "url": about.url or None}
    known |= metadata_fields(about) | {"text_sha1": about.text_sha1}
    lines = [f"{name}: {_yaml(value)}\n" for name, value in known.items() if value is not None]
    return "".join((_FENCE, *lines, _FENCE, "\n")) if lines else ""


def _yaml(value: object) -> str:
    r"""A text or a list of texts on one line; what YAML cannot hold as it is is escaped.

    >>> print(_yaml(["R&D", "a\u2028b"]))
    ["R&D", "a\u2028b"]
    """
    written = json.dumps(value, ensure_ascii=False)
    if written.isprintable():
        return written
    letters = SURROGATES.sub("\ufffd", written)
    return "".join(one if one.isprintable() else json.dumps(one)[1:-1] for one in letters)

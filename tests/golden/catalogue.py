"""The pages of the golden set by name: our own sample pages, some in other encodings, one generated."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
FOLDERS = (TESTS / "golden" / "pages", TESTS / "pages", TESTS / "quality" / "raw")
# Quality pages that are only measured: their golden files would make the set half as large again.
HARD = ("catalogue-", "news-", "offer-", "prose-", "reference-", "shop-", "thread-", "world-")
TRAINING = TESTS.parent / "training" / "raw"
FROM_TRAINING = ("dump.txt", "forum.html", "news.html", "old-tables.htm", "recipe.html", "spanish.html")

# name -> page that it is made of, the encoding it is put into, and what is replaced in it
META, UTF8_META = '<meta charset="{}">', '<meta charset="utf-8">'
VARIANTS = {
    "russian-koi8-r": ("russian.html", "koi8-r", META.format("koi8-r")),
    "russian-cp1251-undeclared": ("russian.html", "cp1251", ""),
    "greek-iso-8859-7": (
        "greek.html",
        "iso8859-7",
        '<meta http-equiv=Content-Type content="text/html; charset=iso-8859-7">',
    ),
    "japanese-shift-jis": ("japanese.html", "shift_jis", META.format("Shift_JIS")),
    "chinese-utf-16": ("chinese.html", "utf-16", ""),
    "arabic-utf-8-with-mark": ("arabic.html", "utf-8-sig", UTF8_META),
    "korean-lies-about-itself": ("korean.html", "utf-8", META.format("iso-8859-1")),
}
OWN = frozenset(path.stem for path in (TESTS / "golden" / "pages").iterdir())
LONG = "long"
BINARY = "binary"


def files() -> dict[str, Path]:
    """The pages that are files."""
    found = [path for folder in FOLDERS for path in sorted(folder.iterdir())]
    found = [path for path in found if not path.name.startswith(HARD)]
    return {path.stem: path for path in [*found, *(TRAINING / name for name in FROM_TRAINING)]}


@cache
def pages() -> dict[str, bytes]:
    """Every page of the golden set."""
    found = {name: path.read_bytes() for name, path in files().items()}
    for name, (source, encoding, meta) in VARIANTS.items():
        text = (FOLDERS[0] / source).read_text(encoding="utf-8")
        found[name] = text.replace(UTF8_META, meta).encode(encoding, "xmlcharrefreplace")
    found[LONG] = long_page().encode()
    found[BINARY] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\2\0\0\0"
    return dict(sorted(found.items()))


WORDS = (
    "the a of and to in it was that his her with for had at which from by not but on were they all one out "
    "river stone bridge letter garden market winter morning harbour window candle teacher doctor village "
    "road walked carried wrote opened counted remembered promised sold mended painted old narrow quiet "
    "bright heavy"
).split()


def long_page(size: int = 150_000) -> str:
    """A page of about so many characters: sections, lists, tables and boilerplate in between."""
    rng = random.Random("golden")

    def sentence(least: int, most: int) -> str:
        return " ".join(rng.choices(WORDS, k=rng.randint(least, most))).capitalize() + "."

    parts = ["<!DOCTYPE html><title>The long chronicle</title><body class='chronicle'><div id=top>"]
    parts += [f"<a href=/{word}>{word}</a> " for word in WORDS[:20]]
    parts.append("</div><div class=content><h1>The long chronicle</h1>")
    length = 0
    while length < size:
        part = [f"<section><h{rng.randint(2, 4)}>{sentence(2, 6)}</h2>"]
        part += [f"<p>{' '.join(sentence(4, 20) for _ in range(rng.randint(1, 5)))}" for _ in range(4)]
        part += ["<ul class=l>", *(f"<li>{sentence(1, 9)}" for _ in range(rng.randint(0, 6))), "</ul>"]
        part += [
            "<table>",
            *(f"<tr><td>{sentence(1, 3)}<td>{rng.randint(0, 999)}" for _ in range(3)),
            "</table>",
        ]
        part += ["<div class=ad><a href=/ad>Book now</a></div></section>"]
        parts += part
        length += sum(map(len, part))
    return "\n".join([*parts, "</div><div class=footer>All rights reserved.</div></body>"])

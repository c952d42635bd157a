"""Why segments score higher here than in Table 2 of the StupidOS paper: the gold texts, or the dumps?

    python training/segments.py DATA/cleaneval

The same pages are cut into segments in three ways: by their markup, as `stupidos` does; by the real Lynx,
with the dump read as `stupidos clean page.txt` does; and as section 3.1 of the paper has it (images, comments
and scripts deleted, marks before headings and items, <br> as a paragraph, then Lynx; a blank line or a mark
begins a segment). Ten folds; precision, recall and F of words, then of segment breaks of whatever kind,
macro; then by how much the latter three vary by chance on 58 pages, as in the paper's Devset (95 %).
"""

from __future__ import annotations

import argparse
import html
import re
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import dumps
import numpy as np

from stupidos import __version__
from stupidos.decode import decode
from stupidos.lab.corpus import Pair, content, corpus
from stupidos.lab.cross_validation import CrossValidation, held_out_pages
from stupidos.lab.evaluate import gold_digest
from stupidos.lab.measure import Measure
from stupidos.pipeline import Options

MODELS = ("rules", "stupidos-2007", "standard", "simplified")
COLUMNS = 80  # of the dumps
DEVSET = 58  # pages
WORDS = ("precision", "recall", "f")
BREAKS = tuple(f"segment_unlabelled_{name}" for name in WORDS)

_HEADING, _ITEM = "SOSHEADING", "SOSITEM"  # marks that Lynx takes for words of the page
_REMOVED = re.compile(
    rb"<!--.*?-->|<(script|style)\b.*?</\1\s*>|<img\b[^>]*>", re.IGNORECASE | re.DOTALL
)
_BREAK = re.compile(rb"<br\b[^>]*>", re.IGNORECASE)
_HEADING_TAG = re.compile(rb"<h[1-6]\b[^>]*>", re.IGNORECASE)
_ITEM_TAG = re.compile(rb"<li\b[^>]*>", re.IGNORECASE)
_MARKED = re.compile(rf"(?:(?:[*+o#@-]|\d+\.)\s+)?({_HEADING}|{_ITEM})\b\s*")
_ELEMENTS = {_HEADING: "h1", _ITEM: "li"}


def prepared(source: bytes) -> bytes:
    """The page as the paper's first component passes it to Lynx.

    >>> prepared(b"<h1 id=x>Tea</h1><!-- x --><img src=x>Hot<br />or not")
    b'<h1 id=x>SOSHEADING Tea</h1>Hot<p>or not'
    """
    source = _BREAK.sub(b"<p>", _REMOVED.sub(b"", source))
    source = _HEADING_TAG.sub(rb"\g<0>" + _HEADING.encode() + b" ", source)
    return _ITEM_TAG.sub(rb"\g<0>" + _ITEM.encode() + b" ", source)


def segments(dump: str) -> Iterator[tuple[str, str]]:
    """The element and the text of each segment of a dump: a blank line or a mark begins one.

    >>> list(segments("SOSHEADING Tea\\n\\n   Hot\\n   or not\\n     * SOSITEM Rum\\n"))
    [('h1', 'Tea'), ('p', 'Hot or not'), ('li', 'Rum')]
    """
    element, words = "p", list[str]()
    for line in (*dump.splitlines(), ""):
        mark = _MARKED.match(line.strip())
        if words and (mark or not line.strip()):
            yield element, " ".join(words)
            element, words = "p", []
        if mark:
            element = _ELEMENTS[mark[1]]
        words += line.strip()[mark.end() if mark else 0 :].split()


def as_page(dump: str) -> str:
    """The segments of a dump as a page, which the renderer takes for what they are."""
    return "\n".join(f"<{element}>{html.escape(text)}</{element}>" for element, text in segments(dump))


def by_lynx(source: bytes, scratch: Path) -> bytes:
    """The dump of a page, without its list of links."""
    page = scratch / "page.html"
    page.write_bytes(source)
    return dumps.dump(page, links=False, width=COLUMNS)


def by_reader(source: bytes, scratch: Path) -> tuple[str, bytes]:
    return "txt", by_lynx(source, scratch)


def by_paper(source: bytes, scratch: Path) -> tuple[str, bytes]:
    return "html", as_page(by_lynx(prepared(source), scratch).decode("utf-8", "replace")).encode()


WAYS: dict[str, Callable[[bytes, Path], tuple[str, bytes]]] = {
    "markup": lambda source, _: ("html", b"\xef\xbb\xbf" + decode(source)[0].encode()),
    "dump, our reader": by_reader,
    "dump, the paper's way": by_paper,
}


def rewritten(pairs: Sequence[Pair], way: str, folder: Path) -> list[Pair]:
    """The pages as files that are read in that way."""
    made = []
    for pair in pairs:
        suffix, source = WAYS[way](content(pair.raw), folder)
        raw = folder / f"{pair.name}.{suffix}"
        raw.write_bytes(source)
        made.append(pair._replace(raw=raw))
    return made


def chance(scores: Sequence[float], pages: int = DEVSET) -> float:
    """Half the 95 % interval of the mean score of so many pages.

    >>> round(chance([0.5, 0.9] * 50), 3)
    0.052
    """
    return float(1.96 * np.nanstd(scores, ddof=1) / pages**0.5)


def percent(shares: Sequence[float]) -> str:
    return " ".join(f"{100 * share:6.2f}" for share in shares)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", metavar="CORPUS", type=Path, help="a folder with raw/ and gold/")
    parser.add_argument("--every", type=int, default=1, help="take every so manieth page")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")  # wrongly declared encodings
    pairs = corpus(arguments.corpus / "gold", arguments.corpus / "raw").pairs[:: arguments.every]
    golds = gold_digest(pairs)
    print(f"segments {arguments.corpus.name}|gold:{golds}|pages:{len(pairs)}|v:{__version__}", flush=True)
    for way in WAYS:
        with tempfile.TemporaryDirectory(prefix="stupidos-segments-") as folder:
            pages = list(held_out_pages(rewritten(pairs, way, Path(folder))))
        validation = CrossValidation.of(pages)
        for model in MODELS:
            found = validation.evaluate(model, Options(), Measure(), map, golds)
            print(f"{way:24} {model:14}", percent([found.macro[name] for name in (*WORDS, *BREAKS)]),
                  " +-", percent([chance(found.column(name)) for name in BREAKS]), flush=True)  # fmt: skip


if __name__ == "__main__":
    main()

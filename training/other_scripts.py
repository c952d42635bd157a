"""How the default model does on scripts that it was not trained on, or on few pages only.

    python training/other_scripts.py DATA/l3s-gn1

The words of English pages and of their golds are replaced by made-up words of another script: the same one
for the same word, and as long as words of that script are. Tags and attributes stay, so what changes is what
the model reads of the text, and nothing else. Use pages that it was not trained on: of the others it knows
the names of the elements.
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable
from functools import cache
from hashlib import md5
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from stupidos.decode import decode
from stupidos.lab.corpus import content, corpus, gold_of
from stupidos.lab.match_counts import bag_counts
from stupidos.pipeline import Cleaner


class Script(NamedTuple):
    """Letters of a script, and what its words look like beside English ones."""

    first: str  # letter
    letters: int  # number of letters from it on
    length: float  # of a word, in English letters
    blanks: bool = True  # between words


SCRIPTS = {
    "Cyrillic": Script("а", 32, 1.0),
    "Greek": Script("α", 25, 1.0),
    "Georgian": Script("ა", 33, 1.0),
    "Hebrew": Script("א", 27, 0.85),
    "Arabic": Script("ا", 40, 0.8),
    "Devanagari": Script("क", 37, 0.9),
    "Tamil": Script("அ", 40, 1.0),
    "Hangul": Script("가", 11172, 0.45),
    "Thai": Script("ก", 46, 0.9, blanks=False),
    "Kana": Script("ぁ", 83, 0.6, blanks=False),
    "Han": Script("一", 3000, 0.35, blanks=False),
}
_MARKUP = re.compile(r"(<(script|style|head)\b.*?</\2\s*>|<!--.*?-->|<[^>]*>)", re.DOTALL | re.IGNORECASE)
_TITLE = re.compile(r"(?<=<title>)[^<]*", re.IGNORECASE)
_WORD = re.compile(r"&#?\w+;|[A-Za-z]+")
_BLANK = re.compile(r"(?<=[^\x00-\x7f]) (?=[^\x00-\x7f])")


def rewriter(script: Script) -> Callable[[str], str]:
    """A function that puts made-up words of a script in the place of English ones."""

    @cache
    def made_up(word: str) -> str:
        numbers = md5(word.encode()).digest() * 8
        count = min(max(1, round(len(word) * script.length)), len(numbers) // 2)
        pairs = (int.from_bytes(numbers[at : at + 2], "big") for at in range(0, 2 * count, 2))
        return "".join(chr(ord(script.first) + number % script.letters) for number in pairs)

    def replaced(text: str) -> str:
        text = _WORD.sub(lambda match: match[0] if match[0][0] == "&" else made_up(match[0].lower()), text)
        return text if script.blanks else _BLANK.sub("", text)

    return replaced


def rewritten(html: str, rewrite: Callable[[str], str]) -> str:
    """A page with the words of its text and title rewritten.

    >>> rewritten("<title>Tea</title><p class=a>Hot tea", str.upper)
    '<title>TEA</title><p class=a>HOT TEA'
    """
    html = _TITLE.sub(lambda match: rewrite(match[0]), html)
    text, *rest = _MARKUP.split(html)
    parts = [rewrite(text)]
    for markup, following in zip(rest[::3], rest[2::3], strict=True):
        parts += (markup, rewrite(following))
    return "".join(parts)


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(f"usage: python {sys.argv[0]} CORPUS, a folder with raw/ and gold/")
    warnings.simplefilter("ignore")
    folder = Path(sys.argv[1])
    pages = [
        (decode(content(pair.raw))[0], "\n".join(segment.text for segment in gold_of(pair.gold)))
        for pair in corpus(folder / "gold", folder / "raw").pairs
    ]
    pages = [(html, gold) for html, gold in pages if gold]
    cleaner = Cleaner.load()
    print(f"{folder.name}, {len(pages)} pages, model:{cleaner.scorer.name}, bag of words\n")
    print("| script | F | P | R |\n|---|---|---|---|")
    rewrites = {"as it is": str} | {name: rewriter(script) for name, script in SCRIPTS.items()}
    for name, rewrite in rewrites.items():
        counts = [bag_counts(cleaner.clean(rewritten(html, rewrite)), rewrite(gold)) for html, gold in pages]
        figures = (mean(getattr(one, figure) for one in counts) for figure in ("f", "precision", "recall"))
        print(f"| {name} | {' | '.join(f'{value:.3f}' for value in figures)} |", flush=True)


if __name__ == "__main__":
    main()

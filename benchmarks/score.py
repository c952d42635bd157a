"""Characters a second that the shipped n-gram models score, text at hand: `python benchmarks/score.py DATA`.

The models must never be what cleaning waits for: at least 50 million a second for n=3, 10 million for n=6.
"""

from __future__ import annotations

import sys
import time

from interleaved import corpora

from stupidos.render import render
from stupidos.score.registry import scorer

LEAST = {"standard": 50.0, "simplified": 10.0}  # million characters a second
ROUNDS = 5


def main() -> int:
    slow = 0
    for corpus, pages in corpora(sys.argv):
        texts = [[segment.text for segment in render(page)] for page in pages]
        characters = sum(len(text) for page in texts for text in page)
        size = f"{len(texts)} pages, {characters / 1e6:.1f} M characters of text"
        print(f"\nscore, {corpus}: {size}, best of {ROUNDS}")
        for model, least in LEAST.items():
            judge = scorer(model).texts  # type: ignore[attr-defined]
            best = min(spent(judge, texts) for _ in range(ROUNDS))
            speed = characters / 1e6 / best
            slow += speed < least
            print(f"  {model:24} {speed:7.1f} M characters/s{'  TOO SLOW' if speed < least else ''}")
    return int(slow > 0)


def spent(judge: object, texts: list[list[str]]) -> float:
    """CPU seconds for all pages, one call a page."""
    start = time.process_time()
    for page in texts:
        judge(page)  # type: ignore[operator]
    return time.process_time() - start


if __name__ == "__main__":
    sys.exit(main())

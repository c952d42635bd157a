"""Floors under the quality of the shipped models, on pages written for this and never trained on.

tests/quality holds two pages of each of seven types, and hard pages in the markup of real software: threads
of forums, news with boxes inside the article, news in six scripts, reference documentation, catalogues
(events, a board index, cards), offers of services, shops, and other prose (a recipe, a poem, a job, slides).
quality.json holds the floors: bag-of-words F1, the mean over the pages of a type, over the seven types
("all") and over the hard pages. Lowering one needs a commit of its own with the reason.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import stupidos

FOLDER = Path(__file__).parent / "quality"
FLOORS: dict[str, dict[str, float]] = json.loads((Path(__file__).parent / "quality.json").read_text())[
    "floors"
]
PAGES = sorted(path.stem for path in (FOLDER / "raw").iterdir())
TYPES = ("article", "documentation", "forum", "product", "service", "listing", "collection")
HARD = {"thread": 7, "news": 5, "world": 6, "reference": 3, "catalogue": 5, "offer": 2, "shop": 2, "prose": 4}


def words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text.lower()))


def f1(found: Counter[str], gold: Counter[str]) -> float:
    """Harmonic mean of precision and recall of the words, order aside.

    >>> f1(words("a b"), words("b c"))
    0.5
    """
    return 2 * (found & gold).total() / max(1, found.total() + gold.total())


@cache
def scores(model: str) -> dict[str, float]:
    """F1 of each page, cleaned by a model."""
    cleaner = stupidos.Cleaner.load(model)
    return {
        page: f1(
            words(cleaner.clean((FOLDER / "raw" / f"{page}.html").read_bytes())),
            words(re.sub(r"^<[phl]>", "", (FOLDER / "gold" / f"{page}.txt").read_text(), flags=re.MULTILINE)),
        )
        for page in PAGES
    }


def test_there_are_two_pages_of_each_type_and_the_hard_ones() -> None:
    found = Counter(page.split("-")[0] for page in PAGES)
    assert found == dict.fromkeys(TYPES, 2) | HARD
    assert sorted(path.stem for path in (FOLDER / "gold").iterdir()) == PAGES


@pytest.mark.parametrize("page", PAGES)
def test_the_gold_is_on_the_page(page: str) -> None:
    gold = words(re.sub(r"^<[phl]>", "", (FOLDER / "gold" / f"{page}.txt").read_text(), flags=re.MULTILINE))
    shown = words(
        "\n".join(s.text for s in stupidos.render.render((FOLDER / "raw" / f"{page}.html").read_bytes()))
    )
    assert not gold - shown


def means(model: str) -> dict[str, float]:
    """The mean F1 of a model over the pages of each type, of the seven types, and over the hard ones."""
    found: dict[str, list[float]] = {}
    for page, score in scores(model).items():
        kind = page.split("-")[0]
        found.setdefault(kind, []).append(score)
        found.setdefault("hard" if kind in HARD else "all", []).append(score)
    return {kind: sum(some) / len(some) for kind, some in found.items()}


@pytest.mark.parametrize(("model", "kind"), [(model, kind) for model in FLOORS for kind in FLOORS[model]])
def test_no_model_falls_below_its_floor(model: str, kind: str) -> None:
    assert means(model)[kind] >= FLOORS[model][kind]


@pytest.mark.parametrize("model", FLOORS)
def test_every_model_beats_the_plain_dump(model: str) -> None:
    assert means(model)["all"] > means("keep-all")["all"]


@pytest.mark.parametrize("kind", ["hard", *HARD])
def test_the_web_model_beats_the_plain_dump_on_hard_pages(kind: str) -> None:
    assert means("web")[kind] > means("keep-all")[kind]


if __name__ == "__main__":  # `python tests/test_quality.py MODEL ...` shows where the floors could be
    for name in sys.argv[1:] or FLOORS:
        print(name, json.dumps({kind: round(mean, 3) for kind, mean in means(name).items()}))

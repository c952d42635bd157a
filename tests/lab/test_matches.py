"""Matching blocks: those of difflib, whatever the texts."""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import pairwise
from random import Random

import pytest

from stupidos.lab import matches
from stupidos.lab.matches import matching_blocks

LONG = 50_000  # words


def edited(words: list[int], random: Random, vocabulary: int) -> list[int]:
    """The text after some deletions, insertions, moved pieces and replaced words."""
    text = list(words)
    for _ in range(random.randrange(1, 10)):
        place, size = random.randrange(len(text) + 1), random.randrange(1, 30)
        change = random.randrange(4)
        if change == 0:
            del text[place : place + size]
        elif change == 1:
            text[place:place] = [random.randrange(vocabulary) for _ in range(size)]
        elif change == 2:
            start = random.randrange(len(text) + 1)
            text[place:place] = text[start : start + size]
        else:
            text[place : place + size] = [
                random.randrange(vocabulary) if random.random() < 0.3 else word
                for word in text[place : place + size]
            ]
    return text


def two_texts(seed: int) -> tuple[list[int], list[int]]:
    random = Random(seed)
    vocabulary = random.choice([2, 3, 5, 20, 60, 150, 300, 1000])
    longest = random.choice([1, 5, 30, 150, 199, 200, 201, 260, 500])  # popular words count from 200 on
    a = [random.randrange(vocabulary) for _ in range(random.randrange(longest) + 1)]
    if random.random() < 0.25:
        return a, [random.randrange(vocabulary) for _ in range(random.randrange(longest) + 1)]
    return a, edited(a, random, vocabulary)


@pytest.mark.parametrize("seeds", [range(start, start + 60) for start in range(0, 480, 60)], ids=str)
def test_blocks_are_those_of_difflib(seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "SMALL", 0)
    for a, b in map(two_texts, seeds):
        assert matching_blocks(a, b) == SequenceMatcher(None, a, b).get_matching_blocks()[:-1]


@pytest.mark.parametrize("size", [1, 7, 4096])
def test_blocks_do_not_depend_on_how_much_is_tried_at_once(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = two_texts(3)
    monkeypatch.setattr(matches, "SMALL", 0)
    monkeypatch.setattr(matches, "PAIRS_AT_ONCE", size)
    monkeypatch.setattr(matches, "TRIED_AT_ONCE", size)
    assert matching_blocks(a, b) == SequenceMatcher(None, a, b).get_matching_blocks()[:-1]


@pytest.mark.parametrize(("a", "b"), [([], []), (["a"], []), ([], ["a"])])
def test_empty_texts_share_nothing(a: list[str], b: list[str]) -> None:
    assert matching_blocks(a, b) == []


@pytest.mark.parametrize(
    "word",
    [lambda place: "spam", lambda place: place, lambda place: place % 150],
    ids=["one word", "all different", "the same 150 over and over"],
)
def test_a_long_page_matches_itself_in_one_block(word) -> None:  # type: ignore[no-untyped-def]
    text = [word(place) for place in range(LONG)]
    assert matching_blocks(text, list(text)) == [(0, 0, LONG)]


def test_long_pages_without_a_common_order_are_no_trap() -> None:
    random = Random(1)
    a, b = ([random.randrange(200) for _ in range(LONG)] for _ in range(2))
    found = matching_blocks(a, b)
    assert all(a[i : i + size] == b[j : j + size] for i, j, size in found)
    assert all(one.a + one.size <= two.a and one.b + one.size <= two.b for one, two in pairwise(found))

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from stupidos.errors import ModelError
from stupidos.lm import counts as counting
from stupidos.lm.alphabet import ALPHABETS
from stupidos.lm.counts import NgramCounter, count, ngram_keys, ngrams, padding

ASCII = ALPHABETS["ascii"]
TEXTS = ["It rained all day.", "It rained again,", "", "and again: naïve", "a\nb"]


def counted_by_hand(texts: list[str], n: int) -> dict[str, int]:
    found: Counter[str] = Counter()
    for text in filter(None, texts):
        padded = "\n" * (n - 1) + ASCII.read(text.replace("\n", " ")) + "\n"
        found.update(padded[start : start + n] for start in range(len(padded) - n + 1))
    return dict(sorted(found.items()))


@pytest.mark.parametrize("n", range(1, 9))
def test_counts_are_those_of_a_loop_over_the_characters(n: int) -> None:
    assert count(TEXTS, ASCII, n).by_text() == counted_by_hand(TEXTS, n)


@pytest.mark.parametrize("n", range(1, 9))
def test_keys_read_backwards_give_the_ngram(n: int) -> None:
    codes = ASCII.encode("Tea, hot or cold.")
    assert ngrams(ngram_keys(codes, n, ASCII.base), ASCII, n) == [
        "Tea, hot or cold."[start : start + n] for start in range(18 - n)
    ]


def test_counting_in_chunks_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = count(TEXTS * 5, ASCII, 4)
    monkeypatch.setattr(counting, "_CHUNK", 10)
    monkeypatch.setattr(counting, "_PIECE", 3)
    parts = count(TEXTS * 5, ASCII, 4)
    assert parts.keys.tolist() == whole.keys.tolist()
    assert parts.counts.tolist() == whole.counts.tolist()


def test_a_part_can_be_taken_away_again() -> None:
    one, two = count(TEXTS[:2], ASCII, 3), count(TEXTS[2:], ASCII, 3)
    assert ((one + two) - two).by_text() == one.by_text()
    assert (one - one).keys.size == 0
    assert ((one - one) + two).by_text() == two.by_text()


def test_differences_may_be_below_zero_until_only_positive_ones_are_asked_for() -> None:
    difference = count(["ab"], ASCII, 2) - count(["ac"], ASCII, 2)
    assert difference.by_text() == {"ab": 1, "ac": -1, "b\n": 1, "c\n": -1}
    assert difference.positive().by_text() == {"ab": 1, "b\n": 1}


def test_the_total_counts_characters_and_ends_of_texts() -> None:
    assert count(["abc", "", "d"], ASCII, 5).total == 6


def test_keys_are_sorted_and_come_once() -> None:
    keys = count(TEXTS, ASCII, 3).keys
    assert (np.diff(keys) > 0).all()


def test_a_counter_is_reset_when_its_counts_are_taken() -> None:
    count = NgramCounter(ASCII, 2)
    count.add(["ab"])
    assert count.take_counts().total == 3
    assert count.counts().total == 0


@pytest.mark.parametrize("n", [0, 9, -1])
def test_orders_out_of_range_are_refused(n: int) -> None:
    with pytest.raises(ModelError, match="n must be from 1 to 8"):
        count(["a"], ASCII, n)


def test_counts_of_different_orders_cannot_be_joined() -> None:
    with pytest.raises(ModelError, match="different alphabets or orders"):
        count(["a"], ASCII, 2) + count(["a"], ASCII, 3)


@pytest.mark.parametrize(("n", "newlines"), [(1, 1), (2, 1), (3, 2), (8, 7)])
def test_no_history_reaches_into_the_text_before(n: int, newlines: int) -> None:
    assert padding(n) == newlines

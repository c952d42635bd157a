"""The exact longest common subsequence, against the table everybody knows."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from stupidos.errors import CorpusError
from stupidos.lab import lcs
from stupidos.lab.lcs import common_blocks


def longest(a: list[int], b: list[int]) -> int:
    """Length by the textbook's table."""
    row = [0] * (len(b) + 1)
    for word in a:
        before = row
        row = [0]
        for place, other in enumerate(b):
            row.append(before[place] + 1 if word == other else max(row[place], before[place + 1]))
    return row[-1]


def two_texts(random: Random) -> tuple[list[int], list[int]]:
    vocabulary = random.choice([2, 5, 30, 100, 1000])
    a = [random.randrange(vocabulary) for _ in range(random.randrange(90))]
    if random.random() < 0.5:
        return a, [random.randrange(vocabulary) for _ in range(random.randrange(90))]
    b = list(a)
    for _ in range(random.randrange(8)):
        place, start = random.randrange(len(b) + 1), random.randrange(len(b) + 1)
        moved = b[start : start + random.randrange(9)]
        fresh = [random.randrange(vocabulary) for _ in range(random.randrange(4))]
        b[place : place + random.randrange(4)] = random.choice([moved, fresh])
    return a, b


@pytest.mark.parametrize("kept", [1, 1 << 29], ids=["rows made again", "rows kept"])
@pytest.mark.parametrize("spare", [1, 16])
@pytest.mark.parametrize("strip", [1, 7, 512])
def test_no_common_subsequence_is_longer(
    kept: int, spare: int, strip: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"_MAX_KEPT_BITS": kept, "_SPARE": spare, "_STRIP_ROWS": strip}.items():
        monkeypatch.setattr(lcs, name, value)
    random = Random(f"{kept} {spare} {strip}")
    for _ in range(50):
        a, b = two_texts(random)
        found = common_blocks(a, b)
        assert all(a[i : i + size] == b[j : j + size] for i, j, size in found)
        assert all(one.a + one.size <= two.a and one.b + one.size <= two.b for one, two in pairwise(found))
        assert sum(block.size for block in found) == longest(a, b)


@pytest.mark.parametrize(("a", "b"), [([], []), (["a"], []), ([], ["a"]), (["a"], ["b"])])
def test_texts_without_a_common_word_share_nothing(a: list[str], b: list[str]) -> None:
    assert common_blocks(a, b) == []


def test_a_moved_paragraph_is_matched_in_one_place_only() -> None:
    a = [*range(100), *range(200, 230)]
    b = [*range(200, 230), *range(100)]
    assert common_blocks(a, b) == [(0, 30, 100)]


def test_long_texts_that_differ_in_few_words_are_aligned() -> None:
    random = Random(5)
    words = [random.randrange(3000) for _ in range(20_000)]
    other = [word for place, word in enumerate(words) if place not in (1000, 5000, 5001, 12_345)]
    assert sum(block.size for block in common_blocks(words, other)) == len(other)


def test_texts_too_long_for_the_table_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lcs, "_MAX_CELLS", 99)
    with pytest.raises(CorpusError, match="too long to align: 10 words with 11"):
        common_blocks(list(range(10)), list(range(11)))
    assert common_blocks(list(range(10)), list(range(5, 14))) == [(5, 0, 5)]  # words of one text do not count


def test_many_words_in_another_order_are_aligned() -> None:
    random = Random(9)
    a = [random.randrange(4000) for _ in range(8000)]
    b = a[4000:] + a[:4000]
    assert sum(block.size for block in common_blocks(a, b)) >= 4000

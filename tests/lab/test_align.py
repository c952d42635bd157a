from __future__ import annotations

from difflib import Match

import pytest

from stupidos.lab import lcs
from stupidos.lab.align import _local, clean_segments, matched_shares, words
from stupidos.page import Segment

PAGE = [
    "Home", "About us", "The harbour at dawn", "The harbour was quiet when the first boat came in.",
    "Nobody on the quay had expected it so early in the year.", "Share this", "Read more about the harbour",
]  # fmt: skip


def segments(*texts: str) -> list[Segment]:
    return [Segment(text) for text in texts]


def kept(page: list[str], *gold: str) -> list[str]:
    flags = clean_segments(segments(*page), segments(*gold))
    return [text for text, flag in zip(page, flags, strict=True) if flag]


def test_segments_of_the_gold_text_are_clean() -> None:
    assert kept(PAGE, *PAGE[2:5]) == PAGE[2:5]


def test_gold_may_be_cut_otherwise() -> None:
    assert kept(PAGE, " ".join(PAGE[2:5])) == PAGE[2:5]


def test_case_and_punctuation_do_not_matter() -> None:
    assert kept(PAGE, PAGE[3].upper().replace(".", " !")) == [PAGE[3]]


def test_a_lone_word_of_the_gold_text_does_not_make_a_menu_clean() -> None:
    gold = "It was a long way home from the harbour, and nobody talked about it"
    assert kept(["Home", "About", *["x y z"] * 9, gold], gold) == [gold]


def test_a_short_heading_before_its_paragraph_is_clean() -> None:
    assert kept(["Home", "Tea", PAGE[3], "Tea"], "Tea", PAGE[3]) == ["Tea", PAGE[3]]


def test_gold_in_another_order_is_found() -> None:
    assert kept(PAGE, PAGE[4], PAGE[3]) == [PAGE[3], PAGE[4]]


def test_half_of_the_words_make_a_segment_clean() -> None:
    shares = matched_shares(segments("one two three four five six"), segments("one two three"))
    assert shares.tolist() == [0.5]


def test_chinese_is_compared_character_by_character() -> None:
    assert words("第一条船 came 早") == ["第", "一", "条", "船", "came", "早"]
    assert kept(["首页", "第一条船来了，港口很安静。", "联系我们"], "第一条船来了，港口很安静。") == [
        "第一条船来了，港口很安静。"
    ]


@pytest.mark.parametrize(("page", "gold"), [([], ["x"]), (["x"], []), ([], []), (["***", ""], ["x y z"])])
def test_nothing_is_clean_where_there_is_nothing(page: list[str], gold: list[str]) -> None:
    assert kept(page, *gold) == []


def test_a_page_too_long_to_align_is_labelled_by_its_shingles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lcs, "_MAX_CELLS", 10)
    assert kept(PAGE, *PAGE[2:5]) == PAGE[2:5]


def test_a_short_block_counts_beside_a_long_one_only() -> None:
    blocks = [Match(0, 0, 1), Match(20, 20, 2), Match(23, 23, 5), Match(40, 30, 2)]
    assert _local(blocks) == blocks[1:3]

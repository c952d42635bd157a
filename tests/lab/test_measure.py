"""The CLEANEVAL measure: the author's way to read a text, difflib's way to align it."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from random import Random

import pytest

from stupidos.errors import CorpusError
from stupidos.lab import lcs, measure
from stupidos.lab.match_counts import MatchCounts, _bag, bag_counts
from stupidos.lab.measure import Measure, _matching_blocks, compare, empty, words

UNLABELLED = Measure(unlabelled=True)
ASCII = Measure(ascii=True)


@pytest.mark.parametrize(
    ("text", "how", "expected"),
    [
        ("a b", Measure(), ["a", "b"]),
        ("a\tb\x00\x1fc", Measure(), ["a", "b", "c"]),
        (" a ", Measure(), ["", "a", ""]),
        ("", Measure(), [""]),
        ("URL: http://x.org/ y\na", Measure(), ["", "a"]),
        ("\n\n  URL: x\n<p>a", Measure(), ["", "<p>", "a"]),
        ("The URL: x", Measure(), ["The", "URL:", "x"]),
        ("x<H>a<l>b", Measure(), ["x", "<H>", "a", "<l>", "b"]),
        ("x<H>a<l>b", UNLABELLED, ["x", "<p>", "a", "<p>", "b"]),
        ("<b>a</b>", Measure(), ["<b>a</b>"]),
        ("a\xa0b \u3000 c", Measure(), ["a\xa0b", "\u3000", "c"]),
        ("caf\xe9 \u2013 tea", ASCII, ["caf", "tea"]),
        ("\ufeff<p>a", Measure(), ["\ufeff", "<p>", "a"]),
    ],
)
def test_words_are_what_the_script_takes_for_words(text: str, how: Measure, expected: list[str]) -> None:
    assert words(text, how) == expected


def by_hand(cleaned: str, gold: str) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Words and markers matched, found and wanted, by difflib itself."""
    texts = [re.sub(" +", " ", re.sub("(<[phl]>)", r" \1 ", text)).split(" ") for text in (cleaned, gold)]
    blocks = SequenceMatcher(None, *texts).get_matching_blocks()
    matched = [word for block in blocks for word in texts[0][block.a : block.a + block.size]]
    markers = [sum(word in ("<p>", "<h>", "<l>") for word in text) for text in (matched, *texts)]
    return (len(matched), *map(len, texts)), tuple(markers)  # type: ignore[return-value]


def marked_text(random: Random, length: int, vocabulary: int) -> str:
    pieces = (f"w{random.randrange(vocabulary)}" for _ in range(length))
    return " ".join(random.choice(["", "", "", "<p>", "<h>", "<l>"]) + piece for piece in pieces)


@pytest.mark.parametrize("length", [3, 50, 300, 1500])
@pytest.mark.parametrize("vocabulary", [5, 90, 2000])
def test_scores_are_those_of_difflib(length: int, vocabulary: int) -> None:
    random = Random(length * vocabulary)
    gold = marked_text(random, length, vocabulary)
    kept = [piece for piece in gold.split(" ") if random.random() < 0.9]
    cleaned = " ".join(kept[: length // 2]) + " menu <l>item " + " ".join(kept[length // 2 :])
    found = compare(cleaned, gold)
    assert (tuple(found.words), tuple(found.segments)) == by_hand(cleaned, gold)
    plain = [re.sub("<[phl]>", "<p>", text) for text in (cleaned, gold)]
    assert tuple(found.unlabelled) == by_hand(*plain)[1]


@pytest.mark.parametrize("align", ["difflib", "lcs"])
def test_a_text_is_perfect_against_itself(align: str) -> None:
    text = "<h>Tea\n<p>Tea is hot.\n<l>milk\n"
    found = compare(text, text, Measure(align))  # type: ignore[arg-type]
    assert [tally.f for tally in found] == [1.0] * 4


def test_only_the_kind_of_a_segment_is_wrong() -> None:
    found = compare("<p>Tea <p>is hot", "<h>Tea <p>is hot")
    assert found.segments.f < found.unlabelled.f == 1.0
    assert found.words.precision == 5 / 6  # the words, one of the markers, and the nothing before both


def test_a_dump_without_markers_has_no_segments() -> None:
    found = compare("Tea is hot", "<p>Tea is hot")
    assert found.segments is found.unlabelled is None
    assert found.words == (3, 3, 3)


def test_markers_count_where_both_texts_have_them() -> None:
    found = compare("<p>Tea is hot", "<h>Tea is hot")
    assert found.segments is not None
    assert (found.segments.precision, found.segments.recall, found.segments.f) == (0, 0, 0)


@pytest.mark.parametrize(("a", "b"), [([], []), (["a"], []), ([], ["a"])])
def test_empty_texts_share_nothing(a: list[str], b: list[str]) -> None:
    assert _matching_blocks(a, b) == []


@pytest.mark.parametrize("vocabulary", [1, 150, 50_000])
def test_a_long_page_matches_itself_in_one_block(vocabulary: int) -> None:
    text = [f"w{place % vocabulary}" for place in range(10_000)]
    assert _matching_blocks(text, list(text)) == [(0, 0, 10_000)]


@pytest.mark.parametrize(("align", "remedy"), [("difflib", "; try --align lcs"), ("lcs", "")])
def test_a_page_that_would_take_hours_to_align_is_refused(
    align: str, remedy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measure, "_MAX_STEPS", 1000)
    monkeypatch.setattr(lcs, "_MAX_CELLS", 1000)
    random = Random(2)
    cleaned, gold = (marked_text(random, 150, 40) for _ in range(2))
    with pytest.raises(CorpusError, match=rf"too long .*align: \d+ words with \d+{remedy}$"):
        compare(cleaned, gold, Measure(align))  # type: ignore[arg-type]


def test_lcs_never_matches_fewer_words_than_difflib() -> None:
    random = Random(4)
    cleaned, gold = (marked_text(random, 600, 40) for _ in range(2))
    assert compare(cleaned, gold, Measure("lcs")).words.matched >= compare(cleaned, gold).words.matched


@pytest.mark.parametrize(
    ("text", "said"),
    [("", True), ("URL: http://x.org/\n\n", True), ("<p> \n<l>", True), ("\ufeff\n", True), ("<p>a", False)],
)
def test_a_gold_of_nothing_but_marks_is_empty(text: str, said: bool) -> None:
    assert empty(text) is said


@pytest.mark.parametrize(
    ("tally", "figures"),
    [
        (MatchCounts(0, 0, 0), (0, 0, 0)),
        (MatchCounts(0, 3, 0), (0, 0, 0)),
        (MatchCounts(2, 4, 2), (0.5, 1.0, 2 / 3)),
    ],
)
def test_precision_recall_and_f_never_divide_by_nothing(
    tally: MatchCounts, figures: tuple[float, ...]
) -> None:
    assert (tally.precision, tally.recall, tally.f) == pytest.approx(figures)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don't, don't!", {"don": 2, "t": 2}),
        ("snake_case 42", {"snake_case": 1, "42": 1}),
        ("日本語です", {"日": 1, "本": 1, "語": 1, "で": 1, "す": 1}),
        ("ไทย", {"ไ": 1, "ท": 1, "ย": 1}),
        ("Größe ЖУК", {"größe": 1, "жук": 1}),
        ("。、…", {}),
    ],
)
def test_bags_hold_lower_cased_words_or_single_characters(text: str, expected: dict[str, int]) -> None:
    assert _bag(text) == expected


def test_a_bag_does_not_ask_for_the_order() -> None:
    assert bag_counts("milk and tea", "tea and milk").f == 1.0
    assert compare("<p>milk and tea", "<p>tea and milk").bag.f == 1.0

"""The BM25 index and the queries of the retrieval experiment."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import pytest
import retrieval
from bm25 import K1, B, Index, terms

TEXTS = ["the ferry runs again", "the train is late, late, late", "a ferry is late", ""]


def by_definition(query: list[str], text: str) -> float:
    """BM25 as the textbook writes it."""
    mean = sum(len(terms(one)) for one in TEXTS) / len(TEXTS)
    total = 0.0
    for word in query:
        having = sum(word in terms(one) for one in TEXTS)
        count = terms(text).count(word)
        rarity = math.log(1 + (len(TEXTS) - having + 0.5) / (having + 0.5))
        total += rarity * count * (K1 + 1) / (count + K1 * (1 - B + B * len(terms(text)) / mean))
    return total


@pytest.mark.parametrize("query", [["ferry"], ["late"], ["ferry", "late"], ["the", "the"], ["nowhere"]])
def test_scores_are_those_of_the_textbook(query: list[str]) -> None:
    assert Index(TEXTS).scores(query) == pytest.approx([by_definition(query, text) for text in TEXTS])


def test_texts_without_a_word_of_the_query_are_not_found() -> None:
    assert Index(TEXTS).rank(["train"], 0) == math.inf
    assert Index(TEXTS).ranking(["train"]) == [1]


def test_an_index_of_nothing_finds_nothing() -> None:
    assert Index(["", ""]).ranking(["ferry"]) == []


def test_names_of_sites_are_not_queries() -> None:
    titles = [f"Number {at} story of harbour{at} - The Harbour News" for at in range(9)]
    words = {word for query in retrieval.queries(titles) for word in query.words}
    assert "harbour3" in words
    assert "news" not in words


@pytest.mark.parametrize(
    ("line", "gone"),
    [
        ("Late ferry annoys islanders", True),
        ("Late ferry annoys islanders again", True),
        ("Late ferry", False),
        ("The late ferry annoys islanders, who wait for hours and hours at the pier.", False),
        ("", False),
    ],
)
def test_only_lines_that_repeat_the_title_are_headlines(line: str, gone: bool) -> None:
    kept = retrieval.without_headline(f"First\n{line}\nLast", "Late ferry annoys islanders")
    assert kept == ("First\nLast" if gone else f"First\n{line}\nLast")


def test_titles_of_few_words_make_no_query() -> None:
    assert retrieval.queries(["Home", "", "A B C D", "Two words"]) == []


@pytest.mark.slow
def test_the_script_prints_all_systems(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    raw = tmp_path / "raw"
    raw.mkdir()
    for at, word in enumerate(("ferry", "train", "balloon")):
        story = f"The {word} is late again and everybody waits at the station for it. " * 6
        html = f"<title>Late {word} annoys {word}goers</title><p>{story}</p><a>Home</a><p>{word}goers</p>"
        (raw / f"{at}.html").write_text(html)
    image = tmp_path / "x.png"
    monkeypatch.setattr(sys, "argv", ["retrieval.py", str(tmp_path), "--plot", str(image)])
    retrieval.main()
    out = capsys.readouterr().out
    assert "pages:3|queries:3" in out
    assert all(f"\n{name} " in out for name in ("whole text", *retrieval.SYSTEMS))
    assert image.read_bytes().startswith(b"\x89PNG")

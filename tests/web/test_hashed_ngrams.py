"""Hashed n-grams: sums, counts and quantized log-odds."""

import numpy as np
import pytest

from stupidos.web import hashed_ngrams
from stupidos.web.hashed_ngrams import ORDER, SLOTS
from stupidos.web.symbols import code_units, symbol_table

ALL_TEXT = 1 << 20  # symbols; no text is long enough to reach the structure language model


@pytest.fixture(scope="module")
def symbols_of():
    table = symbol_table()
    return lambda text: table[code_units(text)]


def table_of(clean, dirty, symbols_of):
    """A table learnt from one clean and one dirty text; structure has the opposite odds."""
    sides = [
        hashed_ngrams.ngram_counts(symbols, *(np.full(len(symbols) - ORDER + 1, side) for side in weights))
        for symbols, weights in ((symbols_of(clean), (1.0, 0.0)), (symbols_of(dirty), (0.0, 1.0)))
    ]
    half = hashed_ngrams.quantized_log_odds(
        *(one + other for one, other in zip(*sides, strict=True)), prior=0.5
    )
    return np.concatenate([half, -half])


def test_clean_text_scores_above_dirty_text(symbols_of):
    table = table_of("it rained all day in the old town", "home | login | about us | contact", symbols_of)
    sums = hashed_ngrams.span_log_odds(
        table, symbols_of("\nit rained\nlogin | about"), np.array([0, 10]), ALL_TEXT
    )
    assert sums[0] > 0 > sums[1]


def test_sums_are_those_of_the_characters(symbols_of):
    table = table_of("tea is hot and green", "buy now | cart | help", symbols_of)
    symbols = symbols_of("\ntea is hot\nbuy now | help")
    sums = hashed_ngrams.span_log_odds(table, symbols, np.array([0, 11]), ALL_TEXT)
    log_odds = hashed_ngrams.character_log_odds(table, symbols)[
        ORDER - 1 :
    ]  # of n-grams by their first character
    assert sums == pytest.approx([log_odds[:11].sum(), log_odds[11:].sum()], abs=1e-4)


def test_structure_is_read_in_the_second_half_of_the_table(symbols_of):
    table = table_of("tea is hot and green", "buy now | cart | help", symbols_of)
    symbols, starts = symbols_of("\ntea is hot\ntea is hot"), np.array([0, 11])
    as_text = hashed_ngrams.span_log_odds(table, symbols, starts, ALL_TEXT)
    mixed = hashed_ngrams.span_log_odds(table, symbols, starts, 11)
    assert mixed == pytest.approx(as_text * [1, -1])


@pytest.mark.parametrize("text", ["", "a", "ab", "abcd"])
def test_a_text_shorter_than_the_n_grams_scores_nothing(text, symbols_of):
    log_odds = hashed_ngrams.character_log_odds(np.ones(2 * SLOTS, np.int8), symbols_of(text))
    assert log_odds.tolist() == [0] * len(text)


def test_swapping_the_sides_flips_the_sign(symbols_of):
    there = table_of("tea is hot", "buy now", symbols_of)
    back = table_of("buy now", "tea is hot", symbols_of)
    assert (there == -back).all()


def test_every_code_unit_has_a_symbol():
    table = symbol_table()
    assert table.shape == (1 << 16,)
    assert (table[:128] == np.arange(128)).all()
    assert (table[128:] >= 128).all()


def test_a_character_beyond_the_first_plane_is_one_code():
    assert len(code_units("a𝔘🍵\ud800")) == 4


def test_a_large_page_has_the_sums_of_a_small_one(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    symbols = rng.integers(32, 127, 900).astype(np.uint8)
    starts = np.arange(0, 880, 11)
    table = rng.integers(-900, 900, 2 * SLOTS).astype(np.int16)
    whole = hashed_ngrams.span_log_odds(table, symbols, starts, 500)
    monkeypatch.setattr(hashed_ngrams, "_SYMBOLS_AT_ONCE", 100)
    # memory that was freed may by chance hold the right numbers
    monkeypatch.setattr(np, "empty", lambda shape, dtype: np.full(shape, np.nan, dtype))
    assert (hashed_ngrams.span_log_odds(table, symbols, starts, 500) == whole).all()


@pytest.mark.parametrize("at_once", [2, 9, 40])
@pytest.mark.parametrize("structure", [0, 14, 24, ALL_TEXT])
def test_sums_of_parts_are_those_of_the_whole(at_once, structure, symbols_of, monkeypatch):
    table = table_of("tea is hot and green", "buy now | cart | help", symbols_of)
    symbols = symbols_of("\ntea is hot\na\nbuy now | help\ngreen tea\nhelp")
    starts = np.array([0, 11, 13, 28, 38])
    whole = hashed_ngrams.span_log_odds(table, symbols, starts, structure)
    monkeypatch.setattr(hashed_ngrams, "_SYMBOLS_AT_ONCE", at_once)
    assert hashed_ngrams.span_log_odds(table, symbols, starts, structure) == pytest.approx(whole, abs=1e-5)

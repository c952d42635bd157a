"""Hashed n-grams: sums, counts and what is learnt from them."""

import numpy as np
import pytest

from stupidos.web import hashed_ngrams
from stupidos.web.hashed_ngrams import ORDER, SLOTS
from stupidos.web.symbols import codes_of, symbols

FAR = 1 << 20  # nothing is structure before that


@pytest.fixture(scope="module")
def symbols_of():
    table = symbols()
    return lambda text: table[codes_of(text)]


def table_of(clean, dirty, symbols_of):
    """A table learnt from one clean and one dirty text; structure has the opposite odds."""
    sides = [
        hashed_ngrams.counted(symbols, *(np.full(len(symbols) - ORDER + 1, side) for side in weights))
        for symbols, weights in ((symbols_of(clean), (1.0, 0.0)), (symbols_of(dirty), (0.0, 1.0)))
    ]
    half = hashed_ngrams.learnt(*(one + other for one, other in zip(*sides, strict=True)), prior=0.5)
    return np.concatenate([half, -half])


def test_clean_text_scores_above_dirty_text(symbols_of):
    table = table_of("it rained all day in the old town", "home | login | about us | contact", symbols_of)
    found = hashed_ngrams.sums(table, symbols_of("\nit rained\nlogin | about"), np.array([0, 10]), FAR)
    assert found[0] > 0 > found[1]


def test_sums_are_those_of_the_characters(symbols_of):
    table = table_of("tea is hot and green", "buy now | cart | help", symbols_of)
    symbols = symbols_of("\ntea is hot\nbuy now | help")
    found = hashed_ngrams.sums(table, symbols, np.array([0, 11]), FAR)
    odds = hashed_ngrams.odds(table, symbols)[ORDER - 1 :]  # of n-grams by their first character
    assert found == pytest.approx([odds[:11].sum(), odds[11:].sum()], abs=1e-4)


def test_structure_is_read_in_the_second_half_of_the_table(symbols_of):
    table = table_of("tea is hot and green", "buy now | cart | help", symbols_of)
    symbols, starts = symbols_of("\ntea is hot\ntea is hot"), np.array([0, 11])
    as_text = hashed_ngrams.sums(table, symbols, starts, FAR)
    mixed = hashed_ngrams.sums(table, symbols, starts, 11)
    assert mixed == pytest.approx(as_text * [1, -1])


@pytest.mark.parametrize("text", ["", "a", "ab", "abcd"])
def test_a_text_shorter_than_the_n_grams_scores_nothing(text, symbols_of):
    odds = hashed_ngrams.odds(np.ones(2 * SLOTS, np.int8), symbols_of(text))
    assert odds.tolist() == [0] * len(text)


def test_swapping_the_sides_flips_the_sign(symbols_of):
    there = table_of("tea is hot", "buy now", symbols_of)
    back = table_of("buy now", "tea is hot", symbols_of)
    assert (there == -back).all()


def test_every_code_unit_has_a_symbol():
    table = symbols()
    assert table.shape == (1 << 16,)
    assert (table[:128] == np.arange(128)).all()
    assert (table[128:] >= 128).all()


def test_a_character_beyond_the_first_plane_is_one_code():
    assert len(codes_of("a𝔘🍵\ud800")) == 4

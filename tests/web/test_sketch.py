"""Hashed n-grams: sums, counts and what is learnt from them."""

import numpy as np
import pytest

from stupidos.score import sketch
from stupidos.score.sketch import Sketch
from stupidos.score.symbols import codes_of, tables

ORDERS = ((3, 12), (5, 12))


@pytest.fixture(scope="module")
def symbols_of():
    _, symbols = tables()
    return lambda text: symbols[codes_of(text)]


def pair_of(clean, dirty, symbols_of):
    """Sketches learnt from one clean and one dirty text."""
    pairs = []
    for text, side in ((clean, 1.0), (dirty, 0.0)):
        symbols = symbols_of(text)
        weights = np.full(len(symbols), side)
        pairs.append(sketch.counted(symbols, ORDERS, weights, 1 - weights))
    sums = [(a + c, b + d) for (a, b), (c, d) in zip(*pairs, strict=True)]
    short, long = (
        sketch.learnt(order, bits, *both, prior=0.5) for (order, bits), both in zip(ORDERS, sums, strict=True)
    )
    return short, long


def test_clean_text_scores_above_dirty_text(symbols_of):
    pair = pair_of("it rained all day in the old town", "home | login | about us | contact", symbols_of)
    symbols = symbols_of("\nit rained\nlogin | about")
    found = sketch.sums(pair, symbols, np.array([0, 10]))
    assert (found[0] > 0).all()
    assert (found[1] < 0).all()


def test_sums_are_those_of_the_characters(symbols_of):
    pair = pair_of("tea is hot and green", "buy now | cart | help", symbols_of)
    symbols = symbols_of("\ntea is hot\nbuy now | help")
    found = sketch.sums(pair, symbols, np.array([0, 11]))
    odds = sketch.odds(pair, symbols)
    assert found.mean(axis=1) == pytest.approx([odds[:11].sum(), odds[11:].sum()], abs=1e-4)


@pytest.mark.parametrize("text", ["", "a", "ab", "abcd"])
def test_a_text_shorter_than_the_n_grams_scores_nothing(text, symbols_of):
    pair = tuple(Sketch(order, bits, np.ones(1 << bits, np.int8)) for order, bits in ORDERS)
    assert not sketch.sums(pair, symbols_of(text), np.zeros(1, np.intp)).any()


def test_swapping_the_sides_flips_the_sign(symbols_of):
    there = pair_of("tea is hot", "buy now", symbols_of)
    back = pair_of("buy now", "tea is hot", symbols_of)
    for one, other in zip(there, back, strict=True):
        assert (one.table == -other.table).all()


def test_every_code_unit_has_a_class_and_a_symbol():
    classes, symbols = tables()
    assert classes.shape == symbols.shape == (1 << 16,)
    assert (symbols[:128] == np.arange(128)).all()
    assert (symbols[128:] >= 128).all()

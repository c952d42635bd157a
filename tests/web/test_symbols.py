"""Symbols of characters: ASCII as it is, everything else by its class and its block of scripts."""

import numpy as np
import pytest

from stupidos.web import symbols
from stupidos.web.symbols import ASCII, code_units, symbol_table, symbols_of

ALIKE = {
    "small letters of Latin": "éßñ",
    "capitals of Latin": "ÉÑÅ",
    "small letters of Greek and Cyrillic": "αяж",
    "capitals of Greek and Cyrillic": "ΑЯЖ",
    "letters and marks without case": "אعह\u0947",
    "ideographs and syllables written without blanks": "国本カひ",
    "syllables of Hangul": "한글",
    "digits": "٣५",
    "full stops": "。！？",
    "commas": "、，",
    "quotation marks": "“”‘’„",
    "bars and arrows": "–—→•",
    "signs": "€₹",
    "blanks": "\u2003\u2028\u3000",
    "anything else": "★☃\ufffd",
}


@pytest.fixture(scope="module")
def table():
    return symbol_table()


@pytest.mark.parametrize("characters", ALIKE.values(), ids=ALIKE)
def test_characters_of_a_class_have_one_symbol(characters, table):
    assert len(set(symbols_of(characters, table).tolist())) == 1


def test_classes_have_the_numbers_that_models_are_trained_with(table):
    found = [int(symbols_of(characters[0], table)[0]) - ASCII for characters in ALIKE.values()]
    assert [divmod(number, 12) for number in found] == [
        (0, 1), (0, 2), (1, 1), (1, 2), (2, 9), (3, 10), (3, 9), (2, 3), (3, 5), (3, 6), (3, 8), (3, 7),
        (3, 11), (3, 4), (3, 0),
    ]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), ["éя", "яע", "ñ\u2071", "ªה", "٣\uff13"])
def test_the_same_class_of_another_block_is_another_symbol(one, other, table):
    first, second = symbols_of(one + other, table)
    assert first != second


@pytest.mark.parametrize(("last", "first"), ["\u036f\u0370", "\u058f\u0590", "\u1fff\u2000"])
def test_blocks_end_where_scripts_begin(last, first, table):
    before, behind = (int(one) - ASCII for one in symbols_of(last + first, table))
    assert behind // 12 == before // 12 + 1


def test_ascii_is_its_own_symbol(table):
    text = "".join(map(chr, range(ASCII)))
    assert symbols_of(text, table).tolist() == list(range(ASCII))


def test_each_code_unit_is_looked_up_in_the_table(table):
    text = "".join(chr(code) for code in range(1 << 16))
    assert (symbols_of(text, table) == table[code_units(text)]).all()


@pytest.mark.parametrize("text", ["tea 🍵 🍵🍵 hot", "\ud800 alone", "", "𝒳"])
def test_a_character_is_one_symbol_whatever_its_code(text, table):
    assert len(symbols_of(text, table)) == len(text)


def test_a_long_text_has_the_symbols_of_its_parts(table, monkeypatch):
    text = "Tea, чай, 茶 and 🍵. " * 5
    whole = symbols_of(text, table)
    monkeypatch.setattr(symbols, "_CHARACTERS_AT_ONCE", 7)
    assert (symbols_of(text, table) == whole).all()
    assert whole.dtype == np.uint8

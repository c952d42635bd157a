from __future__ import annotations

import pytest

from stupidos.errors import ModelError
from stupidos.lm.alphabet import ALPHABETS, NEWLINE_CODE, Alphabet, alphabet

ALL = pytest.mark.parametrize("letters", ALPHABETS.values(), ids=ALPHABETS)

READINGS = [
    ("ascii", "The answer is 42.", "The answer is 42."),
    ("ascii", "naïve\t“quote”\x00\x7f", "na~ve ~quote~  "),
    ("simplified", "The answer is 42.", "aaa aaaaaa aa 00."),
    ("simplified", "Ωραία 中文 ١٢ – हिन्दी", "aaaaa aa 00 ~ aaaaaa"),
    ("vowels", "The answer is 42.", "tta atttat at 00."),
    ("vowels", "Éva Ωραία жизнь", "ata ataaa tattt"),
    ("unicode", "Één ‘quote’ «x»", "Een 'quote' “x”"),
    ("unicode", "中文、日本。かな カナ", "漢漢、漢漢。ああ アア"),
    ("unicode", "Москва Αθήνα", "Яосква Ωθηνα"),
    ("unicode", "ＡＢ１２ ٣ © ™ •", "AB12 0 © © •"),
    ("unicode", "שלום 한국 ไทย", "אאאא 한한 กกก"),
]


@pytest.mark.parametrize(("name", "text", "read"), READINGS)
def test_a_text_is_read_as_the_models_see_it(name: str, text: str, read: str) -> None:
    assert ALPHABETS[name].read(text) == read


@ALL
def test_every_code_point_has_a_symbol(letters: Alphabet) -> None:
    codes = letters.encode("".join(map(chr, range(0, 0x30000, 7))))
    assert codes.min() >= 1
    assert codes.max() <= letters.size


@ALL
def test_the_newline_is_the_first_symbol_of_every_alphabet(letters: Alphabet) -> None:
    assert letters.encode("\n").tolist() == [NEWLINE_CODE]
    assert letters.symbols[0] == "\n"


@ALL
def test_symbols_stand_for_themselves(letters: Alphabet) -> None:
    assert letters.read(letters.symbols) == letters.symbols
    assert len(set(letters.symbols)) == letters.size


@ALL
def test_eight_characters_fit_a_key(letters: Alphabet) -> None:
    assert letters.base**8 < 2**63


@ALL
def test_codes_are_one_a_character_even_for_lone_surrogates(letters: Alphabet) -> None:
    text = "a\ud800b\U0001f600ü"
    assert len(letters.encode(text)) == len(text)


@ALL
def test_plain_and_other_texts_are_encoded_alike(letters: Alphabet) -> None:
    text = "".join(map(chr, range(128)))
    assert letters.encode(text).tolist() == letters.encode(text + "ü")[:-1].tolist()


def test_newlines_inside_a_text_become_blanks_when_texts_are_joined() -> None:
    assert ALPHABETS["ascii"].joined(["a\nb", "c"], 1) == "\na b\nc\n"


def test_an_unknown_alphabet_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ModelError, match="unknown alphabet runes: choose from ascii, simplified"):
        alphabet("runes")

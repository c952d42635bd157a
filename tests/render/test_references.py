"""Character references."""

import pytest

from stupidos.render import references, text
from stupidos.render.references import unescaped


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("&amp;", "&"),
        ("&lt;p&gt;", "<p>"),
        ("&nbsp;", "\xa0"),
        ("&AMP", "&"),
        ("&copy 2020", "© 2020"),
        ("&notit;", "¬it;"),
        ("&notin;", "∉"),
        ("&eacute", "é"),
        ("&CounterClockwiseContourIntegral;", "∳"),
        ("&NotEqualTilde;", "≂̸"),
        ("&#65;", "A"),
        ("&#65", "A"),
        ("&#x41;", "A"),
        ("&#X41", "A"),
        ("&#8364;", "€"),
        ("&#x1F600;", "😀"),
        ("&#x00000041;", "A"),
        ("&amp;amp;", "&amp;"),
        ("&&amp;", "&&"),
        ("a&#65b", "aAb"),
    ],
)
def test_a_reference_is_the_character_it_names(written: str, meant: str) -> None:
    assert unescaped(written) == meant


@pytest.mark.parametrize(
    "written", ["&", "& ", "&;", "&#", "&#;", "&#x;", "&#xg", "&nosuch;", "&a", "&nosuch", "AT&T"]
)
def test_what_names_nothing_stays_as_it_is(written: str) -> None:
    assert unescaped(written) == written


@pytest.mark.parametrize(
    ("number", "character"),
    [(128, "€"), (145, "‘"), (146, "’"), (150, "–"), (151, "—"), (153, "™"), (159, "Ÿ")],
)
def test_numbers_of_c1_controls_mean_windows_1252(number: int, character: str) -> None:
    assert unescaped(f"&#{number};") == unescaped(f"&#x{number:x};") == character


@pytest.mark.parametrize(
    "digits", ["0", "x0", "xD800", "xDFFF", "55296", "1114112", "x110000", "99999999", "xffffffff"]
)
def test_a_number_of_no_character_gives_the_replacement_character(digits: str) -> None:
    assert unescaped(f"a&#{digits};b") == "a\ufffdb"


@pytest.mark.parametrize("digits", ["9" * 4300, "9" * 100_000, "x" + "f" * 5000, "0" * 5000])
def test_thousands_of_digits_are_no_trouble(digits: str) -> None:
    assert unescaped(f"a&#{digits};b") == "a\ufffdb"


def test_leading_noughts_do_not_count() -> None:
    assert unescaped(f"&#{'0' * 5000}65;") == "A"


@pytest.mark.parametrize("number", [1, 2, 3, 8, 11, 14, 31])
def test_controls_vanish(number: int) -> None:
    assert unescaped(f"a&#{number};b") == "ab"


@pytest.mark.parametrize("number", [9, 10, 12, 13, 32])
def test_white_space_stays(number: int) -> None:
    assert unescaped(f"a&#{number};b") == f"a{chr(number)}b"


def test_text_without_an_ampersand_is_returned_as_it_is() -> None:
    plain = "no reference " * 10
    assert unescaped(plain) is plain


def test_references_count_in_titles_but_not_in_raw_text() -> None:
    assert text("<title>&lt;</title><xmp>&lt;</xmp>").split() == ["<", "&lt;"]


@pytest.mark.parametrize("at_once", [1, 2, 5, 8, 13, 40])
@pytest.mark.parametrize(
    "text", ["R&amp;D &notit; &#x20ac; &nosuch; end", "none at the start &lt;", "&&&amp;", "&lt; only one"]
)
def test_a_long_text_is_resolved_in_parts(at_once: int, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = unescaped(text)
    monkeypatch.setattr(references, "_AT_ONCE", at_once)
    assert unescaped(text) == whole
    parts = list(references._parts(text))
    assert "".join(parts) == text
    assert all(part.startswith("&") for part in parts[1:])


def test_a_megabyte_without_references_may_follow_one() -> None:
    assert unescaped("&lt;" + "x" * references._AT_ONCE) == "<" + "x" * references._AT_ONCE


def test_the_cache_of_references_is_bounded() -> None:
    cache = references._Cache()
    assert [cache[f"&#{number};"] for number in range(65, 70)] == list("ABCDE")
    assert cache["&#" + "0" * 50 + "65;"] == "A"
    assert len(cache) == 5

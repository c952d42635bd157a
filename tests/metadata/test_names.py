"""Names of authors."""

from __future__ import annotations

import pytest

from stupidos.metadata.names import authors


@pytest.mark.parametrize(
    "byline",
    ["Jane Smith", "By Jane Smith", "BY JANE SMITH", "Von Jane Smith", "Par Jane Smith", "Por Jane Smith",
     "Di Jane Smith", "Door Jane Smith", "Av Jane Smith", "Автор: Jane Smith", "Autor: Jane Smith",
     "Συντάκτης: Jane Smith", "作者：Jane Smith", "Yazan: Jane Smith", "Jane Smith, Senior Editor",
     "Jane Smith | The Associated Press", "Jane Smith Staff Writer", "Jane Smith (Berlin)",
     "Jane Smith, PhD"],
)  # fmt: skip
def test_a_byline_gives_the_name(byline: str) -> None:
    assert authors([byline])[:1] == ("Jane Smith",)


@pytest.mark.parametrize(
    "byline", ["By Jane Smith and Tom Doe", "Jane Smith, Tom Doe", "Jane Smith & Tom Doe",
               "Jane Smith; Tom Doe",
               "Von Jane Smith und Tom Doe", "Par Jane Smith et Tom Doe", "Por Jane Smith y Tom Doe"]
)  # fmt: skip
def test_several_names_are_distinguished(byline: str) -> None:
    assert authors([byline]) == ("Jane Smith", "Tom Doe")


@pytest.mark.parametrize(
    "field",
    ["", "admin", "x" * 301, "Jane " * 40, "https://example.org/jane", "www.example.org", "jane@example.org",
     "Staff Writer", "12:30", "2023", "[object Object]", "undefined", "Redaktion", "<b>", "@jane"],
)  # fmt: skip
def test_what_is_nobody_s_name_is_dropped(field: str) -> None:
    assert authors([field]) == ()


@pytest.mark.parametrize("byline", ["By Maren Tofte, 12 March", "By Maren Tofte, March 12"])
def test_a_day_is_not_an_author(byline: str) -> None:
    assert authors([byline]) == ("Maren Tofte",)


def test_the_site_is_not_an_author() -> None:
    fields = ["The Harbour Post", "Harbour Post Staff", "harbour post", "Jane Smith"]
    assert authors(fields, "Harbour Post") == ("Jane Smith",)


def test_names_with_small_words_stay_whole() -> None:
    assert authors(["José Ortega y Gasset", "Ludwig van Beethoven", "Dean Koontz"]) == (
        "José Ortega y Gasset",
        "Ludwig van Beethoven",
        "Dean Koontz",
    )

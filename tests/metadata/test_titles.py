"""Headlines."""

from __future__ import annotations

import pytest

import stupidos
from stupidos.metadata.titles import headline


@pytest.mark.parametrize(
    ("headings", "declared", "site", "url", "expected"),
    [
        (["Tea is hot"], ["Tea is hot - Post"], "Post", "", "Tea is hot"),
        (["Post", "Why tea is hot in the morning"], ["Why tea is hot in the morning"], "Post", "",
         "Why tea is hot in the morning"),
        (["Subscribe now"], ["Tea is hot | Post"], "Post", "", "Tea is hot"),
        ([], ["Tea is hot – post.example"], "", "https://post.example/a", "Tea is hot"),
        ([], ["The Post: tea is hot"], "The Post", "", "tea is hot"),
        ([], ["All about hot tea | Some Site"], "", "", "All about hot tea"),
        ([], ["Tea - Milk"], "", "", "Tea - Milk"),
        (["Other words entirely, by the editors"], ["SEO title"], "", "https://e.org/other-words-entirely",
         "Other words entirely, by the editors"),
        (["Tea is hot in winter"], ["Tea is hot in the winter"], "", "", "Tea is hot in the winter"),
        ([], [], "", "", ""),
        ([], ["Post"], "Post", "", "Post"),
        ([], [""], "", "", ""),
    ],
)  # fmt: skip
def test_the_headline_has_no_name_of_the_site(
    headings: list[str], declared: list[str], site: str, url: str, expected: str
) -> None:
    assert headline(headings, declared, site, url) == expected


def test_a_title_of_a_million_characters_is_cut() -> None:
    assert len(headline([], ["a - " * 250_000])) <= 500


@pytest.mark.parametrize("mark", ["¶", " ¶", " #", " 🔗"])
def test_the_mark_of_a_permalink_is_not_part_of_the_title(mark):
    html = f"<title>Retrying jobs — Queue 2.1</title><h1>Retrying jobs<a href=#retry>{mark}</a></h1><p>Text."
    assert stupidos.extract(html).title == "Retrying jobs"

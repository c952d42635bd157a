"""Metadata above Markdown, as YAML that any parser reads the same way."""

from __future__ import annotations

import pytest

from stupidos.metadata.extract import Metadata
from stupidos.write import About
from stupidos.write.front_matter import front_matter


@pytest.mark.parametrize(
    ("title", "written"),
    [
        ("Żółw 茶", '"Żółw 茶"'),
        ('The "title": of # all', '"The \\"title\\": of # all"'),
        ("a\u2028b\u0085c\x07d", '"a\\u2028b\\u0085c\\u0007d"'),
        ("C:\\tea", '"C:\\\\tea"'),
    ],
)
def test_a_text_is_one_quoted_line(title: str, written: str) -> None:
    assert f"title: {written}\n" in front_matter(About(title=title))


def test_several_values_are_a_list_and_missing_ones_are_left_out() -> None:
    found = front_matter(About(title="Tea", metadata=Metadata(authors=("Jané", "Tom"), date="2024-01-02")))
    assert found.startswith("---\n")
    assert '"Jané"' in found
    assert '"Tom"' in found
    assert "2024-01-02" in found
    assert "None" not in found
    assert "null" not in found

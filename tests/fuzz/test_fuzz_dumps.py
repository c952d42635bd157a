"""Any plain text, as Lynx or WET files have it: no exception, and nothing that the text does not say."""

from __future__ import annotations

import pytest
from generators import WORDS, examples
from hypothesis import given
from hypothesis import strategies as st
from test_fuzz_clean import check_page, cleaner

from stupidos import Options

pytestmark = pytest.mark.fuzz

LINES = [
    *(
        "   It rained all day on the lake, and the ferry lay in the ice until the",
        "   evening.",
        "",
        "",
        "  ",
    ),
    *(
        "     * wet",
        "          + cold",
        "    1. one",
        "    o two",
        "# A heading",
        "======",
        "------",
        "_______",
    ),
    *(
        "   [1]Home [2]About",
        "References",
        "   Visible links",
        "   1. http://example.org/",
        "   2. [3]",
        "(BUTTON)",
    ),
    *(
        "[1] [2] [99999999999]",
        "   [3][4]a",
        "[ ] [X]",
        "Title (p1 of 9)",
        "\x1b[1mbold\x1b[0m",
        "a\bab\bb",
        "|",
    ),
    *(
        "   \u4e16\u754c\u65b0\u805e\u4e16\u754c\u65b0\u805e" * 6,
        "\t\tx",
        "\u2500\u2502\u250c",
        "IFRAME: x",
        "-" * 300,
    ),
]


def dumps() -> st.SearchStrategy[str]:
    """Lines as text browsers write them, and others."""
    line = st.one_of(
        st.sampled_from(LINES),
        st.lists(st.sampled_from(WORDS), max_size=6).map("".join),
        st.text(st.characters(codec="utf-8"), max_size=30),
    )
    indented = st.builds(
        lambda line, indent: " " * indent + line, line, st.sampled_from([0, 0, 0, 2, 3, 6, 40])
    )
    ends = st.sampled_from(["\n", "\n", "\r\n", "\r", "\n\n", "\f", "\x85"])
    return st.builds(lambda lines, end: end.join(lines), st.lists(indented, max_size=60), ends)


@examples(100)
@given(dumps())
def test_a_dump_is_cleaned_in_every_format(text: str) -> None:
    check_page(text, cleaner(None, Options("text")))

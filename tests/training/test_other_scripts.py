"""Pages rewritten in another script."""

from __future__ import annotations

import other_scripts
from other_scripts import SCRIPTS, rewriter, rewritten

from stupidos.page import Kind
from stupidos.render import read

PAGE = (
    "<title>Tea &amp; rum</title><style>p {}</style><!-- tea -->"
    '<p class="tea">Hot tea, hot.<script>tea()</script>'
)


def test_only_text_is_rewritten_and_the_same_word_always_in_the_same_way() -> None:
    rewrite = rewriter(SCRIPTS["Georgian"])
    html = rewritten(PAGE, rewrite)
    hot, tea, again = rewrite("Hot"), rewrite("tea"), rewrite("hot")
    assert hot == again != tea
    assert set(hot + tea) <= {chr(ord("ა") + at) for at in range(33)}
    page = read(html, "html")
    assert [(segment.kind, segment.text) for segment in page.segments] == [
        (Kind.PARAGRAPH, f"{hot} {tea}, {hot}.")
    ]
    assert page.title == f"{rewrite('Tea')} & {rewrite('rum')}"
    assert '<p class="tea">' in html
    assert "<script>tea()</script>" in html


def test_scripts_without_blanks_have_none_between_words() -> None:
    assert " " not in rewriter(SCRIPTS["Han"])("hot tea")
    assert rewriter(SCRIPTS["Thai"])("hot, tea").count(" ") == 1
    assert len(rewriter(SCRIPTS["Hangul"])("a" * 500)) <= 64


def test_all_scripts_have_other_letters() -> None:
    words = {name: other_scripts.rewriter(script)("lemonade") for name, script in SCRIPTS.items()}
    assert len(set(words.values())) == len(SCRIPTS)
    assert not any(word.isascii() for word in words.values())

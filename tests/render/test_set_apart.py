"""Footnote marks, ruby readings and formulas do not run into the words beside them."""

import pytest

from stupidos.render import RenderOptions, render

SHOWN, ALL = RenderOptions(), RenderOptions(hidden=True)
KATEX = (
    '<span class="katex"><span class="katex-mathml"><math><mi>x</mi><mo>=</mo><mn>2</mn>'
    '<annotation encoding="application/x-tex">x=2</annotation></math></span>'
    '<span class="katex-html" aria-hidden="true"><span>x</span><span>=</span><span>2</span></span></span>'
)
MATHJAX = (
    '<span class="MathJax"><nobr aria-hidden="true"><span>x</span><span>=2</span></nobr>'
    '<span class="MJX_Assistive_MathML"><math><mi>x</mi><mo>=</mo><mn>2</mn></math></span></span>'
)


def text(html: str, options: RenderOptions) -> str:
    return "\n".join(segment.text for segment in render(html, options))


@pytest.mark.parametrize("options", [SHOWN, ALL])
@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        ('Over the hills.<sup><a href="#fn1">1</a></sup> Peace', "Over the hills. 1 Peace"),
        ('hills<sup id="r1" class=ref><a class=x href="page.html#fn1">[1]</a></sup>.', "hills [1]."),
        ('hills<a href="#fn1"><sup>1</sup></a>.', "hills 1."),
        ('hills <sup><a href="#fn1">1</a></sup>', "hills 1"),
        ('<sup><a href="#fn1">1</a></sup> A note', "1 A note"),
        ("10 m<sup>2</sup> on the 4<sup>th</sup>", "10 m2 on the 4th"),
        ('H<sup><a href="/wiki/plus">+</a></sup> ions', "H+ ions"),
        ('<a href="#x">See</a> m<sup>2</sup>', "See m2"),
    ],
)
def test_a_footnote_mark_is_not_glued_to_a_word(html: str, wanted: str, options: RenderOptions) -> None:
    assert text(f"<p>{html}</p>", options) == wanted


@pytest.mark.parametrize("options", [SHOWN, ALL])
@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        ("<ruby>茶<rt>ちゃ</rt></ruby>を飲む", "茶(ちゃ)を飲む"),
        ("<ruby>茶<rp>(</rp><rt>ちゃ</rt><rp>)</rp></ruby>を飲む", "茶(ちゃ)を飲む"),
        ("<ruby>茶<rt>ちゃ</ruby>を飲む", "茶(ちゃ)を飲む"),
        ("<ruby>東<rt>とう</rt>京<rt>きょう</rt></ruby>", "東(とう)京(きょう)"),
        ("<ruby>茶<rt>ちゃ<p>next</p></rt></ruby>.", "茶(ちゃ\nnext\n."),
    ],
)
def test_a_reading_of_ruby_is_in_parentheses(html: str, wanted: str, options: RenderOptions) -> None:
    assert text(f"<p>{html}", options) == wanted


@pytest.mark.parametrize("options", [SHOWN, ALL])
@pytest.mark.parametrize("formula", [KATEX, MATHJAX])
def test_a_formula_stands_once(formula: str, options: RenderOptions) -> None:
    assert text(f"<p>So {formula} holds.", options) == "So x=2 holds."


def test_blocks_hidden_from_screen_readers_stay_on_a_page_with_formulas() -> None:
    assert text(f"<p>{KATEX}<div aria-hidden=true>Seen</div>", ALL) == "x=2\nSeen"


def test_a_formula_in_a_hidden_element_is_found_where_nothing_else_is() -> None:
    assert text(f"<span aria-hidden=true>{KATEX}</span>", SHOWN)


@pytest.mark.parametrize("name", ["katex-html", "MJX_Assistive_MathML"])
def test_what_is_hidden_from_screen_readers_stays_without_a_formula(name: str) -> None:
    html = f"<p>Tea <span class={name} aria-hidden=true>and rum</span>"
    (segment,) = render(html, RenderOptions(hidden=True))
    assert segment.text == "Tea and rum"

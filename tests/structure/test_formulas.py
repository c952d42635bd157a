"""Formulas as the programs that make pages write them."""

from __future__ import annotations

import pytest

from stupidos.render import read
from stupidos.structure import tree_of
from stupidos.write.markdown import markdown

FORMULAS = {
    "Sphinx": r'<span class="math notranslate nohighlight">\(x^2\)</span>',
    "Pandoc": r'<span class="math inline">\(x^2\)</span>',
    "arithmatex": r'<span class="arithmatex">\(x^2\)</span>',
    "Stack Exchange": '<span class="math-container">$x^2$</span>',
    "GitHub": '<math-renderer class="js-inline-math" style="display: inline">$x^2$</math-renderer>',
    "Zhihu": '<img src="https://www.zhihu.com/equation?tex=x%5E2" alt="x^2" eeimg="1">',
    "CodeCogs": '<img src="https://latex.codecogs.com/gif.latex?x%5E2" title="x^2">',
    "CodeCogs, SVG": '<img src="//latex.codecogs.com/svg.image?\\inline&amp;space;x%5E2">',
    "WordPress": '<img src="https://s0.wp.com/latex.php?latex=x%5E2&amp;bg=ffffff&amp;fg=000" alt="x^2">',
}


@pytest.mark.parametrize("program", FORMULAS)
def test_formulas_are_written_as_latex(program: str) -> None:
    page = read(f"<p>It is {FORMULAS[program]} wide.", "html")
    assert markdown(tree_of(page, [1])) == "It is $x^2$ wide.\n"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ('<span class="math">x is 2</span>', "x is 2"),
        ('<span class="price">$5 and $6$</span>', "\\$5 and \\$6\\$"),
        ('<span class="math">\\(x\\) or \\(y\\)</span>', "\\\\(x\\\\) or \\\\(y\\\\)"),
    ],
)
def test_text_with_other_text_around_its_delimiters_is_no_formula(html: str, written: str) -> None:
    page = read(f"<p>It is {html} wide.", "html")
    assert markdown(tree_of(page, [1])) == f"It is {written} wide.\n"  # type: ignore[arg-type]


def test_a_formula_with_its_content_in_markup_appears_once_in_the_text() -> None:
    content = "<annotation-xml encoding=MathML-Content><apply><csymbol>superscript</csymbol><ci>x</ci>"
    shown = "<msup><mi>x</mi><mn>2</mn></msup>"
    formula = f"<math><semantics>{shown}{content}</annotation-xml></semantics></math>"
    page = read(f"<p>It is {formula} wide.", "html")
    assert [segment.text for segment in page.segments] == ["It is x2 wide."]

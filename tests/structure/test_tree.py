"""The tree of small pages, everything kept, and the Markdown written of it."""

from __future__ import annotations

import pytest

from stupidos.page import Page, Verdict
from stupidos.render import read
from stupidos.structure import Node, tree_of
from stupidos.structure.node import BOUNDARY, walk
from stupidos.write.markdown import markdown

URL = "https://example.org/a/page.html"


def page(html: str) -> Page:
    return read(html, "html")


def tree(html: str, dropped: str = "") -> Node:
    """The tree of a page without the segments that hold `dropped`."""
    rendered = page(html)
    keep = [0 if dropped and dropped in segment.text else 1 for segment in rendered.segments]
    return tree_of(rendered, keep, URL)


def written(html: str, dropped: str = "") -> str:
    return markdown(tree(html, dropped))


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>a <b>b</b> <i>c</i>", "a **b** *c*\n"),
        ("<p><b>Note: </b>text", "**Note:** text\n"),
        ("<p>un<b>believ</b>able", "un**believ**able\n"),
        ("<p>a<b>!</b>b", "a<strong>!</strong>b\n"),
        ("<p><i>a</i><b>b</b>", "_a_**b**\n"),
        ("<p><b><i>a</i></b>", "**_a_**\n"),
        ("<p><b>a</b><b>b</b>", "**ab**\n"),
        ("<p>x<code>a`b</code>", "x``a`b``\n"),
        ("<p>H<sub>2</sub>O, <kbd>Esc</kbd>, <del>old</del>", "H<sub>2</sub>O, <kbd>Esc</kbd>, ~~old~~\n"),
        ("<p>a<br>b", "a\\\nb\n"),
        ("<p>a<br><br>b", "a\n\nb\n"),
        ("<p>x <b>a<br><br>b</b> y", "x **a**\n\n**b** y\n"),
        ("<i>a <b>b</b><br> <br>c<br>d</i>", "_a **b**_\n\n*c\\\nd*\n"),
        ("<p>it costs $5", "it costs $5\n"),
        ("<p>from $5 to $6", "from \\$5 to \\$6\n"),
        ("<p>wow!<a href=/x>it</a>", "wow\\![it](https://example.org/x)\n"),
        ("<h2>A <a href=#a class=headerlink>¶</a></h2>", "## A\n"),
        ("<h2>C#</h2>", "## C\\#\n"),
        ("<blockquote><p>a<p>b</blockquote>", "> a\n>\n> b\n"),
        ("<p>a<hr><p>b", "a\n\n---\n\nb\n"),
        ("<dl><dt>tea<dd>hot</dl>", "tea\n: hot\n"),
        ("<p>he said <q>no</q>", "he said “no”\n"),
    ],
)
def test_inlines_and_blocks_have_their_forms(html: str, text: str) -> None:
    assert written(html) == text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<ol start=7><li>a<li>b</ol>", "7. a\n8. b\n"),
        ("<ol><li>a<ul><li>b</ul></ol>", "1. a\n   - b\n"),
        ("<ul><li>a<ol start=3><li>b</ol></ul>", "- a\n\n  3. b\n"),
        ("<ul><li><p>a</p>b<br><br>c</ul>", "- a\n\n  b\n\n  c\n"),
        ("<ul><li><p>a<p>b<li>c</ul>", "- a\n\n  b\n\n- c\n"),
        ("<ul><li>a</ul><ul><li>b</ul>", "- a\n\n* b\n"),
        ("<ul><li>a</li><ul><li>b</ul></ul>", "- a\n  - b\n"),
        ("<ul><li>a<pre>x\n y</pre></ul>", "- a\n  ```\n  x\n   y\n  ```\n"),
    ],
)
def test_lists_keep_numbers_and_depth(html: str, text: str) -> None:
    assert written(html) == text


def test_a_dropped_item_leaves_its_number_behind() -> None:
    assert written("<ol><li>a<li>gone<li>c</ol>", "gone") == "1. a\n3) c\n"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<table><tr><th>a<th>b<tr><td>1<td></table>", "| a | b |\n| --- | --- |\n| 1 |  |\n"),
        ("<table><tr><td>a<td>b<tr><td><td>2</table>", "| a | b |\n| --- | --- |\n|  | 2 |\n"),
        ("<table><tr><th colspan=2>a<tr><td>1<td>2</table>", "| a |  |\n| --- | --- |\n| 1 | 2 |\n"),
        (
            "<table><tr><td rowspan=2>a<td>b<tr><td>c</table>",
            "| a | b |\n| --- | --- |\n|  | c |\n",
        ),
        ("<table><tr><td>a|b<td>c</table>", "| a\\|b | c |\n| --- | --- |\n"),
        ("<table><caption>T</caption><tr><td>a<td>b</table>", "T\n\n| a | b |\n| --- | --- |\n"),
        ("<table role=presentation><tr><td>a<td>b</table>", "a\n\nb\n"),
        ("<table><tr><td>only</table>", "only\n"),
    ],
)
def test_tables_have_rows_and_empty_cells(html: str, text: str) -> None:
    assert written(html) == text


def test_a_table_of_images_alone_is_none() -> None:
    cells = "<td><img src=/a.png alt=tea><td><a href=/m><img src=/b.png></a>"
    images = "![tea](https://example.org/a.png)\n\n[![](https://example.org/b.png)](https://example.org/m)\n"
    assert written(f"<p>Seen in<table><tr>{cells}</table><p>and there") == f"Seen in\n\n{images}\nand there\n"
    assert "| ![tea]" in written(f"<table><tr><td>hot<td>cold<tr>{cells}</table>")


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<table><tr><td><td><img src=/a.png><tr><td>tea<td>hot</table>",
         "|  | A |\n| --- | --- |\n| tea | hot |\n"),
        ("<p>x<table><tr><td><td><img src=/a.png><tr><td>tea<td>hot</table>",
         "x\n\n|  | A |\n| --- | --- |\n| tea | hot |\n"),
        ("<table><tr><td>x<td>y<tr><td><td><td><img src=/a.png><tr><td>tea<td>hot</table>",
         "| x | y |  |\n| --- | --- | --- |\n|  |  | A |\n| tea | hot |  |\n"),
    ],
)  # fmt: skip
def test_images_of_a_row_without_text_stay_in_their_cells(html: str, text: str) -> None:
    assert written(html) == text.replace("A", "![](https://example.org/a.png)")


def test_a_table_with_lists_inside_is_written_as_html() -> None:
    text = written("<table><tr><th>a<th>b<tr><td><ul><li>x<li>y</ul><td><pre>p\n\nq</pre></table>")
    assert text.startswith("<table>\n<tr><th>a</th><th>b</th></tr>\n")
    assert "<ul><li>x</li><li>y</li></ul>" in text
    assert "\n\n" not in text


@pytest.mark.parametrize(
    ("html", "language", "code"),
    [
        ('<pre><code class="language-python">a\n\tb\n</code></pre>', "python", "a\n\tb"),
        ('<pre><code class="hljs lang-js">a</code></pre>', "js", "a"),
        ('<div class="highlight-source-shell"><pre>a</pre></div>', "shell", "a"),
        ('<div class="highlight"><pre class="chroma"><code data-lang="go">a</code></pre></div>', "go", "a"),
        ('<pre><span class="lineno">1</span>a\n<span class="lineno">2</span>b</pre>', "", "a\nb"),
        ('<pre><code><div class="line">a</div><div class="line">b</div></code></pre>', "", "a\nb"),
        ("<pre>a<br>b</pre>", "", "a\nb"),
        ("<pre>\n  indented\n</pre>", "", "  indented"),
    ],
)
def test_code_comes_out_to_the_character(html: str, language: str, code: str) -> None:
    (node,) = tree(html).children
    assert isinstance(node, Node)
    assert (node.tag, node.attributes.get("language", ""), node.children) == ("pre", language, [code])


def test_a_fence_is_longer_than_any_inside() -> None:
    assert written("<pre>```\na\n````</pre>") == "`````\n```\na\n````\n`````\n"


def test_a_gutter_beside_the_code_is_left_out() -> None:
    html = (
        '<table class="rouge-table"><tr><td class="rouge-gutter gl"><pre class="lineno">1\n2</pre></td>'
        '<td class="rouge-code"><pre>a\nb</pre></td></tr></table>'
    )
    assert written(html) == "```\na\nb\n```\n"


@pytest.mark.parametrize(
    ("html", "target"),
    [
        ("<a href='b.html'>x</a>", "https://example.org/a/b.html"),
        ("<base href='/docs/'><a href='b'>x</a>", "https://example.org/docs/b"),
        ("<a href='/a b(c'>x</a>", "https://example.org/a%20b%28c"),
        ("<a href='/x\ny'>x</a>", "https://example.org/xy"),
        ("<a href='#top'>x</a>", "#top"),
    ],
)
def test_link_targets_are_absolute_and_safe(html: str, target: str) -> None:
    assert written(f"<p>see {html}") == f"see [x]({target})\n"


@pytest.mark.parametrize("href", ["javascript:alert(1)", "JAVA\nSCRIPT:x", "data:text/html,x", " vbscript:x"])
def test_links_that_would_run_something_lose_their_target(href: str) -> None:
    assert written(f'<p>see <a href="{href}">x</a>') == "see x\n"


@pytest.mark.parametrize(
    ("html", "source"),
    [
        ("<img src=data:image/gif;base64,R0 data-src=real.jpg>", "real.jpg"),
        ("<img src=blank.gif srcset='s.jpg 300w, l.jpg 900w'>", "l.jpg"),
        ("<picture><source srcset='a.webp 1x, b.webp 2x'><img src=c.jpg></picture>", "b.webp"),
        ("<img src=data:image/gif;base64,R0><noscript><img src=real.jpg></noscript>", "real.jpg"),
    ],
)
def test_images_have_their_real_source(html: str, source: str) -> None:
    assert written(f"<p>a {html} b") == f"a ![](https://example.org/a/{source}) b\n".replace(
        " b\n", "\n\nb\n" if "noscript" in html else " b\n"
    ).replace("a !", "a\n\n!" if "noscript" in html else "a !")


def test_an_image_between_dropped_segments_is_dropped() -> None:
    html = "<p>kept<div><p>gone one<img src=a.png><p>gone two</div><p>kept too"
    assert written(html, "gone") == "kept\n\nkept too\n"


@pytest.mark.parametrize(
    ("html", "latex"),
    [
        ('<math alttext="x^2"><mi>x</mi></math>', "x^2"),
        ("<math><mfrac><mn>1</mn><mi>n</mi></mfrac></math>", "\\frac{1}{n}"),
        (
            "<math><semantics><mi>x</mi><annotation encoding='application/x-tex'>x_1</annotation></semantics>"
            "</math>",
            "x_1",
        ),
        (
            '<span class="katex"><span class="katex-mathml"><math><semantics><mi>x</mi><annotation '
            'encoding="application/x-tex">y</annotation></semantics></math></span>'
            '<span class="katex-html">y</span></span>',
            "y",
        ),
        ('<span class="MathJax_Preview"></span><script type="math/tex">a+b</script>', "a+b"),
        (
            '<span class="MathJax_Preview"></span><span class="MathJax" id="M1"><nobr>y</nobr>'
            '<span class="MJX_Assistive_MathML"><math><mi>y</mi></math></span></span> '
            '<script type="math/tex">y_1</script>',
            "y_1",
        ),
        ('<span class="mjx-chtml MathJax_CHTML">w</span><script type="math/tex">w_3</script>', "w_3"),
        ('<img src=x.png class="latex" alt="\\frac{1}{2}">', "\\frac{1}{2}"),
    ],
)
def test_a_formula_is_written_once_as_latex(html: str, latex: str) -> None:
    assert written(f"<p>so {html} holds") == f"so ${latex}$ holds\n"


def test_a_displayed_formula_amid_kept_text_is_shown() -> None:
    html = (
        '<div>so<div class="MathJax_Display"><span class="MathJax">gone</span></div>'
        '<script type="math/tex; mode=display">x</script>holds</div>'
    )
    assert written(html, "gone") == "so\n\n$$\nx\n$$\n\nholds\n"


def test_lines_of_formulas_amid_kept_text_are_shown() -> None:
    cell = "<td class=ltx_eqn_cell><math alttext='{0}'><mi>gone</mi></math>"
    lines = [f"<tr>{cell.format('x')}{cell.format('=' + power)}<td class=ltx_eqn_cell>(1)" for power in "yz"]
    html = f"<div><p>so<table class='ltx_equationgroup ltx_eqn_table'>{''.join(lines)}</table><p>holds</div>"
    assert written(html, "gone") == "so\n\n$$\nx =y\n$$\n\n$$\nx =z\n$$\n\nholds\n"
    assert "$" not in written(html.replace("holds", "gone, too"), "gone")


def test_footnotes_have_marks_and_definitions() -> None:
    html = (
        '<p>Tea<sup id=r><a href="#fn1">1</a></sup> is hot.</p><section class=footnotes><ol>'
        '<li id=fn1><p>Or cold. <a href="#r" class=backref>↩</a></p></ol></section>'
    )
    assert written(html) == "Tea[^1] is hot.\n\n[^1]: Or cold.\n"


def test_a_definition_may_call_its_text_the_content_of_a_footnote() -> None:
    html = (
        f'<p>Tea<a id=anchor-1 href="{URL}#note-1">1</a> is hot.</p><div class=footnote>'
        f'<a id=note-1 href="{URL}#anchor-1">1</a><div class=footnote-content>Or cold.</div></div>'
    )
    assert written(html) == "Tea[^1] is hot.\n\n[^1]: Or cold.\n"


def test_a_link_to_a_heading_is_no_footnote() -> None:
    html = '<p>See <a href="#thm">1</a>.</p><h3 id=thm>Theorem</h3><p>It holds.'
    assert "[^" not in written(html)


@pytest.mark.parametrize(
    ("html", "kind"),
    [
        ('<div class="admonition warning"><p class="admonition-title">Hot</p>{0}</div>', "[!warning] Hot"),
        (
            '<div class="confluence-information-macro confluence-information-macro-tip">{0}</div>',
            "[!tip] Tip",
        ),
        ('<div class="kg-card kg-callout-card kg-callout-card-blue">{0}</div>', "[!note] Note"),
        ('<div class="warning"><h3 class="title">Hot</h3>{0}</div>', "[!warning] Hot"),
        ('<div class="WARNING"><p>Warning</p>{0}</div>', "[!warning] Warning"),
        ('<div class="alert is-warning"><p>Warning</p>{0}</div>', "[!warning] Warning"),
        ("<aside class=caution><strong>Caution:</strong> Tea burns.</aside>", "[!caution] Caution"),
        ('<div class="notecard tip"><p><strong>Tip:</strong> Tea burns.</p></div>', "[!tip] Tip"),
        ("<details class=tip open><summary>Look</summary>{0}</details>", "[!tip] Look"),
        (
            '<aside class="starlight-aside starlight-aside--danger"><p class="starlight-aside__title">Hot</p>'
            '<div class="starlight-aside__content">{0}</div></aside>',
            "[!danger] Hot",
        ),
        (
            '<div class="awsdocs-note awsdocs-tip"><div class="awsdocs-note-title"><h6>Tip</h6></div>'
            '<div class="awsdocs-note-text">{0}</div></div>',
            "[!tip] Tip",
        ),
        ('<div class="nextra-callout"><div>{0}</div></div>', "[!note] Note"),
        ('<blockquote class="prompt-info">{0}</blockquote>', "[!info] Info"),
    ],
)
def test_callouts_are_quotations_with_their_kind(html: str, kind: str) -> None:
    assert written(html.format("<p>Tea burns.</p>")) == f"> {kind}\n> Tea burns.\n"


@pytest.mark.parametrize(
    "html",
    ["<div class=info>{0}</div>", "<div class=prompt-input>{0}</div>", "<div class=no-warning>{0}</div>"],
)
def test_other_names_make_no_callouts(html: str) -> None:
    assert written(html.format("<p>Tea burns.</p>")) == "Tea burns.\n"


def test_the_summary_of_something_inside_a_callout_is_not_its_title() -> None:
    html = "<div class=note><p>Tea burns.</p><details><summary>More</summary><p>Rum, too.</p></details></div>"
    assert written(html) == "> [!note] Note\n> Tea burns.\n>\n> More\n>\n> Rum, too.\n"


def test_a_sentence_that_begins_like_a_title_is_none() -> None:
    html = '<div class="note"><p>Note that <strong>note</strong> burns.</p></div>'
    assert written(html) == "> [!note] Note\n> Note that **note** burns.\n"


@pytest.mark.parametrize(
    "html",
    [
        "<div><p>So run it:<pre>node app.js</pre><p>Then it runs.</div>",
        "<div><p>So run it:<div class=box><b>js</b><pre>node app.js</pre></div><p>Then it runs.</div>",
        "<div><p>First:<pre>node app.js</pre><pre>node --prof app.js</pre><p>Then it runs.</div>",
        "<div>See:<pre><div>a<div>js</div><div>node app.js</div><div>js</div><div>b</pre></div>",
        "<div><p>First:<div class='syntaxhighlighter bash'><table><tr><td class=gutter>1<td class=code>"
        "<div class=line><code>node</code> <code>app.js</code></div></table></div><p>Then it runs.</div>",
        "<div><p>First:<table class=crayon-table><tr><td class=crayon-nums>1<td class=crayon-code>"
        "<div class=crayon-line>node app.js</div></table><p>Then it runs.</div>",
        "<div><p>First:<table class='highlight js-file-line-container'><tr><td class=blob-num>"
        "<td class='blob-code js-file-line'>node app.js</table><p>Then it runs.</div>",
        "<main><div><div><div><p>First:</div></div></div><div><div>js</div><div><div><div><div><div><pre>"
        "node app.js</pre></div></div></div></div></div></div><div><div><p>Then it runs.</div></div></main>",
    ],
)
def test_dropped_code_is_shown_amid_kept_text(html: str) -> None:
    assert "node app.js" in written(html, dropped="js")


@pytest.mark.parametrize(
    "html",
    [
        "<div><p>Kept.<pre>node app.js</pre></div>",
        "<div><p>Kept.</div><aside><pre>node app.js</pre></aside><div><p>Kept, too.</div>",
        "<html><body><div><p>Kept.</div><aside><pre>node app.js</pre></aside><div><p>Kept, too.</div>",
        "<div><p>Kept.<p>node is a program that many of our other articles tell of<pre>node app.js</pre>"
        "<p>Kept, too.</div>",
    ],
)
def test_dropped_code_beside_dropped_text_stays_out(html: str) -> None:
    assert "node" not in written(html, dropped="node")


def test_an_editor_beside_the_code_is_left_out() -> None:
    html = "<pre><div>Python<button>Run</button></div><div class='cm-content'>def f():<br>  pass</div></pre>"
    assert written(html) == "```python\ndef f():\n  pass\n```\n"


def test_a_dropped_header_row_is_shown_with_its_table() -> None:
    html = "<table><tr><th>head<th>er<tr><td>a<td>b<tr><td>c<td>d</table>"
    assert written(html, "head").startswith("| head | er |")


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<p>$$x^2$$</p>", "$$\nx^2\n$$\n"),
        (r"<p>Cups: \[x^2\]<p>Tea", "Cups:\n\n$$\nx^2\n$$\n\nTea\n"),
        ("<p>$$x^2$$ of <b>tea</b>", "$$\nx^2\n$$\n\nof **tea**\n"),
        ("<p>so $$x^2$$ cups", "so $x^2$ cups\n"),
    ],
)
def test_latex_between_display_delimiters_stands_apart(html: str, markdown: str) -> None:
    assert written(f"<script src=mathjax.js></script>{html}") == markdown


@pytest.mark.parametrize("latex", [r"\(x^2\)", r"\[x^2\]", "$x^2$"])
def test_each_delimiter_of_latex_is_enough(latex: str) -> None:
    assert "(math 'x^2')" in str(tree(f"<script src=mathjax.js></script><p>Tea {latex} cups"))


def test_formatting_goes_on_in_the_block_that_ends_a_paragraph() -> None:
    assert written("<p><b>bold<div>also <i>both</div>") == "**bold**\n\n**also _both_**\n"
    assert str(tree("<p><b>bold<div>also</div>")) == "(document (p (strong 'bold')) (p (strong 'also')))"


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 100_000 + "text",
        "<ul><li>" * 30_000 + "text",
        "<b>" * 50_000 + "text" + "</b>" * 50_000,
        "<blockquote>" * 50_000 + "text",
        "<table><tr><td>" * 20_000 + "text",
        "<p>" + "<a href=x>y" * 20_000,
        "<math>" + "<mrow>" * 50_000 + "x",
        "".join(f"<p>a<a href=#fn{n}>{n % 999}</a>" for n in range(1900))
        + "<ol>"
        + "".join(f"<li id=fn{n}>b" for n in range(1900)),
        "<div id=fn1>" + "x" * 100_000 + "<p>a<a href=#fn1>1</a>" * 1900,
        "<p>a<sup>1</sup>" * 1900 + "<aside><ol>" + "<li>b" * 20_000,
        "<span class=math>\\(" + "x\\)" * 200_000 + "</span>",
        "".join(f"<p>a<a href=#fn{n}>{n % 999}</a>" for n in range(1900))
        + "<p>b"
        + "<img src=c.jpg>" * 50_000
        + "".join(f"<p id=fn{n}>d" for n in range(1900)),
        "<p>a" + "<figure><figcaption>b</figcaption></figure>" * 30_000 + "<p>c",
        "<p>a<img src=c.jpg>" + "<noscript><img src=d.jpg></noscript>" * 30_000 + "<p>b",
        "<div class=fragment>" * 2_000 + "<div class=line>a</div>" * 20_000,
    ],
    ids=lambda html: html[:12],
)
def test_deep_nesting_is_no_trouble(html: str) -> None:
    assert written(html).encode()


def test_a_finished_tree_has_no_boundaries() -> None:
    nodes = list(walk(tree("<div><div>a</div>b<div><p>c</p>d</div></div>")))
    assert BOUNDARY not in nodes
    assert [node.tag for node in nodes] == ["document", "p", "p", "p", "p"]


def test_script_filled_text_and_dumps_become_paragraphs() -> None:
    dump = read("HEADING\n\n   * one\n   * two\n", "text")
    root = tree_of(dump, [1] * len(dump.segments))
    assert {node.tag for node in walk(root)} >= {"document", "li"}
    verdicts = [Verdict(segment, 0.0, True, "") for segment in dump.segments]
    assert len(verdicts) == len(dump.segments)

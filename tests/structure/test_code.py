"""Code beside its line numbers, where no name tells them from it."""

from __future__ import annotations

import pytest

from stupidos.render import read
from stupidos.structure import tree_of
from stupidos.write.markdown import markdown


def code(html: str) -> str:
    page = read(html, "html")
    tree = tree_of(page, [1] * len(page.segments))
    return markdown(tree).removeprefix("```\n").removesuffix("\n```\n")  # type: ignore[arg-type]


def rows(*lines: str) -> str:
    return "".join(
        f"<div><span>{number}</span><div>{line}</div></div>"
        for number, line in (line.split("|") for line in lines)
    )


def test_numbers_beside_the_lines_are_left_out() -> None:
    assert code(f"<pre><div>{rows('1|<div>int x;</div>', '2|', '3|  <b>return</b> 2;')}</div></pre>") == (
        "int x;\n\n  return 2;"
    )
    assert code(f"<pre>{rows('1|echo')}</pre>") == "echo"
    assert code(f"<pre>{rows('9|a', '10|b')}</pre>") == "a\nb"


@pytest.mark.parametrize(
    "html",
    [
        '<pre class="EnlighterJSRAW" data-enlighter-language="js">let x;</pre>',
        '<div class="highlight highlight-source-js notranslate"><pre>let x;</pre></div>',
        '<div class="highlight code-js"><pre>let x;</pre></div>',
        '<pre class="brush: js; toolbar: false">let x;</pre>',
        '<pre data-syntaxhighlighter-params="brush: js; gutter: false">let x;</pre>',
        '<devsite-code><pre class="devsite-click-to-copy" syntax="JS">let x;</pre></devsite-code>',
    ],
)
def test_the_language_is_named_around_the_code(html: str) -> None:
    assert code(html) == "```js\nlet x;"


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ("<pre><div>js</div><div><button>Copy</button></div><code>let x;</code></pre>", "```js\nlet x;"),
        ("<pre><div>js</div><code class=language-js>let x;</code></pre>", "```js\nlet x;"),
        ("<pre>js <code>let x;</code></pre>", "js let x;"),
        ("<pre><div>node</div><code>let x;</code></pre>", "node\nlet x;"),
        ("<pre><div>js</div><code>let x;</code> <code>let y;</code></pre>", "js\nlet x; let y;"),
    ],
)
def test_a_label_inside_the_code_is_left_out(html: str, written: str) -> None:
    assert code(html) == written


@pytest.mark.parametrize("lines", [("1|a", "3|b"), ("2|a",), ("|a", "2|b"), ("1|a", "x|b")])
def test_numbers_that_count_no_lines_are_code(lines: tuple[str, ...]) -> None:
    written = code(f"<pre>{rows(*lines)}</pre>")
    assert written.split() == [part for line in lines for part in line.split("|") if part]


@pytest.mark.parametrize(
    "label", ["<div><span>js</span></div>", "<p>JS</p>", "<div class=head>\n <div>js </div></div>\n"]
)
def test_a_label_that_names_the_language_is_left_out(label: str) -> None:
    html = f"<div><p>It runs:</p>{label}<pre class=language-js>let x;</pre></div>"
    assert code(html) == "It runs:\n\n```js\nlet x;"


@pytest.mark.parametrize("before", ["<p>We use <b>js</b></p>", "<p>css</p>", "We use <br>js", "<h2>js</h2>"])
def test_text_before_code_is_no_label(before: str) -> None:
    html = f"<div>{before}<pre class=language-js>let x;</pre></div>"
    assert ("js\n\n```js" in code(html)) or ("css\n\n```js" in code(html)) or "**js**" in code(html)


def test_highlighted_lines_of_gatsby_are_lines() -> None:
    line = '<span class="gatsby-highlight-code-line">{}</span>'.format
    html = (
        '<div class="gatsby-highlight"><pre class="gatsby-code-jsx"><code class="gatsby-code-jsx">'
        f"function Tea() {{\n{line('  <b>const</b> hot = 1;')}{line('  let x;')}\n"
        "  return hot;\n}</code></pre></div>"
    )
    page = read(html, "html")
    assert markdown(tree_of(page, [1] * len(page.segments))) == (  # type: ignore[arg-type]
        "```jsx\nfunction Tea() {\n  const hot = 1;\n  let x;\n\n  return hot;\n}\n```\n"
    )


@pytest.mark.parametrize(
    ("html", "lines"),
    [
        ("<span class=line>a</span><span class='line hl'></span><span class=line>  b</span>", "a\n\n  b"),
        ("<span class=line>a</span>\n<span class=line></span>\n<span class=line>  b</span>", "a\n\n  b"),
        ("<div class=line>a</div><div class=line></div><div class=line>  b</div>", "a\n\n  b"),
        ("<div class=line><b>a</b></div><div class=line><b></b></div><div class=line>b</div>", "a\n\nb"),
        ("<span class=line>a\n</span><span class=line>b\n</span>", "a\nb"),
        ("let <span class=line>a</span> = <span class=line>b</span>", "let a = b"),
        ("<span class=underline>a</span><span class=underline>b</span>", "ab"),
    ],
)
def test_lines_right_behind_each_other_are_parted(html: str, lines: str) -> None:
    assert code(f"<p>It runs:</p><pre><code>{html}</code></pre>") == f"It runs:\n\n```\n{lines}"


def test_listings_of_doxygen_are_code() -> None:
    lines = (
        '<div class="line"><a id="l1"></a><span class="lineno">    1</span>int <b>tea</b>() {</div>\n'
        '<div class="line"><span class="lineno">    2</span> </div>\n'
        '<div class="line"><span class="lineno">    3</span>  return 1 &lt; 2;</div>\n'
        '<div class="ttc" id="a1"><div class="ttname">tea</div><div class="ttdoc">Tea.</div></div>'
        '<div class="foldopen"><div class="line">}</div></div>'
    )
    assert code(f'<p>It runs:</p><div class="fragment">{lines}</div><!-- fragment --><p>So.') == (
        "It runs:\n\n```\nint tea() {\n \n  return 1 < 2;\n}\n```\n\nSo.\n"
    )


def test_a_fragment_of_a_page_is_no_code() -> None:
    html = '<div class="fragment"><p>It rained.</p><div class="line">On.</div></div>'
    assert code(html) == "It rained.\n\nOn.\n"


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ('<pre class="src-line-numbers"><a>1</a>\n<a>2</a></pre><pre class=rust>a\nb</pre>', "```rust\na\nb"),
        ('<pre class="line-numbers">7\n8\n</pre><pre class=rust>a\nb</pre>', "```rust\na\nb"),
        ('<pre class="line-numbers">8\n7</pre>', "8\n7"),
        ('<pre class="line-numbers language-rust">a</pre>', "```rust\na"),
        ("<pre>1\n2</pre>", "1\n2"),
        (f"<pre class=lineno>{'9' * 5000}</pre>", "9" * 5000),
    ],
)
def test_a_column_of_line_numbers_is_no_code(html: str, written: str) -> None:
    assert code(html) == written

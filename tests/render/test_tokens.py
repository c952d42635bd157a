"""Splitting HTML at its tags, as the HTML standard tokenises."""

import random

import pytest

from stupidos.render.tokens import RAW_ELEMENT, RAW_TEXT, SPLIT

BITS = [
    "a",
    "=",
    '"',
    "'",
    " ",
    "/",
    ">",
    "\n",
    'x="y"',
    ' c="d"',
    " e='f'",
    " g=h",
    "1",
    "-",
    "<",
    "é",
    "= ",
    " =",
]


def split(html: str) -> list[str | None]:
    return SPLIT.split(html)


@pytest.mark.parametrize(
    ("html", "pieces"),
    [
        ("a", ["a"]),
        ("a<b>c", ["a", "b", None, "c"]),
        ("a</b>c", ["a", "/b", None, "c"]),
        ("<P CLASS=x>", ["", "P", " CLASS=x", ""]),
        ("<br/>", ["", "br", "/", ""]),
        ("<br />", ["", "br", " /", ""]),
        ('<a href="x>y">z', ["", "a", ' href="x>y"', "z"]),
        ("<a href='x>y'>z", ["", "a", " href='x>y'", "z"]),
        ("<a href=x'>y", ["", "a", " href=x'", "y"]),
        ('<a b="c"d="e">f', ["", "a", ' b="c"d="e"', "f"]),
        ('<a\n\tb\n=\n"c>d" >e', ["", "a", '\n\tb\n=\n"c>d" ', "e"]),
        ("<a b = c>d", ["", "a", " b = c", "d"]),
        ("<my-card x:y=1>", ["", "my-card", " x:y=1", ""]),
        ("</p class=x>", ["", "/p", " class=x", ""]),
    ],
)
def test_a_tag_is_a_name_and_attributes(html: str, pieces: list[str | None]) -> None:
    assert split(html) == pieces


@pytest.mark.parametrize(
    ("html", "attributes"),
    [
        ('<a ="x>y">', ' ="x'),
        ('<a b="c"="x>y">', ' b="c"="x'),
        ('<a /="x>y">', ' /="x'),
        ('<a b=="x>y">', ' b=="x'),
        ("<a b=c'd>e'>", " b=c'd"),
        ("<a 'b>c'>", " 'b"),
    ],
)
def test_a_quote_opens_a_value_only_behind_a_name_and_an_equals_sign(html: str, attributes: str) -> None:
    assert split(html)[2] == attributes


@pytest.mark.parametrize("html", ["<", "a < b", "<3", "< b>", "<>", "1<2>3", "a<"])
def test_a_bracket_without_a_letter_is_text(html: str) -> None:
    assert split(html) == [html]


@pytest.mark.parametrize(
    "html", ["<a", "<a ", "<a b", "<a b=", '<a b="c', "<a b='c>", "</a", "<a/", "<!-", "<?x"]
)
def test_a_tag_cut_off_by_the_end_is_dropped(html: str) -> None:
    assert "".join(filter(None, split("text" + html)[::3])) == "text"


@pytest.mark.parametrize(
    "html",
    [
        "<!-- x -->",
        "<!---->",
        "<!-->",
        "<!--->",
        "<!-- x --!>",
        "<!-- a > b <p> -- c -->",
        "<!DOCTYPE html>",
        "<!doctype html PUBLIC '-//W3C'>",
        "<?xml version='1.0'?>",
        "<![CDATA[x]]>",
        "</ x>",
        "</>",
        "<script>a < b && '</p>'</script>",
        "<SCRIPT type=x>a</Script\n>",
        "<style>p > a { content: '<p>' }</style x=y>",
        "<script><!-- <script> </script> --></script>",
        "<script><!-- <script> </script> </script>",
        "<script><!--></script>",
    ],
)
def test_comments_declarations_scripts_and_styles_say_nothing(html: str) -> None:
    assert split(f"a{html}b") == ["a", None, None, "b"]


def test_a_script_that_opens_another_in_a_comment_ends_with_the_second_end_tag() -> None:
    assert split("<script><!--<script>x</script>y</script>z") == ["", None, None, "z"]


@pytest.mark.parametrize("html", ["<!-- a", "<script>a <p>", "<style>a", "<script><!--<script>x</script>y"])
def test_what_never_ends_reaches_to_the_end(html: str) -> None:
    assert split(html + "<p>text") == ["", None, None, ""]


@pytest.mark.parametrize("name", RAW_TEXT)
def test_a_raw_text_element_comes_whole(name: str) -> None:
    whole, end = f"{name} lang=en>a <b> c", f"</{name}>" if name != "plaintext" else ""
    assert split(f"<{whole}{end}") == ["", whole, end[:-1] or None if end else "", ""]


@pytest.mark.parametrize(
    ("html", "name"), [("<title>a</titles></title>", "title>a</titles>"), ("<XMP>a</xmp >", "XMP>a")]
)
def test_only_its_own_end_tag_ends_a_raw_text_element(html: str, name: str) -> None:
    assert split(html)[1] == name


@pytest.mark.parametrize(
    ("html", "name"),
    [("<titles>a", "titles"), ("<xmpp>a", "xmpp"), ("<styled>a", "styled"), ("<scripts>a", "scripts")],
)
def test_a_name_that_only_begins_like_a_special_one_is_ordinary(html: str, name: str) -> None:
    assert split(html) == ["", name, None, "a"]


def test_the_name_of_a_raw_text_element_can_be_told_from_its_text() -> None:
    match = RAW_ELEMENT.match('textarea name="a>b">text')
    assert match
    assert (match[1], match.end()) == ("textarea", len('textarea name="a>b">'))


def test_splitting_loses_nothing_but_brackets() -> None:
    html = 'a<p class="x">b<br/>c</p>d'
    pieces = split(html)
    assert (
        "".join(f"{text}<{name}{attributes or ''}>" for text, name, attributes in zip(*[iter(pieces)] * 3))
        + "d"
        == html
    )


def end_of_tag(html: str) -> int:
    """Where the tag that `html` begins with ends, by the states of the standard, one character at a time."""
    state, at = "tag name", 1
    while at < len(html):
        letter, at = html[at], at + 1
        if state in ('"', "'"):
            state = "before name" if letter == state else state
        elif letter == ">":
            return at
        elif state == "before value" and letter in "\"'":
            state = letter
        elif letter in " \t\n\f\r":
            state = {"name": "after name", "tag name": "before name", "unquoted": "before name"}.get(
                state, state
            )
        elif state == "before value":
            state = "unquoted"
        elif letter == "/" and state != "unquoted":
            state = "before name"
        elif letter == "=" and state in ("name", "after name"):
            state = "before value"
        elif state in ("before name", "after name"):
            state = "name"
    return len(html)


@pytest.mark.parametrize("seed", range(20))
def test_random_tags_end_where_the_standard_says(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(200):
        html = "<b" + "".join(rng.choices(BITS, k=rng.randrange(12)))
        match = SPLIT.match(html)
        assert match, html
        assert match.end() == end_of_tag(html), html

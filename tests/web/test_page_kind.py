"""What a page says of itself in its head."""

import pytest

from stupidos.render import read
from stupidos.web.page_kind import _ATTRIBUTE_CHARACTERS, _HEAD_TAGS, _path_words, page_head


def words(html):
    return page_head(read(html, "html")).words


@pytest.mark.parametrize(
    ("html", "word"),
    [
        ('<meta property="og:type" content="Product"><p>x', "type:product"),
        ("<META content='article' property='og:type'><p>x", "type:article"),
        ('<link rel="canonical" href="https://a.example/shop/red-tea"><p>x', "path:shop"),
        ('<meta property="og:url" content="//a.example/forum/t/1234"><p>x', "path:0"),
        ("<body class='single-post'><p>x", "body:single"),
    ],
)
def test_the_head_tells_the_kind_of_page(html, word):
    assert word in words(html)


def test_a_page_without_a_head_has_no_words():
    assert not words("<p>x")


def test_the_host_is_not_part_of_the_path():
    assert "path:shop" not in words('<link rel=canonical href="https://shop.example/tea"><p>x')


def test_the_canonical_address_goes_before_that_of_the_preview():
    html = '<meta property="og:url" content="/a"><link rel=canonical href="/b"><p>x'
    assert {"path:b"} == {word for word in words(html) if word.startswith("path:")}


def test_a_description_is_read_as_text():
    html = '<meta name="Description" content="Tea &amp; milk,\n and how to drink them"><p>x'
    assert page_head(read(html, "html")).description == "Tea & milk, and how to drink them"


def test_only_so_many_tags_of_a_head_are_looked_at():
    html = "<meta name=x content=y>" * _HEAD_TAGS + '<meta property="og:type" content="product"><p>x'
    assert "type:product" not in words(html)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/", ["path/1", "path-0"]),
        ("/a/b/c/d/e/f", ["path/6", "path-0"]),
        ("/a/b/c/d/e/f/g/h", ["path/6", "path-0"]),
        ("/a-b-c-d-e-f-g", ["path/1", "path-6"]),
        ("/a-b-c-d-e-f-g-h-i", ["path/1", "path-6"]),
        ("/t/123", ["path/2", "path-0"]),
        ("/t/1234", ["path/2", "path-0", "path:0"]),
    ],
)
def test_the_shape_of_an_address_is_told_up_to_six(path, expected):
    found = words(f'<link rel=canonical href="https://a.example{path}"><p>x')
    assert {word for word in found if word.startswith(("path/", "path-", "path:0"))} == set(expected)


@pytest.mark.parametrize(("length", "told"), [(20, False), (21, True)])
def test_a_short_description_is_none(length, told):
    html = f'<meta name=description content="{"x" * length}"><p>y'
    assert bool(page_head(read(html, "html")).description) == told


def test_two_thousand_characters_of_a_tag_are_read():
    filler = "y" * (2000 - len(' x="" class=shop'))
    assert "body:shop" in words(f'<body x="{filler}" class=shop><p>x')
    assert "body:shop" not in words(f'<body x="{filler}y" class=shop><p>x')
    filler = "y" * (2000 - len(' x="" property="og:type" content=shop'))
    assert "type:shop" in words(f'<meta x="{filler}" property="og:type" content=shop><p>x')
    assert "type:shop" not in words(f'<meta x="{filler}y" property="og:type" content=shop><p>x')


def test_a_tag_without_a_value_leaves_the_word_to_the_next():
    html = '<meta property="og:type"><meta property="og:type" content="shop"><p>x'
    assert "type:shop" in words(html)


def test_only_the_outermost_elements_have_words():
    assert {"body:blog", "body:dark"} <= words("<html class=dark><body id=blog><div class=shop><p>x")
    assert "body:shop" not in words("<html class=dark><body id=blog><div class=shop><p>x")


def test_a_page_without_text_has_the_words_of_its_head_alone():
    assert words('<meta property="og:type" content="shop"><body class=x>') == {"type:shop"}


def test_a_long_address_is_read_up_to_a_limit() -> None:
    start = "https://example.org/"
    word = "x" * (_ATTRIBUTE_CHARACTERS - len(start))
    assert _path_words(start + word + "y") == [f"path:{word}", "path/1", "path-0"]

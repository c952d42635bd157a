"""What a page says of itself in its head."""

import pytest

from stupidos.render import read
from stupidos.web.page_kind import _HEAD_TAGS, page_head


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

"""text(): every element's character data, a blank where a tag was; cases in the manner of html5lib's."""

import pytest

from stupidos.render import text

CASES = {
    # text and brackets
    "": "",
    "tea": "tea",
    "a < b": "a < b",
    "a <3 b": "a <3 b",
    "<": "<",
    "</": "</",
    "<>": "<>",
    "a</>b": "ab",
    "</ x>y": "y",
    # tags
    "a<b>c</b>d": "a c d",
    "a<br/>b": "a b",
    "<P CLASS=x>a": " a",
    "<a b='>'>c": " c",
    '<a b=">">c': " c",
    "<a b=>c": " c",
    "<a b=''c>d": " d",
    "<a =b>c": " c",
    "<a\tb\n=\fc\r>d": " d",
    "<a/b>c": " c",
    "<a/ >c": " c",
    "<a b=c/>d": " d",
    "<h1>a</h1 x=y>b": " a b",
    "<x-y:z.1>a": " a",
    "<a<b>c": " c",
    # cut off by the end
    "a<b": "a ",
    "a<b c": "a ",
    "a<b c=": "a ",
    "a<b c='d": "a ",
    "a</b": "a ",
    "a<b/": "a ",
    "a<!": "a",
    "a<!-- b": "a",
    "a<!-- b --": "a",
    "a<!DOCTYPE": "a",
    # comments and declarations
    "a<!-- b -->c": "ac",
    "a<!---->b": "ab",
    "a<!-->b": "ab",
    "a<!--->b": "ab",
    "a<!-- b --!>c": "ac",
    "a<!-- b -- > c -->d": "ad",
    "a<!-- <!-- b -->c -->d": "ac -->d",
    "a<!b>c": "ac",
    "a<?b?>c": "ac",
    "<!DOCTYPE html>a": "a",
    "<!DOCTYPE html PUBLIC '>'>a": "'>a",
    "a<![CDATA[b]]>c": "ac",
    # raw text
    "<script>a</script>b": "b",
    "<style>a</style>b": "b",
    "<script>a<!--</script>b": "b",
    "<script>a</scriptx></script>b": "b",
    "<title>a<b>&lt;</title>c": " a<b>< c",
    "<textarea>a</p></textarea>b": " a</p> b",
    "<xmp>a<b>&lt;</xmp>c": " a<b>&lt; c",
    "<plaintext>a<b></plaintext>": " a<b></plaintext> ",
    "<TITLE>a</title\n>b": " a b",
    "<title>a</titles>b": " a</titles>b ",
    # elements whose content is text like any other
    "<noscript>a</noscript>b": " a b",
    "<iframe>a</iframe>b": " a b",
    "<svg>a</svg>b": " a b",
    "<select><option>a</select>b": "  a b",
    "<template>a</template>b": " a b",
    # references
    "&lt;p&gt;": "<p>",
    "a&ampb": "a&b",
    "<a b='&lt;'>&quot;": ' "',
    "&#x41;&#66": "AB",
    "AT&T": "AT&T",
}


@pytest.mark.parametrize(("html", "meant"), CASES.items())
def test_text_is_what_the_standard_says(html: str, meant: str) -> None:
    assert text(html) == meant


@pytest.mark.parametrize("html", ["a\0b", "\0", "<p>\0</p>", "a\ud800b"])
def test_odd_characters_are_no_trouble(html: str) -> None:
    assert text(html).strip(" \0\ud800ab") == ""

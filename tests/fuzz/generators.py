"""Hostile inputs for the fuzzers: pages by a grammar, and mutations of good files."""

from __future__ import annotations

import os
import random
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st

SHARE = float(os.environ.get("FUZZ_SHARE", "1"))  # of the examples; `make fuzz` runs short rounds
LONGEST = 20_000  # characters of a page
TESTS = Path(__file__).resolve().parents[1]
PAGES = [
    path.read_bytes() for path in sorted([*TESTS.glob("pages/*.html"), *TESTS.glob("quality/raw/*.html")])
]

TAGS = """
html head body title meta link base script style noscript template div p span a b em h1 h2 h6 ul ol li dl
dt dd table tr td th thead caption pre br hr img svg math textarea select option button form input iframe
object xmp plaintext listing font article nav section aside footer header main details summary frameset
ruby rt my-x P DIV o:p
""".split()
ATTRIBUTES = [
    *(
        ' class="post body"',
        " hidden",
        ' style="display:none"',
        " aria-hidden=true",
        " id=x",
        ' href="/a?b=c&d"',
    ),
    *(
        ' alt="a picture"',
        " value=7",
        " start=-5",
        " type=a",
        " rowspan=99999",
        " colspan=1000000",
        " dir=rtl",
    ),
    *(' name="description" content="What a page says of itself, at length"', ' property="og:type" content=x'),
    *(
        " charset=utf-16",
        ' http-equiv=Content-Type content="text/html; charset=big5"',
        ' rel=canonical href="/q"',
    ),
    *(' a="', " b='", " =", " /", ' "', " <", "\0", " \u2028=\u2029", " c=`", "\n\t\f", " D=d D=e", " é=ü"),
]
REFERENCES = """&amp; &lt; &gt; &quot; &nbsp; &notit; &#0; &#1; &#13; &#128; &#xD800; &#xDFFF; &#x110000;
&#99999999999999999999; &#x; &#; & &ampamp; &lang; &NotEqualTilde; &shy; &#x85; &#x2028; &#xFDD0; &#xFFFE;
&#x202E; &AMP &copy &#38;lt; &#x1F600;""".split()
SPECIAL = [
    *(
        "<!-- note -->",
        "<!-->",
        "<!--->",
        "<!--",
        "-->",
        "--!>",
        "<![CDATA[data]]>",
        "<!DOCTYPE html>",
        "<!",
        "</",
    ),
    *(
        '<?xml version="1.0" encoding="utf-16"?>',
        '<script>if (a<b) "</div>"</script>',
        "<script>",
        "</script>",
    ),
    *(
        "<script><!--<script></script>",
        '<style>p{content:"</style>"}',
        "<title>Ti<b>tle</title>",
        "<textarea>",
    ),
    '<script type="application/ld+json">{"articleBody": "A \\ud800 in the \\u0000 lake, all day"}</script>',
    '<script type="application/ld+json">' + "[" * 2000 + "</script>",
    *(
        "<svg/>",
        "<br/>",
        "</p>",
        "</br>",
        "</>",
        "<>",
        "<a<b>",
        "< p>",
        "<p/ >",
        "<p><p><p>",
        "</body></html>",
    ),
]
WORDS = [
    *(
        "The ferry stays in port until Monday, as the lake is frozen.",
        "Home | About | Login",
        "© 2024 All rights",
    ),
    *(
        "Share",
        "word",
        " ",
        "\n",
        "\r\n",
        "\t",
        "1.",
        "*",
        "\u4e16\u754c\u65b0\u805e",
        "\u0e20\u0e32\u0e29\u0e32",
    ),
    *(
        "e\u0301",
        "\U0001f600",
        "\u202eabc",
        "\u200b",
        "\ufeff",
        "\ufdd0",
        "\ufffe",
        "\0",
        "\1",
        "\2",
        "\b",
        "\x1b",
    ),
    *(
        "\x7f",
        "\x85",
        "\u2028",
        "\u2029",
        "\x1c",
        "\x0b",
        "~~",
        "__",
        "`",
        "\\",
        '"',
        "'",
        "]]>",
        "<g/>",
        "{",
        "}",
    ),
]


def examples(count: int) -> settings:
    """So many examples of a test in CI, and a share of them in a round of `make fuzz`."""
    return settings(max_examples=max(1, int(count * SHARE)))


def check_message(error: Exception) -> None:
    """What people are told is one line."""
    assert "\n" not in str(error)


def tags() -> st.SearchStrategy[str]:
    """Start and end tags, whole and broken."""
    names, attributes = st.sampled_from(TAGS), st.lists(st.sampled_from(ATTRIBUTES), max_size=3).map("".join)
    ends = st.sampled_from([">", ">", ">", ">", "/>", "", " ", "<"])
    start = st.builds(lambda name, given, end: f"<{name}{given}{end}", names, attributes, ends)
    return st.one_of(start, names.map(lambda name: f"<{name}>"), names.map(lambda name: f"</{name}>"))


def fragments() -> st.SearchStrategy[str]:
    """Short pieces of pages."""
    return st.one_of(
        tags(),
        st.sampled_from(WORDS),
        st.sampled_from([*REFERENCES, *SPECIAL]),
        st.text(st.characters(codec="utf-8"), max_size=8),
    )


def elements(content: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Properly nested elements around content."""
    names, attributes = st.sampled_from(TAGS), st.sampled_from(["", *ATTRIBUTES])
    inside = st.lists(content, max_size=6).map("".join)
    return st.builds(lambda name, given, text: f"<{name}{given}>{text}</{name}>", names, attributes, inside)


def sources() -> st.SearchStrategy[str]:
    """Pages by a grammar; some pieces come many times."""
    pieces = st.recursive(fragments(), elements, max_leaves=12)
    repeated = st.builds(lambda piece, times: piece * times, pieces, st.sampled_from([1] * 8 + [2, 30, 300]))
    return st.lists(repeated, min_size=1, max_size=40).map(lambda some: "".join(some)[:LONGEST])


def edits(pieces: st.SearchStrategy[bytes]) -> st.SearchStrategy[list[tuple[str, float, int, bytes]]]:
    """Changes to a file: what, where (as a share of it), how many bytes, new bytes."""
    kinds = st.sampled_from("flip lose insert replace copy cut swap".split())
    return st.lists(st.tuples(kinds, st.floats(0, 1), st.integers(0, 300), pieces), min_size=1, max_size=6)


def edited(data: bytes, changes: list[tuple[str, float, int, bytes]]) -> bytes:
    """`data` with the changes made one after the other."""
    changed = bytearray(data)
    for kind, share, size, new in changes:
        at = int(share * len(changed))
        if kind == "flip" and at < len(changed):
            changed[at] ^= 1 << size % 8
        elif kind == "lose":
            del changed[at : at + size]
        elif kind == "insert":
            changed[at:at] = new
        elif kind == "replace":
            changed[at : at + len(new)] = new
        elif kind == "copy":
            changed[at:at] = changed[at : at + size] * 2
        elif kind == "cut" and size < 30:
            del changed[at:]
        elif kind == "swap":
            changed[at : at + size] = changed[at : at + size][::-1]
    return bytes(changed)


def mutants(files: list[bytes], pieces: st.SearchStrategy[bytes] | None = None) -> st.SearchStrategy[bytes]:
    """Good files with some changes."""
    new = pieces if pieces is not None else st.binary(max_size=20)
    chosen = st.integers(0, len(files) - 1).map(files.__getitem__)  # sampled_from would spell all of them out
    return st.builds(edited, chosen, edits(new))


def encoded(text: str, encoding: str) -> bytes:
    """A page in an encoding; what that cannot hold is left out."""
    return text.encode(encoding, "surrogatepass" if encoding == "utf-8" else "ignore")


def pages() -> st.SearchStrategy[bytes]:
    """Bytes of a page: by the grammar in some encoding, or a good page with changes."""
    encodings = st.sampled_from(["utf-8"] * 6 + ["utf-16", "utf-16-be", "cp1252", "shift_jis", "utf-32"])
    pieces = st.one_of(st.binary(max_size=8), fragments().map(lambda text: encoded(text, "utf-8")))
    return st.one_of(st.builds(encoded, sources(), encodings), mutants(PAGES, pieces))


def sequence(chance: random.Random) -> str:
    """A few hostile fragments, to be repeated."""
    tag = f"<{chance.choice(TAGS)}{''.join(chance.choices(ATTRIBUTES, k=chance.randrange(3)))}"
    choices = [
        tag,
        tag + ">",
        f"</{chance.choice(TAGS)}>",
        *chance.choices([*REFERENCES, *SPECIAL, *WORDS], k=4),
    ]
    choices += chance.choices([*"<>&\"'=/-![]{}();:,.|*#_~ \n\t\\"], k=4)
    return "".join(chance.choices(choices, k=chance.randrange(1, 5)))

"""Other tools, each a function from HTML (str) to text; those that are not installed are left out.

pip install resiliparse lxml html2text inscriptis trafilatura
"""

from __future__ import annotations

from collections.abc import Callable

Tool = Callable[[str], object]

REFERENCE = "resiliparse"  # what every ratio is against: C++, main_content=True


def resiliparse() -> Tool:
    from resiliparse.extract.html2text import extract_plain_text

    return lambda html: extract_plain_text(html, main_content=True)


def lxml_parse() -> Tool:
    from lxml import html as lxml_html

    # lxml refuses a str that declares an encoding, so it gets bytes, as it would from a file
    parser = lxml_html.HTMLParser(encoding="utf-8")
    return lambda html: lxml_html.document_fromstring(
        html.encode("utf-8", "replace") or b"<p>", parser=parser
    )


def html2text() -> Tool:
    import html2text as package

    reader = package.HTML2Text(bodywidth=0)
    reader.ignore_links = reader.ignore_images = reader.ignore_emphasis = True
    return reader.handle


def inscriptis() -> Tool:
    from inscriptis import get_text

    return get_text


def trafilatura() -> Tool:
    from trafilatura import extract

    return extract


def rs_trafilatura() -> Tool:
    from rs_trafilatura import extract

    return extract


RENDERERS = {
    REFERENCE: resiliparse,
    "lxml parse only": lxml_parse,
    "html2text": html2text,
    "inscriptis": inscriptis,
}
CLEANERS = {REFERENCE: resiliparse, "trafilatura": trafilatura, "rs-trafilatura": rs_trafilatura}


def installed(makers: dict[str, Callable[[], Tool]]) -> dict[str, Tool]:
    """The tools that can be imported; the reference must be among them."""
    tools = {}
    for name, make in makers.items():
        try:
            tools[name] = make()
        except ImportError:
            if name == REFERENCE:
                raise SystemExit("the benchmarks need resiliparse: pip install resiliparse") from None
            print(f"({name} is not installed)")
    return tools

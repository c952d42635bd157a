"""Modern news pages with gold texts: the fixtures of a parser that knows the publishers by hand.

    python training/news_pages.py DATA/postlight

@postlight/parser (MIT or Apache-2.0) comes from the npm registry by `npm pack`; nothing of it is run or
installed. Its fixtures are pages of some 130 publishers of 2016 to 2020, each with an extractor that names,
in CSS, the elements of the article and what is to be cleaned from them. Those and the headline make the
gold; furniture that many publishers share goes too (by tag, by words of class and id), and so do lines that
are links as a whole. Pages are for training on your machine; the repository holds none of them. OUT gets
raw/, gold/ and sites.json (the publisher of each page).
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from documentation_gold import Element, selected

from stupidos.decode import decode
from stupidos.errors import CorpusError

PACKAGE = "@postlight/parser@2.2.2"  # the last one that holds the fixtures
SMALLEST_PAGE = 2000  # bytes
SHORTEST_GOLD = 200  # characters
SHORTEST_TITLE = 21  # characters; a shorter heading may be the name of the site
MOSTLY_LINKED = 0.8  # share of a line in links from which it is furniture
# No articles, or pages of which the extractor takes a part.
NO_ARTICLES = re.compile(
    r"bookwalker|reddit|github|jvndb|clinicaltrials|genius\.com|pastebin|twitter|youtube|ossnews|"
    r"prospectmagazine|jnsa|abendblatt|medium\.com|buzzfeed\.com-1475531975121|nytimes\.com-1571223287888"
)
_ARTICLES_WITHOUT = frozenset(
    """
    script style noscript template head title button select textarea svg nav object iframe form figure
    figcaption aside video audio h1 footer time
    """.split()
)
_BLOCKS = frozenset(
    """
    address article blockquote body br caption center dd details dialog div dl dt fieldset h2 h3 h4 h5
    h6 header hr li main ol p pre section summary table tbody tfoot thead tr ul
    """.split()
)
_FURNITURE = frozenset(
    """
    related newsletter newsletters promo share sharing social ad ads signup comment comments author
    byline bio caption credit credits tag tags topics breadcrumb breadcrumbs readmore most trending
    outbrain taboola gallery slideshow tweet pullquote interstitial copyright timestamp kicker sidebar
    toolbar print widget follow email pagination pager poll quiz hidden video player image photo media
    footer nav menu more also teaser
    """.split()
)
_FURNITURE_STEMS = ("advert", "recirc", "recommend", "sponsor", "subscri", "embed", "instagram")
_FURNITURE_LINE = re.compile(
    r"(?i)(related( \w+)?|see also|read (more|also)|tags?|topics|featured image credit|image|photo|watch)\s?:"
    r"|related articles$|like us on|advertisement|follow us|sign up (for|to) "
)


class Extractor(NamedTuple):
    """The selectors of a publisher's articles."""

    titles: list[list[str]]  # alternatives; each takes the first element that its selectors match
    articles: list[list[str]]  # alternatives; each takes everything that its selectors match
    furniture: list[str]


def fetched(folder: Path) -> Path:
    """Download the package and unpack it; its folder."""
    try:
        subprocess.run(["npm", "pack", "--silent", PACKAGE], cwd=folder, check=True, capture_output=True)
    except FileNotFoundError as error:
        raise CorpusError("npm is missing: install it (Debian: apt-get install npm)") from error
    except subprocess.CalledProcessError as error:
        reason = error.stderr.decode(errors="replace").strip().splitlines()
        raise CorpusError(f"{PACKAGE}: {reason[-1] if reason else error}") from error
    (archive,) = folder.glob("*.tgz")
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    return next(path for path in folder.iterdir() if path.is_dir())


def selectors_of(script: str) -> list[list[str]]:
    """The first array of a script, with each of its strings or arrays of strings as a list.

    >>> selectors_of("selectors: [['.lead', '.body'], // both\\n '.body'], clean: ['.ad']")
    [['.lead', '.body'], ['.body']]
    """
    found: list[list[str]] = []
    depth = 0
    for match in re.finditer(r"""//[^\n]*|([\[\]])|'([^'\n]*)'|"([^"\n]*)\"""", script):
        bracket, text = match[1], match[2] or match[3]
        depth += {"[": 1, "]": -1}.get(bracket, 0)
        if bracket == "[" and depth == 2:
            found.append([])
        elif text and depth == 1:
            found.append([text])
        elif text and depth > 1:
            found[-1].append(text)
        if bracket == "]" and depth <= 0:
            break
    return found


def extractor_of(script: str) -> Extractor | None:
    """The extractor that a module of the package exports; None for one without content."""
    content = script.partition("\n  content: {")[2]
    if "selectors:" not in content:
        return None
    clean = content.partition("clean:")[2]
    furniture = [selector for group in selectors_of(clean) for selector in group] if clean else []
    title = script.partition("\n  title: {")[2].partition("}")[0].partition("selectors:")[2]
    return Extractor(selectors_of(title), selectors_of(content.partition("selectors:")[2]), furniture)


def gold(source: str, extractor: Extractor) -> str | None:
    """The gold text of a page, a block a line; None if no alternative finds an article."""
    from lxml import html

    root = html.document_fromstring(re.sub(r"\A\s*<\?xml[^>]*>", "", source))
    dropped = set(matching(root, extractor.furniture))
    for alternative in extractor.articles:
        found = matching(root, alternative)
        inside = set(found)
        articles = [element for element in found if inside.isdisjoint(element.iterancestors())]
        text = "\n".join(line for article in articles for line in lines(article, dropped))
        if len(text) > SHORTEST_GOLD:
            return "\n".join(filter(None, (title(root, extractor.titles), text)))
    return None


def title(root: Element, alternatives: list[list[str]]) -> str:
    """The headline of a page, as most golds of other corpora have it; empty if there is none on it."""
    found = (element for one in (*alternatives, ["h1"]) for element in matching(root, one))
    visible = (element for element in found if element.tag not in ("meta", "title"))
    texts = (" ".join("".join(element.itertext()).split()) for element in visible)
    return next((text for text in texts if len(text) >= SHORTEST_TITLE), "")


def matching(root: Element, selectors: list[str]) -> list[Element]:
    """The elements that one of these selectors matches; those it cannot read match nothing.

    >>> from lxml import html
    >>> page = html.fromstring('<div><p class="a">tea</p><p id="b">pot</p></div>')
    >>> [element.text for element in matching(page, ['div .a', '#b:not(.c)'])]
    ['tea']
    """
    simple = (one for one in selectors if re.fullmatch(r"""[\w\s.#>,"'=\[\]-]+""", one))
    return selected(root, ",".join(simple))


def lines(article: Element, dropped: set[Element]) -> Iterator[str]:
    """The blocks of an element that are neither furniture nor links."""
    pieces: list[tuple[str, bool]] = []
    for piece in (*_pieces(article, dropped, False), None):
        if piece is not None:
            pieces.append(piece)
            continue
        text = " ".join("".join(text for text, _ in pieces).split())
        linked = " ".join("".join(text for text, linked in pieces if linked).split())
        if len(linked) < MOSTLY_LINKED * len(text) and not _FURNITURE_LINE.match(text):
            yield text
        pieces = []


def _pieces(element: Element, dropped: set[Element], linked: bool) -> Iterator[tuple[str, bool] | None]:
    """Texts below an element, each with whether it is linked; None at the borders of blocks."""
    linked = linked or (element.tag == "a" and element.get("href") is not None)
    block = element.tag in _BLOCKS
    if block:
        yield None
    yield element.text or "", linked
    for child in element:
        if isinstance(child.tag, str) and child not in dropped and not furniture(child):
            yield from _pieces(child, dropped, linked)
        yield child.tail or "", linked
    if block:
        yield None


def furniture(element: Element) -> bool:
    """Whether tag, class or id say that an element is no part of the article's text.

    >>> from lxml import html
    >>> [furniture(html.fromstring(f"<{tag}>")) for tag in ("p class=ad", "div class=ad-box", "div id=a")]
    [False, True, False]
    """
    if element.tag in _ARTICLES_WITHOUT:
        return True
    if element.tag == "p":
        return False
    words = re.split(r"[^a-z]+", f"{element.get('class', '')} {element.get('id', '')}".lower())
    return not _FURNITURE.isdisjoint(words) or any(word.startswith(_FURNITURE_STEMS) for word in words)


def extractors(package: Path) -> dict[str, Extractor]:
    """The extractors of a package by the folder of their publisher."""
    scripts = (package / "src" / "extractors" / "custom").glob("*/index.js")
    found = {path.parent.name: extractor_of(path.read_text("utf-8")) for path in scripts}
    return {name: extractor for name, extractor in found.items() if extractor}


def pages(package: Path, known: Mapping[str, Extractor]) -> Iterator[tuple[str, str, bytes, str]]:
    """Name, publisher, source and gold of each fixture that an extractor finds an article on."""
    for path in sorted((package / "fixtures").glob("*/*.html")):
        site, source = path.parent.name, path.read_bytes()
        name = f"{site}-{path.stem}"
        extractor = known.get(site)
        if extractor is None or len(source) < SMALLEST_PAGE or NO_ARTICLES.search(name):
            continue
        text = gold(decode(source)[0], extractor)
        if text is not None:
            yield name, site, source, text


def write(out: Path, found: list[tuple[str, str, bytes, str]]) -> None:
    """The folder of a corpus."""
    for folder in ("raw", "gold"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    for name, _, source, text in found:
        (out / "raw" / f"{name}.html").write_bytes(source)
        (out / "gold" / f"{name}.txt").write_text(text + "\n", encoding="utf-8")
    sites = {name: site.removeprefix("www.") for name, site, _, _ in found}  # as other corpora name them
    listing = json.dumps(sites, indent=0, sort_keys=True)
    (out / "sites.json").write_text(listing + "\n", encoding="utf-8")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("out", type=Path)
    out = parser.parse_args(arguments).out
    with tempfile.TemporaryDirectory() as folder:
        package = fetched(Path(folder))
        found = list(pages(package, extractors(package)))
    write(out, found)
    print(f"{len(found)} pages of {len({site for _, site, _, _ in found})} publishers")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Title, authors and date against other tools: `python benchmarks/metadata.py DATA [HALF] [errors]`.

DATA holds newspaper4k (raw/, meta.json, sites.json) and structure/defuddle (raw/, meta/). Sites are split
into two halves by a hash of their names: pages of `tune` were read while the rules were written, those of
`report` (the default) were not. Precision counts wrong values, recall missing ones; authors are counted one
by one, dates by their day.

pip install trafilatura newspaper4k readability-lxml
"""

from __future__ import annotations

import json
import re
import sys
import unicodedata
import warnings
from collections.abc import Callable, Iterator
from datetime import datetime
from hashlib import sha1
from pathlib import Path
from typing import NamedTuple

FIELDS = ("title", "authors", "date")


class Facts(NamedTuple):
    """What is known of a page, or what a tool says of it."""

    title: str = ""
    authors: tuple[str, ...] = ()
    date: str = ""


class Example(NamedTuple):
    name: str
    html: str
    url: str
    gold: Facts


Tool = Callable[[str, str], Facts]


def stupidos() -> Tool:
    from stupidos.metadata.extract import metadata
    from stupidos.render import RenderOptions, read

    def facts(html: str, url: str) -> Facts:
        found = metadata(read(html, "html", RenderOptions(hidden=True)), url)
        return Facts(found.title or "", found.authors, found.date or "")

    return facts


def raw_title() -> Tool:
    from stupidos.render import read

    return lambda html, url: Facts(read(html, "html").title)


def trafilatura() -> Tool:
    from trafilatura import extract_metadata

    def facts(html: str, url: str) -> Facts:
        found = extract_metadata(html, default_url=url or None)
        authors = tuple((found.author or "").split("; ")) if found and found.author else ()
        return Facts(found.title or "", authors, found.date or "") if found else Facts()

    return facts


def newspaper() -> Tool:
    from newspaper import Article

    def facts(html: str, url: str) -> Facts:
        article = Article(url or "http://example.org/", language="en", fetch_images=False)
        article.download(input_html=html)
        article.parse()
        date = article.publish_date
        return Facts(article.title or "", tuple(article.authors), date.isoformat() if date else "")

    return facts


def readability() -> Tool:
    from readability import Document

    def facts(html: str, url: str) -> Facts:
        document = Document(html)
        author = document.author() if hasattr(document, "author") else ""
        return Facts(document.short_title(), (author,) if author and author != "[no-author]" else ())

    return facts


TOOLS = {
    "stupidos": stupidos,
    "<title> as it is": raw_title,
    "trafilatura": trafilatura,
    "newspaper4k": newspaper,
    "readability": readability,
}


def half_of(site: str) -> str:
    return ("tune", "report")[sha1(site.encode()).digest()[0] % 2]


def decoded(path: Path) -> str:
    from stupidos.decode import decode

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return decode(path.read_bytes())[0]


def newspaper4k(data: Path, half: str) -> Iterator[Example]:
    folder = data / "newspaper4k"
    sites = json.loads((folder / "sites.json").read_text())
    for name, facts in json.loads((folder / "meta.json").read_text()).items():
        if half in (half_of(sites.get(name, name)), "all"):
            authors = tuple(one.strip() for one in facts["authors"].split(",") if one.strip())
            gold = Facts(facts["title"], authors, facts["date"])
            yield Example(name, decoded(folder / "raw" / f"{name}.html"), facts["url"], gold)


def defuddle(data: Path, half: str) -> Iterator[Example]:
    folder = data / "structure" / "defuddle"
    urls = json.loads((folder / "urls.json").read_text())
    for path in sorted((folder / "meta").iterdir()):
        if half in (half_of(path.stem), "all"):
            facts = json.loads(path.read_text())
            authors = tuple(one.strip() for one in facts["author"].split(",") if one.strip())
            gold = Facts(facts["title"], authors, iso(facts["published"]))
            yield Example(path.stem, decoded(folder / "raw" / f"{path.stem}.html"), urls[path.stem], gold)


def iso(date: str) -> str:
    """A gold date in ISO 8601; one of them is in English."""
    try:
        return datetime.strptime(date, "%B %d, %Y").date().isoformat()
    except ValueError:
        return date


CORPORA = {"newspaper4k": newspaper4k, "structure": defuddle}
_QUOTES = str.maketrans("‘’ʼ`´“”„«»–—‑…\xa0", "'''''\"\"\"\"\"---. ")


def normal(text: str) -> str:
    """Text for comparison: case, quotes, dashes and blanks do not count."""
    text = unicodedata.normalize("NFKC", text).translate(_QUOTES).casefold()
    return " ".join(re.sub(r"[\"'.]", "", text).split())


def values(facts: Facts, field: str) -> set[str]:
    """The values of a field, to be compared."""
    if field == "authors":
        return {normal(one) for one in facts.authors if normal(one)}
    if field == "date":
        return {facts.date[:10]} if facts.date else set()
    return {normal(facts.title)} if normal(facts.title) else set()


class Count(NamedTuple):
    right: int = 0
    told: int = 0
    wanted: int = 0

    def plus(self, gold: set[str], found: set[str]) -> Count:
        return Count(self.right + len(gold & found), self.told + len(found), self.wanted + len(gold))

    def row(self) -> str:
        precision = self.right / self.told if self.told else 0.0
        recall = self.right / self.wanted if self.wanted else 0.0
        both = 2 * self.right / (self.told + self.wanted) if self.told + self.wanted else 0.0
        return f"{precision:5.3f} {recall:5.3f} {both:5.3f}"


def measured(tool: Tool, examples: list[Example], show: bool) -> dict[str, Count]:
    counts = dict.fromkeys(FIELDS, Count())
    for example in examples:
        try:
            facts = tool(example.html, example.url)
        except Exception as error:  # a peer's failure is not ours to stop at
            print(f"  {type(error).__name__} on {example.name}: {error}"[:100], file=sys.stderr)
            facts = Facts()
        for field in FIELDS:
            gold, found = values(example.gold, field), values(facts, field)
            counts[field] = counts[field].plus(gold, found)
            if show and gold != found:
                print(f"  {example.name[:20]:20} {field:8} {sorted(gold)} != {sorted(found)}")
    return counts


def installed() -> dict[str, Tool]:
    tools = {}
    for name, maker in TOOLS.items():
        try:
            tools[name] = maker()
        except ImportError as error:
            print(f"{name}: not installed ({error})", file=sys.stderr)
    return tools


def main(arguments: list[str]) -> None:
    if not arguments:
        raise SystemExit(__doc__)
    data, options = Path(arguments[0]), arguments[1:]
    half = next((one for one in ("tune", "report", "all") if one in options), "report")
    tools = {"stupidos": stupidos()} if "errors" in options else installed()
    for corpus, reader in CORPORA.items():
        examples = list(reader(data, half))
        print(f"\n{corpus}, {half}: {len(examples)} pages; precision, recall and F of each field")
        print(f"  {'':18}" + "".join(f"{field:>20}" for field in FIELDS))
        for name, tool in tools.items():
            counts = measured(tool, examples, "errors" in options)
            print(f"  {name:18}" + "".join(f"   {counts[field].row()}" for field in FIELDS))


if __name__ == "__main__":
    main(sys.argv[1:])

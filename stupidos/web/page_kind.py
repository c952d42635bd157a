"""What a page says of itself before it begins: words that tell its kind, and its description.

A shop's grid, a thread and an article want to be judged differently. Which of them a page is, its address,
its declared type and the classes of its body tell; what each word means is learnt.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from stupidos.page import Page, Place
from stupidos.render.references import unescaped

MOST = 200  # tags of a head that are looked at; few pages have more than 80
LONGEST = 2000  # characters of attributes that are read
DESCRIBED = 20  # characters from which a description is one
DEEP, DASHES = 6, 6  # of an address; more are counted as that many

WORD = re.compile(r"[a-z]++")
HOST = re.compile(r"(?:https?:)?//[^/]*+")
NUMBER = re.compile(r"[0-9]{4}")
CONTENT, HREF = (
    re.compile(rf"""{name}\s*+=\s*+(?:"([^"]*+)|'([^']*+)|([^\s"'>]++))""", re.IGNORECASE)
    for name in ("content", "href")
)


class Head(NamedTuple):
    """What the head of a page says."""

    words: frozenset[str]  # "type:article", "path:blog", "body:archive"
    description: str  # empty if there is none worth the name


def head_of(page: Page) -> Head:
    """What a page says of itself.

    >>> head = [' property="og:type" content="article"', ' rel=canonical href="/news/a-b"']
    >>> sorted(head_of(Page("", "", [], head=head)).words)
    ['path-1', 'path/2', 'path:a', 'path:b', 'path:news', 'type:article']
    """
    head = "\0".join(page.head[:MOST]) + "\0"
    kind, description = told(head, "og:type", CONTENT).lower(), told(head, "escription", CONTENT)
    address = told(head, "canonical", HREF) or told(head, "og:url", CONTENT)
    words = path_words(address)
    if kind:
        words.append(f"type:{kind}")
    if page.segments:
        words += body_words(page.segments[0].place)
    described = " ".join(unescaped(description).split())
    return Head(frozenset(words), described if len(described) > DESCRIBED else "")


def told(head: str, mark: str, name: re.Pattern[str]) -> str:
    """What the first tag of a head that has both says: a mark, and a value of that name.

    >>> told(' property="og:type"\\0 property="og:type" content="article"\\0', "og:type", CONTENT)
    'article'
    """
    at = head.find(mark)
    while at >= 0:
        end = head.find("\0", at)
        found = value(name, head[head.rfind("\0", 0, at) + 1 : end])
        if found:
            return found
        at = head.find(mark, end)
    return ""


def value(name: re.Pattern[str], attributes: str) -> str:
    """The value of one attribute, as nearly everybody writes it.

    >>> value(CONTENT, " property='og:type' content='article'")
    'article'
    """
    found = name.search(attributes, 0, LONGEST)
    return (found[1] or found[2] or found[3] or "") if found else ""


def path_words(address: str) -> list[str]:
    """The words of an address without its host, and how it is built.

    >>> path_words("https://example.org/Forum/thread-2024.html")
    ['path:forum', 'path:thread', 'path:html', 'path/2', 'path-1', 'path:0']
    """
    path = HOST.sub("", address[:LONGEST].lower(), count=1)
    if not path:  # says nothing, or news from before there were any would be taken for other old pages
        return []
    words = [f"path:{word}" for word in WORD.findall(path)]
    words += (f"path/{min(path.count('/'), DEEP)}", f"path-{min(path.count('-'), DASHES)}")
    return [*words, "path:0"] if NUMBER.search(path) else words


def body_words(place: Place | None) -> list[str]:
    """The words of the attributes of <html> and <body>, the outermost elements around a segment.

    >>> body_words(((None, "", None, 0, 0), "body", ' class="home page-2"', 1, 0))
    ['body:class', 'body:home', 'body:page']
    """
    words: list[str] = []
    while place is not None:
        if place[2] is not None and place[1] in ("html", "body"):
            words += [f"body:{word}" for word in WORD.findall(place[2][:LONGEST].lower())]
        place = place[0]
    return words


def numbered(words: Iterable[str], known: Mapping[str, int]) -> list[int]:
    """The numbers of those words that are known, in the same order in every run.

    >>> numbered(frozenset(["path:tea", "path:blog", "type:article"]), {"type:article": 7, "path:blog": 2})
    [2, 7]
    """
    return sorted(known[word] for word in words if word in known)

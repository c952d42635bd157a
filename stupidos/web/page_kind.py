"""What a page's head says about it: words that indicate the kind of page, and its description.

Grids of products, threads and articles need different verdicts. The page's address, its declared type and
the attributes of its body indicate which it is; what each word means is learnt in training.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from stupidos.page import Page, Place
from stupidos.render.references import unescaped

_HEAD_TAGS = 200  # tags of a head that are read; few pages have more than 80
_ATTRIBUTE_CHARACTERS = 2000  # of one tag that are read
_SHORTEST_DESCRIPTION = 20  # characters; shorter ones are ignored
_MOST_SLASHES, _MOST_DASHES = 6, 6  # of an address; more count as this many

_WORD = re.compile(r"[a-z]++")
_HOST = re.compile(r"(?:https?:)?//[^/]*+")
_NUMBER = re.compile(r"[0-9]{4}")
_CONTENT, _HREF = (
    re.compile(rf"""{name}\s*+=\s*+(?:"([^"]*+)|'([^']*+)|([^\s"'>]++))""", re.IGNORECASE)
    for name in ("content", "href")
)


class _PageHead(NamedTuple):
    """What the web model uses of a page's head."""

    words: frozenset[str]  # "type:article", "path:blog", "body:archive"
    description: str  # empty if missing or too short


def page_head(page: Page) -> _PageHead:
    """Words and description of a page's head.

    >>> head = [' property="og:type" content="article"', ' rel=canonical href="/news/a-b"']
    >>> sorted(page_head(Page("", "", [], head=head)).words)
    ['path-1', 'path/2', 'path:a', 'path:b', 'path:news', 'type:article']
    """
    head = "\0".join(page.head[:_HEAD_TAGS]) + "\0"
    declared_type = _tag_value(head, "og:type", _CONTENT).lower()
    address = _tag_value(head, "canonical", _HREF) or _tag_value(head, "og:url", _CONTENT)
    words = _path_words(address)
    if declared_type:
        words.append(f"type:{declared_type}")
    if page.segments:
        words += _body_words(page.segments[0].place)
    description = " ".join(unescaped(_tag_value(head, "escription", _CONTENT)).split())
    return _PageHead(frozenset(words), description if len(description) > _SHORTEST_DESCRIPTION else "")


def _tag_value(head: str, marker: str, attribute: re.Pattern[str]) -> str:
    """The value of an attribute of the first tag that contains `marker` and has that attribute.

    >>> _tag_value(' property="og:type"\\0 property="og:type" content="article"\\0', "og:type", _CONTENT)
    'article'
    """
    at = head.find(marker)
    while at >= 0:
        end = head.find("\0", at)
        value = _attribute_value(attribute, head[head.rfind("\0", 0, at) + 1 : end])
        if value:
            return value
        at = head.find(marker, end)
    return ""


def _attribute_value(attribute: re.Pattern[str], attributes: str) -> str:
    """The value of one attribute; handles the common spellings only.

    >>> _attribute_value(_CONTENT, " property='og:type' content='article'")
    'article'
    """
    match = attribute.search(attributes, 0, _ATTRIBUTE_CHARACTERS)
    return (match[1] or match[2] or match[3] or "") if match else ""


def _path_words(address: str) -> list[str]:
    """The words of an address without its host, and the shape of its path.

    >>> _path_words("https://example.org/Forum/thread-2024.html")
    ['path:forum', 'path:thread', 'path:html', 'path/2', 'path-1', 'path:0']
    """
    path = _HOST.sub("", address[:_ATTRIBUTE_CHARACTERS].lower(), count=1)
    if not path:  # no "path/0": it would mark old pages, from before there were such tags
        return []
    words = [f"path:{word}" for word in _WORD.findall(path)]
    words += (f"path/{min(path.count('/'), _MOST_SLASHES)}", f"path-{min(path.count('-'), _MOST_DASHES)}")
    return [*words, "path:0"] if _NUMBER.search(path) else words


def _body_words(place: Place | None) -> list[str]:
    """The words of the attributes of <html> and <body>, the outermost elements around a segment.

    >>> _body_words(((None, "", None, 0, 0), "body", ' class="home page-2"', 1, 0))
    ['body:class', 'body:home', 'body:page']
    """
    words: list[str] = []
    while place is not None:
        if place[2] is not None and place[1] in ("html", "body"):
            text = place[2][:_ATTRIBUTE_CHARACTERS].lower()
            words += [f"body:{word}" for word in _WORD.findall(text)]
        place = place[0]
    return words


def word_indices(words: Iterable[str], vocabulary: Mapping[str, int]) -> list[int]:
    """The sorted indices of the words that are in the vocabulary.

    >>> words = frozenset(["path:tea", "path:blog", "type:article"])
    >>> word_indices(words, {"type:article": 7, "path:blog": 2})
    [2, 7]
    """
    return sorted(vocabulary[word] for word in words if word in vocabulary)

"""The headline of a page: the heading that its declared titles confirm, without the name of the site."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from stupidos.metadata.address import host_of

LONGEST = 500  # characters of a title
_SEPARATOR = re.compile(r"\s++[-–—|:·•»«/>~]{1,2}+\s++|\s*+[|｜»‹›]\s*+|(?<=\S)\s-(?=\S)|_(?=[^_]*+$)")
_PERMALINK = re.compile(r"(?:\s{0,9}[¶🔗]|\s#)\Z")
_WORDS = re.compile(r"\w+")
_ENOUGH = 0.34  # share of a heading's words that a declared title must have in common with it
_ENOUGH_OF_ONE = 0.15  # the same, if there is only one heading
_CLEAR = 20  # characters of a heading that needs no further proof than a declared title that begins with it
_NEARLY_THE_SAME = 0.5
_MOST_SITE_WORDS = 5  # of a name that is taken for the site's because it follows a separator
_FEWEST_WORDS = 3  # of a headline whose site is not known
_MOST_PARTS = 12
_SECOND_LEVEL = frozenset("co com org net gov ac edu or ne go".split())


def headline(headings: Sequence[str], declared: Sequence[str], site: str = "", url: str = "") -> str:
    """The headline, given the headings of level 1 and the declared titles, the best first.

    >>> headline(["Tea is hot", "Subscribe"], ["Tea is hot - The Post", "Tea | The Post"], "The Post")
    'Tea is hot'
    >>> headline([], ["All about tea | Tea House"], "Tea House"), headline(["Tea House"], [], "Tea House")
    ('All about tea', 'Tea House')
    """
    for heading in headings:
        if is_proven(heading, declared, site):
            return heading
    host = host_of(url)
    titles = [_without_site(title[:LONGEST], site, host) for title in declared if title]
    names = {key(site), key(host)}
    usable = [one[:LONGEST] for one in headings if key(one) and key(one) not in names]
    candidates = [*titles, url.rstrip("/").rpartition("/")[2].replace("-", " ").replace("_", " ")]
    if (
        _only_title(titles, declared)
        and _likeness(_word_set(titles[0]), map(_word_set, usable)) >= _NEARLY_THE_SAME
    ):
        return titles[0]
    words = [_word_set(one) for one in candidates] if usable else []
    best = max(((_likeness(_word_set(one), words), -at) for at, one in enumerate(usable)), default=None)
    enough = _ENOUGH if len(usable) > 1 else _ENOUGH_OF_ONE
    if best and (best[0] >= enough or not titles):
        return usable[-best[1]]
    if titles:
        return titles[0]
    return usable[0] if usable else next(iter(headings), "")[:LONGEST]


def without_permalink(heading: str) -> str:
    """A heading without the mark after it that documentation tools link to the heading itself.

    >>> without_permalink("Retrying jobs¶"), without_permalink("Sharps #"), without_permalink("C#")
    ('Retrying jobs', 'Sharps', 'C#')
    """
    return _PERMALINK.sub("", heading) or heading


def is_proven(heading: str, declared: Sequence[str], site: str) -> bool:
    """Whether a heading is the headline because a declared title begins with it, whatever else there is."""
    return (
        len(heading) >= _CLEAR and heading != site and any(title.startswith(heading) for title in declared)
    )


def _only_title(titles: Sequence[str], declared: Sequence[str]) -> bool:
    """Whether a page declares a single title that names no site."""
    return len(titles) == 1 and titles[0] == declared[-1] and not _SEPARATOR.search(titles[0])


def _likeness(heading: frozenset[str], titles: Iterable[frozenset[str]]) -> float:
    """The share of the words that a heading has in common with the title most like it.

    >>> _likeness(_word_set("Tea is hot"), [_word_set("Milk"), _word_set("Tea is not hot")])
    0.75
    """
    return max((_overlap(heading, title) for title in titles), default=0.0)


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Words in common, relative to the longer of the two, or nearly 1 if one has all of the other's."""
    if not one or not other:
        return 0.0
    common = len(one & other)
    return common / max(len(one), len(other))


def _without_site(title: str, site: str, host: str) -> str:
    """A title without the name of the site before or after it.

    >>> _without_site("Tea - hot or cold? | The Post", "", "thepost.example")
    'Tea - hot or cold?'
    >>> _without_site("The Post: Tea", "The Post", ""), _without_site("The Post", "The Post", "")
    ('Tea', 'The Post')
    """
    title = " ".join(title.split())
    if site and key(title) != key(site):
        title = _without_ends(title, site)
    cuts = [match.span() for match in _SEPARATOR.finditer(title)][-_MOST_PARTS:]
    for start, end in cuts:
        if _named_like(title[end:], site, host):
            return title[:start].strip() or title
    for start, end in cuts[:1]:
        if _named_like(title[:start], site, host):
            return title[end:].strip() or title
    return title if site else _without_last_part(title, cuts)


def _without_last_part(title: str, cuts: Sequence[tuple[int, int]]) -> str:
    """A title without what follows its last separator, if that is short enough to be a site's name.

    >>> _without_last_part("A sample article | Hacker News", [(16, 19)])
    'A sample article'
    """
    if not cuts or title[cuts[-1][0] : cuts[-1][1]].strip() in (":", "/"):
        return title
    first, last = title[: cuts[-1][0]], title[cuts[-1][1] :]
    short = 0 < len(last.split()) <= _MOST_SITE_WORDS and len(last) < len(first)
    return first.strip() if short and len(first.split()) >= _FEWEST_WORDS else title


def _without_ends(title: str, site: str) -> str:
    """A title without the exact name of the site, and the mark that separates them."""
    small, name = title.casefold(), site.casefold()
    if small.endswith(name):
        rest = title[: len(title) - len(site)].rstrip()
        if rest and rest[-1] in "-–—|:·•»/>｜_":
            return rest[:-1].rstrip(" -–—|:·•»/>｜_") or title
    if small.startswith(name):
        rest = title[len(site) :].lstrip()
        if rest and rest[0] in "-–—|:·•»/>｜_":
            return rest[1:].lstrip(" -–—|:·•»/>｜_") or title
    return title


def _named_like(part: str, site: str, host: str) -> bool:
    """Whether part of a title is the site's name: as it is declared, or as its address is spelt."""
    name = key(part)
    if not name:
        return False
    if site and (name == key(site) or (len(name) > 3 and name in key(site))):
        return True
    label = _host_label(host)
    if not label or len(part.split()) > _MOST_SITE_WORDS:
        return False
    return name in (key(host), label) or (
        len(name) > 3 and (name in label or name.removeprefix("the") in label)
    )


def _host_label(host: str) -> str:
    """The part of a host's name that is the site's: "guardian" of www.guardian.co.uk.

    >>> _host_label("www.the-guardian.co.uk"), _host_label("news.bbc.com"), _host_label("")
    ('theguardian', 'bbc', '')
    """
    labels = host.lower().split(".")[:-1] or [host]
    if len(labels) > 1 and labels[-1] in _SECOND_LEVEL:
        labels.pop()
    return key(labels[-1])


@lru_cache(maxsize=32)  # the title and the site's name are compared with each heading
def key(text: str) -> str:
    """Letters and digits of a text, for comparison."""
    return "".join(_WORDS.findall(text.casefold())).replace("_", "")


def _word_set(text: str) -> frozenset[str]:
    return frozenset(_WORDS.findall(text.casefold().replace("’", "'")))

"""Names and handles of people who post: in titles such as "Jane (@jane)", in addresses, as links to users."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import unquote

from stupidos.metadata.names import is_name

_LONGEST = 300  # characters of a title or an address that are looked at
# Jane Smith (@jane@example.org): ...; Jane Smith on X: "..."
_TITLE = re.compile(
    r"""([^()@:"“]{2,60}+)\(@[\w.-]++(?:@[\w.-]++)?\)"""
    r"""|([^()@:"“]{2,60}?)\son\s(?:X|Twitter|Threads|Bluesky|Mastodon):\s["“]"""
)
_ADDRESS = re.compile(r"https?://[^/]++/(?:@([\w.-]{2,40})/[^/?#]|(\w{1,15})/status/[0-9]{5})")
_USER = re.compile(r"""(?<![\w-])href\s*+=\s*+["']?[^"'\s>]*?[/=@]([^"'\s>/=@?#]++)/?["'\s]?(?=\s|$)""")
_AUTHOR_CLASS = re.compile(r"""(?<![\w-])class\s*+=\s*+["']?(?:[^"'>]*?[\s_-])?author(?![\w-])""")
_LONGEST_HANDLE = 40  # characters


def in_titles(titles: Iterable[str]) -> str:
    """Whose post it is by the title of the page; empty if the title does not say it.

    >>> in_titles(["Tea", "Jane Smith (@jane@tea.example): Hot or cold?"]), in_titles(["Tea (@home)!", "Tea"])
    ('Jane Smith', 'Tea')
    >>> in_titles(['Tom Doe on X: "It rains" / X']), in_titles(["Notes on Tea: hot"])
    ('Tom Doe', '')
    """
    for title in titles:
        if "@" in title or " on " in title:
            match = _TITLE.match(title[:_LONGEST])
            name = (match[1] or match[2]).strip() if match else ""
            if is_name(name):
                return name
    return ""


def in_address(url: str) -> str:
    """The handle that the address of a post names; empty if it names none.

    >>> in_address("https://x.example/jane/status/123456"), in_address("https://tea.example/@tom/12")
    ('@jane', '@tom')
    >>> in_address("https://tea.example/@tom"), in_address("https://tea.example/a/status/")
    ('', '')
    """
    match = _ADDRESS.match(url[:_LONGEST]) if url else None
    return f"@{match[1] or match[2]}" if match else ""


def mark_of(attributes: str, text: str, before: str) -> str:
    """How a link to the user whom it names is marked: "author" by its class, "by" by the text before it.

    >>> mark_of(' class="author" href="/jane"', "jane", ""), mark_of(' href="user?id=tom"', "tom", "9 by ")
    ('author', 'by')
    >>> mark_of(' href="/jane"', "jane", "to "), mark_of(' class="author" href="/7"', "Read more", "by")
    ('', '')
    """
    if not 1 < len(text) <= _LONGEST_HANDLE or " " in text:
        return ""
    mark = "by" if before.rstrip()[-2:].lower() == "by" else ""
    mark = "author" if _AUTHOR_CLASS.search(attributes) else mark
    user = _USER.search(attributes[:_LONGEST]) if mark else None
    handle = text.removeprefix("u/").removeprefix("@").casefold()
    return mark if user and unquote(user[1]).casefold() == handle else ""

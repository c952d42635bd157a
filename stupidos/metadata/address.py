"""What addresses say: the host, the date in a path; and addresses made absolute."""

from __future__ import annotations

import re
from urllib.parse import urljoin, urlsplit

from stupidos.metadata.dates import composed

_LONGEST = 2000  # characters
_DATED = re.compile(
    r"(?<![0-9])((?:19|20)[0-9]{2})([/_.-]?)(0[1-9]|1[0-2])\2(0[1-9]|[12][0-9]|3[01])(?![0-9])"
    r"|/((?:19|20)[0-9]{2})/(0?[1-9]|1[0-2])/(?:(0?[1-9]|[12][0-9]|3[01])/)?"
    r"|/((?:19|20)[0-9]{2})/(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/([0-3]?[0-9])/"
)
_COMPLETE = re.compile(r"https?://[A-Za-z0-9.-]++/[^\s<>\"]*+")
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()


def host_of(url: str) -> str:
    """The host of an address; empty if it has none.

    >>> host_of("https://www.example.org:80/a"), host_of("a.html"), host_of("http://[broken")
    ('www.example.org', '', '')
    """
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def absolute(url: str, base: str) -> str | None:
    """An address of the web in full, or None.

    >>> absolute("/a.png", "https://example.org/b/c"), absolute("javascript:x()", ""), absolute("a", "")
    ('https://example.org/a.png', None, None)
    """
    if not url or len(url) > _LONGEST:
        return None
    if _COMPLETE.fullmatch(url):
        return url
    try:
        target = urljoin(base, url) if base else url
        parts = urlsplit(target)
    except ValueError:
        return None
    web = parts.scheme in ("http", "https") and parts.hostname
    return target if web and not re.search(r"[\s<>\"]", target) else None


def date_in(url: str) -> str | None:
    """The date that an address names: a day, or a month.

    >>> date_in("https://e.org/2023/12/22/tea"), date_in("https://e.org/2023/dec/2/tea"), date_in("https://e.org/2023/05/tea")
    ('2023-12-22', '2023-12-02', '2023-05')
    >>> date_in("https://e.org/20231222-tea.html"), date_in("https://e.org/a-20991231"), date_in("https://e.org/1")
    ('2023-12-22', None, None)
    """
    match = _DATED.search(url[:_LONGEST].lower())
    if match is None:
        return None
    year, _, month, day, short_year, short_month, short_day, named_year, name, named_day = match.groups()
    if year:
        return composed(year, month, day)
    if short_year:
        return composed(short_year, short_month, short_day)
    return composed(named_year, str(_MONTHS.index(name) + 1), named_day)

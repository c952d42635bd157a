"""Declared languages: tags such as en-GB, out of attributes, headers and names."""

from __future__ import annotations

import re
from collections.abc import Iterable

_HTML = re.compile(r"<html\b([^>]{0,2000}+)", re.IGNORECASE)
_LANG = re.compile(
    r"""(?:^|[\s"'])(?:xml:)?lang\s*+=\s*+["']?\s*+([A-Za-z0-9_-]{2,35})(?![A-Za-z0-9_-])""", re.IGNORECASE
)
_HEAD = 1 << 13  # characters of the source in which <html> is searched for
_TAG = re.compile(r"([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|[0-9]{3}))?(?![a-z0-9])", re.IGNORECASE)
_NAMES = {
    "english": "en", "german": "de", "deutsch": "de", "french": "fr", "français": "fr", "francais": "fr",
    "spanish": "es", "español": "es", "espanol": "es", "italian": "it", "italiano": "it", "portuguese": "pt",
    "português": "pt", "dutch": "nl", "nederlands": "nl", "russian": "ru", "русский": "ru", "polish": "pl",
    "polski": "pl", "japanese": "ja", "chinese": "zh", "korean": "ko", "greek": "el", "turkish": "tr",
    "türkçe": "tr", "swedish": "sv", "svenska": "sv", "norwegian": "no", "danish": "da", "finnish": "fi",
    "czech": "cs", "hungarian": "hu", "arabic": "ar", "hebrew": "he",
}  # fmt: skip
_NOT_LANGUAGES = frozenset(("xx", "zxx", "und", "mul", "mis", "unk"))
# Country codes that sites give as languages, and codes that were replaced
_MEANT = {
    "jp": "ja",
    "cn": "zh",
    "kr": "ko",
    "gr": "el",
    "cz": "cs",
    "dk": "da",
    "ua": "uk",
    "iw": "he",
    "in": "id",
    "se": "sv",
}


def of_source(source: str) -> str:
    """The language that the <html> element declares, as written.

    >>> of_source('<!DOCTYPE html><html class="x" lang="en-GB">')
    'en-GB'
    """
    html = _HTML.search(source, 0, _HEAD)
    attribute = _LANG.search(html[1]) if html else None
    return attribute[1] if attribute else ""


def normal(declared: str) -> str | None:
    """A language tag in its usual form, or None.

    >>> [normal(one) for one in ("EN_us", "Deutsch", "zh-hant-TW", "de, en", "[lang]", "xx")]
    ['en-US', 'de', 'zh-Hant-TW', 'de', None, None]
    """
    declared = declared.strip()[:40]
    if declared.lower() in _NAMES:
        return _NAMES[declared.lower()]
    match = _TAG.match(declared)
    if match is None or match[1].lower() in _NOT_LANGUAGES:
        return None
    language, script, region = match.groups()
    if match.end() < len(declared) and declared[match.end()] not in "-_,; ":
        return None
    language = (
        _MEANT.get(language.lower(), language.lower())
        if not region or language.lower() == "iw"
        else language.lower()
    )
    return "-".join(filter(None, (language, script and script.title(), region and region.upper())))


def first(declared: Iterable[str]) -> str | None:
    """The first of some declarations that is a language."""
    return next((found for one in declared if (found := normal(one))), None)

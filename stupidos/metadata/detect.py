"""The language of a text: declared, if its commonest words agree, else detected by py3langid (extra `lang`).

Detection takes a few tenths of a millisecond, and half of the pages of the web declare "en" whatever their
language; so a declaration counts if common words of the text agree with it, and is checked otherwise.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Collection
from functools import cache
from typing import NamedTuple

_DECLARED, _DETECTED = "declared", "detected"
_SAMPLE = 150  # characters that are looked at by py3langid, from a third of the text on
_SHORTEST = 40  # characters; of a shorter text the language is not detected
_WORDS_LOOKED_AT = 1000  # characters in which common words are counted
_ENOUGH_WORDS = 3  # different common words that prove a language, if those of no other are more
_CLEARLY = 6  # that prove it in any case
_NONE: frozenset[str] = frozenset()

_COMMON = {
    language: frozenset(words.split())
    for language, words in {
        "en": "the of and to is that for with was are this have from which",
        "de": "der die und das nicht ist mit auf eine auch dem wird sich",
        "fr": "les des est dans une que pour qui sur pas avec sont aux",
        "es": "los las del que una por con para como más fue sus pero",
        "it": "che della per una gli con sono del nel anche alla dei più",
        "pt": "não uma dos com para mais como das pelo são foi ao",
        "nl": "het een van niet zijn voor aan met ook maar wordt naar",
        "pl": "nie się jest do że przez oraz jak dla który są",
        "sv": "och att det som för inte är med till har den",
        "da": "og det ikke til er af med på som for har",
        "no": "og det ikke til er av med på som for har",
        "tr": "bir ve bu için ile olarak daha çok olan",
        "ru": "и не на что как по это для его был из",
        "uk": "та не що на для як про це від був",
        "cs": "se na je že by jako ale jsou pro který",
        "fi": "ja on ei se että oli mutta myös kun",
        "hu": "a az és hogy nem egy is meg volt csak",
        "ro": "și în nu de la pe care este din mai",
        "id": "yang dan di dengan untuk dari ini pada tidak itu",
        "el": "και το να του η της με για που από στο",
    }.items()
}
_LANGUAGES = {  # word -> the languages that it is common in
    word: tuple(language for language, words in _COMMON.items() if word in words)
    for word in frozenset().union(*_COMMON.values())
}
_ALL_COMMON = frozenset(_LANGUAGES)
# Languages written in scripts that hardly any other language of the web uses
_SCRIPTS = {
    "ja": re.compile("[\u3040-\u30ff]"),  # among Han
    "zh": re.compile("[\u4e00-\u9fff]"),
    "el": re.compile("[\u0370-\u03ff]"),
    "ko": re.compile("[\uac00-\ud7af]"),
    "th": re.compile("[\u0e00-\u0e7f]"),
    "he": re.compile("[\u0590-\u05ff]"),
}
_SAME = {
    "nb": "no",
    "nn": "no",
    "yue": "zh",
    "wuu": "zh",
    "lzh": "zh",
    "iw": "he",
    "in": "id",
    "arz": "ar",
    "sh": "sr",
}


class Language(NamedTuple):
    """A language and how it is known."""

    tag: str | None = None  # as declared (en-GB), or the language alone (en)
    source: str | None = None  # _DECLARED or _DETECTED


def language_of(text: str, declared: str | None) -> Language:
    """The language of a text.

    >>> language_of("The height of the tower and the age of its walls are not known.", "en-GB")
    Language(tag='en-GB', source='declared')
    """
    words = _common_words(text)
    if declared and _confirmed(text, words, primary(declared)):
        return Language(declared, _DECLARED)
    language = _detected(text, words)
    if language and language != primary(declared or ""):
        return Language(language, _DETECTED)
    return Language(declared, _DECLARED) if declared else Language()


def primary(tag: str) -> str:
    """The language of a tag, without region and script; written standards of one language are one.

    >>> primary("pt-BR"), primary("nb"), primary("")
    ('pt', 'no', '')
    """
    language = tag.partition("-")[0].lower()
    return _SAME.get(language, language)


def _common_words(text: str) -> frozenset[str]:
    """The common words of any language that a text begins with."""
    return _ALL_COMMON.intersection(text[:_WORDS_LOOKED_AT].lower().split())


def _confirmed(text: str, words: frozenset[str], language: str) -> bool:
    """Whether common words or the script of a text show that it is in that language."""
    if language in _SCRIPTS:
        return _by_script(text) == language
    count = len(_COMMON.get(language, _NONE) & words)
    if count < _ENOUGH_WORDS:
        return False
    return count >= _CLEARLY or _by_common_words(words) in (language, None)  # a name may be in another one


def detected(text: str) -> str | None:
    """The language that py3langid detects; None without it, or if the text is too short."""
    return _detected(text, _common_words(text))


def _detected(text: str, words: frozenset[str]) -> str | None:
    if len(text) < _SHORTEST or not _installed():
        return None
    if language := _by_script(text) or _by_common_words(words):
        return language
    classify = _classifier()
    start = max(min(len(text) // 3, len(text) - _SAMPLE), 0)
    language = classify(text[start : start + _SAMPLE])[0]
    return _SAME.get(language, language) if language != "und" else None


def _by_script(text: str) -> str | None:
    """The language of a text in a script that only one language of the web is written in.

    >>> _by_script("Καλημέρα κόσμε"), _by_script("世界の歴史"), _by_script("世界历史"), _by_script("Tea")
    ('el', 'ja', 'zh', None)
    """
    sample = text[:_WORDS_LOOKED_AT]
    if sample.isascii():
        return None
    for language, script in _SCRIPTS.items():
        share = 10 if language == "ja" else 3  # Japanese text is half Han
        if share * len(script.findall(sample)) > len(sample):
            return language
    return None


def _by_common_words(words: Collection[str]) -> str | None:
    """The language whose common words a text has, if no other has half as many of them.

    >>> _by_common_words({"the", "of", "and", "is", "to"})
    'en'
    """
    if len(words) <= _ENOUGH_WORDS:
        return None
    counts: dict[str, int] = {}
    for word in words:
        for language in _LANGUAGES[word]:
            counts[language] = counts.get(language, 0) + 1
    best = max(counts, key=counts.__getitem__)
    most = counts.pop(best)
    return best if most > _ENOUGH_WORDS and most > 2 * max(counts.values(), default=0) else None


@cache
def _classifier() -> Callable[[str], tuple[str, float]]:
    """The classifier of py3langid; its model takes a second to load."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    try:
        classify: Callable[[str], tuple[str, float]] = LanguageIdentifier.from_model_file(MODEL_FILE).classify
    except OSError as error:  # it unpacks its model to a temporary file, and the disk may be full
        logging.getLogger("stupidos").info("languages are not detected: %s", error)
        return lambda text: ("und", 0.0)
    return classify


def load_classifier() -> None:
    """Load the classifier in advance, if py3langid is there: 100 MB, which processes forked later share."""
    if _installed():
        _classifier()


@cache
def _installed() -> bool:
    """Whether languages can be detected: py3langid is there."""
    from importlib.util import find_spec

    return find_spec("py3langid") is not None

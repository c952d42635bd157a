"""Languages, declared and detected."""

from __future__ import annotations

import pytest

from stupidos.metadata import detect
from stupidos.metadata.detect import Language, language_of
from stupidos.metadata.languages import normal, of_source

ENGLISH = "The height of the tower and the age of its walls are not known, but that is what they say."
GERMAN = "Die Höhe des Turms und das Alter der Mauern ist nicht bekannt, auch wenn sich das mal ändert."
NONSENSE = "Lorem ipsum dolor sit amet consectetur adipiscing elit sed eiusmod tempor incididunt labore."


@pytest.fixture
def detector(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A detector that finds Latin everywhere, and the texts that it was asked about."""
    asked: list[str] = []

    def classify(text: str) -> tuple[str, float]:
        asked.append(text)
        return "la", 1.0

    monkeypatch.setattr(detect, "_installed", lambda: True)
    monkeypatch.setattr(detect, "_classifier", lambda: classify)
    return asked


@pytest.fixture
def no_detector(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detect, "_installed", lambda: False)


@pytest.mark.parametrize(
    ("text", "declared", "expected"),
    [
        (ENGLISH, "en-GB", Language("en-GB", "declared")),
        (GERMAN, "en", Language("de", "detected")),
        (f"{GERMAN} The Age of Bronze, to be continued", "en", Language("de", "detected")),
        (GERMAN, None, Language("de", "detected")),
        (NONSENSE, "en", Language("la", "detected")),
        (NONSENSE, "la", Language("la", "declared")),
        ("Tea", "en", Language("en", "declared")),
        ("", None, Language()),
        ("世界の歴史はとても長いので、全部を覚えることはできません。" * 2, None, Language("ja", "detected")),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("detector")
def test_a_declared_language_counts_unless_the_text_is_in_another(
    text: str, declared: str | None, expected: Language
) -> None:
    assert language_of(text, declared) == expected


def test_a_confirmed_language_is_not_detected(detector: list[str]) -> None:
    language_of(ENGLISH, "en")
    assert detector == []


def test_the_detector_sees_a_short_sample(detector: list[str]) -> None:
    language_of(NONSENSE * 1000, None)
    assert [len(text) for text in detector] == [detect._SAMPLE]


@pytest.mark.usefixtures("no_detector")
def test_without_the_extra_only_the_declared_language_is_known() -> None:
    assert language_of(GERMAN, None) == Language()
    assert language_of(GERMAN, "en") == Language("en", "declared")


@pytest.mark.parametrize(
    ("declared", "expected"),
    [("en", "en"), ("EN-us", "en-US"), ("de_DE", "de-DE"), ("zh-Hans-CN", "zh-Hans-CN"), ("jp", "ja"),
     ("English", "en"), ("", None), ("x", None), ("{{lang}}", None), ("und", None), ("e" * 1000, None)],
)  # fmt: skip
def test_a_language_has_its_usual_form(declared: str, expected: str | None) -> None:
    assert normal(declared) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [("<html lang=de>", "de"), ('<HTML class="lang=x" LANG="de">', "de"), ("<html xml:lang='de'>", "de"),
     ("<p lang=de>", ""), ("<html>", ""), ("", "")],
)  # fmt: skip
def test_html_declares_its_language(source: str, expected: str) -> None:
    assert of_source(source) == expected

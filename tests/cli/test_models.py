from __future__ import annotations

from pathlib import Path

import pytest

from stupidos.cli import main, models
from stupidos.lm import archive, store
from stupidos.lm.alphabet import ALPHABETS
from stupidos.lm.counts import count
from stupidos.lm.model import Model
from stupidos.score import registry


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of shipped models: one with a card and one without."""
    monkeypatch.setattr(registry, "_models_folder", lambda: tmp_path)
    letters = ALPHABETS["ascii"]
    model = Model(
        count(["It rained. It poured."], letters, 3), count(["Home | News | Login"], letters, 3), 0.5
    )
    for name in ("rain", "snow"):
        store.save(tmp_path / f"{name}.npz", model, {"pages": 1234})
    (tmp_path / "rain.md").write_text("# rain\n\nA model of rain.\n\nIt was trained on water.\n", "utf-8")
    return tmp_path


def out(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["models", *arguments]) == 0
    return capsys.readouterr().out


def test_every_model_has_a_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = out(capsys).splitlines()
    assert [line.split()[0] for line in lines] == registry.names()
    assert (
        lines[-2].split(None, 1)[1].startswith("A model of rain; n 3, q 0.5, alphabet ascii, 1,234 pages, ")
    )
    assert "ngram; n 3" in lines[-1]


def test_every_built_in_scorer_is_described() -> None:
    assert models._DESCRIPTIONS.keys() == registry.BUILT_IN.keys()


def test_a_broken_model_does_not_hide_the_others(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "rain.npz").write_bytes(b"nonsense")
    lines = out(capsys).splitlines()
    assert "broken: " in lines[-2]
    assert "ngram" in lines[-1]


def test_show_prints_the_card_and_the_telling_ngrams(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = out(capsys, "show", "rain")
    assert "It was trained on water." in shown
    assert "The 3-grams that weigh most" in shown
    assert "ed." in shown
    assert "␣|␣" in shown


def test_as_many_ngrams_are_shown_as_were_asked_for(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    many, few = (out(capsys, "show", "rain", "--most", number) for number in ("9", "2"))
    assert len(many.splitlines()) - len(few.splitlines()) == 7


def test_a_model_without_a_card_is_shown_by_its_settings(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "n 3, q 0.5, alphabet ascii, 1,234 pages; without a card" in out(
        capsys, "show", str(folder / "snow.npz")
    )


def test_a_built_in_scorer_was_not_trained(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        out(capsys, "show", "keep-all") == "keep-all: keeps everything: the plain dump; it was not trained\n"
    )


def test_a_model_of_another_kind_is_shown_by_its_card(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive.write(folder / "odd.npz", {"format": "odd", "pages": 2}, {})
    assert out(capsys, "show", "odd") == "# odd\n\n2 pages; without a card\n"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["show"], 2, "show needs the NAME of a model"),
        (["show", "rain", "--most", "-1"], 2, "--most must not be below 0"),
        (["rain"], 2, "invalid choice: 'rain'"),
        (["show", "hail"], 1, "no model called hail: choose from keep-all"),
    ],
)
def test_wrong_usage_is_reported_in_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, message: str
) -> None:
    assert main(["models", *arguments]) == code
    captured = capsys.readouterr()
    assert message in captured.err
    assert len(captured.err.splitlines()) == 1


@pytest.mark.parametrize("name", ["standard", "simplified", "stupidos-2007"])
def test_the_published_models_are_shipped_with_cards(
    checkout: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    assert (checkout / "models" / f"{name}.npz").stat().st_size < 800_000
    assert f"# {name}" in out(capsys, "show", name)
    assert models._card(checkout / "models" / f"{name}.npz")

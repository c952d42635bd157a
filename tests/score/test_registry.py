from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from stupidos.errors import ModelError
from stupidos.lm import archive, store
from stupidos.lm.alphabet import ALPHABETS
from stupidos.lm.counts import count
from stupidos.lm.model import Model
from stupidos.page import Page, Segment
from stupidos.score import registry

PAGE = Page("", "", [Segment("One"), Segment("Two")])


def saved(path: Path, dirty: str = "Home") -> Path:
    letters = ALPHABETS["ascii"]
    store.save(path, Model(count(["It rained."], letters, 2), count([dirty], letters, 2), 0.5), {})
    return path


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of shipped models with one model."""
    monkeypatch.setattr(registry, "_models_folder", lambda: tmp_path)
    saved(tmp_path / "rain.npz")
    return tmp_path


@pytest.mark.parametrize(("name", "rules"), [("keep-all", False), ("rules", True)])
def test_baselines_keep_everything_and_differ_in_the_rules(name: str, rules: bool) -> None:
    scorer = registry.scorer(name)
    assert scorer.score(PAGE).tolist() == [1, 1]
    assert (scorer.name, scorer.rules, scorer.signature) == (name, rules, f"model:{name}")
    assert not scorer.header


def test_names_are_the_built_in_scorers_and_the_shipped_models(models: Path) -> None:
    assert registry.names() == [*registry.BUILT_IN, "rain"]


def test_a_shipped_model_is_found_by_its_name(models: Path) -> None:
    assert registry.scorer("rain").name == "rain"


def test_a_model_is_found_by_its_path(tmp_path: Path) -> None:
    assert registry.scorer(str(saved(tmp_path / "mine.npz"))).name == "mine"


def test_a_model_needs_no_particular_suffix(tmp_path: Path) -> None:
    assert registry.scorer(str(saved(tmp_path / "mine.model"))).name == "mine"


def test_a_model_is_loaded_once(models: Path) -> None:
    assert registry.scorer("rain") is registry.scorer("rain")


def test_a_model_that_changed_is_loaded_again(models: Path) -> None:
    before = registry.scorer("rain")
    saved(models / "rain.npz", "Click here to log in")
    os.utime(models / "rain.npz", ns=(1, 1))
    assert registry.scorer("rain") is not before


def test_an_unknown_name_is_refused_with_the_known_ones(models: Path) -> None:
    with pytest.raises(
        ModelError, match=r"no model called snow: choose from keep-all, .*, rain, or give a \.npz"
    ):
        registry.scorer("snow")


@pytest.mark.parametrize("name", ["", "../rain", "sub/rain"])
def test_only_plain_names_are_looked_for_among_the_shipped_models(models: Path, name: str) -> None:
    with pytest.raises(ModelError, match="no model called"):
        registry.scorer(name)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"none\.npz: there is no such model file"):
        registry.scorer(str(tmp_path / "none.npz"))


def test_a_folder_is_not_a_model(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no model called"):
        registry.scorer(str(tmp_path))


def test_a_kind_of_model_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    archive.write(tmp_path / "m.npz", {"format": "oracle"}, {})
    with pytest.raises(ModelError, match=r"m\.npz: holds a 'oracle' model, which this version does not know"):
        registry.scorer(str(tmp_path / "m.npz"))


def test_models_are_found_beside_the_package(checkout: Path) -> None:
    assert registry._models_folder() == str(checkout / "models")


def test_the_shelf_is_imported_without_numpy() -> None:
    code = "import sys, stupidos.score.registry, stupidos.score.baseline; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

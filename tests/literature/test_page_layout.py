"""Layouts of pages that are cleaned: the cache, and visual FIASCO from training to cleaning."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from stupidos.cli import main
from stupidos.errors import CorpusError
from stupidos.literature import fiasco
from stupidos.literature.fiasco_features import NODE_FEATURES, feature_table, target_nodes
from stupidos.literature.page_layout import LayoutCache, _cache_folder, _stored_boxes, _write_boxes
from stupidos.render import read
from stupidos.score import registry

BOXES = {3: [(1.5, 2.0, 30.0, 4.0)]}
TRAINED_ON = ("article", "blog-comments", "forum", "news", "product", "recipe")


def test_a_known_page_needs_no_browser(tmp_path: Path) -> None:
    source = "<p>It rained."
    _write_boxes(tmp_path / f"{fiasco.digest(source)}.boxes.json", source, BOXES)
    assert LayoutCache(tmp_path)(source) == BOXES


def test_boxes_are_written_as_they_are_read(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.boxes.json"
    _write_boxes(path, "x", BOXES)
    assert _stored_boxes(path) == (fiasco.digest("x"), BOXES)
    assert [one.name for one in path.parent.iterdir()] == ["a.boxes.json"]


def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CorpusError, match="set STUPIDOS_CACHE"):
        _write_boxes(tmp_path / "file" / "a.boxes.json", "x", BOXES)


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"STUPIDOS_CACHE": "/own"}, "/own"),
        ({"XDG_CACHE_HOME": "/xdg"}, "/xdg/stupidos"),
        ({"HOME": "/home/me"}, "/home/me/.cache/stupidos"),
    ],
)
def test_the_cache_folder_can_be_chosen(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], expected: str
) -> None:
    for name in ("STUPIDOS_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert _cache_folder().as_posix() == expected


@pytest.mark.parametrize("verb", ["clean", "evaluate", "explain", "annotate"])
def test_every_command_that_is_told_to_add_visual_has_it(
    verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([verb, "--help"]) == 0
    assert "--visual" in capsys.readouterr().out


@pytest.mark.browser
def test_visual_fiasco_sees_the_page_that_it_cleans(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cache, model, page = tmp_path / "cache", tmp_path / "seeing.npz", checkout / "training/raw/service.html"
    monkeypatch.setenv("STUPIDOS_CACHE", str(cache))
    for kind in ("gold", "raw"):
        (tmp_path / kind).mkdir()
        for name in TRAINED_ON:
            (source,) = (checkout / "training" / kind).glob(f"{name}.*")
            shutil.copy(source, tmp_path / kind)
    folders = [str(tmp_path / "gold"), str(tmp_path / "raw")]
    fiasco._shared_layout.cache_clear()
    assert main(["train", "--fiasco", "--visual", *folders, "-o", str(model)]) == 0
    assert len(list(cache.iterdir())) == len(TRAINED_ON)
    assert len(list((tmp_path / "raw").iterdir())) == len(TRAINED_ON)  # nothing is put beside the pages
    capsys.readouterr()

    style = ["--format", "jsonl", "--keep-dirty"]
    assert main(["clean", "--visual", "--model", str(model), *style, str(page)]) == 0
    segments = json.loads(capsys.readouterr().out)["segments"]
    assert len(list(cache.iterdir())) == len(TRAINED_ON) + 1
    assert main(["evaluate", "--visual", "--model", str(model), *folders]) == 0
    assert "visual:True" in capsys.readouterr().out

    report = tmp_path / "report.html"
    assert main(["explain", "--visual", "--model", str(model), "-o", str(report), str(page)]) == 0
    assert "Chimney sweeping" in report.read_text()

    scorer = registry.scorer(str(model))
    assert isinstance(scorer, fiasco.Fiasco)
    rendered = read(page.read_bytes())
    seen = LayoutCache(cache)(rendered.source)
    visual = feature_table(target_nodes(rendered), scorer.keywords, seen)[:, len(NODE_FEATURES) :]
    assert (np.abs(visual).max(axis=0) > 0).sum() >= 4
    blind = replace(scorer, layout=lambda source: {}).score(rendered)
    assert len(segments) == len(blind)
    assert [round(segment["score"], 2) for segment in segments] != blind.round(2).tolist()

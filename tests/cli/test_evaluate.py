"""`stupidos evaluate`: tables for people, JSON for machines, errors in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stupidos.cli import main

Captured = pytest.CaptureFixture[str]

CLEAN = [f"It rained on day {day} and the tea was hot; nobody left the house." for day in range(12)]
PAGE = "<p>Home | Login | Help</p><h1>Day {day}</h1><p>{clean}</p><p>Subscribe to our newsletter</p>"


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    (tmp_path / "gold").mkdir()
    for day, clean in enumerate(CLEAN):
        (tmp_path / "gold" / f"{day}.txt").write_text(
            f"URL: http://day.example/{day}\n\n<h>Day {day}\n<p>{clean}\n"
        )
    return tmp_path / "gold"


@pytest.fixture
def raw(tmp_path: Path, gold: Path) -> Path:
    (tmp_path / "raw").mkdir()
    for day, clean in enumerate(CLEAN):
        (tmp_path / "raw" / f"{day}.html").write_text(PAGE.format(day=day, clean=clean))
    return tmp_path / "raw"


@pytest.fixture
def cleaned(tmp_path: Path) -> Path:
    (tmp_path / "cleaned").mkdir()
    for day, clean in enumerate(CLEAN):
        (tmp_path / "cleaned" / f"{day}.txt").write_text(f"<p>Day {day}\n<p>{clean} Subscribe!\n")
    return tmp_path / "cleaned"


def run(capsys: Captured, *arguments: object) -> str:
    code = main(["evaluate", *map(str, arguments), "--jobs", "1"])
    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    return out


def failed(capsys: Captured, *arguments: object) -> str:
    code = main(["evaluate", *map(str, arguments)])
    out, err = capsys.readouterr()
    assert (code, out) == (1, "")
    assert len(err.splitlines()) == 1
    return err


@pytest.mark.parametrize("model", ["vowels", "keep-all,unicode", "aligned"])
def test_a_model_that_is_only_trained_for_folds_asks_for_cross_validation(
    model: str, gold: Path, raw: Path, capsys: Captured
) -> None:
    name = model.split(",")[-1]
    message = f"stupidos: model {name} is not shipped, only trained for each fold: add --cross-validate\n"
    assert failed(capsys, gold, raw, "--model", model) == message
    assert f"model:{name}|" in run(capsys, gold, raw, "--model", model, "--cross-validate")


def test_json_has_the_shape_that_machines_expect(gold: Path, cleaned: Path, capsys: Captured) -> None:
    found = json.loads(run(capsys, gold, cleaned, "--json"))
    assert {"signature", "macro", "micro", "pages"} <= set(found)
    assert [page["page"] for page in found["pages"]] == sorted(map(str, range(12)))
    first = found["pages"][0]
    # the nothing at either end, two markers (one should be <h>), Day 0, the sentence, Subscribe!
    assert first["precision"] == pytest.approx(19 / 21, abs=1e-6)
    assert first["recall"] == pytest.approx(19 / 20, abs=1e-6)
    assert first["segment_precision"] == first["segment_recall"] == first["segment_f"] == 0.5
    assert first["segment_unlabelled_f"] == 1.0
    assert found["macro"]["precision"] == pytest.approx(
        sum(p["precision"] for p in found["pages"]) / 12, abs=1e-5
    )
    assert found["signature"].startswith("texts:cleaned|gold:")


def test_a_table_gives_every_score_with_its_signature(gold: Path, cleaned: Path, capsys: Captured) -> None:
    text = run(capsys, gold, cleaned)
    assert text.splitlines()[1].split()[:4] == ["macro", "F", "P", "R"]
    assert text.splitlines()[-1].startswith("F 92.7  texts:cleaned|gold:")


def test_folders_are_compared_with_the_first(gold: Path, cleaned: Path, capsys: Captured) -> None:
    text = run(capsys, gold, cleaned, gold)
    assert "gain over cleaned" in text
    found = json.loads(run(capsys, gold, cleaned, gold, "--json"))
    assert [one["macro"]["f"] for one in found] == [pytest.approx(0.927, abs=1e-3), 1.0]
    assert found[1]["gain_over"]["cleaned"]["f"]["mean"] == pytest.approx(0.073, abs=1e-3)


def test_models_clean_the_pages_themselves(gold: Path, raw: Path, capsys: Captured) -> None:
    dump, rules = json.loads(run(capsys, gold, raw, "--model", "keep-all,rules", "--json"))
    assert dump["macro"]["precision"] < rules["macro"]["precision"] < 1
    assert dump["macro"]["recall"] == 1.0
    assert "model:rules|" in rules["signature"]


def test_cross_validation_trains_a_model_for_each_fold(gold: Path, raw: Path, capsys: Captured) -> None:
    arguments = (gold, raw, "--model", "keep-all,standard", "--cross-validate", "--folds", "3")
    text = run(capsys, *arguments)
    assert "model:standard|n:3|q:0.5|folds:3|gold:" in text
    dump, standard = json.loads(run(capsys, *arguments, "--json"))
    assert standard["macro"]["precision"] > dump["macro"]["precision"]
    assert len(standard["pages"]) == 12


def test_cross_validation_takes_the_standard_model_and_sites(
    gold: Path, raw: Path, tmp_path: Path, capsys: Captured
) -> None:
    sites = tmp_path / "sites.json"
    sites.write_text(json.dumps({str(day): f"site-{day % 2}" for day in range(12)}))
    found = json.loads(run(capsys, gold, raw, "--cross-validate", "--sites", sites, "--json"))
    assert "model:standard|n:3|q:0.5|folds:2|" in found["signature"]


def test_groups_are_scored_apart(gold: Path, cleaned: Path, tmp_path: Path, capsys: Captured) -> None:
    groups = tmp_path / "types.json"
    groups.write_text(json.dumps({str(day): "even" if day % 2 == 0 else "odd" for day in range(12)}))
    text = run(capsys, gold, cleaned, "--groups", groups)
    assert [line.split()[:2] for line in text.splitlines() if line.startswith(("even", "odd"))] == [
        ["even", "6"],
        ["odd", "6"],
    ] * 3


@pytest.mark.parametrize(
    ("option", "signature"),
    [("--align=lcs", "align:lcs"), ("--unlabelled", "unlabelled"), ("--ascii", "ascii")],
)
def test_settings_of_the_measure_are_part_of_the_signature(
    option: str, signature: str, gold: Path, cleaned: Path, capsys: Captured
) -> None:
    assert f"|{signature}|v:" in run(capsys, gold, cleaned, option)


def test_markers_are_all_alike_when_unlabelled(gold: Path, cleaned: Path, capsys: Captured) -> None:
    found = json.loads(run(capsys, gold, cleaned, "--unlabelled", "--json"))
    assert found["macro"]["segment_f"] == 1.0
    assert found["pages"][0]["precision"] == pytest.approx(20 / 21, abs=1e-6)


def test_empty_golds_and_lonely_files_are_reported(gold: Path, cleaned: Path, capsys: Captured) -> None:
    (gold / "0.txt").write_text("URL: x\n")
    (gold / "alone.txt").write_text("<p>tea")
    assert main(["evaluate", str(gold), str(cleaned), "--json", "--jobs", "1"]) == 0
    out, err = capsys.readouterr()
    assert "alone.txt" in err
    assert "1 pages left out, their gold is empty: 0" in err
    assert len(json.loads(out)["pages"]) == 11
    assert json.loads(out)["empty_golds"] == ["0"]


def test_html_pages_are_not_cleaned_texts(gold: Path, raw: Path, capsys: Captured) -> None:
    assert "--model" in failed(capsys, gold, raw)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--model", "nonsense"), "nonsense"),
        (("--model", ","), "names no model"),
        (("--cross-validate", "--sites", "missing.json"), "missing.json"),
        (("--groups", "missing.json"), "missing.json"),
        (("--model", "rules", "--baseline", "nonsense"), "nonsense"),
    ],
)
def test_what_cannot_be_done_is_reported_in_one_line(
    arguments: tuple[str, ...], message: str, gold: Path, raw: Path, capsys: Captured
) -> None:
    assert message in failed(capsys, gold, raw, *arguments)


def test_a_missing_folder_is_named(gold: Path, tmp_path: Path, capsys: Captured) -> None:
    assert "nowhere" in failed(capsys, gold, tmp_path / "nowhere")


@pytest.mark.filterwarnings("ignore::DeprecationWarning:pyparsing", "ignore::DeprecationWarning:matplotlib")
@pytest.mark.slow
def test_figure_3_is_drawn_against_the_dump(gold: Path, raw: Path, tmp_path: Path, capsys: Captured) -> None:
    pytest.importorskip("matplotlib")
    found = json.loads(run(capsys, gold, raw, "--model", "rules", "--json", "--plot", tmp_path / "3.png"))
    assert (tmp_path / "3.png").read_bytes().startswith(b"\x89PNG")
    assert "model:rules" in found["signature"]  # the dump is in the picture only

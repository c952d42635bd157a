"""LITERATURE.md: the table of statements, and the command that it begins with."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from stupidos.cli import main

CHECKOUT = Path(__file__).resolve().parents[2]
DOCUMENT = (CHECKOUT / "training" / "LITERATURE.md").read_text(encoding="utf-8")
STATEMENTS = DOCUMENT.split("## What the papers describe")[1].split("\n## ")[0]
REPRODUCTION = (CHECKOUT / "training" / "REPRODUCTION.md").read_text(encoding="utf-8")
SCRIPTS = sorted(set(re.findall(r"python (training/\w+\.py)", DOCUMENT + REPRODUCTION)))
COMMAND = re.search(r"stupidos evaluate GOLD RAW --model ([\w,-]+)", DOCUMENT)
assert COMMAND
MODELS = COMMAND[1].split(",")


def rows() -> list[list[str]]:
    lines = [line for line in STATEMENTS.splitlines() if re.match(r"\| \d", line)]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row[0]} {row[1][:30]}")
def test_every_statement_is_somewhere_or_has_a_reason(row: list[str]) -> None:
    _, statement, where = row
    assert statement
    assert len(where) > 5
    assert "open" not in where.split()


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`([\w/]+\.py)", STATEMENTS))))
def test_every_named_file_is_there(name: str) -> None:
    assert (CHECKOUT / name).is_file() or (CHECKOUT / "stupidos" / "literature" / name).is_file()


@pytest.mark.parametrize("name", re.findall(r"\]\((figures/[\w.-]+)\)", DOCUMENT))
def test_every_figure_is_there(name: str) -> None:
    assert (CHECKOUT / "training" / name).is_file()


@pytest.mark.parametrize("row", re.findall(r"^\| (1R [a-z ]+\|.+)\|$", DOCUMENT, re.MULTILINE))
def test_figures_of_one_rule_were_copied_without_a_slip(row: str) -> None:
    name, *cells = (cell.strip() for cell in row.split("|"))
    for _, recall, _, false_positives, area in (map(float, cells[:5]), map(float, cells[6:11])):
        assert area == pytest.approx((recall + 100 - false_positives) / 2, abs=0.11), name


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_script_finds_the_package_of_its_checkout(script: str) -> None:
    text = (CHECKOUT / script).read_text(encoding="utf-8")
    own_path, first_import = text.find("sys.path.insert(0, "), text.find("\nfrom stupidos")
    assert 0 < own_path < first_import


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS)
def test_every_script_says_its_arguments(script: str) -> None:
    done = subprocess.run([sys.executable, CHECKOUT / script, "--help"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("usage: ")


@pytest.mark.slow
def test_all_systems_are_compared_by_one_command(capsys: pytest.CaptureFixture[str]) -> None:
    folders = [str(CHECKOUT / "training" / kind) for kind in ("gold", "raw")]
    assert main(["evaluate", *folders, "--model", ",".join(MODELS)]) == 0
    out = capsys.readouterr().out
    pattern = r"^F +[\d.]+ +model:([\w-]+)\|(?:.*\|)?gold:(\w+)\|pages:(\d+)"
    signatures = re.findall(pattern, out, re.MULTILINE)
    assert [name for name, _, _ in signatures] == MODELS
    assert len({(gold, pages) for _, gold, pages in signatures}) == 1
    assert all(re.search(rf"^{name} +F +[+-]", out, re.MULTILINE) for name in MODELS[1:])

"""LITERATURE.md: the table of statements, and the command that it begins with."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from stupidos.cli import main

CHECKOUT = Path(__file__).resolve().parents[2]
DOCUMENT = (CHECKOUT / "training" / "LITERATURE.md").read_text(encoding="utf-8")
STATEMENTS = DOCUMENT.split("## What the papers describe")[1].split("\n## ")[0]
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

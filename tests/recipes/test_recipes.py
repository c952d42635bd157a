"""Every command of share/recipes runs, in order, and prints what the recipe shows.

A recipe runs in a folder that looks like a checkout. A block called `text` below a block called `sh` or
`python` is what that block prints; a line of three dots stands for any lines.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
RECIPES = sorted((CHECKOUT / "share" / "recipes").glob("*.md"))
SHOWN = ("bin", "models", "share", "tests", "training", "stupidos", "setup.cfg", "README.md")
NEEDS = {  # recipe -> packages that it uses besides those of the tests
    "spark": ("pyspark", "pandas", "moto", "s3fs"),
    "datatrove": ("datatrove",),
    "dask-and-ray": ("dask",),
}
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Step(NamedTuple):
    """A block to run, and what it prints, if that is shown."""

    language: str
    code: str
    shown: str | None


def steps(text: str) -> list[Step]:
    found: list[Step] = []
    for language, code in _BLOCK.findall(text):
        if language in ("sh", "python"):
            found.append(Step(language, code, None))
        elif language == "text":
            found[-1] = found[-1]._replace(shown=code)
    return found


def matches(shown: str, printed: str) -> bool:
    """Whether a program printed what is shown.

    >>> matches("a\\n...\\nz\\n", "a\\nb\\nc\\nz\\n"), matches("a\\n", "b\\n")
    (True, False)
    """
    parts = [re.escape(part) for part in re.split(r"^\.\.\.\n", shown, flags=re.MULTILINE)]
    return re.fullmatch(r"(?:.*\n)*?".join(parts), printed) is not None


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with the parts of the checkout, and programs of this environment first on the path."""
    for name in SHOWN:
        (tmp_path / name).symlink_to(CHECKOUT / name)
    programs = tmp_path / ".programs"
    programs.mkdir()
    for name, command in {"stupidos": "-m stupidos", "python": "", "python3": ""}.items():
        (programs / name).write_text(f'#!/bin/sh\nexec {sys.executable} {command} "$@"\n')
        (programs / name).chmod(0o755)
    return tmp_path


def run(step: Step, folder: Path, state: Path) -> str:
    """What a step prints. Variables and the folder of a shell step hold for those behind it."""
    script = folder / ".step.py"
    code = step.code
    if step.language == "python":
        script.write_text(code)
        code = f"python {script}"
    source = f"[ ! -e {state} ] || . {state}\nset -euo pipefail\n{code}\nexport -p > {state}\n"
    path = f"{folder / '.programs'}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(CHECKOUT), "TQDM_DISABLE": "1"}
    done = subprocess.run(
        ["bash", "-c", source], cwd=folder, env=environment, text=True, capture_output=True, timeout=600
    )
    assert done.returncode == 0, f"{step.code}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("recipe", RECIPES, ids=lambda path: path.stem)
def test_the_commands_of_a_recipe_run_and_print_what_it_shows(recipe: Path, checkout: Path) -> None:
    for package in NEEDS.get(recipe.stem, ()):
        pytest.importorskip(package)
    state = checkout / ".state"
    try:
        for step in steps(recipe.read_text(encoding="utf-8")):
            printed = run(step, checkout, state)
            if step.shown is not None:
                assert matches(step.shown, printed), f"{step.code}\nprints\n{printed}"
    finally:
        for pid in (checkout / "pids").read_text().split() if (checkout / "pids").exists() else ():
            with suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGTERM)


def test_there_is_a_list_of_all_recipes() -> None:
    text = (CHECKOUT / "share" / "recipes" / "README.md").read_text(encoding="utf-8")
    assert {path.name for path in RECIPES} - {"README.md"} == set(re.findall(r"\]\(([\w-]+\.md)\)", text))


def test_every_option_that_a_recipe_names_exists() -> None:
    """In its tables and sentences; its commands run anyway."""
    from stupidos.cli import commands

    text = (CHECKOUT / "share" / "recipes" / "from-other-tools.md").read_text(encoding="utf-8")
    ours = {row.removesuffix(" |").rpartition(" | ")[2] for row in text.splitlines() if row.startswith("|")}
    named = {option for cell in ours for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", cell)}
    known = {option for action in commands.parser_of("clean")._actions for option in action.option_strings}
    assert {"--comments", "--links", "--timeout"} <= named
    assert named <= known

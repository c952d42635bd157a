"""Hints at optional packages: one place makes them, and they name extras that exist."""

from __future__ import annotations

import ast
from configparser import ConfigParser
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[1]
FILES = sorted(path for part in ("stupidos", "training") for path in (CHECKOUT / part).rglob("*.py"))


def named(path: Path) -> str:
    return str(path.relative_to(CHECKOUT))


def hinted_extras(path: Path) -> set[str]:
    """The extras that a module names when a package is missing."""
    calls = (node for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.Call))
    return {
        ast.literal_eval(call.args[1]) for call in calls if ast.unparse(call.func) == "missing_extra"
    }


@pytest.mark.parametrize("path", FILES, ids=named)
def test_no_hint_installs_from_an_index_that_does_not_have_the_package(path: Path) -> None:
    assert "stupidos[" not in path.read_text()


@pytest.mark.parametrize("path", [path for path in FILES if hinted_extras(path)], ids=named)
def test_a_hint_names_an_extra_that_exists(path: Path) -> None:
    configuration = ConfigParser()
    configuration.read(CHECKOUT / "setup.cfg")
    assert hinted_extras(path) <= set(configuration["options.extras_require"])

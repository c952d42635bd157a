"""Hints at optional packages: one place makes them, and they name extras that exist."""

from __future__ import annotations

import ast
from configparser import ConfigParser
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
FILES = sorted(path for part in ("stupidos", "training") for path in (CHECKOUT / part).rglob("*.py"))


def hinted_extras(path: Path) -> set[str]:
    """The extras that a module names when a package is missing."""
    text = path.read_text()
    if "missing_extra(" not in text:
        return set()
    calls = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call))
    return {
        ast.literal_eval(call.args[1]) for call in calls if ast.unparse(call.func) == "missing_extra"
    }


def test_no_hint_installs_from_an_index_that_does_not_have_the_package() -> None:
    assert not [path for path in FILES if "stupidos[" in path.read_text()]


def test_a_hint_names_an_extra_that_exists() -> None:
    configuration = ConfigParser()
    configuration.read(CHECKOUT / "setup.cfg")
    hinted = {extra for path in FILES for extra in hinted_extras(path)}
    assert "plot" in hinted
    assert hinted <= set(configuration["options.extras_require"])

"""ARCHITECTURE.md names files and functions that exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[1]
TEXT = (CHECKOUT / "ARCHITECTURE.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`((?:\w+/)*\w+\.py)(?::([\w.]+))?`", TEXT)))


def definitions(tree: ast.AST) -> set[str]:
    """The names of functions and classes, methods behind the name of their class."""
    nodes = [one for one in ast.iter_child_nodes(tree) if isinstance(one, ast.FunctionDef | ast.ClassDef)]
    names = {node.name for node in nodes}
    for node in nodes:
        if isinstance(node, ast.ClassDef):
            names |= {f"{node.name}.{name}" for name in definitions(node)}
    return names


@pytest.mark.parametrize(("path", "name"), NAMED)
def test_a_step_is_where_it_is_said_to_be(path: str, name: str) -> None:
    file = next(one for one in (CHECKOUT / "stupidos" / path, CHECKOUT / path) if one.is_file())
    assert not name or name in definitions(ast.parse(file.read_bytes()))


def test_there_are_steps() -> None:
    assert len(NAMED) > 30


LIST = TEXT.partition("## Files, in reading order")[2]
FILES = re.findall(r"^\| `([\w./-]+)` +\|", LIST, re.MULTILINE)


@pytest.mark.parametrize("name", FILES)
def test_every_file_of_the_list_is_there(name: str) -> None:
    assert (CHECKOUT / name).exists()


def test_every_part_of_the_package_is_in_the_list() -> None:
    parts = {f"stupidos/{path.name}" for path in (CHECKOUT / "stupidos").iterdir() if path.suffix == ".py"}
    folders = {f"stupidos/{path.parent.name}/" for path in (CHECKOUT / "stupidos").glob("*/__init__.py")}
    assert (parts | folders) - {"stupidos/__main__.py"} <= set(FILES)


FOLDERS = ("benchmarks", "bin", "share", "training")
SCRIPTS = sorted(path for folder in FOLDERS for path in (CHECKOUT / folder).rglob("*.py"))


def bound(module: str) -> set[str]:
    """The names that a module of the package binds; for a package the modules in it, too."""
    path = CHECKOUT / module.replace(".", "/")
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    nodes = list(ast.walk(ast.parse(file.read_bytes())))
    names = {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    names |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    names |= {
        name.asname or name.name
        for node in nodes
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in node.names
    }
    return names | ({one.stem for one in path.iterdir()} if path.is_dir() else set())


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: str(path.relative_to(CHECKOUT)))
def test_what_a_script_imports_from_the_package_is_there(script: Path) -> None:
    for node in ast.walk(ast.parse(script.read_bytes())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("stupidos."):
            assert {name.name for name in node.names} <= bound(node.module or "")

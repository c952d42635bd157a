"""Who may import whom. The table is the one of ARCHITECTURE.md; functions count like modules."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "stupidos"

STAGES = (
    "decode", "render", "metadata", "rules", "score", "verdict", "confidence", "structure", "write",
    "document", "pipeline",
)  # fmt: skip
TRAINER = re.compile("train|align|visual|probes")
SCORERS = ("web", "literature")  # rooms of single scorers, which the registry of `score` loads by name
NOUNS = {"page", "errors"}
LOOKUPS = {"charsets", "signatures", "scripts", "file_lock"}  # tables and helpers; any layer may import them

# Part of the package -> the other parts it may import
MAY_IMPORT: dict[str, set[str]] = {
    "page": set(),
    "errors": set(),
    "charsets": set(),
    "signatures": set(),
    "scripts": set(),
    "file_lock": {"errors"},
    "lm": {"errors"} | LOOKUPS,
    **{stage: NOUNS | LOOKUPS | {"lm"} | set(STAGES[:place]) for place, stage in enumerate(STAGES)},
    **dict.fromkeys(SCORERS, NOUNS | LOOKUPS | {"lm", "decode", "render", "rules", "score", *SCORERS}),
    "pipeline": NOUNS | LOOKUPS | {"lm", *STAGES, *SCORERS},
    "trainers": NOUNS | LOOKUPS | {"lm", "lab", *STAGES, *SCORERS},
    "lab": NOUNS | LOOKUPS | {"lm", "trainers", *STAGES, *SCORERS},
    "scale": NOUNS | LOOKUPS | {"lm", *STAGES, *SCORERS},
    "assets": set(),
    "report": NOUNS | LOOKUPS | {"lm", "assets", *STAGES, *SCORERS},
    "annotate": NOUNS | LOOKUPS | {"lm", "assets", "lab", "trainers", *STAGES, *SCORERS},
    "cli": NOUNS | {"lm", "trainers", *STAGES, *SCORERS, "lab", "scale", "report", "annotate", "__init__"},
    "__init__": NOUNS | set(STAGES),
    "__main__": {"cli"},
}
# `Segment.path` is spelt out when somebody asks for it, by what knows attributes
ALLOWED_ANYWAY = {("page", "stupidos.render.attributes")}

# Foreign package -> the parts that may import it
HOMES = {
    "chardet": {"decode"},
    "py3langid": {"metadata"},
    "regex": {"scripts"},
    "numpy": {
        "lm", "score", "web", "literature", "trainers", "verdict", "lab", "pipeline", "report", "annotate",
        "scale", "cli",
    },
    "tqdm": {"cli"},
    "matplotlib": {"lab"},
    "scipy": {"lab"},
    "sklearn": {"lab", "trainers"},
    "selenium": {"literature"},
    "HanTa": {"literature"},
    "wordfreq": {"trainers"},
    "brotli": {"scale"},
    "lz4": {"scale"},
    "pyarrow": {"scale"},
    "pyspark": {"scale"},
    "pandas": {"scale"},
    "datatrove": {"scale"},
    "zlib_ng": {"scale"},
    "zstandard": {"scale"},
}
HEAVY = set(HOMES) - {"chardet", "regex", "numpy", "tqdm"}
FILES = sorted(PACKAGE.rglob("*.py"))


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_bytes())


def part(path: Path) -> str:
    return part_of(".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts))


def part_of(name: str) -> str:
    """The part that a module belongs to by its dotted name; trainers stand beside the scorers they train.

    >>> part_of("stupidos.web.train_data"), part_of("stupidos.web.scorer"), part_of("stupidos")
    ('trainers', 'web', '__init__')
    """
    _, room, module = f"{name}..".split(".")[:3]
    if room in SCORERS and TRAINER.search(module):
        return "trainers"
    return room if room in MAY_IMPORT else "__init__"


def for_typing(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def imports(tree: ast.AST, typing: bool = False) -> Iterator[str]:
    """Dotted names imported anywhere in a module, but for those that only types need."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute here"
            module = node.module or ""
            yield from (
                [f"stupidos.{name.name}" for name in node.names] if module == "stupidos" else [module]
            )
        elif typing or not for_typing(node):
            yield from imports(node, typing)


def named(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


@pytest.mark.parametrize("path", FILES, ids=named)
def test_a_module_imports_only_earlier_stages(path: Path) -> None:
    own = part(path)
    ours = {
        name
        for name in imports(parsed(path), typing=own != "__init__")
        if name.split(".")[0] == "stupidos"
    }
    parts = {
        name: part_of(name)
        for name in ours
        if name != "stupidos.__version__" and (own, name) not in ALLOWED_ANYWAY
    }
    wrong = sorted(name for name, one in parts.items() if one != own and one not in MAY_IMPORT[own])
    assert not wrong, f"{named(path)} imports {wrong}"


@pytest.mark.parametrize("path", FILES, ids=named)
def test_a_foreign_package_is_imported_only_in_its_home(path: Path) -> None:
    foreign = {name.split(".")[0] for name in imports(parsed(path))}
    wrong = sorted(name for name in foreign & set(HOMES) if part(path) not in HOMES[name])
    assert not wrong, f"{named(path)} imports {wrong}"


@pytest.mark.parametrize("path", FILES, ids=named)
def test_extras_are_imported_inside_functions(path: Path) -> None:
    top = [
        node for node in parsed(path).body if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    names = {name.split(".")[0] for name in imports(ast.Module(body=list(top), type_ignores=[]))}
    assert not names & HEAVY


@pytest.mark.parametrize("path", [path for path in FILES if part(path) not in ("cli", "__main__")], ids=named)
def test_only_the_command_line_prints_or_exits(path: Path) -> None:
    calls = {
        ast.unparse(node.func)
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call)
    }
    assert not calls & {"print", "exit", "sys.exit", "os._exit", "input", "breakpoint"}


@pytest.mark.parametrize("path", FILES, ids=named)
def test_nothing_is_unpickled_or_evaluated(path: Path) -> None:
    tree = parsed(path)
    calls = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    assert not calls & {"eval", "exec"}
    assert not set(imports(tree)) & {"pickle", "marshal", "shelve", "dill", "cloudpickle"}


@pytest.mark.parametrize("path", FILES, ids=named)
def test_no_file_is_longer_than_four_hundred_lines(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= 400

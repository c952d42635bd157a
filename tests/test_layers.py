"""Who may import whom. The table is the one of ARCHITECTURE.md; functions count like modules."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
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
# Tables and helpers; any layer may import them
LOOKUPS = {"charsets", "signatures", "scripts", "file_lock", "atomic_file", "gzip_members", "lazy"}

# Part of the package -> the other parts it may import
MAY_IMPORT: dict[str, set[str]] = {
    "page": set(),
    "errors": set(),
    "charsets": set(),
    "signatures": set(),
    "scripts": set(),
    "file_lock": {"errors"},
    "atomic_file": set(),
    "lazy": set(),
    "gzip_members": {"errors"},
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
    "cli": NOUNS | LOOKUPS | {
        "lm", "trainers", *STAGES, *SCORERS, "lab", "scale", "report", "annotate", "__init__",
    },
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
        "lm", "score", "web", "literature", "trainers", "verdict", "confidence", "lab", "pipeline", "report",
        "annotate", "scale", "cli",
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
    "zlib_ng": {"gzip_members"},
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
    return isinstance(node, ast.If) and any(
        isinstance(part, ast.Name) and part.id == "TYPE_CHECKING" for part in ast.walk(node.test)
    )


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


@cache
def called(path: Path) -> frozenset[str]:
    """Dotted names of everything that a module calls."""
    calls = (node.func for node in ast.walk(parsed(path)) if isinstance(node, ast.Call))
    return frozenset(filter(None, map(dotted, calls)))


def dotted(node: ast.expr) -> str:
    """A name with its attributes; empty for other expressions.

    >>> dotted(ast.parse("sys.exit").body[0].value), dotted(ast.parse("f().exit").body[0].value)
    ('sys.exit', '')
    """
    if isinstance(node, ast.Attribute):
        owner = dotted(node.value)
        return owner and f"{owner}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def named(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


def wrong_imports(path: Path) -> list[str]:
    """What a module imports of the package that is no earlier stage."""
    own = part(path)
    imported = imports(parsed(path), typing=own != "__init__")
    ours = {name for name in imported if name.split(".")[0] == "stupidos"}
    parts = {
        name: part_of(name)
        for name in ours
        if name != "stupidos.__version__" and (own, name) not in ALLOWED_ANYWAY
    }
    return sorted(name for name, one in parts.items() if one != own and one not in MAY_IMPORT[own])


def far_from_home(path: Path) -> list[str]:
    """Foreign packages that a module imports though its part is not their home."""
    foreign = {name.split(".")[0] for name in imports(parsed(path))}
    return sorted(name for name in foreign & set(HOMES) if part(path) not in HOMES[name])


def heavy_at_top(path: Path) -> set[str]:
    """Extras that a module imports outside its functions."""
    top = [node for node in parsed(path).body if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {name.split(".")[0] for name in imports(ast.Module(body=list(top), type_ignores=[]))}
    return names & HEAVY


def prints_or_exits(path: Path) -> frozenset[str]:
    if part(path) in ("cli", "__main__"):
        return frozenset()
    return called(path) & {"print", "exit", "sys.exit", "os._exit", "input", "breakpoint"}


def unpickles_or_evaluates(path: Path) -> set[str]:
    imported = set(imports(parsed(path)))
    return called(path) & {"eval", "exec"} | imported & {"pickle", "marshal", "shelve", "dill", "cloudpickle"}


def too_long(path: Path) -> bool:
    return len(path.read_text().splitlines()) > 400


# One test a rule and not one a module: they would be a sixth of all tests
@pytest.mark.parametrize(
    "broken_by",
    [wrong_imports, far_from_home, heavy_at_top, prints_or_exits, unpickles_or_evaluates, too_long],
)
def test_every_module_keeps_the_rule(broken_by: Callable[[Path], object]) -> None:
    found = {named(path): broken_by(path) for path in FILES}
    assert len(found) > 200
    assert not {name: what for name, what in found.items() if what}


@pytest.mark.parametrize(
    ("code", "broken_by"),
    [
        ("def f():\n    from stupidos.cli import main\n", wrong_imports),
        ("def f():\n    import chardet\n", far_from_home),
        ("import scipy\n", heavy_at_top),
        ("def f():\n    sys.exit(1)\n", prints_or_exits),
        ("x = eval('1')\n", unpickles_or_evaluates),
        ("import pickle\n", unpickles_or_evaluates),
        ("\n" * 401, too_long),
    ],
)
def test_a_rule_says_what_breaks_it(
    code: str, broken_by: Callable[[Path], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(globals(), "PACKAGE", tmp_path / "stupidos")
    path = tmp_path / "stupidos" / "render" / "made_up.py"
    path.parent.mkdir(parents=True)
    path.write_text(code)
    assert broken_by(path)

"""How many small errors the quick tests notice: single-token mutants of the package, each tested on a copy.

    python training/mutants.py --seed 1 --report mutants.json
    python training/mutants.py --again mutants.json          # only those that survived

Each group of modules has its own test files and gets the same number of mutants. A mutant is killed if a test
fails or does not end. Survivors are printed with the line they change: some are equivalent (nothing that
can be observed changes), every other one is a test that is missing. Never mutated, since nothing that works
could differ: type annotations, decorators of functions, docstrings, `slots=`, `frozen=`, `strict=` and
`copy=`, and the order of the arguments of `min`, `max` and the like.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import SimpleQueue

CHECKOUT = Path(__file__).resolve().parents[1]
TIMEOUT = 240  # seconds; a mutant that needs longer does not end, on a busy machine too
IGNORED = shutil.ignore_patterns(".git", ".venv*", "build", "*.egg-info", "__pycache__", ".*_cache")
GOLDEN = "tests/golden"
WEB = "scorer features elements neighbourhoods page_kind hashed_ngrams symbols network".split()
# Group -> its modules, and the tests that should notice a mutant (besides the doctests of its module).
# test_growth measures time, which a busy machine distorts.
GROUPS: dict[str, tuple[list[str], list[str]]] = {
    "render": (
        ["render/*.py"],
        ["tests/render", "tests/cli/test_render.py", GOLDEN],
    ),
    "web": (
        [f"web/{name}.py" for name in WEB],
        ["tests/web", "tests/test_quality.py", "tests/test_pipeline.py", GOLDEN],
    ),
    "verdict": (
        ["verdict.py", "confidence.py", "document.py", "pipeline.py"],
        ["tests/test_verdict.py", "tests/test_confidence.py", "tests/test_api.py", "tests/test_document.py",
         "tests/test_pipeline.py", "tests/cli/test_clean.py", GOLDEN],
    ),
    "write": (
        ["write/*.py"],
        ["tests/test_write.py", "tests/write", "tests/structure", "tests/cli/test_output.py",
         "tests/cli/test_clean.py", GOLDEN],
    ),
    "scale": (
        ["scale/*.py", "gzip_members.py", "atomic_file.py"],
        ["tests/scale", "tests/test_gzip_members.py", "tests/test_atomic_file.py", GOLDEN],
    ),
    "decode": (["decode.py", "charsets.py"], ["tests/test_decode.py", "tests/render/test_sniff.py", GOLDEN]),
}  # fmt: skip
# Spark, Parquet and datatrove are tested by what .ci/run installs, not by the quick tests.
NOT_QUICK = ("spark", "spark_accounts", "spark_remote", "parquet", "datatrove")
LEFT_OUT = {f"scale/{name}.py" for name in NOT_QUICK}

# Arguments that only make an error of a misuse, or cost time
EQUIVALENT = frozenset(("slots", "frozen", "strict", "copy"))
COMMUTATIVE = frozenset(("min", "max", "add", "multiply", "minimum", "maximum"))

OPERATORS: dict[type[ast.AST], tuple[str, str]] = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.In: ("in", "not in"), ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"), ast.IsNot: ("is not", "is"), ast.And: ("and", "or"), ast.Or: ("or", "and"),
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """One change of one place in one file."""

    group: str
    path: str  # below stupidos/
    kind: str
    start: int  # offset in the file
    end: int
    new: str
    line: int
    old_line: str
    new_line: str


Change = tuple[str, int, int, str]  # kind, start, end, replacement


class Changes(ast.NodeVisitor):
    """All changes of a file that make a mutant."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.lines = source.splitlines(keepends=True)
        self.found: list[Change] = []
        self.visit(ast.parse(source))

    def at(self, line: int, column: int) -> int:
        """The offset of a position; the parser counts bytes."""
        return self.starts[line - 1] + len(self.lines[line - 1].encode()[:column].decode())

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.at(node.lineno, node.col_offset), self.at(node.end_lineno, node.end_col_offset)

    def text(self, node: ast.expr | ast.stmt) -> str:
        return self.source[slice(*self.span(node))]

    def add(self, kind: str, node: ast.expr | ast.stmt, new: str) -> None:
        self.found.append((kind, *self.span(node), new))

    def between(self, kind: str, left: ast.expr, right: ast.expr, operator: ast.AST) -> None:
        """Replace the operator between two expressions."""
        old, new = OPERATORS[type(operator)]
        start, end = self.span(left)[1], self.span(right)[0]
        at = self.source.find(old, start, end)
        if at >= 0 and "#" not in self.source[start:end]:
            self.found.append((kind, at, at + len(old), new))

    def visit_If(self, node: ast.If) -> None:
        if not (isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"):
            self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for part in (node.args, *node.body):  # without annotations of the result and decorators
            self.visit(part)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_keyword(self, node: ast.keyword) -> None:
        if node.arg not in EQUIVALENT:
            self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> None:
        pass

    def visit_Compare(self, node: ast.Compare) -> None:
        for left, operator, right in zip([node.left, *node.comparators], node.ops, node.comparators):
            self.between("comparison", left, right, operator)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        self.between("and/or", node.values[0], node.values[1], node.op)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self.add("not", node, f"({self.text(node.operand)})")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self.add("True/False", node, str(not node.value))
        elif isinstance(node.value, int | float):
            self.add("constant", node, f"({self.text(node)} + 1)")
            self.add("constant", node, f"({self.text(node)} - 1)")

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        pass  # positions inside f-strings differ between Pythons

    def visit_Slice(self, node: ast.Slice) -> None:
        for bound in (node.lower, node.upper):
            if bound is not None:
                self.add("slice", bound, f"({self.text(bound)}) + 1")
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant):
            return  # a docstring
        if isinstance(node.value, ast.Call):
            self.add("statement", node, "pass")
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        if not isinstance(node.targets[0], ast.Name):  # a name that is not there is noticed by everybody
            self.add("statement", node, "pass")
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.add("statement", node, "pass")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        starred = any(isinstance(one, ast.Starred) for one in node.args[:2])
        if len(node.args) > 1 and not starred and name not in COMMUTATIVE:
            one, other = node.args[:2]
            start, end = self.span(one)[0], self.span(other)[1]
            gap = self.source[self.span(one)[1] : self.span(other)[0]]
            self.found.append(("arguments", start, end, self.text(other) + gap + self.text(one)))
        self.generic_visit(node)


def mutants_of(group: str, path: Path) -> Iterator[Mutant]:
    """Every mutant of a file."""
    source = path.read_text()
    for kind, start, end, new in Changes(source).found:
        changed = source[:start] + new + source[end:]
        try:
            compile(changed, str(path), "exec")
        except SyntaxError:
            continue
        line = source.count("\n", 0, start)
        yield Mutant(
            group, str(path.relative_to(CHECKOUT / "stupidos")), kind, start, end, new, line + 1,
            source.splitlines()[line].strip(), changed.splitlines()[line].strip(),
        )  # fmt: skip


def chosen(group: str, number: int, rng: random.Random) -> list[Mutant]:
    """So many mutants of a group, of every kind alike."""
    package = CHECKOUT / "stupidos"
    paths = sorted(path for pattern in GROUPS[group][0] for path in package.glob(pattern))
    by_kind: dict[str, list[Mutant]] = {}
    for path in paths:
        if str(path.relative_to(package)) not in LEFT_OUT:
            for mutant in mutants_of(group, path):
                by_kind.setdefault(mutant.kind, []).append(mutant)
    found: list[Mutant] = []
    while len(found) < number:
        mutant = rng.choice(by_kind[rng.choice(sorted(by_kind))])
        if mutant not in found:
            found.append(mutant)
    return found


def killer(mutant: Mutant, tree: Path, without: list[str]) -> str:
    """The test that noticed the mutant in a copy of the tree; empty if none did."""
    path = tree / "stupidos" / mutant.path
    source = path.read_text()
    path.write_text(source[: mutant.start] + mutant.new + source[mutant.end :])
    tests = [name for name in GROUPS[mutant.group][1] if (tree / name).exists() and name not in without]
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=no", "-p", "no:cacheprovider",
               "--ignore=tests/render/test_growth.py", f"stupidos/{mutant.path}", *tests]  # fmt: skip
    environment = os.environ | {
        "PYTHONPATH": str(tree),
        "OMP_NUM_THREADS": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    try:
        done = subprocess.run(
            command, cwd=tree, env=environment, capture_output=True, text=True, timeout=TIMEOUT
        )
    except subprocess.TimeoutExpired:
        return f"no end after {TIMEOUT} s"
    finally:
        path.write_text(source)
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    if done.returncode == 0:
        return ""
    return failed[0][:160] if failed else f"exit code {done.returncode}"


def tested(mutants: list[Mutant], jobs: int, without: list[str]) -> list[str]:
    """What killed each of the mutants, with a line for each as soon as it is known."""
    with tempfile.TemporaryDirectory() as folder:
        trees: SimpleQueue[Path] = SimpleQueue()
        for number in range(jobs):
            trees.put(Path(shutil.copytree(CHECKOUT, Path(folder) / f"tree{number}", ignore=IGNORED)))

        def test(mutant: Mutant) -> str:
            tree = trees.get()
            try:
                by = killer(mutant, tree, without)
            finally:
                trees.put(tree)
            fate = "killed  " if by else "SURVIVED"
            print(f"{fate} {mutant.group:8} {mutant.path}:{mutant.line} {mutant.kind}")
            print(f"    - {mutant.old_line}\n    + {mutant.new_line}\n    {by}", flush=True)
            return by

        with ThreadPoolExecutor(jobs) as pool:
            return list(pool.map(test, mutants))


def check_unchanged(mutant: Mutant) -> None:
    """Refuse a mutant whose offsets no longer mean the same place."""
    source = (CHECKOUT / "stupidos" / mutant.path).read_text()
    line = source.count("\n", 0, mutant.start)
    if line + 1 != mutant.line or source.splitlines()[line].strip() != mutant.old_line:
        raise SystemExit(f"stupidos/{mutant.path} has changed since the report: its survivors need a new one")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--number", type=int, default=10, help="mutants of each group")
    parser.add_argument("--groups", default=",".join(GROUPS))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--without", action="append", default=[], help="a test file or folder to leave out")
    parser.add_argument("--again", type=Path, help="test the survivors of this report, and update it")
    parser.add_argument("--report", type=Path, help="write all mutants and what killed them as JSON")
    arguments = parser.parse_args()
    if arguments.again:
        report = json.loads(arguments.again.read_text())
        before = [(Mutant(**one["mutant"]), one["killer"]) for one in report]
        for mutant in (mutant for mutant, by in before if not by):
            check_unchanged(mutant)
    else:
        rngs = {name: random.Random(f"{arguments.seed} {name}") for name in arguments.groups.split(",")}
        before = [
            (mutant, "") for name, rng in rngs.items() for mutant in chosen(name, arguments.number, rng)
        ]
    left = [mutant for mutant, by in before if not by]
    killers = dict(zip(left, tested(left, arguments.jobs, arguments.without)))
    after = [(mutant, by or killers[mutant]) for mutant, by in before]
    for group in GROUPS:
        some = [bool(by) for mutant, by in after if mutant.group == group]
        if some:
            print(f"{group:8} {sum(some)} of {len(some)} killed")
    print(f"all      {sum(bool(by) for _, by in after)} of {len(after)} killed")
    if path := arguments.again or arguments.report:
        report = [{"mutant": asdict(mutant), "killer": by} for mutant, by in after]
        path.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""What an installation carries: all packages, the models, one command, and no more than it needs."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from fnmatch import fnmatch
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest

CHECKOUT = Path(__file__).resolve().parents[1]


def module(path: Path) -> ModuleType:
    """A program without suffix as a module."""
    loader = SourceFileLoader(path.name, str(path))
    found = module_from_spec(spec_from_loader(path.name, loader))
    loader.exec_module(found)
    return found


oldest = module(CHECKOUT / ".ci" / "oldest")


@pytest.fixture(scope="module")
def setup() -> configparser.ConfigParser:
    parser = configparser.ConfigParser()
    parser.read(CHECKOUT / "setup.cfg")
    return parser


def test_every_package_on_disk_is_listed(setup: configparser.ConfigParser) -> None:
    listed = setup["options"]["packages"].split()
    found = [
        ".".join(path.parent.relative_to(CHECKOUT).parts)
        for path in (CHECKOUT / "stupidos").rglob("__init__.py")
    ]
    assert sorted(listed) == sorted([*found, "stupidos.models"])


def test_four_packages_are_needed_at_run_time(setup: configparser.ConfigParser) -> None:
    needed = requirements(setup["options"]["install_requires"])
    assert list(dict.fromkeys(name_of(one) for one in needed)) == ["numpy", "regex", "chardet", "tqdm"]


def requirements(value: str) -> list[str]:
    return [line for line in value.splitlines() if line and not line.startswith("#")]


def name_of(requirement: str) -> str:
    """The package of a requirement, in the spelling of the list.

    >>> name_of("pyspark[sql]>=3.5")
    'pyspark'
    """
    return re.split(r"[^\w.-]", requirement, maxsplit=1)[0]


SETUP = configparser.ConfigParser()
SETUP.read(CHECKOUT / "setup.cfg")
ALL_LISTS = [SETUP["options"]["install_requires"], *SETUP["options.extras_require"].values()]


@pytest.mark.parametrize("requirement", [one for some in ALL_LISTS for one in requirements(some)])
def test_every_package_has_a_floor(requirement: str) -> None:
    assert re.match(r"[\w.-]+(\[\w+\])?>=\d", requirement)


@pytest.mark.parametrize(
    ("python", "pins"),
    [
        ((3, 11), ["numpy==1.26", "chardet==7.4"]),
        ((3, 13), ["numpy==2.1", "chardet==7.4"]),
    ],
)
def test_floors_become_pins_of_the_running_python(python: tuple[int, int], pins: list[str]) -> None:
    lines = ['numpy>=1.26; python_version < "3.13"', 'numpy>=2.1; python_version >= "3.13"']
    lines.append("chardet>=7.4,<8")
    assert oldest.pins(lines, python) == pins


def test_of_two_floors_of_a_package_the_higher_one_is_pinned() -> None:
    assert oldest.pins(["numpy>=1.26", "tqdm>=4.65", "numpy>=1.9"], (3, 11)) == ["numpy==1.26", "tqdm==4.65"]


def test_the_oldest_versions_are_those_of_the_floors() -> None:
    done = subprocess.run(
        [sys.executable, CHECKOUT / ".ci" / "oldest", CHECKOUT / "setup.cfg", "test"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    names = ["numpy", "regex", "chardet", "tqdm", "pytest", "pytest-xdist", "markdown-it-py"]
    names += ["mdit-py-plugins", "lxml", "warcio", "ruff", "mypy"]
    assert [line.split("==")[0] for line in done.stdout.splitlines()] == names


def test_pins_can_be_constraints_of_pip() -> None:
    done = subprocess.run(
        [sys.executable, CHECKOUT / ".ci" / "oldest", CHECKOUT / "setup.cfg", "spark"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "pyspark==3.5" in done.stdout.splitlines()  # no [sql], which pip refuses


def test_a_marker_nobody_knows_is_refused() -> None:
    with pytest.raises(SystemExit, match="sys_platform"):
        oldest.pins(['numpy>=1.26; sys_platform == "linux"'], (3, 11))


def test_the_top_level_holds_what_was_agreed() -> None:
    agreed = {
        *("stupidos", "tests", "models", "training", "bin", "setup.cfg", "README.md"),
        *("pyproject.toml", "Makefile", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE"),
        *(".gitattributes", ".gitignore", ".ci", "benchmarks", "SCALING.md", "share"),
    }
    ignored = [".git", *(line.strip("/") for line in (CHECKOUT / ".gitignore").read_text().split())]
    found = {path.name for path in CHECKOUT.iterdir()}
    assert {name for name in found if not any(fnmatch(name, one) for one in ignored)} <= agreed


@pytest.mark.parametrize("path", sorted((CHECKOUT / "bin").iterdir()), ids=lambda path: path.name)
def test_programs_can_be_run(path: Path) -> None:
    assert path.stat().st_mode & 0o111
    assert path.read_bytes().startswith(b"#!")


def test_the_continuous_integration_runs_the_command_of_the_readme() -> None:
    script = (CHECKOUT / ".ci" / "run").read_text()
    assert "README.md" in script
    assert (CHECKOUT / ".ci" / "run").stat().st_mode & 0o111


def test_the_continuous_integration_tests_old_and_new_versions_on_every_python() -> None:
    script = (CHECKOUT / ".ci" / "run").read_text()
    assert "3.11 3.12 3.13" in script
    for which in ("oldest", "newest"):
        assert f'combination "$python" $version {which}' in script


def test_the_continuous_integration_tests_the_floors_of_all_extras() -> None:
    script = (CHECKOUT / ".ci" / "run").read_text()
    assert 'combination "$python" 3.11 extras' in script
    assert 'combination "$python" 3.11 datatrove' in script
    listed = re.search(r'^extras_together="(.*)"$', script, re.MULTILINE)
    assert listed
    assert {"test", "datatrove", "lang", *listed[1].split()} == set(SETUP["options.extras_require"])


def models() -> set[str]:
    return {path.name for path in (CHECKOUT / "models").iterdir() if path.suffix in (".npz", ".md")}


@pytest.mark.slow
def test_a_wheel_carries_the_models_and_works(tmp_path: Path) -> None:
    ignored = shutil.ignore_patterns(".git", ".venv*", "build", "*.egg-info", "__pycache__", ".*_cache")
    copy = shutil.copytree(CHECKOUT, tmp_path / "copy", ignore=ignored)  # setuptools leaves things behind
    pip = [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-deps", "-w", tmp_path, copy], check=True, timeout=600)
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"stupidos/models/{name}" for name in models()} <= names
    assert {"stupidos/py.typed", "stupidos/cli/clean.py"} <= names
    shared = {name for name in names if ".data/data/share/" in name}  # man page and completions
    assert len(shared) == 4
    others = names - shared
    assert not {name for name in others if name.split("/")[0] != "stupidos" and ".dist-info/" not in name}

    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([python, *pip[1:], "install", wheel], check=True, timeout=600)
    page = CHECKOUT / "tests" / "pages" / "lighthouse.html"
    done = subprocess.run(
        [tmp_path / "venv" / "bin" / "stupidos", "clean", page],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "The table was built inside the tower" in done.stdout
    assert "All rights reserved" not in done.stdout

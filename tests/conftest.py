"""What all tests share: the sample pages, a small page's worth of HTML, and `--no-skips`."""

from __future__ import annotations

import gc
import os
import sys
import warnings
from collections.abc import Callable, Generator, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

CHECKOUT = Path(__file__).resolve().parents[1]

collect_ignore_glob = ["*conftest.py"]  # --doctest-modules would import several modules of that name


# The tests start hundreds of programs, and each would compile the package for itself
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


def pytest_collection_finish() -> None:
    gc.freeze()  # thousands of tests are no garbage, and every collection would look at them


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--no-skips", action="store_true", help="a skipped test fails: all that it needs must be here"
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if item.config.getoption("--no-skips") and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if collector.config.getoption("--no-skips") and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"{collector.nodeid} was skipped: {report.longrepr}"
    return report


@pytest.fixture(scope="session")
def checkout() -> Path:
    """The folder of the repository."""
    return CHECKOUT


@pytest.fixture(scope="session")
def lighthouse() -> Path:
    """The sample page of the README: an article with a menu, a sidebar and a footer."""
    return CHECKOUT / "tests" / "pages" / "lighthouse.html"


@pytest.fixture(scope="session", autouse=True)
def no_waiting_for_the_disk() -> Iterator[None]:
    """No power goes off here: what is written need not reach the disk."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.fsync", lambda descriptor: None)
        yield


@pytest.fixture
def forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Worker processes are copies of this one, though threads run in it: new Pythons take a second each.

    tests/scale/test_executor.py and test_disk.py have both kinds.
    """
    monkeypatch.setattr("stupidos.scale.workers._can_fork", lambda: True)
    # pytest ends this filter with the test; the threads are those of pytest-xdist
    warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)


@pytest.fixture(scope="session")
def rewrite_header() -> Callable[[Path, Mapping[str, Any]], None]:
    """Changes entries of a model file's header; the arrays stay as they are."""
    from stupidos.lm import archive

    def rewrite(path: Path, changes: Mapping[str, Any]) -> None:
        with archive._opened(path) as parts:
            header = {**parts.header(), **changes}
            names = [name for name in parts.entries if name.endswith(".npy")]
            arrays = {name.removesuffix(".npy"): parts.array(name, None) for name in names}
        archive.write(path, header, arrays)

    return rewrite

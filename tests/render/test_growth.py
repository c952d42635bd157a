"""Rendering takes time in proportion to the page, whatever is on it.

CPU time is compared at two sizes, a factor of 8 apart. A linear algorithm takes 8 times as long, a
quadratic one 64 times; 8 * 2.3 is allowed. Memory that is new to a process and caches that a page no longer
fits in make a byte of a large page dearer than one of a small page, so less would not be fair. What counts
is the best of two runs of either size, taken in turns, and of up to fifteen on a busy machine.
"""

import gc
import runpy
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from stupidos.render import RenderOptions, render

GROWTH = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks" / "growth.py"))
INPUTS = list(GROWTH["INPUTS"])
FACTOR = 8
MOST = FACTOR * GROWTH["MOST_GROWTH"]
FEWEST_TURNS, MOST_TURNS = 2, 15
EVERYTHING = RenderOptions(br="line", alt=True, hidden=True, controls=True)


@pytest.fixture(autouse=True, scope="module")
def no_garbage_collection() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def spent(html: str, options: RenderOptions) -> float:
    start = time.process_time()
    render(html, options)
    return time.process_time() - start


def least_growth(name: str, size: int, options: RenderOptions = RenderOptions()) -> float:
    """How many times as long a page takes that is FACTOR times as large."""
    small, large = (GROWTH["page"](name, length) for length in (size, FACTOR * size))
    first = second = float("inf")
    for turn in range(1, MOST_TURNS + 1):
        first, second = min(first, spent(small, options)), min(second, spent(large, options))
        if turn >= FEWEST_TURNS and second / first <= MOST:
            break
    return second / first


@pytest.mark.parametrize("name", INPUTS)
def test_a_page_eight_times_as_large_takes_about_eight_times_as_long(name: str) -> None:
    assert least_growth(name, 4_000) <= MOST


@pytest.mark.slow
@pytest.mark.parametrize("name", INPUTS)
def test_a_large_page_eight_times_as_large_takes_about_eight_times_as_long(name: str) -> None:
    assert least_growth(name, 64_000) <= MOST


@pytest.mark.slow
@pytest.mark.parametrize("name", INPUTS)
def test_options_do_not_make_a_page_dearer_than_its_size(name: str) -> None:
    assert least_growth(name, 8_000, EVERYTHING) <= MOST


def test_the_check_tells_quadratic_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GROWTH, "page", lambda name, size: "x" * size)
    monkeypatch.setitem(globals(), "render", lambda html, options: [html for _ in html for _ in html])
    assert least_growth("<", 60) > MOST

"""Nothing changes unintendedly: segments, scores, verdicts and outputs of every model on the golden pages.

`python tests/golden/make.py` writes the expected values again; CONTRIBUTING.md says when that is right.
"""

from __future__ import annotations

import catalogue
import golden
import probe
import pytest
import store

MOST_SHOWN = 12  # differences of one page


@pytest.fixture(scope="module")
def observations(tmp_path_factory: pytest.TempPathFactory) -> golden.Observations:
    return golden.Observations(tmp_path_factory.mktemp("golden"))


@pytest.mark.parametrize("name", catalogue.pages())
def test_a_page_comes_out_as_ever(name: str, observations: golden.Observations) -> None:
    lines = list(golden.differences(store.load(name), observations.page(name), name))
    more = f"\n... and {len(lines) - MOST_SHOWN} more" if len(lines) > MOST_SHOWN else ""
    if lines:
        pytest.fail("\n".join(lines[:MOST_SHOWN]) + more, pytrace=False)


def test_every_golden_file_has_its_page() -> None:
    assert sorted(path.stem for path in store.EXPECTED.iterdir()) == sorted(catalogue.pages())


def test_every_model_is_in_the_golden_files() -> None:
    assert sorted(store.load("comments")["verdicts"]) == sorted(probe.models())


def test_the_golden_files_are_small() -> None:
    assert sum(path.stat().st_size for path in store.EXPECTED.iterdir()) < 3_000_000

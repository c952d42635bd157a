"""Warnings that our own code or tests cause are errors, whichever module shows them."""

from __future__ import annotations

import warnings

import pytest

OURS = ("stupidos", "stupidos.lm.counts", "tests.lm.test_counts", "test_x", "tests.conftest", "crawls")
CATEGORIES = (DeprecationWarning, PendingDeprecationWarning, RuntimeWarning, FutureWarning)


@pytest.mark.parametrize("module", OURS)
@pytest.mark.parametrize("category", CATEGORIES)
def test_a_warning_of_our_own_is_an_error(module: str, category: type[Warning]) -> None:
    with pytest.raises(category):
        warnings.warn_explicit("old", category, "file.py", 1, module=module)


def test_a_warning_of_another_package_is_none() -> None:
    with pytest.warns(DeprecationWarning, match="old"):
        warnings.warn_explicit("old", DeprecationWarning, "file.py", 1, module="elsewhere.stupidos")


def test_a_warning_for_the_caller_is_the_callers() -> None:
    def old() -> None:
        warnings.warn("old", DeprecationWarning, stacklevel=2)

    with pytest.raises(DeprecationWarning):
        old()

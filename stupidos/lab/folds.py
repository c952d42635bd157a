"""Folds for cross-validation: no page is scored by a model that saw it or another page of its site."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

from stupidos.errors import CorpusError

_FOLDS = 10
_SEED = 2007


def folds(
    names: Sequence[str], sites: Mapping[str, str] | None = None, number: int = _FOLDS
) -> list[list[str]]:
    """The names in `number` shuffled folds of nearly the same size, pages of one site in one fold.

    Without `sites` each page is a site of its own. The same names give the same folds.

    >>> folds(["a1", "a2", "b1", "c1"], {"a1": "a", "a2": "a", "b1": "b", "c1": "c"}, number=2)
    [['a1', 'a2'], ['b1', 'c1']]
    """
    by_site: dict[str, list[str]] = {}
    for name in sorted(names):
        by_site.setdefault((sites or {}).get(name, name), []).append(name)
    if len(by_site) < 2:
        raise CorpusError(f"cross-validation needs pages of two sites at least, here are {len(by_site)}")
    shuffled = list(by_site.values())
    Random(_SEED).shuffle(shuffled)
    parts: list[list[str]] = [[] for _ in range(min(number, len(by_site)))]
    for pages in sorted(shuffled, key=len, reverse=True):  # largest first, to balance the folds
        min(parts, key=len).extend(pages)
    return [sorted(part) for part in parts]


def page_table(path: Path) -> dict[str, str]:
    """A JSON file that maps pages to their sites, types or languages."""
    try:
        table = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise CorpusError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise CorpusError(f"{path}: is not JSON: {error}") from error
    if not isinstance(table, dict):
        raise CorpusError(f"{path}: must map pages to names, as {{'page': 'name'}}")
    return {str(page): str(name) for page, name in table.items()}

"""Retraining for cross-validation: one scorer per fold.

The scorer of a fold is trained on the examples of all other folds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial, reduce
from operator import add

from stupidos.errors import ModelError
from stupidos.lab.examples import Example
from stupidos.lab.train import PUBLISHED, SIDES, SIMPLIFIED, STANDARD, Recipe, model_of
from stupidos.lazy import imported
from stupidos.lm import archive
from stupidos.lm.alphabet import alphabet
from stupidos.lm.counts import NgramCounts, count
from stupidos.score import ngram, registry
from stupidos.score.scorer import Scorer

_Folds = Sequence[Sequence[Example]]
Retrainer = Callable[[_Folds], Iterator[Scorer]]

_RECIPES = {
    "standard": STANDARD,
    "stupidos-2007": PUBLISHED,
    "simplified": SIMPLIFIED,
    "vowels": Recipe("vowels", 6, 0.4),
    "unicode": Recipe("unicode", 3, 0.5),
    "aligned": Recipe(dirty="aligned"),
}

# Models that are not plain n-gram models: `module:retrainer` each, imported when needed.
_OTHER_RETRAINERS = {
    "web": "stupidos.web.train:retrained",
    "text": "stupidos.lab.text:retrained",
}


def retrainer(name: str) -> Retrainer:
    """How to retrain a model: by its name, or with the settings in its file.

    Scorers without training, such as `keep-all`, are returned as they are.
    """
    if name in _RECIPES:
        return partial(ngrams_retrained, _RECIPES[name], name)
    if name in _OTHER_RETRAINERS:
        return _loaded(_OTHER_RETRAINERS[name], name)
    if name in registry.BUILT_IN:
        return lambda folds: iter([registry.scorer(name)] * len(folds))
    path = registry.model_file(name)
    header = archive.header(path)
    if header["format"] != "ngram":
        raise ModelError(f"{path}: a {header['format']!r} model cannot be retrained from its file")
    recipe = Recipe(header["alphabet"], header["n"], header["q"], header.get("dirty", "differential"))
    return partial(ngrams_retrained, recipe, path.stem)


def only_cross_validated(name: str) -> bool:
    """Whether a model can be trained for folds but does not exist by itself.

    >>> only_cross_validated("vowels"), only_cross_validated("standard")
    (True, False)
    """
    return name in _RECIPES and name not in registry.names()


def ngrams_retrained(recipe: Recipe, name: str, folds: _Folds) -> Iterator[Scorer]:
    """N-gram models; each fold is counted once and subtracted from the total."""
    letters, sides = alphabet(recipe.alphabet), SIDES[recipe.dirty]
    parts: list[tuple[NgramCounts, NgramCounts]] = []
    for fold in folds:
        pairs = [sides(example) for example in fold]
        clean, other = (
            count((text for pair in pairs for text in pair[side]), letters, recipe.n) for side in (0, 1)
        )
        parts.append((clean, other))
    all_clean, all_other = (reduce(add, (part[side] for part in parts)) for side in (0, 1))
    for clean, other in parts:
        other_clean, other_rest = all_clean - clean, all_other - other
        yield ngram.of(model_of(other_clean, other_rest, recipe), name)


def _loaded(entry: str, name: str) -> Retrainer:
    try:
        retrain: Retrainer = imported(entry)
    except (ImportError, AttributeError) as error:
        raise ModelError(f"model {name} cannot be cross-validated: there is no {entry}") from error
    return retrain

"""Models trained anew for cross-validation: from folds of examples to one scorer a fold.

The scorer of a fold has seen every example but those of the fold itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial, reduce
from importlib import import_module
from operator import add

from stupidos.errors import ModelError
from stupidos.lab.examples import Example
from stupidos.lab.train import SIDES, SIMPLIFIED, STANDARD, Recipe, model_of
from stupidos.lm import archive
from stupidos.lm.alphabet import alphabet
from stupidos.lm.counts import Counts, count
from stupidos.score import ngram, registry
from stupidos.score.scorer import Scorer

_Folds = Sequence[Sequence[Example]]
Retrainer = Callable[[_Folds], Iterator[Scorer]]

RECIPES = {
    "standard": STANDARD,
    "simplified": SIMPLIFIED,
    "vowels": Recipe("vowels", 6, 0.4),
    "unicode": Recipe("unicode", 3, 0.5),
    "aligned": Recipe(dirty="aligned"),
}

# Kinds of models that are no plain n-grams: `module:retrainer` each, loaded when wanted.
_OTHER_RETRAINERS = {
    "web": "stupidos.web.train:retrained",
    "text": "stupidos.lab.text:retrained",
}


def retrainer(name: str) -> Retrainer:
    """How a model is trained anew: by its name, or as its file says it was trained.

    What needs no training, such as `keep-all`, stays as it is.
    """
    if name in RECIPES:
        return partial(ngrams_retrained, RECIPES[name], name)
    if name in _OTHER_RETRAINERS:
        return _loaded(_OTHER_RETRAINERS[name], name)
    if name in registry.BUILT_IN:
        return lambda folds: iter([registry.scorer(name)] * len(folds))
    path = registry.model_file(name)
    header = archive.header(path)
    if header["format"] != "ngram":
        raise ModelError(f"{path}: a {header['format']!r} model cannot be trained anew from its file")
    recipe = Recipe(header["alphabet"], header["n"], header["q"], header.get("dirty", "differential"))
    return partial(ngrams_retrained, recipe, path.stem)


def only_cross_validated(name: str) -> bool:
    """Whether a model can be trained for folds but does not exist by itself.

    >>> only_cross_validated("vowels"), only_cross_validated("standard")
    (True, False)
    """
    return name in RECIPES and name not in registry.names()


def ngrams_retrained(recipe: Recipe, name: str, folds: _Folds) -> Iterator[Scorer]:
    """N-gram models; each fold is counted once and taken away from the sum of all."""
    letters, sides = alphabet(recipe.alphabet), SIDES[recipe.dirty]
    parts: list[tuple[Counts, Counts]] = []
    for fold in folds:
        pairs = [sides(example) for example in fold]
        clean, other = (
            count((text for pair in pairs for text in pair[side]), letters, recipe.n) for side in (0, 1)
        )
        parts.append((clean, other))
    all_clean, all_other = (reduce(add, (part[side] for part in parts)) for side in (0, 1))
    for clean, other in parts:
        learnt, rest = all_clean - clean, all_other - other
        yield ngram.of(model_of(learnt, rest, recipe), name)


def _loaded(entry: str, name: str) -> Retrainer:
    module, _, function = entry.partition(":")
    try:
        found: Retrainer = getattr(import_module(module), function)
    except (ImportError, AttributeError) as error:
        raise ModelError(f"model {name} cannot be cross-validated: there is no {entry}") from error
    return found

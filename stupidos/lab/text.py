"""The model for plain-text dumps: trained on aligned segments, decoded with Viterbi.

The two remedies of the paper's outlook that need no HTML. The unicode alphabet lets one model read dumps of
any script. The switch was chosen on half of CLEANEVAL by five-fold cross-validation: bag-of-words F1 of the
plain dump .906, trigrams aligned .919, 5-grams segment by segment .929, with a switch of 8 .934, of 16 .937.
But 16 empties short pages, and 4-grams load in a third of the time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from stupidos.lab.examples import Example, Problem
from stupidos.lab.retrain import ngrams_retrained
from stupidos.lab.train import Recipe, Training, train
from stupidos.score.ngram import Ngram
from stupidos.score.scorer import Scorer

_RECIPE = Recipe("unicode", 4, 0.6, "aligned")
_DECISION: dict[str, Any] = {
    "decision": "viterbi",
    "switch": 8.0,  # log-odds that neighbouring segments have the same label
}


def learn(examples: Iterable[Example | Problem]) -> Training:
    """The n-gram model of all the examples."""
    return train(examples, _RECIPE)


def save(training: Training, path: Path, **more: Any) -> None:
    """Write the model file with the decision in its header."""
    training.save(path, **_DECISION, **more)


def retrained(folds: Sequence[Sequence[Example]]) -> Iterator[Scorer]:
    """A model for each fold, trained on the others."""
    for scorer in ngrams_retrained(_RECIPE, "text", folds):
        assert isinstance(scorer, Ngram)
        signature = f"{scorer.signature}|viterbi:{_DECISION['switch']:g}"
        yield replace(scorer, header=_DECISION, decision="viterbi", signature=signature)

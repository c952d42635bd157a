"""Train the n-gram models of the paper again: `python training/make_models.py DATA models`.

DATA holds cleaneval/gold and cleaneval/raw. The same renderer, Python and numpy give the same model files,
byte for byte; their cards are written beside them.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Any

from stupidos import __version__
from stupidos.confidence import KEY
from stupidos.errors import StupidosError
from stupidos.lab.confidence import fitted
from stupidos.lab.corpus import corpus
from stupidos.lab.examples import Example, Problem, examples
from stupidos.lab.retrain import retrainer
from stupidos.lab.train import PUBLISHED, SIMPLIFIED, STANDARD, Training, train

MODELS = {"standard": STANDARD, "simplified": SIMPLIFIED, "stupidos-2007": PUBLISHED}

ABOUT = {
    "standard": (
        "The model of the paper, improved: character trigrams of English text (Evert 2007, 3.2)",
        "Characters outside ASCII are read as `~`. It learns words of boilerplate such as *copyright* or\n"
        "*click here*, so it is for English; for other languages take `simplified`, for HTML `web`.\n"
        "Where it departs from the paper: differences of counts below zero are dropped before the\n"
        "estimation, and the weight of unseen histories is redistributed. `stupidos-2007` is the published\n"
        "scheme.",
    ),
    "simplified": (
        "The language-independent model of the paper: 6-grams of letters, digits and marks (Evert 2007, 3.4)",
        "Every letter is read as `a` and every digit as `0`, in whatever script: what is left of a text\n"
        "is its punctuation and the length of its words. It was trained on English alone.\n"
        "Differences of counts and unseen histories are treated as in `standard`.",
    ),
    "stupidos-2007": (
        "The model of the paper as published: character trigrams of English text (Evert 2007, 3.2)",
        "Differences of counts stay as they are, also below zero; the probabilities estimated from them are\n"
        "clamped to [0, 1]. An unseen history has probability 0 and keeps its weight, as in the formula. A\n"
        "text to which the dirty model gives the probability 0 is clean. `standard` is the improved scheme.",
    ),
}

# By `stupidos evaluate gold raw --cross-validate --model keep-all,standard,simplified` on the same corpus.
SCORES = {
    "standard": ("92.4", "88.6", "89.3", "95.1", "91.2", "+1.8", "+10.4", "model:standard|n:3|q:0.5"),
    "simplified": (
        "91.6", "89.6", "89.3", "94.5", "91.5", "+1.9", "+9.6",
        "model:simplified|n:6|q:0.4|alphabet:simplified",
    ),
    "stupidos-2007": (
        "92.3", "88.2", "88.9", "95.0", "91.1", "+1.5", "+10.4",
        "model:stupidos-2007|n:3|q:0.5|dirty:published",
    ),
}  # fmt: skip
MEASURED = "folds:10|gold:399dd921|pages:675|v:0.1.0"

CARD = """\
# {name}

{first}.

{more}

| | |
|---|---|
| settings | n {n}, q {q:g}, alphabet {alphabet}; dirty text by differential counts (raw less gold){clamped} |
| trained on | {pages} pages of CLEANEVAL 2007 (final set, English), {problems} left out |
| clean text | {clean[characters]:,} characters, {clean[ngrams]:,} different {n}-grams |
| dirty text | {dirty[characters]:,} characters, {dirty[ngrams]:,} different {n}-grams |
| bits a character | clean {bits[clean]:.2f}, dirty {bits[dirty]:.2f}, on every tenth page, held out |
| training list | sha256 {training_sha256} |

Scores, in percent, on pages the model did not see (10-fold cross-validation by page, CLEANEVAL measure):

| words | precision | recall | F |
|---|---|---|---|
| macro | {scores[0]} | {scores[1]} | {scores[2]} |
| micro | {scores[3]} | {scores[4]} | |
| gain over the plain dump (macro) | {scores[6]} | | {scores[5]} |

`{scores[7]}|{measured}`

Licence: the file holds counts of short character strings and no text of the pages, whose rights are with
their authors; the pages and gold texts are those of CLEANEVAL (SIGWAC) and are not part of this package.
The model is under the licence of stupidos. Made by `make models`.
"""


def card(name: str, training: Training) -> str:
    """The text beside a model."""
    header: dict[str, Any] = training.header
    first, more = ABOUT[name]
    return CARD.format(
        name=name,
        first=first,
        more=more,
        n=training.recipe.n,
        q=training.recipe.q,
        alphabet=training.recipe.alphabet,
        clamped=", probabilities clamped" if training.model.fixed_weights else "",
        pages=training.pages,
        problems=len(training.problems),
        bits=header["scores"]["bits_per_character"],
        training_sha256=training.digest,
        scores=SCORES[name],
        measured=MEASURED,
        **header["counts"],
    )


def pages_of(gold: Path, raw: Path) -> list[Example | Problem]:
    """All pages of a corpus."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # pages that lie about their encoding
        return list(examples(corpus(gold, raw).pairs))


def main() -> int:
    if len(sys.argv) != 3:
        sys.stderr.write("usage: python training/make_models.py DATA models\n")
        return 2
    data, models = map(Path, sys.argv[1:])
    try:
        pages = pages_of(data / "cleaneval" / "gold", data / "cleaneval" / "raw")
    except StupidosError as error:
        sys.stderr.write(f"make_models: {error}\n")
        return 1
    good = [page for page in pages if isinstance(page, Example)]
    for name, recipe in MODELS.items():
        training = train(pages, recipe)
        training.save(models / f"{name}.npz", **{KEY: fitted(good, retrainer(name))})
        (models / f"{name}.md").write_text(card(name, training), "utf-8")
        sys.stderr.write(
            f"{name}: {training.pages} pages, {len(training.problems)} left out, v{__version__}\n"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())

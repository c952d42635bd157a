"""Learning from a few labelled pages: a small model of them, added to the model that suggests.

A handful of pages is little to learn a language from, but both models give log-odds, so that
their evidence adds up. How much the new one counts is tried out on pages it did not see.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from stupidos.annotate.agreement import Opinion, agreement, word_count
from stupidos.annotate.judging import judge_of
from stupidos.annotate.labels import LabelledPage
from stupidos.annotate.retrain import Train, Trained
from stupidos.annotate.suggestions import Read
from stupidos.errors import StupidosError
from stupidos.lm.alphabet import ALPHABETS
from stupidos.lm.counts import count
from stupidos.lm.model import Model
from stupidos.page import Page
from stupidos.pipeline import Cleaner
from stupidos.score import ngram
from stupidos.score.ngram import Ngram
from stupidos.score.scorer import Decision, Scorer, Scores

ORDER, Q = 3, 0.5  # the paper's; on 3 to 20 pages better than any larger n
MOSTLY = 0.5  # share of ASCII characters from which letters are told apart one by one
FOLDS = 4

# What the new model's log-odds may weigh against the old one's 1. One that sees markup learns the sites
# of the labelled pages by heart, and the folds share those: more than a half was worse on other sites.
WEIGHTS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0)
MOST_OF_MARKUP = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Taught:
    """A scorer with a second opinion, learnt from the annotator."""

    base: Scorer
    own: Scorer
    weight: float

    @property
    def name(self) -> str:
        return self.base.name

    @property
    def signature(self) -> str:
        return f"{self.base.signature}|taught:{self.weight:g}"

    @property
    def decision(self) -> Decision:
        return self.base.decision

    @property
    def rules(self) -> bool:
        return self.base.rules

    @property
    def markup(self) -> bool:
        return self.base.markup

    @property
    def hidden(self) -> bool:
        return self.base.hidden

    @property
    def pieces(self) -> bool:
        return self.base.pieces

    @property
    def header(self) -> Mapping[str, Any]:
        return self.base.header

    def score(self, page: Page) -> Scores:
        return self.base.score(page) + self.weight * self.own.score(page)


class Lesson(NamedTuple):
    """A labelled page, as a learner needs it."""

    page: Page
    labels: Sequence[bool]  # whether each segment is kept

    def texts(self, kept: bool) -> list[str]:
        """Texts of the segments that were kept, or of those that were not."""
        pairs = zip(self.page.segments, self.labels, strict=True)
        return [segment.text for segment, keep in pairs if keep is kept]


Own = Callable[[Sequence[Lesson]], Scorer]  # trains a model on a few pages


def learner(cleaner: Cleaner, documents: Mapping[str, Read], own: Own | None = None) -> Train:
    """What trains during a session, on top of the model that it began with; n-grams by default."""
    train_own = own or own_ngram

    def train(pages: Sequence[LabelledPage]) -> Trained:
        lessons = [lesson_of(cleaner.page(documents[labelled.name]()), labelled) for labelled in pages]
        before, weight, now = best_weight(cleaner, lessons, train_own)
        better = taught(cleaner, train_own(lessons), weight) if weight else cleaner
        message = (
            f"Words labelled as you did, on pages not learnt from: {before:.1%} before, {now:.1%} now."
            if weight
            else f"No better than before on pages not learnt from ({before:.1%} of the words as you did)."
        )
        return Trained(judge_of(better, f"{cleaner.scorer.name} + {len(pages)} of your pages"), message)

    return train


def lesson_of(page: Page, labelled: LabelledPage) -> Lesson:
    """A page with its labels, which are of no use to a page that has changed since."""
    if [segment.text for segment in page.segments] != [segment.text for segment in labelled.segments]:
        raise StupidosError(f"{labelled.name}: the raw page has changed meanwhile; look at it again")
    return Lesson(page, [label.keep for label in labelled.labels])


def own_ngram(lessons: Sequence[Lesson]) -> Ngram:
    """The n-gram model of what an annotator kept and dropped.

    ASCII letters are told apart in languages that mostly use them; in all others, classes of letters.
    """
    sides = [[text for each in lessons for text in each.texts(kept)] for kept in (True, False)]
    texts = "".join(text for side in sides for text in side)
    plain = len(texts.encode("ascii", "ignore")) >= MOSTLY * len(texts)
    letters = ALPHABETS["ascii" if plain else "unicode"]
    clean, dirty = (count(side, letters, ORDER) for side in sides)
    return ngram.of(Model(clean, dirty, Q), "own")


def taught(cleaner: Cleaner, own: Scorer, weight: float) -> Cleaner:
    """The cleaner with a second opinion at its side; one that needs markup has none of dumps."""
    dumps = cleaner.dumps if own.markup else Taught(cleaner.dump_scorer, own, weight)
    return replace(cleaner, scorer=Taught(cleaner.scorer, own, weight), dumps=dumps)


def best_weight(cleaner: Cleaner, lessons: Sequence[Lesson], own: Own) -> tuple[float, float, float]:
    """Agreement with the annotator before, the best weight, and the agreement with it.

    Every page is judged by a model of the other folds. Differences that are not above their standard
    error may be luck, or the folds' common sites: among weights that are as good as the best one the
    smallest is taken, and no weight at all where the old model is as good.
    """
    folds = min(FOLDS, len(lessons))
    models = [own([each for i, each in enumerate(lessons) if i % folds != fold]) for fold in range(folds)]

    def agreed(weight: float) -> Scores:
        students = [taught(cleaner, model, weight) for model in models]
        return np.array([agreement_on(students[i % folds], each) for i, each in enumerate(lessons)])

    before = np.array([agreement_on(cleaner, each) for each in lessons])
    most = MOST_OF_MARKUP if models[0].markup else max(WEIGHTS)
    found = {0.0: before, **{weight: agreed(weight) for weight in WEIGHTS if weight <= most}}
    best = max(found.values(), key=lambda now: float(now.mean()))
    weight = next(weight for weight, now in found.items() if not clear(best - now))
    return float(before.mean()), weight, float(found[weight].mean())


def clear(gains: Scores) -> bool:
    """Whether a mean gain over pages is above its standard error.

    >>> clear(np.array([0.1, 0.1, 0.0])), clear(np.array([0.3, -0.2, 0.0]))
    (True, False)
    """
    return bool(gains.mean() > gains.std(ddof=1) / len(gains) ** 0.5)


def agreement_on(cleaner: Cleaner, each: Lesson) -> float:
    """Share of a page's words that a cleaner labels as the annotator did."""
    verdicts = cleaner.document(each.page).verdicts
    return agreement(
        Opinion(word_count(verdict.segment.text), bool(verdict.keep), keep)
        for verdict, keep in zip(verdicts, each.labels, strict=True)
    ).observed

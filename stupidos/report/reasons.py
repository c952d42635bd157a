"""Why a score is what it is: parts that add up to it, and the three things that moved it most, in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from re import finditer
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stupidos.report.facts import PageFacts
from stupidos.report.topics import PARTS, WORDING, Topic, quoted, topic_of
from stupidos.score.scorer import Scores
from stupidos.web.contributions import AVERAGE

_REASONS = 3  # shown of each segment
_LEAST = 0.05  # log-odds below which nothing is a reason
_AVERAGE_PART = "an average segment of this page"
_OPTIONS = "options of this run"  # what --comments and --ancestor added

_Sums = npt.NDArray[np.float64]  # (topics, segments)


class Reason(NamedTuple):
    """Something that moved a score."""

    words: str
    log_odds: float


class Explanation(NamedTuple):
    """Parts of every score, which add up to it, and the reasons of each segment."""

    parts: dict[str, Sequence[float]]  # log-odds by the name of a part
    reasons: list[list[Reason]]


def explanation(contributed: Mapping[str, Scores], scores: Scores, facts: PageFacts) -> Explanation:
    """The contributions to the scores of a page, put into words."""
    topics: dict[tuple[str, ...], Topic] = {}
    for name in contributed:
        if name != AVERAGE:
            topic = topic_of(name)
            topics[topic.names] = topic
    present = [
        topic._replace(names=tuple(n for n in topic.names if n in contributed)) for topic in topics.values()
    ]
    sums = np.stack([sum(contributed[name] for name in topic.names) for topic in present])
    return Explanation(
        _parts(contributed, scores, present, sums), _reasons(contributed, facts, present, sums)
    )


def _parts(
    contributed: Mapping[str, Scores], scores: Scores, topics: Sequence[Topic], sums: _Sums
) -> dict[str, Sequence[float]]:
    """The average segment, then the topics by part; what is missing to the score is due to the options."""
    parts = {_AVERAGE_PART: contributed[AVERAGE]} if AVERAGE in contributed else {}
    for name in PARTS:
        rows = [row for topic, row in zip(topics, sums, strict=True) if topic.part == name]
        if rows:
            parts[name] = np.sum(rows, axis=0)
    missing = scores - np.sum(list(parts.values()), axis=0)
    if np.abs(missing).max(initial=0) > _LEAST:
        parts[_OPTIONS] = missing
    return {name: part.tolist() for name, part in parts.items()}


def _reasons(
    contributed: Mapping[str, Scores],
    facts: PageFacts,
    topics: Sequence[Topic],
    sums: _Sums,
) -> list[list[Reason]]:
    """The topics that moved each score most."""
    largest = np.abs(sums).argsort(axis=0)[: -1 - _REASONS : -1].T
    return [
        [
            Reason(_in_words(topics[at], contributed, facts, i), float(sums[at, i]))
            for at in row.tolist()
            if abs(sums[at, i]) >= _LEAST
        ]
        for i, row in enumerate(largest)
    ]


def _in_words(topic: Topic, contributed: Mapping[str, Scores], facts: PageFacts, i: int) -> str:
    return topic.words(facts, i, {name: float(contributed[name][i]) for name in topic.names})


def word_explanation(texts: Iterable[str], characters: Iterable[Scores], scores: Scores) -> Explanation:
    """The words that moved the score of each segment most, for a model that adds up its characters."""
    reasons = [_word_reasons(text, odds) for text, odds in zip(texts, characters, strict=True)]
    return Explanation({WORDING: scores.tolist()}, reasons)


def _word_reasons(text: str, log_odds: Scores) -> list[Reason]:
    """The words with the largest sums.

    >>> _word_reasons("log in", np.array([1.0, 1.0, 1.0, 0.0, -3.0, -3.0]))
    [Reason(words='the word ‘in’', log_odds=-6.0), Reason(words='the word ‘log’', log_odds=3.0)]
    """
    words = [
        Reason(f"the word {quoted(match[0])}", float(log_odds[match.start() : match.end()].sum()))
        for match in finditer(r"\S+", text)
    ]
    moved = [reason for reason in words if abs(reason.log_odds) >= _LEAST]
    return sorted(moved, key=lambda reason: -abs(reason.log_odds))[:_REASONS]


def rounded(parts: Sequence[float], score: float) -> list[float]:
    """Parts with two decimals whose sum is the score with two decimals: the largest takes the difference.

    >>> rounded([1.004, 2.004, -0.504], 2.504)
    [1.0, 2.0, -0.5]
    """
    decimals = [round(part, 2) for part in parts]
    if decimals:
        largest = max(range(len(decimals)), key=lambda at: abs(decimals[at]))
        decimals[largest] = round(decimals[largest] + round(score, 2) - sum(decimals), 2)
    return decimals

"""What a web model learnt, for people: scores of common elements and phrases, its strongest features."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stupidos.web.features import FEATURES, PADDING
from stupidos.web.hashed_ngrams import span_log_odds
from stupidos.web.scorer import WebScorer
from stupidos.web.symbols import code_units

# The model knows none of these: hashed n-grams cannot be listed, so they are probed.
_ELEMENTS = (
    'div class="nav"', 'ul class="menu"', "nav", "footer", 'div id="footer"', 'div class="sidebar"', "aside",
    'div class="breadcrumbs"', 'div class="cookie-banner"', 'div class="related-posts"', 'div class="share"',
    'div class="comments"', "article", "main", 'div class="post-body"', 'div class="entry-content"',
    'div class="article-text"', 'div id="content"', 'div class="description"', 'div itemprop="articleBody"',
)  # fmt: skip
_PHRASES = (
    "Log in", "Read more", "All rights reserved.", "Share this article", "Related articles", "Add to cart",
    "Subscribe to our newsletter", "Privacy policy", "Click here", "Reply", "said that it would",
    "and he was not the only one", "In the second half of the century", "according to the report, the",
)  # fmt: skip
_ALL_TEXT = 1 << 20  # characters; no phrase is long enough to reach the structure language model


class _Probe(NamedTuple):
    """A text and its score by the language models."""

    text: str
    log_odds: float  # natural, clean over dirty


def probes(model: WebScorer) -> tuple[list[_Probe], list[_Probe]]:
    """Common elements and phrases with their scores, from dirty to clean."""

    def scored(texts: tuple[str, ...], separator: str, structure: int) -> list[_Probe]:
        results = []
        for text in texts:
            symbols = model.symbols[code_units(f"{separator}{text}{PADDING}")]
            log_odds = span_log_odds(model.ngrams, symbols, np.zeros(1, np.intp), structure)[0]
            results.append(_Probe(text, float(log_odds)))
        return sorted(results, key=lambda probe: probe.log_odds)

    return scored(_ELEMENTS, "\0", 0), scored(_PHRASES, "\n", _ALL_TEXT)


def strongest_words(model: WebScorer, most: int) -> list[tuple[str, float]]:
    """The words of page heads that move the network most, with the norm of what they add to its units."""
    layers = np.concatenate([model.weights.kind_hidden, model.weights.kind_around])
    norms = np.linalg.norm(layers @ model.weights.words.T, axis=0)
    order = np.argsort(-norms, kind="stable")[:most]
    words = list(model.vocabulary)
    return [(words[index], float(norms[index])) for index in order]


def strongest_features(model: WebScorer, most: int) -> list[tuple[str, float]]:
    """The features that move the hidden units most, with the norm of their weights per standard deviation."""
    norms = np.linalg.norm(model.weights.hidden * model.weights.spread, axis=0)
    order = np.argsort(-norms, kind="stable")[:most]
    return [(FEATURES[index], float(norms[index])) for index in order]

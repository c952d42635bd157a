"""What a web model learnt, in words: the opinion it has of common elements and phrases, and its features."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stupidos.web.features import BEHIND, FEATURES
from stupidos.web.hashed_ngrams import sums
from stupidos.web.scorer import Web
from stupidos.web.symbols import codes_of

# Nothing of this is known to the model; hashed n-grams cannot be listed, only asked.
ELEMENTS = (
    'div class="nav"', 'ul class="menu"', "nav", "footer", 'div id="footer"', 'div class="sidebar"', "aside",
    'div class="breadcrumbs"', 'div class="cookie-banner"', 'div class="related-posts"', 'div class="share"',
    'div class="comments"', "article", "main", 'div class="post-body"', 'div class="entry-content"',
    'div class="article-text"', 'div id="content"', 'div class="description"', 'div itemprop="articleBody"',
)  # fmt: skip
PHRASES = (
    "Log in", "Read more", "All rights reserved.", "Share this article", "Related articles", "Add to cart",
    "Subscribe to our newsletter", "Privacy policy", "Click here", "Reply", "said that it would",
    "and he was not the only one", "In the second half of the century", "according to the report, the",
)  # fmt: skip


FAR = 1 << 20  # characters; no phrase is structure before that


class Opinion(NamedTuple):
    """What the language models say of a text; natural log-odds, clean over dirty."""

    text: str
    odds: float


def opinions(model: Web) -> tuple[list[Opinion], list[Opinion]]:
    """The opinions of elements and of phrases, from dirty to clean."""

    def asked(texts: tuple[str, ...], before: str, structure: int) -> list[Opinion]:
        found = []
        for text in texts:
            symbols = model.symbols[codes_of(f"{before}{text}{BEHIND}")]
            odds = sums(model.ngrams, symbols, np.zeros(1, np.intp), structure)[0]
            found.append(Opinion(text, float(odds)))
        return sorted(found, key=lambda opinion: opinion.odds)

    return asked(ELEMENTS, "\0", 0), asked(PHRASES, "\n", FAR)


def loudest(model: Web, most: int) -> list[tuple[str, float]]:
    """The words of heads that move the network most, with the length of what they add to its units."""
    layers = np.concatenate([model.weights.kind_hidden, model.weights.kind_around])
    length = np.linalg.norm(layers @ model.weights.words.T, axis=0)
    order = np.argsort(-length, kind="stable")[:most]
    words = list(model.vocabulary)
    return [(words[at], float(length[at])) for at in order]


def weightiest(model: Web, most: int) -> list[tuple[str, float]]:
    """The features that move the hidden units most, with the length of their weights for one deviation."""
    length = np.linalg.norm(model.weights.hidden * model.weights.spread, axis=0)
    order = np.argsort(-length, kind="stable")[:most]
    return [(FEATURES[at], float(length[at])) for at in order]

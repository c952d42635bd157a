"""The tables of the literature again: Boilerpipe and the tree filter. LITERATURE.md shows the results.

    python training/literature.py l3s DATA/l3s-gn1                    # Table 2 of the Boilerpipe paper
    python training/literature.py agreement DATA/l3s-gn1 DATA/wcxb    # with boilerpy3 (pip install boilerpy3)
    python training/literature.py ancestors DATA/l3s-gn1 DATA/dragnet # the tree filter paper, with jusText

boilerpy3 and jusText are not among the extras: pip install boilerpy3 jusText lxml_html_clean.

A corpus is a folder with raw/ and gold/, and annotated/ and sites.json for l3s-gn1.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import boilerpipe_features
import boilerpipe_tool
import l3s
from strata import pages as pages_of

from stupidos.decode import decode
from stupidos.lab.corpus import content, corpus
from stupidos.lab.match_counts import bag_counts
from stupidos.lab.measure import MARKER
from stupidos.literature import boilerpipe, boilerpipe_article, tree_filter
from stupidos.literature.tokens import BoolArray, FloatArray
from stupidos.page import Page
from stupidos.render import RenderOptions, read
from stupidos.score.scorer import Scorer

PAGES = 150  # of each corpus, for the agreement


def say(*cells: object) -> None:
    sys.stdout.write("  ".join(str(cell) for cell in cells) + "\n")
    sys.stdout.flush()


def percent(*shares: float) -> str:
    return " ".join(f"{100 * share:6.2f}" for share in shares)


def table_2(arguments: argparse.Namespace) -> None:
    """Word-weighted P, R, F, false positives and area under the ROC curve on annotated blocks; then pages."""
    (folder,) = arguments.corpora
    pages = list(l3s.pages(folder / "annotated"))
    known = json.loads((folder / "sites.json").read_text(encoding="utf-8"))
    sites = [known.get(page.name, page.name) for page in pages]
    words = np.concatenate([page.words for page in pages])
    labels = np.concatenate([page.labels for page in pages])
    say(f"{len(pages)} pages, {len(set(sites))} sites, {len(words)} blocks, {words.sum()} words")
    for label in l3s.Label:
        share = words[labels == label].sum() / words.sum()
        say(f"{label.name.lower():28}", "blocks, words %", percent((labels == label).mean(), share))
    actual = np.array(l3s.TWO_CLASSES)[labels]
    content_only = l3s.weighted(actual, np.ones(len(actual), dtype=np.int64), words)
    say(f"{'predict content':28}", percent(*content_only, content_only.area()))
    trees = {
        **boilerpipe.ONE_FEATURE,
        "word tree": boilerpipe.WORD_TREE,
        "density tree": boilerpipe.DENSITY_TREE,
    }
    for name, one in trees.items():
        judge = boilerpipe.tree_classifier(one)
        said = np.concatenate([judge(page.blocks, "") for page in pages])
        row = l3s.weighted(actual, said, words)
        leaves = np.concatenate([leaf_numbers(one, boilerpipe.FeatureColumns(page.blocks)) for page in pages])
        degrees = f"{leaf_area(leaves, actual, words):.1%} by the shares of its {len(set(leaves))} leaves"
        say(f"{name:28}", percent(*row, row.area()), degrees if "tree" in name else "")
    machines = {"SVM, 64 local features": 64, "SVM, all 67 features": 67, "SVM, and context": 70}
    for name, columns in machines.items():
        for kind, classes in (("2", l3s.TWO_CLASSES), ("4", l3s.FOUR_CLASSES)):
            row = boilerpipe_features.cross_validated(pages, sites, classes, columns)
            say(f"{name}, {kind} classes", percent(*row, row.area()))
    by_page(folder, pages)


def leaf_numbers(tree: Any, columns: Mapping[str, FloatArray], number: int = 1) -> Any:
    """The leaf of a published tree that each block is in, as a number of its own."""
    if isinstance(tree, bool):
        return np.full(len(columns["words"]), number)
    at_most = columns[tree.feature] <= tree.threshold
    below, above = (
        leaf_numbers(one, columns, 2 * number + side) for side, one in enumerate((tree.at_most, tree.above))
    )
    return np.where(at_most, below, above)


def leaf_area(leaves: Any, actual: l3s.Classes, words: FloatArray) -> float:
    """Area under the ROC curve if each leaf has its share of content as a degree.

    >>> round(leaf_area(np.array([1, 1, 2, 2]), np.array([0, 1, 1, 1]), np.ones(4)), 4)
    0.8333
    """
    weights = [np.bincount(leaves, words * (actual == side)) for side in (0, 1)]
    used = weights[0] + weights[1] > 0
    dirty, clean = weights[0][used], weights[1][used]
    order = np.argsort(clean / (clean + dirty))
    dirty, clean = dirty[order] / dirty.sum(), clean[order] / clean.sum()
    return float((clean * (np.cumsum(dirty) - dirty / 2)).sum())


# What counts as content is a choice that the paper leaves open; the first is that of the gold texts.
ARTICLE = (l3s.Label.HEADLINE, l3s.Label.FULL_TEXT, l3s.Label.SUPPLEMENTAL)
CONTENTS: dict[str, tuple[l3s.Label, ...]] = {
    "headline, full text, supplemental": ARTICLE,
    "... and comments": (*ARTICLE, l3s.Label.COMMENTS),
    "... and related content": (*ARTICLE, l3s.Label.COMMENTS, l3s.Label.RELATED),
    "headline, full text": ARTICLE[:2],
    "full text": ARTICLE[1:2],
}


def by_page(folder: Path, pages: Sequence[l3s.Assessed]) -> None:
    """Mean and median token F1 over pages, for each reading of what is content."""
    everything: boilerpipe.BlockClassifier = lambda blocks, title: blocks.tokens >= 0  # noqa: E731
    judges: dict[str, boilerpipe.BlockClassifier] = {
        "keep all": everything,
        "at least 10 words": boilerpipe.tree_classifier(boilerpipe.ONE_FEATURE["at least 10 words"]),
        "word tree": boilerpipe.tree_classifier(boilerpipe.WORD_TREE),
        "density tree": boilerpipe.tree_classifier(boilerpipe.DENSITY_TREE),
        "Largest Content Filter": boilerpipe_article.largest_content,
        "Main Content Filter": boilerpipe_article.main_content,
    }
    titles = [read((folder / "annotated" / f"{page.name}.html").read_bytes(), "html").title for page in pages]
    kept = {
        name: [judge(page.blocks, title) for page, title in zip(pages, titles, strict=True)]
        for name, judge in judges.items()
    }
    for content_is, labels in CONTENTS.items():
        say(f"content: {content_is}")
        for name, pages_kept in kept.items():
            scores = [
                token_f(np.isin(page.labels, labels), said, page.words)
                for page, said in zip(pages, pages_kept, strict=True)
            ]
            shares = percent(float(np.mean(scores)), float(np.median(scores)))
            say(f"token F1, {name:24}", "mean, median", shares)


def token_f(gold: BoolArray, kept: BoolArray, words: FloatArray) -> float:
    """F of the words in the blocks that are kept.

    >>> round(token_f(np.array([True, True]), np.array([True, False]), np.array([6.0, 2.0])), 4)
    0.8571
    """
    return float(2 * words[gold & kept].sum() / max(words[gold].sum() + words[kept].sum(), 1))


def text_of(page: Page, scorer: Scorer) -> str:
    scored = zip(page.segments, scorer.score(page), strict=True)
    return "\n".join(segment.text for segment, score in scored if score > 0)


def agreement(arguments: argparse.Namespace) -> None:
    """Bag-of-words F between our text and that of boilerpy3; two empty texts agree."""
    import logging

    from boilerpy3 import extractors

    logging.disable(logging.CRITICAL)
    theirs = {
        "default": extractors.DefaultExtractor(raise_on_failure=False),
        "article": extractors.ArticleExtractor(raise_on_failure=False),
    }
    ours = {
        "default": (boilerpipe_tool.density(), boilerpipe.density()),
        "article": (boilerpipe_tool.article(), boilerpipe.article()),
    }
    for folder in arguments.corpora:
        paths = random.Random(1).sample(pages_of(folder / "raw"), PAGES)
        rows: dict[str, list[tuple[float, bool]]] = {}
        for path in paths:
            page = read(content(path), "html", RenderOptions(hidden=True, controls=True))
            for kind, extractor in theirs.items():
                text = extractor.get_content(page.source)
                for scorer in ours[kind]:
                    matched, found, wanted = bag_counts(text_of(page, scorer), text)
                    f = 2 * matched / (found + wanted) if found + wanted else 1.0
                    rows.setdefault(f"{scorer.name} / {kind}", []).append((f, bool(wanted)))
        for name, pairs in rows.items():
            answered = [f for f, wanted in pairs if wanted]
            mean = sum(f for f, _ in pairs) / len(pairs)
            say(f"{folder.name:9} {name:34}", f"F {mean:.4f}", f"where it answers {np.mean(answered):.4f}",
                f"({len(answered)} of {len(pairs)} pages)")  # fmt: skip


def ancestors(arguments: argparse.Namespace) -> None:
    """Precision, recall and F of the tree filter for each ancestor, mean over pages, in words and characters.

    The test is the paper's, Mann-Whitney's U on the F of the pages, against no filter. jusText is the program
    that the paper compared with, with its English stop words.
    """
    from scipy.stats import mannwhitneyu

    for folder in arguments.corpora:
        pairs = corpus(folder / "gold", folder / "raw").pairs[:: arguments.every]
        rows: dict[str, list[tuple[float, ...]]] = {}
        for pair in pairs:
            page, gold = read(content(pair.raw), "html"), MARKER.sub("", decode(content(pair.gold))[0])
            texts = {scorer.signature: text_of(page, scorer) for scorer in filters()}
            texts["jusText, the program"] = by_justext(page.source)
            for name, text in texts.items():
                scores = (*shares(*bag_counts(text, gold)), *shares(*character_counts(text, gold)))
                rows.setdefault(name, []).append(scores)
        say(f"{folder.name}, {len(pairs)} pages; P, R, F in words, in characters; p of U on the latter F")
        first = np.array(next(iter(rows.values())))[:, 5]
        for name, page_scores in rows.items():
            table = np.array(page_scores)
            p = mannwhitneyu(table[:, 5], first).pvalue
            say(f"{name:44}", percent(*table.mean(axis=0)), f"{p:.2g}")


def by_justext(source: str) -> str:
    """What jusText keeps of a page; nothing of one that it cannot parse."""
    import justext
    from lxml.etree import LxmlError

    try:
        paragraphs = justext.justext(source.encode(), stop_words(), encoding="utf-8")
    except (LxmlError, ValueError):
        return ""
    return "\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate)


@cache
def stop_words() -> frozenset[str]:
    import justext

    return frozenset(justext.get_stoplist("English"))


def shares(matched: int, found: int, wanted: int) -> tuple[float, float, float]:
    """Precision, recall and F.

    >>> shares(1, 2, 4)
    (0.5, 0.25, 0.3333333333333333)
    """
    return matched / max(found, 1), matched / max(wanted, 1), 2 * matched / max(found + wanted, 1)


def character_counts(text: str, gold: str) -> tuple[int, int, int]:
    """Characters of the words in both texts, of the text and of the gold; the order of words aside.

    >>> character_counts("the rain", "rain, rain")
    (4, 7, 9)
    """
    found, wanted = Counter(text.split()), Counter(gold.split())
    parts = (found & wanted, found, wanted)
    matched, of_text, of_gold = (sum(len(word) * count for word, count in part.items()) for part in parts)
    return matched, of_text, of_gold


def filters() -> Iterator[Scorer]:
    yield boilerpipe.density()
    for ancestor in range(1, 6):
        yield tree_filter.TreeFilter(boilerpipe.density(), ancestor)


TABLES = {"l3s": table_2, "agreement": agreement, "ancestors": ancestors}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("table", choices=TABLES)
    parser.add_argument("corpora", metavar="CORPUS", type=Path, nargs="+", help="folders with raw/ and gold/")
    parser.add_argument("--every", type=int, default=4, help="take every so manieth page for ancestors")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")  # lying encodings
    TABLES[arguments.table](arguments)


if __name__ == "__main__":
    main()

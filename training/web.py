"""Train the web model on all corpora, and evaluate it on pages of unseen sites.

    python training/web.py DATA models                    # models/web.npz, and the table of RESULTS.md
    python training/web.py DATA models --other-folds      # the table with folds that no setting was tuned on
    python training/web.py DATA models --leave-corpus-out dragnet    # trained without, measured on it

DATA holds NAME/raw, NAME/gold and NAME/sites.json of each corpus; `documentation` is made by
documentation_pages.py. --suspect FILE lists golds that are not trained on ({corpus: {page: ...}}). The models
of five folds by site give the scores from which the second look, the network for cuts and the expected
precision and recall are learnt. l3s-gn1 is for research only: it is never trained on.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import warnings
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import md5
from itertools import product
from pathlib import Path
from statistics import mean, median
from typing import Any, NamedTuple

os.environ["OMP_NUM_THREADS"] = "1"  # sums in one order on every machine, for the same file

from stupidos import __version__
from stupidos.confidence import layout_of, signals
from stupidos.lab.align import words as words_of
from stupidos.lab.corpus import Pair, content, corpus, gold_of
from stupidos.lab.examples import Example, Problem
from stupidos.lab.lcs import common_blocks
from stupidos.lab.match_counts import bag_counts
from stupidos.page import Segment, Verdict
from stupidos.pipeline import Cleaner
from stupidos.score.cut import CutNetwork
from stupidos.score.scorer import Scorer
from stupidos.web import train
from stupidos.web.features import feature_rows, whole_page
from stupidos.web.network import Matrix, log_odds
from stupidos.web.page_kind import word_indices
from stupidos.web.second_look import SURE, SecondLook, look_inputs, unsure
from stupidos.web.train_cut import CutSample, cut_sample, train_cut
from stupidos.web.train_data import AlignedPage, fold_counts
from stupidos.web.train_examples import web_examples, web_page
from stupidos.web.train_expectation import ExpectationSample, expectation_header
from stupidos.web.train_network import TrainingOptions
from stupidos.web.train_second_look import LookSample, train_second_look

# The weight of a page of each corpus. wcxb is the only one with pages of all kinds; Polish and Russian pages
# are harder than those in other languages; the generators of documentation are few, and their pages alike.
CORPORA = {
    "wcxb": 2.0,
    "cleaneval": 1.0,
    "dragnet": 1.0,
    "daniel-chinese": 1.0,
    "daniel-english": 1.0,
    "daniel-greek": 1.0,
    "daniel-polish": 1.5,
    "daniel-russian": 1.5,
    "fundus": 1.5,
    "newspaper4k": 1.5,
    "chinese-web": 1.0,
    "documentation": 0.5,
}
RESEARCH_ONLY = "l3s-gn1"
SALT, SEED = "other folds ", 2026  # of the folds that no setting was tuned on
COLUMNS = ("bag F1", "word F", "P", "R", "median F", "F > .9")
MOST_OF_A_SITE = {"documentation": 4}  # pages; more of one manual teach nothing

# What golds count as text: the words of a corpus, and those that a user's --convention stands for. Golds of
# the family "news" hold the body of an article only, without its title.
FAMILIES = {"fundus": "news", "newspaper4k": "news"}
PAGE_CORPORA = ("cleaneval", "documentation")
CONVENTIONS = {
    "auto": ["convention:article"],  # most pages are; the network still sees what kind of page it is
    "article": ["convention:article", "family:news"],
    "page": ["convention:page"],
    "discussion": ["convention:discussion"],
}

NEARLY_SURE = 0.955  # expected precision up to which pages train the second look; it is asked below SURE
UNCORRECTED = 0.2  # weight of a page's scores without the second look, where the cut learns from both

SHELL_SIZES = (1500, 2000, 3000, 6000, 12_000, 30_000, 100_000, 400_000)  # characters of scripts
SHELL_WEIGHT = 3.0  # of such a page, against 1 of a page of a corpus of TYPICAL_PAGES
TYPICAL_PAGES = 400
SHELL_MESSAGES = (
    "<noscript>You need to enable JavaScript to run this app.</noscript>",
    "<noscript><p>Please enable JavaScript to continue using this application.</p></noscript>",
    "<noscript><h1>JavaScript is disabled</h1><p>This page does not work properly without it. Please turn it"
    " on in the settings of your browser and load the page again.</p></noscript>",
    "<p>Loading ...</p>",
    "<div class=loader>Please wait while the page is loading</div>",
    "<h1>Just a moment</h1><p>We are checking your browser before you can enter this site. This takes a few"
    " seconds.</p>",
    "<noscript>Diese Seite benötigt JavaScript. Bitte aktivieren Sie es in Ihrem Browser.</noscript>",
    "<noscript>Veuillez activer JavaScript pour consulter ce site.</noscript>",
    "<h1>Welcome</h1><footer>All rights reserved</footer>",
    "<p>This site uses cookies to give you the best experience. By using it you agree to our policy.</p>"
    "<button>Accept</button>",
    "<h1>Tea House</h1><p>Your browser is not supported. Please install a newer one to see our shop.</p>",
    "<nav><a href=/>Home</a> <a href=/shop>Shop</a> <a href=/about>About</a></nav><p>0 items</p>",
)


def convention_of(name: str, kind: str) -> tuple[str, ...]:
    """The words that name the convention of a page, by its corpus and type."""
    convention = {"": "article", "article": "article", "forum": "discussion"}.get(kind, "page")
    if name in PAGE_CORPORA:
        convention = "page"
    return f"convention:{convention}", f"family:{FAMILIES.get(name, name.partition('-')[0])}"


def table_of(path: Path) -> dict[str, str]:
    """A JSON file that maps pages to sites or types; empty where there is none."""
    return dict(json.loads(path.read_text("utf-8"))) if path.exists() else {}


class Data(NamedTuple):
    """The folder of the corpora, and the golds that are not trained on."""

    folder: Path
    suspect: Mapping[str, Collection[str]] = {}  # pages by corpus

    def pairs(self, name: str) -> list[Pair]:
        """The pages of a corpus; of a site no more than MOST_OF_A_SITE."""
        pairs = corpus(self.folder / name / "gold", self.folder / name / "raw").pairs
        most = MOST_OF_A_SITE.get(name)
        if most is None:
            return pairs
        sites, taken = table_of(self.folder / name / "sites.json"), Counter[str]()
        chosen = []
        for pair in sorted(pairs, key=lambda pair: md5(f"{name}/{pair.name}".encode()).hexdigest()):
            site = sites.get(pair.name, pair.name)
            taken[site] += 1
            if taken[site] <= most:
                chosen.append(pair)
        return chosen

    def examples(self, name: str) -> Iterator[Example | Problem]:
        """The pages of a corpus as training examples, named NAME/PAGE."""
        trusted = [pair for pair in self.pairs(name) if pair.name not in self.suspect.get(name, ())]
        for example in web_examples(trusted):
            yield example._replace(name=f"{name}/{example.name}")

    def source(self, name: str) -> train.Source:
        """A corpus to train on."""
        sites = {f"{name}/{page}": site for page, site in table_of(self.folder / name / "sites.json").items()}
        types = table_of(self.folder / name / "types.json") if name == "wcxb" else {}
        conventions = {
            f"{name}/{pair.name}": convention_of(name, types.get(pair.name, "")) for pair in self.pairs(name)
        }
        return train.Source(self.examples(name), CORPORA.get(name, 1.0), sites, conventions)

    def every_page(self, name: str) -> Iterator[Example]:
        """All pages of a corpus whose gold is not empty, also those that are not trained on."""
        for pair in self.pairs(name):
            gold = gold_of(pair.gold)
            if gold:
                yield Example(f"{name}/{pair.name}", web_page(content(pair.raw)), gold)

    def suspects(self, page: str) -> bool:
        """Whether the gold of NAME/PAGE is not to be trusted."""
        name, _, stem = page.partition("/")
        return stem in self.suspect.get(name, ())


def figures(verdicts: Sequence[Verdict], gold: Sequence[Segment]) -> tuple[float, float, float, float]:
    """Bag-of-words F1, and F, precision and recall of the longest common subsequence of words."""
    cleaned = "\n".join(verdict.segment.text for verdict in verdicts if verdict.keep)
    wanted = "\n".join(segment.text for segment in gold)
    found, expected = words_of(cleaned), words_of(wanted)
    common = sum(block.size for block in common_blocks(found, expected))
    precision, recall = common / max(len(found), 1), common / max(len(expected), 1)
    f = 2 * common / max(len(found) + len(expected), 1)
    return bag_counts(cleaned, wanted).f, f, precision, recall


def print_means(rows: Mapping[str, Sequence[tuple[float, float, float, float]]], signature: str) -> None:
    """Print a table of means, with median and share above .9 of the word F, by corpus or page type."""
    print(f"{'':24}{'pages':>7}" + "".join(f"{name:>9}" for name in COLUMNS) + f"   {signature}")
    for name, values in rows.items():
        figures = [mean(column) for column in zip(*values, strict=True)]
        word_f = [value[1] for value in values]
        figures += [median(word_f), mean(f > 0.9 for f in word_f)]
        print(f"{name:24}{len(values):7}" + "".join(f"{figure:9.4f}" for figure in figures), flush=True)


class Folds(NamedTuple):
    """A model for each fold of sites, trained on the others, with its second look and network for cuts."""

    scorers: list[Scorer]
    second_look: SecondLook | None  # of all pages; those of the scorers have not seen their fold
    cut_network: CutNetwork  # the same


class HeldOutPage(NamedTuple):
    """What a model that has not seen a page makes of it."""

    page: AlignedPage
    scores: Matrix
    inputs: Matrix | None  # of a second look; None if the scores are sure
    sample: LookSample | None  # to learn a second look from, with the scores for the page's own convention


def fold_models(sources: Iterable[train.Source], options: TrainingOptions, salt: str) -> Folds:
    """Models of five folds; second looks and networks for cuts learn from their scores of held-out pages."""
    pages = train.training_set(sources, salt).pages
    counts = fold_counts(pages, train.FOLDS)
    models: list[train.TrainedModel] = []
    held_out: list[list[HeldOutPage]] = []
    for fold in range(train.FOLDS):
        start = time.process_time()
        models.append(train.held_out_model(pages, counts, fold, options))
        held_out.append([held_out_page(page, models[-1]) for page in pages if page.fold == fold])
        print(f"fold {fold}: {time.process_time() - start:.0f} s", file=sys.stderr, flush=True)
    looks = [train_second_look(look_samples(_others(held_out, fold))) for fold in range(train.FOLDS)]
    cuts = [
        [sample for one in part for sample in cut_samples_of(one, look)]
        for part, look in zip(held_out, looks, strict=True)
    ]
    scorers = []
    for fold, (model, look) in enumerate(zip(models, looks, strict=True)):
        network = train_cut(_others(cuts, fold))
        model = replace(model, cut_network=network, second_look=look, conventions=CONVENTIONS)
        scorers.append(model.scorer("web"))
    return Folds(scorers, train_second_look(look_samples(_others(held_out))), train_cut(_others(cuts)))


def _others(parts: Sequence[Sequence[Any]], fold: int = -1) -> list[Any]:
    """What the other folds hold."""
    return [one for other, part in enumerate(parts) if other != fold for one in part]


def held_out_page(page: AlignedPage, model: train.TrainedModel) -> HeldOutPage:
    """A page that the model has not seen, with its scores."""
    arrays = page.arrays
    whole = whole_page(arrays, model.ngrams)
    rows = feature_rows(arrays, whole, 0, len(arrays.sizes))

    def judged(convention: Iterable[str], sure: float = SURE) -> tuple[Matrix, Matrix | None]:
        words = word_indices(arrays.words | {*convention}, model.vocabulary)
        scores = log_odds(rows, arrays.neighbourhoods, model.weights, words)
        if not unsure(scores, arrays.sizes, sure):
            return scores, None
        return scores, look_inputs(arrays, whole.of_element, scores)

    sample = None
    scores, inputs = judged(page.conventions, NEARLY_SURE)
    if inputs is not None:
        sample = LookSample(inputs, scores, page.labels, page.weights)
    return HeldOutPage(page, *judged(CONVENTIONS["auto"]), sample)


def look_samples(pages: Iterable[HeldOutPage]) -> list[LookSample]:
    """What a second look is learnt from."""
    return [page.sample for page in pages if page.sample is not None]


def cut_samples_of(held_out: HeldOutPage, look: SecondLook | None) -> Iterator[CutSample]:
    """The cuts of a page that neither model nor second look have seen, rated by characters.

    Also those of the scores without the second look: from corrected ones alone the cut learns to keep too
    little of pages of a kind that the second look has not seen.
    """
    page, scores, inputs, _ = held_out
    weight = float(page.weights.sum())
    if look is None or inputs is None:
        yield _cut_sample(page, scores, weight)
    else:
        yield _cut_sample(page, scores + look.correction(inputs), weight)
        yield _cut_sample(page, scores, UNCORRECTED * weight)


def _cut_sample(page: AlignedPage, scores: Matrix, weight: float) -> CutSample:
    sizes, labels = page.arrays.sizes.astype(float), page.labels.astype(float)
    return cut_sample(scores.astype(float), sizes, sizes, labels, int(sizes @ labels), weight)


def measure(data: Data, options: TrainingOptions, salt: str = "") -> tuple[Folds, dict[str, Any]]:
    """Print the table of five folds by site; the models, and the header entry of what they are expected."""
    sources = {name: data.source(name) for name in CORPORA}
    folds = fold_models(sources.values(), options, salt)
    types = {f"wcxb/{page}": kind for page, kind in table_of(data.folder / "wcxb" / "types.json").items()}
    rows = defaultdict(list)
    samples: list[ExpectationSample] = []
    for name, source in sources.items():
        found: list[ExpectationSample] = []
        for example in data.every_page(name):
            scorer = folds.scorers[train.fold_of(source.sites.get(example.name, example.name), salt)]
            verdicts = Cleaner(scorer, scorer).document(example.page).verdicts
            scores = figures(verdicts, example.gold)
            rows[name].append(scores)
            if example.name in types:
                rows[f"  wcxb {types[example.name]}"].append(scores)
            values = signals(layout_of(verdicts, len(example.page.source)))
            if values and not data.suspects(example.name):
                found.append(ExpectationSample(values, scores[2], scores[3]))
        samples += balanced(found)
    samples += shell_samples(folds.scorers[0])
    by = f"{train.FOLDS} by site" + (", other" if salt else "")
    print_means(rows, f"model:web|folds:{by}|units:{options.hidden}+{options.units}|v:{__version__}")
    return folds, expectation_header(samples)


def balanced(samples: Sequence[ExpectationSample]) -> list[ExpectationSample]:
    """Samples of a corpus with their weight: a small corpus says more of corpora never seen than its size."""
    weight = (TYPICAL_PAGES / max(len(samples), 1)) ** 0.5
    return [sample._replace(weight=weight) for sample in samples]


def shell_samples(scorer: Scorer) -> list[ExpectationSample]:
    """Pages that only scripts would fill: whatever is kept of them is not their text. Crawls have many."""
    cleaner = Cleaner(scorer, scorer)
    samples = []
    for message, size in product(SHELL_MESSAGES, SHELL_SIZES):
        script = f"<script>{'x' * size}</script>"
        html = f"<title>Shop</title><body><div id=root></div>{message}{script}"
        verdicts = cleaner.document(web_page(html.encode())).verdicts
        values = signals(layout_of(verdicts, len(html)))
        samples += [ExpectationSample(values, 0.0, 0.0, SHELL_WEIGHT)] if values else []
    return samples


def leave_out(data: Data, name: str, options: TrainingOptions) -> None:
    """Train on all corpora but one, and print the figures of that one."""
    others = [other for other in CORPORA if other != name]
    folds = fold_models([data.source(other) for other in others], options, "")
    model = train.train_model([data.source(other) for other in others], options, fit_confidence=False)
    networks = {"cut_network": folds.cut_network, "second_look": folds.second_look}
    scorer = replace(model, **networks, conventions=CONVENTIONS).scorer("web")
    print_means({name: _figures(data, name, scorer)}, f"model:web|without:{name}|v:{__version__}")


def _figures(data: Data, name: str, scorer: Scorer) -> list[tuple[float, float, float, float]]:
    """The figures of every page of a corpus."""
    cleaner = Cleaner(scorer, scorer)
    return [
        figures(cleaner.document(example.page).verdicts, example.gold) for example in data.every_page(name)
    ]


def main() -> None:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("data", type=Path)
    parser.add_argument("models", type=Path)
    parser.add_argument("--suspect", type=Path, metavar="FILE")
    parser.add_argument("--other-folds", action="store_true")
    parser.add_argument("--leave-corpus-out", choices=(*CORPORA, RESEARCH_ONLY))
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    suspect = json.loads(arguments.suspect.read_text("utf-8")) if arguments.suspect else {}
    data, options = Data(arguments.data, suspect), TrainingOptions()
    if arguments.other_folds:
        measure(data, replace(options, seed=SEED), SALT)
        return
    if arguments.leave_corpus_out:
        leave_out(data, arguments.leave_corpus_out, options)
        return
    folds, expectation = measure(data, options)
    model = train.train_model(map(data.source, CORPORA), options, fit_confidence=False)
    networks = {"cut_network": folds.cut_network, "second_look": folds.second_look}
    model = replace(model, **networks, conventions=CONVENTIONS, confidence=expectation)
    model.save(arguments.models / "web.npz", corpora=CORPORA)
    print(f"web: {model.pages} pages, {model.segments} segments, {len(model.problems)} left out")
    if (arguments.data / RESEARCH_ONLY).is_dir():
        rows = _figures(data, RESEARCH_ONLY, model.scorer("web"))
        print_means({RESEARCH_ONLY: rows}, f"model:web|never trained on|v:{__version__}")


if __name__ == "__main__":
    main()

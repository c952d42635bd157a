"""Score cleaned texts or models against a gold standard.

GOLD is a folder of gold texts, TEXTS a folder of the same pages as cleaned by some tool, paired by file name
(the part before the dot). With --model, the second folder holds raw pages or dumps, and each model cleans
them. The measure is that of CLEANEVAL as the author of StupidOS computed it: words and segment breaks are
aligned by Python's difflib and averaged over pages (macro) and over all words (micro); the bag-of-words F1 is
reported too.

examples:
  stupidos evaluate gold/ cleaned/
  stupidos evaluate gold/ cleaned/ other-tool/ --groups types.json
  stupidos evaluate gold/ raw/ --model keep-all,rules,standard --plot figure-3.png
  stupidos evaluate gold/ raw/ --model keep-all,standard --cross-validate --sites sites.json
  stupidos evaluate gold/ cleaned/ --json > scores.json
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stupidos.cli import output
from stupidos.cli.corpora import pairs_of, report_left_out
from stupidos.cli.options import add_decision, add_reading, add_visual, cores, options_of, whole
from stupidos.cli.progress import progress
from stupidos.errors import CorpusError, StupidosError

if TYPE_CHECKING:
    from stupidos.lab.corpus import Pair
    from stupidos.lab.evaluate import Evaluation
    from stupidos.lab.measure import Measure

_KEEP_ALL = "keep-all"
_CROSS_VALIDATED = "standard"  # when no model is named
_MAX_NAMED_PAGES = 8  # in a message
_GROUP_FIGURES = ("f", "precision", "bag_f")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("gold", metavar="GOLD", type=Path, help="folder of gold texts")
    parser.add_argument(
        "texts", metavar="TEXTS", type=Path, nargs="+", help="cleaned texts, or raw pages with --model"
    )
    parser.add_argument(
        "--model", metavar="NAME,NAME", help="clean the pages with these models or .npz files"
    )
    parser.add_argument("--json", action="store_true", help="print all scores as JSON, fractions from 0 to 1")
    parser.add_argument(
        "--plot", metavar="FILE", type=Path, help="plot precision against the baseline, and F by model"
    )
    parser.add_argument(
        "--groups", metavar="FILE", type=Path, help="JSON file that maps pages to groups, for scores by group"
    )
    parser.add_argument(
        "--baseline", metavar="NAME", help=f"compare with this one (default: {_KEEP_ALL}, or the first)"
    )
    parser.add_argument(
        "--jobs", type=whole(1, 1024), metavar="N", help="number of processes (default: one per core)"
    )
    _add_folds(parser)
    _add_measure(parser)
    add_reading(parser)
    add_decision(parser)
    add_visual(parser)


def _add_folds(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("cross-validation")
    group.add_argument(
        "--cross-validate", action="store_true", help="score each page by a model trained on the other folds"
    )
    group.add_argument(
        "--folds", type=whole(2, 1000), default=10, metavar="N", help="number of folds (default: 10)"
    )
    group.add_argument(
        "--sites",
        metavar="FILE",
        type=Path,
        help="JSON file that maps pages to sites; a site stays in one fold",
    )


def _add_measure(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("measure")
    group.add_argument(
        "--align",
        choices=("difflib", "lcs"),
        default="difflib",
        help="difflib as CLEANEVAL did (default), or an exact longest common subsequence",
    )
    group.add_argument("--unlabelled", action="store_true", help="do not distinguish <p>, <h> and <l>")
    group.add_argument("--ascii", action="store_true", help="ignore characters outside ASCII")


def run(arguments: argparse.Namespace) -> int:
    from stupidos.lab.folds import page_table
    from stupidos.lab.measure import Measure

    groups = page_table(arguments.groups) if arguments.groups else {}
    measure = Measure(arguments.align, arguments.unlabelled, arguments.ascii)
    evaluations, baseline = _evaluated(arguments, measure)
    _report_left_out(evaluations)
    if arguments.plot:
        from stupidos.lab.plots import figure_3

        figure_3(evaluations, baseline or evaluations[0], arguments.plot)
    compared = baseline if baseline in evaluations and len(evaluations) > 1 else None
    report = _as_json(evaluations, compared) if arguments.json else _as_tables(evaluations, compared, groups)
    output.write(report + "\n")
    return 0


def _evaluated(arguments: argparse.Namespace, measure: Measure) -> tuple[list[Evaluation], Evaluation | None]:
    """The evaluations, and the baseline: one of them, or one for the plot only."""
    models = _models(arguments)
    if arguments.visual and not arguments.jobs:
        arguments.jobs = 1  # one browser
    if not models:
        evaluations = [_of_texts(arguments, folder, measure) for folder in arguments.texts]
        return evaluations, _baseline(evaluations, arguments.baseline)
    if len(arguments.texts) > 1:
        raise StupidosError("with --model there is one folder of raw pages, not several")
    wanted = arguments.baseline or _KEEP_ALL
    extra = [wanted] if arguments.plot and wanted not in models else []
    scored = _of_models(arguments, [*models, *extra], measure)
    evaluations = scored[: len(models)]
    return evaluations, scored[-1] if extra else _baseline(evaluations, arguments.baseline)


def _models(arguments: argparse.Namespace) -> list[str]:
    if arguments.model is None:
        return [_CROSS_VALIDATED] if arguments.cross_validate else []
    models = [name.strip() for name in arguments.model.split(",") if name.strip()]
    if not models:
        raise StupidosError("--model names no model")
    return list(dict.fromkeys(models))


def _baseline(evaluations: Sequence[Evaluation], name: str | None) -> Evaluation | None:
    named = {evaluation.name: evaluation for evaluation in evaluations}
    if name and name not in named:
        raise StupidosError(f"--baseline {name}: is not among {', '.join(named)}")
    return named.get(name or _KEEP_ALL, evaluations[0])


def _of_texts(arguments: argparse.Namespace, folder: Path, measure: Measure) -> Evaluation:
    from stupidos.lab.evaluate import evaluate_texts

    pairs, _ = pairs_of(arguments.gold, folder)
    if all(pair.raw.name.lower().removesuffix(".gz").endswith((".html", ".htm")) for pair in pairs):
        raise CorpusError(f"{folder}: holds HTML pages, not cleaned texts: name a model with --model")
    name = folder.resolve().name or str(folder)
    return evaluate_texts(pairs, name, measure, _mapper(arguments.jobs, f"scoring {name}"))


def _of_models(arguments: argparse.Namespace, models: Sequence[str], measure: Measure) -> list[Evaluation]:
    from stupidos.lab.evaluate import evaluate_models

    pairs, _ = pairs_of(arguments.gold, arguments.texts[0])
    if arguments.cross_validate:
        return _cross_validated(arguments, pairs, models, measure)
    for model in models:
        _warn_of_training_pages(pairs, model)
    mapper = _mapper(arguments.jobs, "cleaning and scoring")
    return evaluate_models(pairs, models, options_of(arguments), measure, mapper)


def _warn_of_training_pages(pairs: Sequence[Pair], model: str) -> None:
    """Tell if a model has seen the pages that it is scored on."""
    from stupidos.lab.evaluate import pages_learnt_from
    from stupidos.lab.retrain import only_cross_validated

    known = 0 if only_cross_validated(model) else pages_learnt_from(pairs, model)
    if known:
        output.complain(
            f"stupidos: warning: {model} was trained on {known} of these {len(pairs)} pages, so that its"
            " scores are too good: use other pages, or --cross-validate"
        )


def _cross_validated(
    arguments: argparse.Namespace, pairs: Sequence[Pair], models: Sequence[str], measure: Measure
) -> list[Evaluation]:
    from stupidos.lab.cross_validation import CrossValidation, held_out_pages
    from stupidos.lab.evaluate import gold_digest
    from stupidos.lab.folds import page_table

    options, golds = options_of(arguments), gold_digest(pairs)
    sites = page_table(arguments.sites) if arguments.sites else None
    pages = progress(held_out_pages(pairs, options), "rendering", len(pairs))
    validation = CrossValidation.of(pages, sites, arguments.folds)
    return [
        validation.evaluate(model, options, measure, _mapper(arguments.jobs, f"scoring {model}"), golds)
        for model in models
    ]


def _mapper(jobs: int | None, label: str) -> Callable[[Callable[[Any], Any], Sequence[Any]], Iterator[Any]]:
    from stupidos.lab.workers import mapped

    def over(function: Callable[[Any], Any], items: Sequence[Any]) -> Iterator[Any]:
        return progress(
            mapped(function, items, min(jobs or cores(), 1 + len(items) // 40)), label, len(items)
        )

    return over


def _report_left_out(evaluations: Sequence[Evaluation]) -> None:
    """A line for each page that could not be scored; the models share most of them."""
    empty = evaluations[0].empty
    if empty:
        names = ", ".join(empty[:_MAX_NAMED_PAGES]) + (" ..." if len(empty) > _MAX_NAMED_PAGES else "")
        output.complain(f"stupidos: {len(empty)} pages left out, their gold is empty: {names}")
    report_left_out(dict.fromkeys(problem for one in evaluations for problem in one.problems))
    if not evaluations[0].pages:
        raise CorpusError("no pages are left to score")


def _as_json(evaluations: Sequence[Evaluation], baseline: Evaluation | None) -> str:
    """One JSON object for one cleaner, a list for several."""
    from stupidos.lab.tables import gains

    reports = [evaluation.as_json() for evaluation in evaluations]
    if baseline:
        for figure in ("f", "precision"):
            for evaluation, report in zip(evaluations, reports, strict=True):
                if evaluation is not baseline:
                    difference = gains([evaluation], baseline, figure)[evaluation.name]
                    report.setdefault("gain_over", {}).setdefault(baseline.name, {})[figure] = (
                        difference._asdict()
                    )
    whole = reports[0] if len(reports) == 1 else reports
    return json.dumps(whole, indent=1, ensure_ascii=False)


def _as_tables(
    evaluations: Sequence[Evaluation], baseline: Evaluation | None, groups: Mapping[str, str]
) -> str:
    """Tables in per cent, and every score with its signature."""
    from stupidos.lab import tables

    parts = [tables.score_table(evaluations, kind) for kind in ("macro", "micro")]
    if any(isnan(evaluation.macro["segment_f"]) for evaluation in evaluations):
        parts.append("segments: not compared (-), as the gold or the cleaned texts have no <p>, <h> or <l>")
    parts.append(tables.precision_table(evaluations))
    if groups:
        parts += [tables.group_table(evaluations, groups, figure) for figure in _GROUP_FIGURES]
    if baseline:
        parts.append(tables.gain_table(evaluations, baseline))
    return "\n\n".join([*parts, tables.signature_lines(evaluations)])

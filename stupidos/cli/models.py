"""List the models and show what they learned.

Without arguments: all models by name, and the scorers that need no model file. `show` prints the card of a
model and what it learned: for an n-gram model, the n-grams with the highest weights on either side.

examples:
  stupidos models
  stupidos models show standard
  stupidos models show simplified --most 5
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stupidos.cli import output
from stupidos.errors import ModelError

if TYPE_CHECKING:
    from stupidos.lm.model import Telling

_DEFAULT_NGRAMS = 12  # n-grams of either side
_NGRAM_WIDTH = 8  # columns of an n-gram
_MAX_CARD_CHARACTERS = 1 << 16  # characters

# Scorers without training.
_DESCRIPTIONS = {
    "keep-all": "keeps everything: the plain dump",
    "rules": "drops what breaks a rule, without a model",
    "boilerpipe": "text and link density (Kohlschütter et al. 2010)",
    "boilerpipe-words": "number of words (the same)",
    "boilerpipe-article": "Boilerpipe's extractor for articles",
    "boilerpipe-largest": "the largest run of content blocks only",
    "boilerpipe-cleaneval": "Boilerpipe's rule trained on CleanEval",
    "boilerpipe-1r": "Boilerpipe's rule of one feature: text density above 10.5",
    "boilerpipe-10-words": "blocks with at least ten words",
    "bte": "the stretch with most words and fewest tags (Finn et al. 2001)",
    "tree": "largest groups of text in the tree (Viveros-Jiménez et al. 2018)",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", metavar="show", nargs="?", choices=("show",), help="show one model in detail")
    parser.add_argument("name", metavar="NAME", nargs="?", help="name of a model or a .npz file")
    parser.add_argument(
        "--most",
        type=int,
        default=_DEFAULT_NGRAMS,
        metavar="N",
        help=f"n-grams of either side (default: {_DEFAULT_NGRAMS})",
    )
    parser.set_defaults(complain_of_usage=parser.error)


def run(arguments: argparse.Namespace) -> int:
    if arguments.what and not arguments.name:
        arguments.complain_of_usage("show needs the NAME of a model")
    if arguments.most < 0:
        arguments.complain_of_usage("--most must not be below 0")
    output.write(_model_text(arguments.name, arguments.most) if arguments.name else _model_list())
    return 0


def _model_list() -> str:
    """One line per model."""
    from stupidos.score import registry

    rows = [(name, _described(name)) for name in registry.names()]
    width = max(len(name) for name, _ in rows)
    return "".join(f"{name:{width}}  {text}\n" for name, text in rows)


def _described(name: str) -> str:
    """Description of a scorer in one line."""
    from stupidos.lm import archive
    from stupidos.score import registry

    if name in registry.BUILT_IN:
        return _DESCRIPTIONS.get(name, "built in")
    path = registry.model_file(name)
    try:
        header = archive.header(path)
    except ModelError as error:
        return f"broken: {error}"
    size = f"{path.stat().st_size / 1000:,.0f} kB"
    about = _first_line(_card(path)) or header["format"]
    return f"{about}; {_settings(header)}, {size}"


def _settings(header: dict[str, Any]) -> str:
    """Settings and training size from the header of a model.

    >>> _settings({"format": "ngram", "n": 3, "q": 0.5, "alphabet": "ascii", "pages": 667})
    'n 3, q 0.5, alphabet ascii, 667 pages'
    """
    parts = [f"{key} {header[key]}" for key in ("n", "q", "alphabet") if key in header]
    parts += [f"{header['pages']:,} pages"] if isinstance(header.get("pages"), int) else []
    return ", ".join(parts) or str(header["format"])


def _card(path: Path) -> str:
    """The model card beside a model file; empty if there is none."""
    try:
        with path.with_suffix(".md").open(encoding="utf-8", errors="replace") as file:
            return file.read(_MAX_CARD_CHARACTERS).strip()
    except OSError:
        return ""


def _first_line(text: str) -> str:
    """First line of a card after its heading.

    >>> _first_line("# standard\\n\\nThe published model.\\nMore.")
    'The published model'
    """
    lines = (line.strip() for line in text.splitlines())
    return next((line.rstrip(".") for line in lines if line and not line.startswith("#")), "")


def _model_text(name: str, most: int) -> str:
    """The card of a model and what it learned."""
    from stupidos.lm import archive
    from stupidos.score import registry

    if name in registry.BUILT_IN:
        return f"{name}: {_described(name)}; it was not trained\n"
    path = registry.model_file(name)
    header = archive.header(path)
    text = _card(path) or f"# {path.stem}\n\n{_settings(header)}; without a card"
    learned = _LEARNED.get(header["format"])
    if learned is None:
        return text + "\n"
    return f"{text}\n\n{learned(path, most)}"


def _learned_ngrams(path: Path, most: int) -> str:
    """The n-grams with the highest weights, clean beside dirty."""
    from stupidos.lm import store

    model, _ = store.load(path)
    clean, dirty = model.telling(most)
    head = f"{'clean':>{_NGRAM_WIDTH}} log-odds      seen    {'dirty':>{_NGRAM_WIDTH}} log-odds      seen\n"
    rows = zip(
        (_cells(telling, telling.clean) for telling in clean),
        (_cells(telling, telling.dirty) for telling in dirty),
        strict=True,
    )
    lines = "".join(f"{left}    {right}\n" for left, right in rows)
    about = f"The {model.n}-grams that weigh most: log-odds of the last character, times how often seen there"
    return f"{about};\n␣ is a blank, ␤ the beginning or end of a segment.\n\n{head}{lines}"


def _cells(telling: Telling, seen: int) -> str:
    ngram = telling.ngram.replace("\n", "␤").replace(" ", "␣")
    return f"{ngram:>{_NGRAM_WIDTH}} {telling.score:8.2f} {seen:9,}"


def _learned_web(path: Path, most: int) -> str:
    """The scores of common elements and phrases, the strongest features and words of heads of a web model."""
    from stupidos.web import probes, scorer

    model = scorer.load(path)
    parts = ["Scores of some elements and phrases (log-odds, clean above 0):\n"]
    for scored in probes.probes(model):
        parts += [f"{probe.log_odds:8.2f}  {probe.text}" for probe in scored]
        parts.append("")
    parts.append("The features that move it most:\n")
    parts += [f"{length:8.2f}  {name}" for name, length in probes.strongest_features(model, most)]
    parts.append(
        "\nThe words of a head (address, type, body) that affect it most, as signs of the kind of page:\n"
    )
    parts += [f"{length:8.2f}  {word}" for word, length in probes.strongest_words(model, most)]
    return "\n".join(parts) + "\n"


# Format of a model file -> text about what it learned
_LEARNED: dict[str, Callable[[Path, int], str]] = {"ngram": _learned_ngrams, "web": _learned_web}

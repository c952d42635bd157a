"""Two strata of text on the Web: short and long, a mixture of two geometric distributions.

    python training/strata.py DATA/l3s-gn1/raw
    python training/strata.py DATA/l3s-gn1/raw --plot strata.png

Kohlschütter et al. (WSDM 2010), section 5.2: a random writer starts a block of short text with the
probability P_N(S), else of long text, and ends it after each word with P_S(N) or P_L(N). The number of
words in a block then follows equation 3, fitted here by expectation maximisation. Printed are the share of
each stratum, its mean length, and the goodness of fit; then the same for the simple writer of equation 2, who
knows one kind of text only, by maximum likelihood and by least squares.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from stupidos.errors import CorpusError, StupidosError, missing_extra
from stupidos.lab.corpus import by_stem, content
from stupidos.literature.boilerpipe_blocks import blocks_of
from stupidos.literature.tokens import FloatArray, as_one_segment, pieces
from stupidos.render import read

ROUNDS = 1000
STILL = 1e-10  # change of a probability below which the fit has settled
SHOWN = 80  # words of a block that the plot reaches to
Histogram: TypeAlias = npt.NDArray[np.int64]  # blocks with so many words; entry 0 is not used


class Strata(NamedTuple):
    """The fitted writer and how well it fits the relative frequencies."""

    short: float  # P_N(S), share of blocks that are short text
    short_ends: float  # P_S(N), probability that a short text ends after a word
    long_ends: float  # P_L(N)
    fit: float = 0.0  # adjusted R squared
    error: float = 0.0  # root mean square


def probabilities(strata: Strata, most: int) -> FloatArray:
    """Probabilities of blocks of 1 to `most` words (equation 3).

    >>> probabilities(Strata(0.5, 1.0, 0.5), 3)
    array([0.75  , 0.125 , 0.0625])
    """
    extra = np.arange(most)
    short = strata.short_ends * (1 - strata.short_ends) ** extra
    long = strata.long_ends * (1 - strata.long_ends) ** extra
    return strata.short * short + (1 - strata.short) * long


def fitted(histogram: Histogram) -> Strata:
    """The writer most likely to have written blocks of these lengths."""
    counts = histogram[1:].astype(np.float64)
    total = counts.sum()
    if not total:
        raise CorpusError("no text to fit the two strata to")
    words = np.arange(1, len(counts) + 1)
    mean = (counts @ words) / total
    # Started apart from each other, or the two would stay the same for ever.
    strata = Strata(0.75, min(0.9, 2 / mean), min(0.5, 0.3 / mean))
    for _ in range(ROUNDS):
        whole = np.maximum(probabilities(strata, len(counts)), 1e-300)
        short = counts * strata.short * strata.short_ends * (1 - strata.short_ends) ** (words - 1) / whole
        long = counts - short
        before, strata = (
            strata,
            Strata(
                short.sum() / total,
                short.sum() / max(short @ words, 1e-12),
                long.sum() / max(long @ words, 1e-12),
            ),
        )
        if max(abs(now - then) for now, then in zip(strata, before, strict=True)) < STILL:
            break
    return with_fit(strata, counts / total)


def simple(histogram: Histogram, least_squares: bool = False) -> Strata:
    """The simple writer (equation 2), all of whose blocks end with one probability: `short_ends`.

    >>> simple(np.array([0, 2, 1, 1]))[:2]
    (1.0, 0.5714285714285714)
    """
    counts = histogram[1:].astype(np.float64)
    if not counts.sum():
        raise CorpusError("no text to fit the two strata to")
    shares, words = counts / counts.sum(), np.arange(1, len(counts) + 1)
    ends = 1 / float(shares @ words)
    if least_squares:
        tried = np.linspace(0.0005, 0.9995, 1999)
        misses = [((shares - probabilities(Strata(1.0, one, one), len(shares))) ** 2).sum() for one in tried]
        ends = float(tried[int(np.argmin(misses))])
    return with_fit(Strata(1.0, ends, ends), shares, parameters=1)


def with_fit(strata: Strata, shares: FloatArray, parameters: int = 3) -> Strata:
    """The strata with how well they fit the shares of blocks of 1, 2, ... words."""
    missed = ((shares - probabilities(strata, len(shares))) ** 2).sum()
    spread = max(((shares - shares.mean()) ** 2).sum(), 1e-300)
    freedom = max(len(shares) - parameters, 1)
    return strata._replace(
        fit=float(1 - (missed / freedom) / (spread / max(len(shares) - 1, 1))),
        error=float(np.sqrt(missed / freedom)),
    )


def histogram(lengths: Iterable[npt.NDArray[np.int64]]) -> Histogram:
    """How many blocks have 0, 1, 2, ... words, over all pages."""
    sums = np.zeros(2, dtype=np.int64)
    for words in lengths:
        counts = np.bincount(words, minlength=len(sums))
        counts[: len(sums)] += sums
        sums = counts
    return sums


def block_lengths(path: Path) -> npt.NDArray[np.int64]:
    """Words of each block of a page; those of the segments where it is a plain-text dump."""
    page = read(content(path))
    if page.markup:
        split = pieces(page)
        return blocks_of(split, as_one_segment(split)).words().astype(np.int64)
    return np.array([len(segment.text.split()) for segment in page.segments], dtype=np.int64)


def pages(folder: Path) -> list[Path]:
    """The pages of a folder in the order of their names."""
    found, _ = by_stem(folder)
    return [found[name] for name in sorted(found)]


def plot(strata: Strata, histogram: Histogram, file: BinaryIO) -> None:
    """Draw the blocks by their number of words, and the two strata that explain them: a PNG."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise missing_extra("drawing needs matplotlib", "plot") from None
    shares = histogram[1:] / max(histogram[1:].sum(), 1)
    words = np.arange(1, min(len(shares), SHOWN) + 1)
    figure = Figure(figsize=(8, 5), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.bar(words, shares[: len(words)], color="0.8", label="blocks on the pages")
    alone = (
        (strata._replace(short=1.0), strata.short, "short"),
        (strata._replace(short=0.0), 1 - strata.short, "long"),
    )
    for one, share, name in alone:
        mean = 1 / (one.short_ends if name == "short" else one.long_ends)
        label = f"{name} text: {share:.0%} of blocks, {mean:.1f} words on average"
        axes.plot(words, share * probabilities(one, len(words)), label=label)
    axes.plot(words, probabilities(strata, len(words)), "k--", label=f"both: adjusted R² {strata.fit:.3f}")
    axes.set(
        xlabel="words in a block", ylabel="share of blocks", yscale="log", ylim=(1e-5, 1), xlim=(0, SHOWN)
    )
    axes.legend()
    figure.savefig(file, format="png", dpi=120, metadata={"Software": None})  # the same bytes every time


def table(strata: Strata, histogram: Histogram, pages: int) -> str:
    """The fit as a table."""
    rows = (("short", strata.short, strata.short_ends), ("long", 1 - strata.short, strata.long_ends))
    lines = ["       share of blocks  mean words  ends after a word"]
    for name, share, ends in rows:
        lines.append(f"{name:5}          {share:7.4f}  {1 / ends:10.2f}            {ends:7.4f}")
    fit = f"adjusted R² {strata.fit:.4f}  RMSE {strata.error:.4f}"
    lines.append(f"{fit}  pages:{pages}|blocks:{int(histogram[1:].sum())}")
    for name, writer in (("likelihood", simple(histogram)), ("squares", simple(histogram, True))):
        fit = f"adjusted R² {writer.fit:.4f}  RMSE {writer.error:.4f}"
        lines.append(f"one geometric by {name}: ends after a word {writer.short_ends:.4f}, {fit}")
    return "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("raw", metavar="RAW", type=Path, help="folder of pages")
    parser.add_argument("--plot", metavar="FILE.png", type=Path, help="draw the blocks and the two strata")
    options = parser.parse_args(arguments)
    try:
        return _run(options.raw, options.plot)
    except StupidosError as error:
        print(f"strata: {error}", file=sys.stderr)
        return 1


def _run(raw: Path, image: Path | None) -> int:
    paths = pages(raw)
    failed: list[Path] = []

    def lengths() -> Iterator[Histogram]:
        for path in paths:
            try:
                yield block_lengths(path)
            except StupidosError as error:
                failed.append(path)
                print(f"strata: {path}: {error}", file=sys.stderr)

    counts = histogram(lengths())
    strata = fitted(counts)
    print(table(strata, counts, len(paths) - len(failed)), end="")
    if image:
        buffer = BytesIO()
        plot(strata, counts, buffer)
        image.write_bytes(buffer.getvalue())
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""Text density and number of words on the Web: Figures 3 to 5 of the Boilerpipe paper, and its fit.

    python training/density.py DATA/l3s-gn1 DATA/cleaneval --plot training/figures/density.png

Kohlschütter et al. (WSDM 2010), section 5.1: the words in blocks of each text density are modelled by two
beta distributions (template text and full text) and a normal one (the transition). The paper speaks of
rounding to the nearest integer and prints the sign for rounding up; that is what fits as well as it says. It
does not say how it fitted; here the squared differences are least. The first corpus has annotated/ pages, as
l3s-gn1; of the others all pages in raw/ are taken. Needs scipy, and matplotlib for the plot.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import l3s
from strata import pages as pages_of

from stupidos.lab.corpus import content
from stupidos.literature.boilerpipe_blocks import blocks_of
from stupidos.literature.tokens import FloatArray, as_one_segment, pieces
from stupidos.render import read

HIGHEST = 25  # text density up to which words are counted; denser lines are made of marks
LAMBDA = 11  # of section 5.1: words, or text density, from which on a block is full text
LINKED = 0.5  # link density above which a block is linked text, in Figure 5
SHOWN_WORDS = 100  # of a block, in Figure 4
# Shares of template text and full text, shapes a and b of the two betas, mean and deviation of the normal
LOW = (0, 0, 1.01, 1.01, 1.01, 1.01, 4, 0.5)
START = (0.3, 0.6, 3, 20, 30, 30, 7, 2)
HIGH = (1, 1, 100, 500, 500, 500, 11, 4)


class Density(NamedTuple):
    """The blocks of a corpus."""

    words: FloatArray
    density: FloatArray  # text density
    links: FloatArray  # link density
    labels: l3s.Classes | None

    @classmethod
    def annotated(cls, folder: Path) -> Density:
        pages = list(l3s.pages(folder))
        blocks = [page.blocks for page in pages]
        return cls(
            np.concatenate([page.words for page in pages]),
            np.concatenate([one.text_density() for one in blocks]),
            np.concatenate([one.link_density() for one in blocks]),
            np.concatenate([page.labels for page in pages]),
        )

    @classmethod
    def raw(cls, folder: Path) -> Density:
        blocks = []
        for path in pages_of(folder):
            split = pieces(read(content(path), "html"))
            blocks.append(blocks_of(split, as_one_segment(split)))
        return cls(
            np.concatenate([one.words() for one in blocks]),
            np.concatenate([one.text_density() for one in blocks]),
            np.concatenate([one.link_density() for one in blocks]),
            None,
        )

    def word_shares(self, chosen: Any = slice(None), rounding: Any = np.ceil) -> FloatArray:
        """Share of all words that are in (these) blocks of density 0, 1, ... HIGHEST."""
        rounded = np.minimum(rounding(self.density[chosen]), HIGHEST).astype(np.int64)
        return np.bincount(rounded, self.words[chosen], minlength=HIGHEST + 1) / self.words.sum()


class Mixture(NamedTuple):
    """Two betas and a normal, and how well they fit."""

    parameters: FloatArray
    fit: float  # R squared
    error: float  # root mean square, of shares of the words
    scaled_error: float  # the same where the highest share is 1

    def parts(self, at: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        return components(self.parameters, at)


def components(parameters: Sequence[float] | FloatArray, at: FloatArray) -> tuple[FloatArray, ...]:
    """Template text, full text and the transition: the share of words at each density."""
    from scipy.stats import beta, norm

    template, full, a, b, c, d, mean, deviation = parameters
    scaled = at / HIGHEST
    return (
        template * beta.pdf(scaled, a, b) / HIGHEST,
        full * beta.pdf(scaled, c, d) / HIGHEST,
        max(1 - template - full, 0) * norm.pdf(at, mean, deviation),
    )


def fitted(shares: FloatArray) -> Mixture:
    """The mixture with the least squared differences from the shares of words at densities 0, 1, ..."""
    from scipy.optimize import least_squares

    at = np.arange(len(shares), dtype=np.float64)

    def missed(parameters: FloatArray) -> FloatArray:
        excess = max(parameters[0] + parameters[1] - 1, 0)  # the normal distribution has no negative share
        return np.append(np.sum(components(parameters, at), axis=0) - shares, excess)

    starts = [(*START[:4], *shape, *START[6:]) for shape in ((30, 30), (60, 50), (100, 100), (12, 12))]
    every = [least_squares(missed, start, bounds=(LOW, HIGH)) for start in starts]
    found = min(every, key=lambda one: one.cost)
    differences = np.sum(components(found.x, at), axis=0) - shares
    error = float(np.sqrt((differences**2).mean()))
    fit = 1 - (differences**2).sum() / ((shares - shares.mean()) ** 2).sum()
    return Mixture(found.x, float(fit), error, error / float(shares.max()))


def report(name: str, blocks: Density, mixture: Mixture) -> None:
    """Print the fit and the figures that section 5.1 gives in words."""
    template, full, a, b, c, d, mean, deviation = mixture.parameters
    total = blocks.words.sum()
    print(f"{name}: {len(blocks.words)} blocks, {total:.0f} words, the longest of {blocks.words.max():.0f}")
    print(f"  template text {template:.3f}, beta({a:.2f}, {b:.2f}), mean {HIGHEST * a / (a + b):.1f}")
    print(f"  full text     {full:.3f}, beta({c:.2f}, {d:.2f}), mean {HIGHEST * c / (c + d):.1f}")
    print(f"  transition    {max(1 - template - full, 0):.3f}, normal({mean:.1f}, {deviation:.1f})")
    fit = f"R² {mixture.fit:.4f}  RMSE {mixture.error:.4f}"
    print(f"  {fit}, {mixture.scaled_error:.4f} of the highest share; {HIGHEST + 1} values, 8 parameters")
    nearest = fitted(blocks.word_shares(rounding=np.rint))
    print(f"  densities rounded to the nearest integer: R² {nearest.fit:.4f}")
    long, dense = (float(blocks.words[one >= LAMBDA].sum()) for one in (blocks.words, blocks.density))
    print(f"  words in blocks of at least {LAMBDA} words {long:.0f}, of at least density {LAMBDA} {dense:.0f}"
          f" ({abs(dense / long - 1):.1%} apart)")  # fmt: skip
    print(f"  words in blocks of a density below {LAMBDA}: {1 - dense / total:.1%}")
    bounds = ((0, 4), (4, 10), (10, HIGHEST + 99))
    for low, high in bounds:
        chosen = (blocks.density >= low) & (blocks.density < high)
        words = blocks.words[chosen]
        linked = words[blocks.links[chosen] > LINKED].sum() / max(words.sum(), 1)
        print(f"  density {low} to {min(high, HIGHEST)}: {words.sum() / total:.1%} of the words,"
              f" {linked:.1%} of them in linked text", end="")  # fmt: skip
        if blocks.labels is None:
            print()
            continue
        by_label = [words[blocks.labels[chosen] == label].sum() / max(words.sum(), 1) for label in l3s.Label]
        print("; " + ", ".join(f"{label.name.lower()} {share:.1%}"
                               for label, share in zip(l3s.Label, by_label)))  # fmt: skip


def plot(corpora: dict[str, tuple[Density, Mixture]], path: Path) -> None:
    """Figures 5, 4 and 3: densities by class with the fit, words by class, densities of the other corpora."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4 * (len(corpora) + 1)), layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplots(len(corpora) + 1, 1)
    at = np.linspace(0, HIGHEST, 400)
    for axes, (name, (blocks, mixture)) in zip(panels, corpora.items()):
        bottom = np.zeros(HIGHEST + 1)
        for label, chosen in classes(blocks).items():
            shares = blocks.word_shares(chosen)
            axes.bar(np.arange(HIGHEST + 1), shares, bottom=bottom, width=0.9, label=label)
            bottom += shares
        names = ("template text: beta", "full text: beta", "transition: normal")
        for part, label, line in zip(mixture.parts(at), names, ("--", "-.", ":")):
            axes.plot(at, part, "k", linestyle=line, label=label, linewidth=1)
        axes.plot(at, np.sum(mixture.parts(at), axis=0), "k", label=f"sum: R² {mixture.fit:.3f}")
        axes.set(title=name, xlabel="text density, rounded up", ylabel="share of words")
        axes.legend(fontsize="small")
    first, (blocks, _) = next(iter(corpora.items()))
    bottom = np.zeros(SHOWN_WORDS + 1)
    for label, chosen in classes(blocks).items():
        words = np.minimum(blocks.words[chosen], SHOWN_WORDS).astype(np.int64)
        counts = np.bincount(words, minlength=SHOWN_WORDS + 1).astype(np.float64)
        panels[-1].bar(np.arange(SHOWN_WORDS), counts[:-1], bottom=bottom[:-1], width=1, label=label)
        bottom += counts
    panels[-1].set(title=f"{first}, number of words", xlabel="words in a block", ylabel="blocks")
    panels[-1].set(yscale="symlog", ylim=(0, None))
    panels[-1].legend(fontsize="small")
    figure.savefig(path, format="png", dpi=100, metadata={"Software": None})


def classes(blocks: Density) -> dict[str, Any]:
    """The blocks of each class of Figure 5; linked text where nobody gave classes."""
    linked = blocks.links > LINKED
    if blocks.labels is None:
        return {"linked text": linked, "other text": ~linked}
    boilerplate = blocks.labels == l3s.Label.BOILERPLATE
    named = {
        label.name.lower().replace("_", " "): blocks.labels == label for label in l3s.Label if label.value
    }
    return {"boilerplate, linked": boilerplate & linked, "boilerplate, other": boilerplate & ~linked, **named}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", metavar="CORPUS", type=Path, nargs="+", help="l3s-gn1, then others")
    parser.add_argument("--plot", metavar="FILE.png", type=Path, help="draw Figures 3 to 5")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")  # wrongly declared encodings
    corpora: dict[str, tuple[Density, Mixture]] = {}
    for number, folder in enumerate(arguments.corpora):
        blocks = Density.raw(folder / "raw") if number else Density.annotated(folder / "annotated")
        corpora[folder.name] = blocks, fitted(blocks.word_shares())
        report(folder.name, *corpora[folder.name])
    if arguments.plot:
        plot(corpora, arguments.plot)


if __name__ == "__main__":
    main()

"""Training of the web model by the command: one rendering a page, and a confidence."""

import io
import json
import shutil
import sys

import numpy as np
import pytest

from stupidos import confidence
from stupidos.cli import main
from stupidos.lab.corpus import Pair
from stupidos.lab.examples import Example
from stupidos.lm import archive
from stupidos.page import Page, Segment
from stupidos.render import pages, read
from stupidos.web.train import Source, train_model
from stupidos.web.train_confidence import MOST_PAGES, EvenSample
from stupidos.web.train_examples import web_examples
from stupidos.web.train_network import TrainingOptions

NAMES = ("article", "forum", "news")


@pytest.fixture(scope="module")
def command_model(checkout, tmp_path_factory):
    """A model trained on all sample pages."""
    path = tmp_path_factory.mktemp("web") / "mine.npz"
    gold, raw = (str(checkout / "training" / name) for name in ("gold", "raw"))
    assert main(["train", gold, raw, "--web", "-o", str(path)]) == 0
    return path


@pytest.fixture(scope="module")
def few(checkout, tmp_path_factory):
    """A model of fewer pages than a confidence needs; what was rendered, and what the command said."""
    path = tmp_path_factory.mktemp("few")
    for folder, suffix in (("gold", ".txt"), ("raw", ".html")):
        (path / folder).mkdir()
        for name in NAMES:
            shutil.copy(checkout / "training" / folder / f"{name}{suffix}", path / folder)
    rendered, said, page = [], io.StringIO(), pages.page
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "page", lambda source, *rest: rendered.append(source) or page(source, *rest))
        patch.setattr(sys, "stdout", said)
        folders = [str(path / "gold"), str(path / "raw")]
        assert main(["train", *folders, "--web", "-o", str(path / "mine.npz")]) == 0
    return path / "mine.npz", rendered, said.getvalue()


@pytest.mark.slow
def test_a_model_of_the_sample_pages_has_a_confidence(command_model):
    fitted = archive.header(command_model)[confidence.KEY]
    assert fitted["pages"] >= 5
    assert 0 < fitted["base"] <= 1


@pytest.mark.slow
def test_a_small_least_confidence_keeps_pages_of_an_own_model(command_model, checkout, tmp_path, capsys):
    raw, out = checkout / "training" / "raw", tmp_path / "out.jsonl"
    options = ["--model", str(command_model), "--min-confidence", "0.01", "--jobs", "1"]
    assert main(["clean", str(raw), "-o", str(out), *options]) == 0
    records = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    kept = [record for record in records if record["text"]]
    assert len(kept) >= len(list(raw.glob("*.htm*"))) - 2


def test_three_pages_are_too_few_for_a_confidence_and_the_model_says_so(few):
    model, _, said = few
    header = archive.header(model)
    assert confidence.KEY not in header
    assert header["no_confidence"] == "3 pages could be evaluated, 5 are needed"
    assert "no confidence: 3 pages could be evaluated" in said


def test_each_page_is_rendered_once(few):
    _, rendered, _ = few
    assert len(rendered) == len(set(rendered)) == len(NAMES)


def test_hidden_text_is_trained_on_but_gold_is_compared_with_what_is_visible(tmp_path):
    gold, raw = tmp_path / "gold.txt", tmp_path / "raw.html"
    tea = "Tea is hot and green. " * 20
    gold.write_text(tea)
    raw.write_text(f"<p>Milk is cold.</p><p>{'Milk is white. ' * 40}</p><p hidden>{tea}</p>")
    [example] = web_examples([Pair("tea", gold, raw)])
    assert example.page.segments[-1].text == tea.strip()
    gold.write_text(tea + "Milk is white. " * 40)
    [problem] = web_examples([Pair("tea", gold, raw)])
    assert "the gold text is longer than the page" in problem.reason


def test_an_even_sample_stays_small_and_spans_all():
    sample = EvenSample()
    for index in range(5 * MOST_PAGES):
        sample.add(index, Example(str(index), Page("", "", []), []))
    indices = [index for index, _ in sample.entries]
    assert MOST_PAGES / 2 <= len(indices) <= MOST_PAGES
    assert len(set(np.diff(indices))) == 1
    assert indices[-1] > 4.9 * MOST_PAGES


def test_pages_of_one_site_give_no_confidence():
    page = read("<p>Tea is hot.<p>Menu", "html")
    examples = [Example(str(number), page, [Segment("Tea is hot.")]) for number in range(6)]
    source = Source(examples, sites=dict.fromkeys(map(str, range(6)), "tea.example"))
    assert "no_confidence" in train_model([source], TrainingOptions(epochs=1, min_steps=0)).header

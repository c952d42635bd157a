"""What a page is expected to be worth: in records, and as a filter; what counts as text."""

import json

import pytest

from stupidos.cli import main
from stupidos.pipeline import Cleaner, Options

SHELL = "<title>Shop</title><noscript>You need to enable JavaScript to run this app.</noscript><script>{}"


@pytest.fixture
def article(checkout):
    return checkout / "training" / "raw" / "article.html"


def record(capsys, *arguments):
    code = main(["clean", "--format", "jsonl", *arguments])
    return code, json.loads(capsys.readouterr().out)


def test_a_record_has_expected_precision_recall_and_f(article, capsys):
    _, found = record(capsys, str(article))
    precision, recall = found["expected_precision"], found["expected_recall"]
    assert 0 < precision < 1
    assert 0 < recall < 1
    assert found["confidence"] == pytest.approx(2 * precision * recall / (precision + recall), abs=1e-4)


@pytest.mark.parametrize("name", ["confidence", "precision", "recall"])
@pytest.mark.parametrize(("minimum", "kept"), [("0.01", True), ("0.9999", False)])
def test_a_page_below_a_minimum_is_skipped(name, minimum, kept, article, capsys):
    _, found = record(capsys, f"--min-{name}", minimum, str(article))
    assert bool(found["text"]) == kept
    assert (found["error"] or "").startswith("" if kept else f"skipped: {name} 0.")


@pytest.mark.parametrize("characters", [8_000, 60_000])
def test_a_page_that_scripts_would_fill_is_expected_to_be_worth_little(characters):
    document = Cleaner.load().extract(SHELL.format("x" * characters))
    assert document.confidence < 0.2


def test_a_model_without_a_recall_estimate_refuses_a_minimum(article, capsys):
    assert main(["clean", "--model", "standard", "--min-recall", "0.5", "-o", "-", str(article)]) == 1
    assert "the model standard has no recall estimate: leave --min-recall out" in capsys.readouterr().err


def test_a_model_that_estimates_the_precision_alone_filters_by_it(article, capsys):
    _, found = record(capsys, "--model", "standard", "--min-precision", "0.1", str(article))
    assert found["text"]
    assert found["confidence"] == found["expected_precision"]
    assert found["expected_recall"] is None


def test_a_convention_needs_a_model_that_knows_it(article, capsys):
    assert main(["clean", "--model", "standard", "--convention", "page", str(article)]) == 1
    assert "the model standard knows no convention page" in capsys.readouterr().err


@pytest.mark.parametrize("convention", ["article", "page", "discussion"])
def test_the_default_model_knows_every_convention(convention, article):
    document = Cleaner.load(options=Options(convention=convention)).extract(article.read_bytes())
    assert document.text

"""The model for plain-text dumps."""

import pytest

from stupidos.lab import text
from stupidos.lab.corpus import gold_segments
from stupidos.lab.examples import Example
from stupidos.pipeline import Cleaner
from stupidos.render import read
from stupidos.score import registry

STORY = "The ferry left at {} in the morning, and nobody on the quay had seen the captain that day."
MENU = "Home\n\nLog in\n\nContact us | Imprint | Search\n\n"


def example(number):
    """A dump with a menu above and below its text."""
    story = STORY.format(number)
    return Example(
        f"p{number}", read(f"{MENU}{story}\n\n{story[::-1]}\n\n{MENU}", "text"), gold_segments(story)
    )


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("text") / "dumps.npz"
    text.save(text.learn([example(number) for number in range(12)]), path)
    return path


def test_the_file_says_how_to_decide(file):
    scorer = registry.scorer(str(file))
    assert scorer.decision == "viterbi"
    assert "viterbi:8" in scorer.signature


def test_a_dump_is_cleaned(file):
    cleaned = Cleaner.load(str(file)).clean(f"{MENU}{STORY.format(99)}\n\n{MENU}")
    assert cleaned.split() == STORY.format(99).split()


def test_retrained_models_decide_alike():
    folds = [[example(number) for number in range(start, 12, 2)] for start in range(2)]
    assert [scorer.decision for scorer in text.retrained(folds)] == ["viterbi", "viterbi"]


def test_dumps_go_to_the_text_model_by_default():
    page = Cleaner.load().page("Just a line of text, nothing more.\n\nAnother one follows here.")
    assert Cleaner.load().scorer_of(page).name == "text"

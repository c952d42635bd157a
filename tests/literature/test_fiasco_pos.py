"""Part-of-speech features, and keywords against general language."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from stupidos.cli import main, train_fiasco
from stupidos.errors import CorpusError, ExtraError, ModelError
from stupidos.lab.examples import Example
from stupidos.literature import fiasco, fiasco_pos, fiasco_train_pages
from stupidos.literature.fiasco_features import NODE_FEATURES, Keywords, feature_table, target_nodes
from stupidos.literature.fiasco_pos import POS_FEATURES, Tagger, _sentences
from stupidos.page import Segment
from stupidos.render import read
from stupidos.score import registry

WORDS = Keywords(frozenset(["ferry"]), frozenset(["home"]))
HTML = "<p>The ferry to the island runs again.</p><p><a href=/>Home | News</a></p>"


class FewWords:
    """A stand-in for HanTa: a lexicon with tags; other words are nouns."""

    def __init__(self) -> None:
        self.cache = {"the": "AT0", "to": "PRP", "ferry": "NN1", "runs": "VVZ", "home": "NN1"}
        self.cache |= {".": "PUN", "7": "CRD"}

    def tag_sent(self, sentence: list[str], taglevel: int) -> list[str]:
        return [self.cache.get(word.lower(), "NN1") for word in sentence]


@pytest.fixture
def few_words(monkeypatch: pytest.MonkeyPatch) -> Tagger:
    tagger = Tagger(FewWords(), fiasco_pos._TAG_SETS["en"])
    for module in (fiasco, fiasco_train_pages):
        monkeypatch.setattr(module, "tagger", lambda language: tagger)
    return tagger


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", (0, 0, 0, 0)),
        ("The ferry runs to the ferry.", (3 / 7, 3 / 7, 0, 1 / 7)),
        ("Home | Xyzzy", (0, 2 / 3, 1 / 3, 1 / 3)),
        ("7 the", (1 / 2, 0, 0, 0)),
    ],
)
def test_tokens_are_counted_by_class(few_words: Tagger, text: str, expected: tuple[float, ...]) -> None:
    assert few_words.shares(text) == pytest.approx(expected)


def test_a_text_without_end_is_tagged_in_part() -> None:
    tokens = [len(sentence) for sentence in _sentences("word " * 5000)]
    assert sum(tokens) == fiasco_pos._MAX_TOKENS
    assert max(tokens) <= fiasco_pos._SENTENCE


def test_a_word_without_end_is_cut() -> None:
    assert [len(word) for word in next(_sentences("x" * 100_000))] == [fiasco_pos._MAX_WORD_LENGTH]


def test_the_command_line_offers_the_languages_of_the_tagger() -> None:
    assert train_fiasco.LANGUAGES == fiasco_pos.LANGUAGES


def test_part_of_speech_features_stand_between_the_others(few_words: Tagger) -> None:
    nodes = target_nodes(read(HTML))
    table = feature_table(nodes, WORDS, {}, few_words.table(nodes.texts()))
    pos = table[:, len(NODE_FEATURES) : len(NODE_FEATURES) + len(POS_FEATURES)]
    assert pos.tolist() == [list(few_words.shares(text)) for text in nodes.texts()]


def machine(columns: int) -> fiasco.RbfSvm:
    """Closed-class words are clean, symbols are not."""
    vectors = np.zeros((2, columns), dtype=np.float32)
    vectors[0, len(NODE_FEATURES)], vectors[1, len(NODE_FEATURES) + 3] = 1.0, 1.0
    weights = np.array([1.0, -1.0], dtype=np.float32)
    return fiasco.RbfSvm(vectors, weights, np.zeros(columns), np.ones(columns), 0.5, 0.0, 2.0)


def model(path: Path, **header: object) -> Path:
    settings = {"name": "test", "C": 1.0, "visual": False, "pos": "en", **header}
    fiasco.save(path, machine(len(NODE_FEATURES) + len(POS_FEATURES)), WORDS, header=settings)
    return path


def test_a_tagging_model_scores_by_parts_of_speech(tmp_path: Path, few_words: Tagger) -> None:
    scorer = registry.scorer(str(model(tmp_path / "tags.npz")))
    running, bar = scorer.score(read(HTML))
    assert running > bar
    assert scorer.signature == "model:tags|C:1.0|gamma:0.5|visual:False|pos:en"


@pytest.mark.parametrize("change", [{"pos": "tlh"}, {"pos": 1}, {"pos": ""}, {"pos": None}])
def test_a_model_with_an_unknown_tagger_is_refused(
    tmp_path: Path, change: dict[str, object], rewrite_header: Callable[..., None]
) -> None:
    path = model(tmp_path / "bad.npz")
    rewrite_header(path, change)
    with pytest.raises(ModelError, match=r"bad\.npz: is not a valid FIASCO model"):
        fiasco.load(path)


def test_a_tagging_model_needs_the_tagger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fiasco_pos.tagger.cache_clear()
    monkeypatch.setitem(sys.modules, "HanTa.HanoverTagger", None)
    path = model(tmp_path / "tags.npz")
    assert main(["clean", "--model", str(path), str(checkout / "training" / "raw" / "news.html")]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "pip install '.[pos]'" in captured.err


def test_training_pages_are_tagged_on_demand(few_words: Tagger) -> None:
    example = Example("a", read(HTML), [Segment("The ferry to the island runs again.")])
    plain, tagged = (fiasco_train_pages.labelled_pages([example], language=one)[0][0] for one in ("", "en"))
    assert plain.pos is None
    assert tagged.pos is not None
    assert tagged.pos.shape == (len(tagged.clean), len(POS_FEATURES))


def test_keywords_are_more_frequent_than_in_general_language() -> None:
    html = "<p>The ferry and the ferry, the ferry.</p><ul><li><a href=/>Home</a><li><a href=/>Home</a></ul>"
    example = Example("a", read(html), [Segment("The ferry and the ferry, the ferry.")])
    pages, _, _ = fiasco_train_pages.labelled_pages([example] * 30)
    general = {"the": 0.9}.get
    assert {"the", "ferry"} <= fiasco_train_pages.keywords(pages).clean
    kept = fiasco_train_pages.keywords(pages, general=lambda word: general(word, 0.0)).clean
    assert "ferry" in kept
    assert "the" not in kept


def test_without_wordfreq_the_remedy_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    with pytest.raises(ExtraError, match=r"pip install '\.\[keywords\]'"):
        fiasco_train_pages.general_frequency("en")


def test_wordfreq_knows_the_article() -> None:
    pytest.importorskip("wordfreq")
    general = fiasco_train_pages.general_frequency("en")
    assert general("the") > 0.01 > general("ferry") > 0
    with pytest.raises(CorpusError, match="wordfreq has no language tlh"):
        fiasco_train_pages.general_frequency("tlh")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "sentence", "symbols"),
    [
        ("en", "The ferry to the island runs again.", "Home | © | >>"),
        ("de", "Die Fähre zu der Insel fährt wieder.", "Start | © | >>"),
        ("nl", "De boot naar het eiland vaart weer.", "Thuis | © | >>"),
    ],
)
def test_the_real_tagger_tells_sentences_from_bars(language: str, sentence: str, symbols: str) -> None:
    pytest.importorskip("HanTa")
    shares = fiasco_pos.tagger(language).shares
    text, bar = shares(sentence), shares(symbols)
    assert text[:3] == pytest.approx((3 / 8, 4 / 8, 0), abs=0.13)
    assert bar[0] == 0
    assert bar[3] > 0.5


@pytest.mark.slow
def test_the_verb_trains_with_tags_and_a_reference(
    tmp_path: Path, checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for extra in ("HanTa", "wordfreq", "sklearn"):
        pytest.importorskip(extra)
    path = tmp_path / "tags.npz"
    folders = [str(checkout / "training" / "gold"), str(checkout / "training" / "raw")]
    assert main(["train", "--fiasco", "--pos", "en", "--reference", "en", *folders, "-o", str(path)]) == 0
    capsys.readouterr()
    assert main(["evaluate", "--model", str(path), *folders]) == 0
    assert "visual:False|pos:en|reference:en" in capsys.readouterr().out


@pytest.mark.parametrize("option", [["--pos", "en"], ["--reference", "en"], ["--visual"]])
def test_options_of_fiasco_need_fiasco(
    option: list[str], checkout: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folders = [str(checkout / "training" / kind) for kind in ("gold", "raw")]
    path = tmp_path / "model.npz"
    try:
        code: object = main(["train", *option, *folders, "-o", str(path)])
    except SystemExit as stopped:
        code = stopped.code
    assert code == 2
    assert f"{option[0]} needs --fiasco" in capsys.readouterr().err
    assert not path.exists()

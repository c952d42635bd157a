"""FIASCO: features of nodes, the machine, its file, and training where scikit-learn is there."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from stupidos.cli import main
from stupidos.errors import CorpusError, ExtraError, ModelError
from stupidos.lab.examples import Example, Problem
from stupidos.literature import fiasco, fiasco_train, fiasco_train_pages
from stupidos.literature.fiasco_align import align_targets
from stupidos.literature.fiasco_features import NODE_FEATURES, Keywords, feature_table, target_nodes
from stupidos.literature.fiasco_regions import (
    VISUAL_FEATURES,
    Boxes,
    _shape,
    _TextLine,
    text_lines,
    visual_features,
)
from stupidos.page import Page, Segment
from stupidos.pipeline import Cleaner, Options
from stupidos.render import read
from stupidos.score import registry

WORDS = Keywords(frozenset(["ferry", "island"]), frozenset(["home", "copyright"]))
STORY = "The ferry to the island runs again. It leaves at nine, and it is never late."
HTML = f"""<body><div><ul><li><a href=/>Home</a></li><li><a href=/news>News</a></li></ul></div>
<div><h1>Ferry</h1><p>{STORY}</p><p>{STORY} {STORY}</p></div>
<div>Copyright <a href=/us>us</a> | all rights</div></body>"""
GOLD = [Segment("Ferry"), Segment(STORY), Segment(f"{STORY} {STORY}")]


def machine(columns: int = len(NODE_FEATURES)) -> fiasco.RbfSvm:
    """One support vector a side: nodes near the first are clean."""
    vectors = np.zeros((2, columns), dtype=np.float32)
    vectors[0, 0], vectors[1, 0] = 1.0, -1.0  # long text, short text
    weights = np.array([1.0, -1.0], dtype=np.float32)
    return fiasco.RbfSvm(vectors, weights, np.zeros(columns), np.full(columns, 6.0), 0.5, 0.0, 2.0)


def header(visual: bool = False) -> dict[str, object]:
    return {"name": "test", "C": 1.0, "visual": visual}


def column(name: str, page: Page) -> list[float]:
    values = feature_table(target_nodes(page), WORDS)[:, NODE_FEATURES.index(name)]
    return [round(float(value), 3) for value in values]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("words", np.log1p([1, 1, 1, 16, 32, 4])),
        ("types", np.log1p([1, 1, 1, 14, 14, 4])),
        ("sentences", np.log1p([0, 0, 0, 2, 4, 0])),
        ("clean keywords", [0, 0, 1, 2 / 16, 2 / 16, 0]),
        ("dirty keywords", [1, 0, 0, 0, 0, 1 / 4]),
        ("heading", [0, 0, 1, 0, 0, 0]),
        ("paragraph", [0, 0, 0, 1, 1, 0]),
        ("share of a", [1, 1, 0, 0, 0, 0.5]),
        ("share of href", [1, 1, 0, 0, 0, 0.5]),
        ("share of img", [0, 0, 0, 0, 0, 0]),
        ("depth", [5, 5, 3, 3, 3, 2]),
    ],
)
def test_features_of_target_nodes(name: str, expected: list[float]) -> None:
    assert column(name, read(HTML)) == pytest.approx(list(expected), abs=1e-3)


def test_the_sum_over_support_vectors_is_that_of_the_kernel() -> None:
    some = machine()
    table = np.random.default_rng(1).uniform(0, 6, size=(7, len(NODE_FEATURES)))
    rows = fiasco.scale_features(table, some.low, some.high)
    kernel = np.exp(-some.gamma * ((rows[:, None, :] - some.vectors) ** 2).sum(axis=2))
    assert some.scores(table) == pytest.approx(2.0 * (kernel @ [1.0, -1.0]))


def test_many_rows_are_judged_like_few() -> None:
    table = np.random.default_rng(1).uniform(0, 6, size=(fiasco._BATCH_ROWS + 5, len(NODE_FEATURES)))
    assert machine().scores(table)[-3:] == pytest.approx(machine().scores(table[-3:]))


def test_each_segment_has_the_score_of_its_node() -> None:
    scorer = fiasco.Fiasco("test", machine(), WORDS, header=header())
    page = read(HTML)
    assert (scorer.score(page) > 0).tolist() == [False, False, False, True, True, True]


@pytest.mark.parametrize("html", ["", "<p></p>", "<img src=x>", "text", "<p>&nbsp;</p>"])
def test_a_page_with_hardly_anything_gets_a_score_a_segment(html: str) -> None:
    page = read(html, "html")
    assert len(fiasco.Fiasco("test", machine(), WORDS, header=header()).score(page)) == len(page.segments)


@pytest.mark.parametrize("visual", [False, True])
def test_a_saved_model_gives_the_same_scores(tmp_path: Path, visual: bool) -> None:
    path = tmp_path / "mine.npz"
    some = machine(len(NODE_FEATURES) + len(VISUAL_FEATURES) * visual)
    fiasco.save(path, some, WORDS, header=header(visual))
    page = read(HTML)
    loaded = registry.scorer(str(path))
    assert isinstance(loaded, fiasco.Fiasco)
    layout = layout_of(600.0)
    expected = fiasco.Fiasco("mine", some, WORDS, layout, header=header(visual)).score(page)
    assert replace(loaded, layout=layout).score(page).tolist() == expected.tolist()
    assert loaded.signature == f"model:mine|C:1.0|gamma:0.5|visual:{visual}"


@pytest.mark.parametrize(
    "change",
    [
        {"gamma": -1.0},
        {"gamma": "1"},
        {"slope": 0.0},
        {"bias": 1e9},
        {"visual": True},
        {"visual": 1},
        {"keywords": {"clean": "ferry", "dirty": []}},
        {"keywords": {"clean": [1], "dirty": []}},
        {"keywords": None},
    ],
)
def test_a_model_that_does_not_fit_together_is_refused(
    tmp_path: Path, change: dict[str, object], rewrite_header: Callable[..., None]
) -> None:
    path = tmp_path / "bad.npz"
    fiasco.save(path, machine(), WORDS, header=header())
    rewrite_header(path, change)
    with pytest.raises(ModelError, match=r"bad\.npz: is not a valid FIASCO model"):
        fiasco.load(path)


def test_a_model_of_boundless_values_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.npz"
    svm = machine()
    fiasco.save(path, svm._replace(vectors=svm.vectors * np.float32(1e30)), WORDS, header=header())
    with pytest.raises(ModelError, match="values beyond 1e"):
        fiasco.load(path)


def test_gold_is_found_among_the_nodes() -> None:
    labels = align_targets(target_nodes(read(HTML)), GOLD)
    assert labels.clean.tolist() == [False, False, True, True, True, False]
    assert labels.found == 1.0


def test_a_paragraph_said_twice_is_found_twice() -> None:
    page = read("<p>Yes, sir.</p><p>And then?</p><p>Yes, sir.</p><p>Home</p>")
    labels = align_targets(
        target_nodes(page), [Segment("Yes, sir."), Segment("And then?"), Segment("Yes, sir.")]
    )
    assert labels.clean.tolist() == [True, True, True, False]


def test_targets_inside_a_clean_subtree_are_clean() -> None:
    page = read("<div><p>One two three four</p><p>five six seven eight</p></div><p>Home</p>")
    labels = align_targets(target_nodes(page), [Segment("One two three four five six seven eight")])
    assert labels.clean.tolist() == [True, True, False]


def test_gold_that_is_not_there_is_not_found() -> None:
    labels = align_targets(target_nodes(read(HTML)), [Segment("Nothing like this stands anywhere at all")])
    assert labels.found == 0.0
    assert not labels.clean.any()


def examples(count: int) -> list[Example]:
    return [Example(str(at), read(HTML.replace("nine", f"{at} o'clock")), GOLD) for at in range(count)]


def test_keywords_are_those_of_their_side() -> None:
    pages, _, _ = fiasco_train_pages.labelled_pages(examples(8))
    words = fiasco_train_pages.keywords(pages, most=5)
    assert "home" in words.dirty
    assert not words.clean & words.dirty


def test_dumps_and_problems_are_left_out_and_named() -> None:
    dump = Example("dump", Page("x", "", [Segment("x")], markup=False), [Segment("x")])
    pages, problems, digest = fiasco_train_pages.labelled_pages([*examples(2), dump, Problem("bad", "why")])
    assert [page.name for page in pages] == ["0", "1"]
    assert [problem.name for problem in problems] == ["dump", "bad"]
    assert len(digest) == 64


def test_nothing_to_learn_from_is_said() -> None:
    with pytest.raises(CorpusError, match="clean and dirty nodes"):
        fiasco_train.train([])


def test_the_slope_makes_margins_log_odds() -> None:
    rng = np.random.default_rng(5)
    margins = rng.normal(size=4000)
    clean = rng.random(4000) < 1 / (1 + np.exp(-3 * margins))
    assert fiasco_train._platt_slope(margins, clean) == pytest.approx(3.0, abs=0.3)


@pytest.mark.slow
def test_training_finds_the_text_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sklearn")
    monkeypatch.setattr(fiasco_train, "_GRID_C", (8.0,))
    monkeypatch.setattr(fiasco_train, "_GRID_GAMMA", (0.5,))
    pages, _, digest = fiasco_train_pages.labelled_pages(examples(9))
    trained = fiasco_train.train(pages, digest)
    trained.save(tmp_path / "small.npz")
    scores = fiasco.load(tmp_path / "small.npz").score(read(HTML))
    assert (scores > 0).tolist() == [False, False, True, True, True, False]
    assert trained.header["visual"] is False
    assert trained.header["scores"]["grid_accuracy"] == 1.0


def test_without_scikit_learn_the_remedy_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.svm", None)
    pages, _, _ = fiasco_train_pages.labelled_pages(examples(3))
    with pytest.raises(ExtraError, match=r"pip install '\.\[svm\]'"):
        fiasco_train.train(pages)


@pytest.mark.slow
def test_the_verb_trains(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("sklearn")
    monkeypatch.setattr(fiasco_train, "_GRID_C", (8.0,))
    gold, raw, model = tmp_path / "gold", tmp_path / "raw", tmp_path / "mine.npz"
    gold.mkdir()
    raw.mkdir()
    for at in range(6):
        (gold / f"{at}.txt").write_text(f"<h>Ferry\n<p>{STORY}\n<p>{STORY} {STORY}")
        (raw / f"{at}.html").write_text(HTML)
    (raw / "dump.txt").write_text("no partner")
    assert main(["train", "--fiasco", str(gold), str(raw), "-o", str(model)]) == 0
    captured = capfd.readouterr()
    assert "pages     6, 0 left out" in captured.out
    assert "dump.txt" in captured.err
    assert registry.scorer(str(model)).name == "mine"


@pytest.mark.slow
def test_prediction_is_that_of_scikit_learn() -> None:
    svm = pytest.importorskip("sklearn.svm")
    pages, _, _ = fiasco_train_pages.labelled_pages(examples(6))
    every = fiasco_train.node_rows(pages, WORDS, visual=False)
    ours = fiasco_train._train_svm(every, 4.0, 0.5)
    x = fiasco.scale_features(every.table, ours.low, ours.high)
    theirs = svm.SVC(C=4.0, gamma=0.5).fit(x, every.clean)
    assert ours.margins(x) == pytest.approx(theirs.decision_function(x), abs=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("folds", [fiasco_train.folds_by_page, fiasco_train.folds_by_node])
def test_cross_validation_asks_each_node_once(folds: object) -> None:
    pytest.importorskip("sklearn")
    pages, _, _ = fiasco_train_pages.labelled_pages(examples(6))
    pairs = folds(pages, visual=False, count=3)  # type: ignore[operator]
    assert sum(len(asked.clean) for _, asked in pairs) == 36
    assert fiasco_train.cross_validated_accuracy(pairs, 8.0, 0.5).accuracy > 0.9


# Shapes on the screen ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("region", "expected"),
    [
        ([_TextLine(0, 100, 0, 10)], (1.0, 0.0, 1.0)),
        ([_TextLine(0, 100, 0, 10), _TextLine(0, 95, 10, 20)], (0.975, 0.0, (50 * 3 + 45) / 4 / 50)),
        (
            [_TextLine(0, 100, 0, 10), _TextLine(0, 20, 10, 20)],
            (0.6, 1.0, (50 + 50 + 50 + 50 + 30 + 30) / 6 / 50),
        ),
    ],
)
def test_the_shape_of_a_region(region: list[_TextLine], expected: tuple[float, float, float]) -> None:
    assert _shape(region) == pytest.approx(expected)


def test_boxes_on_one_line_are_joined() -> None:
    assert text_lines([(60, 2, 40, 10), (0, 0, 60, 10), (0, 0, 0, 0)]) == [_TextLine(0, 100, 0, 12)]


def test_what_is_not_shown_has_no_shape() -> None:
    columns = visual_features(
        [[], [_TextLine(0, 50, 0, 20)], [_TextLine(0, 100, 30, 40)]], [False, True, False]
    )
    assert columns[0].tolist() == [0.0] * 5
    assert columns[:, 3].tolist() == [0.0, 0.5, 1.0]  # relative width
    assert columns[:, 4].tolist() == [0.0, 0.0, 0.5]  # as high as the headline, half as high


def test_visual_features_are_used_when_the_page_was_measured() -> None:
    page = read(HTML)
    some, head = machine(len(NODE_FEATURES) + len(VISUAL_FEATURES)), header(visual=True)
    blind = fiasco.Fiasco("test", some, WORDS, lambda source: {}, header=head)
    seen = fiasco.Fiasco("test", some, WORDS, layout_of(600.0), header=head)
    assert blind.score(page).tolist() != seen.score(page).tolist()


def layout_of(width: float) -> Callable[[str], Boxes]:
    """A layout with one line for each text."""
    return lambda source: {number: [(0.0, 20.0 * number, width, 18.0)] for number in range(30)}


@pytest.fixture
def visual_model(tmp_path: Path) -> str:
    some = machine(len(NODE_FEATURES) + len(VISUAL_FEATURES))
    fiasco.save(tmp_path / "seeing.npz", some, WORDS, header=header(visual=True))
    return str(tmp_path / "seeing.npz")


def test_a_visual_model_is_refused_without_visual(visual_model: str) -> None:
    with pytest.raises(ModelError, match="seeing was trained with visual features: add --visual"):
        Cleaner.load(visual_model)


def test_a_visual_model_never_scores_without_a_layout(visual_model: str) -> None:
    with pytest.raises(ModelError, match="add --visual"):
        registry.scorer(visual_model).score(read(HTML))


def test_a_model_without_visual_features_is_refused_with_visual() -> None:
    with pytest.raises(ModelError, match="fiasco has no visual features: leave --visual out"):
        Cleaner.load("fiasco", Options(visual=True))


@pytest.mark.parametrize("command", ["clean", "evaluate"])
def test_commands_refuse_a_visual_model_in_one_line(
    command: str, visual_model: str, checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    raw = checkout / "training" / "raw"
    files = [raw / "news.html"] if command == "clean" else [checkout / "training" / "gold", raw]
    assert main([command, "--model", visual_model, *map(str, files)]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert len(captured.err.splitlines()) == 1
    assert "add --visual" in captured.err

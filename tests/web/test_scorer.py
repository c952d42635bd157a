"""The web model from training to file to verdicts."""

from dataclasses import replace

import numpy as np
import pytest

from stupidos.cli import main
from stupidos.errors import ModelError
from stupidos.lab.corpus import gold_segments
from stupidos.lab.examples import Example
from stupidos.lm import archive
from stupidos.page import Page
from stupidos.pipeline import Cleaner, Options
from stupidos.render import RenderOptions, read
from stupidos.score import registry
from stupidos.score.cut import CUT_FEATURES, CutNetwork
from stupidos.web import scorer
from stupidos.web.features import FEATURES, feature_rows, features, page_arrays, whole_page
from stupidos.web.hashed_ngrams import SLOTS
from stupidos.web.neighbourhoods import NEIGHBOURHOODS
from stupidos.web.network import SEGMENTS_AT_ONCE
from stupidos.web.second_look import INPUTS, SecondLook
from stupidos.web.symbols import symbols_of
from stupidos.web.train import Source, retrained, train_model
from stupidos.web.train_network import TrainingOptions

REPETITION = ("seen before", "has further copies", "log times")
QUICK = TrainingOptions(
    hidden=8, channels=3, units=4, epochs=30, min_steps=0, batch_pages=4, learning_rate=0.01
)


def example(number):
    """A page of a made-up site with a menu, some text and a footer."""
    words = ["tea", "rain", "stone", "river", "lamp", "bread"]
    first, second = words[number % 6], words[(number + 1) % 6]
    text = f"The {first} was on the table, and the {second} was not. Nobody knew why, number {number}."
    html = (
        f"<title>{first}</title><link rel=canonical href=/news/{first}>"
        f"<div class=nav><a href=1>Home</a><a href=2>News {number}</a></div>"
        f"<div class=article><h1>About {first}</h1><p>{text}<p>{text[::-1].swapcase()}</div>"
        "<div class=footer>Copyright, all rights reserved | Imprint</div>"
    )
    gold = f"<h>About {first}<p>{text}<p>{text[::-1].swapcase()}"
    return Example(f"p{number}", read(html, "html"), gold_segments(gold))


@pytest.fixture(scope="module")
def trained():
    return train_model([Source([example(number) for number in range(24)])], QUICK)


@pytest.fixture(scope="module")
def file(trained, tmp_path_factory):
    path = tmp_path_factory.mktemp("web") / "mine.npz"
    trained.save(path)
    return path


def test_a_trained_model_keeps_the_text_and_drops_the_rest(trained):
    page = example(99)
    verdicts = Cleaner(trained.scorer("mine"), trained.scorer("mine")).document(page.page).verdicts
    kept = [verdict.segment.text for verdict in verdicts if verdict.keep]
    assert kept == [segment.text for segment in page.gold]


def test_a_saved_model_gives_the_same_scores(trained, file):
    page = example(50).page
    assert (registry.scorer(str(file)).score(page) == trained.scorer("mine").score(page)).all()


def test_the_same_pages_give_the_same_file(tmp_path):
    files = [tmp_path / "one" / "mine.npz", tmp_path / "other" / "mine.npz"]  # the name is in the header
    for path in files:
        path.parent.mkdir()
        train_model([Source([example(number) for number in range(8)])], replace(QUICK, epochs=2)).save(path)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_page_without_segments_gets_no_scores(trained):
    assert trained.scorer("mine").score(Page("", "", [])).shape == (0,)


@pytest.mark.parametrize(
    "html",
    [
        "x",
        "<p>😀😀 beyond the first plane 𝔘",
        "<p>\ud800 lone",
        "<p>" * 300 + "deep",
        "<td>a<td>b",
        "<p hidden>h",
        "<div class='a\0b'><p id='\0'>nul",
    ],
)
def test_any_page_gets_a_finite_score_for_each_segment(html, trained):
    page = read(html, "html", RenderOptions(hidden=True))
    scores = trained.scorer("mine").score(page)
    assert scores.shape == (len(page.segments),)
    assert np.isfinite(scores).all()


def test_every_feature_has_a_name(trained):
    scorer = trained.scorer("mine")
    rows = features(page_arrays(example(1).page, scorer.symbols), scorer.ngrams)
    assert len(rows) == len(FEATURES) == len(set(FEATURES))
    assert len(scorer.weights.spread) == len(FEATURES)


def test_copies_of_a_text_are_counted(trained):
    page = read("<p>one<p>two<p>one<p>three<p>three<p>three", "html", RenderOptions(hidden=True))
    rows = features(page_arrays(page, trained.symbols), trained.ngrams)
    seen, further, times = (rows[FEATURES.index(name)] for name in REPETITION)
    assert seen.tolist() == [0, 0, 1, 0, 1, 1]
    assert further.tolist() == [1, 0, 0, 1, 1, 1]
    assert np.exp(times).round().tolist() == [2, 1, 2, 3, 3, 3]


@pytest.mark.parametrize(("first", "end"), [(0, 3), (2, 6), (5, 6)])
def test_features_of_a_part_are_those_of_the_page(first, end, trained):
    html = "<title>one two</title><h1>one two</h1><p>one<p>two<ul><li>one<li>three</ul><p>three"
    arrays = page_arrays(read(html, "html", RenderOptions(hidden=True)), trained.symbols)
    part = feature_rows(arrays, whole_page(arrays, trained.ngrams), first, end)
    assert part.tobytes() == features(arrays, trained.ngrams)[:, first:end].tobytes()


def test_symbols_of_a_long_text_are_those_of_its_parts(trained, monkeypatch):
    text = "Tea, \U0001f375 and Чай; 茶\ud83c\udf75." * 9
    whole = symbols_of(text, trained.symbols)
    monkeypatch.setattr("stupidos.web.symbols._CHARACTERS_AT_ONCE", 7)
    assert symbols_of(text, trained.symbols).tobytes() == whole.tobytes()


def test_every_character_has_log_odds(trained):
    assert len(trained.scorer("mine").characters("Some text")) == len("Some text")


def test_retraining_leaves_each_fold_out():
    parts = [[example(number) for number in range(start, 12, 2)] for start in range(2)]
    scorers = list(retrained(parts, QUICK))
    assert len(scorers) == 2
    assert not (scorers[0].score(parts[0][0].page) == scorers[1].score(parts[0][0].page)).all()


@pytest.mark.parametrize("name", ["hidden", "heads", "around", "last", "spread", "symbols", "ngrams"])
def test_a_file_with_an_array_of_another_shape_is_refused(name, file, tmp_path):
    header, arrays = archive.read(file, scorer._SCHEMA)
    broken = tmp_path / "broken.npz"
    archive.write(broken, header, arrays | {name: arrays[name][:-1]})
    with pytest.raises(ModelError, match=name):
        scorer.load(broken)


@pytest.mark.parametrize(
    "empty",
    [
        {"hidden": (0, len(FEATURES)), "hidden_bias": (0,)},
        {"around": (0, len(NEIGHBOURHOODS)), "around_bias": (0,), "last": (0,)},
        {"around": (4, 0)},
    ],
)
def test_a_file_with_an_empty_network_is_refused(empty, file, tmp_path):
    header, arrays = archive.read(file, scorer._SCHEMA)
    broken = tmp_path / "broken.npz"
    archive.write(
        broken, header, arrays | {name: np.zeros(shape, np.float32) for name, shape in empty.items()}
    )
    with pytest.raises(ModelError, match="empty"):
        scorer.load(broken)


@pytest.mark.parametrize(
    ("name", "most"), [("symbols", 1 << 16), ("ngrams", 2 * SLOTS), ("heads", 1 << 20), ("last", 1 << 20)]
)
def test_a_file_with_an_array_beyond_its_bound_is_not_read(name, most, file, tmp_path):
    header, arrays = archive.read(file, scorer._SCHEMA)
    large = tmp_path / "large.npz"
    shape = (most,) if arrays[name].ndim == 1 else (1, most)
    archive.write(large, header, arrays | {name: np.zeros(shape, arrays[name].dtype)})
    assert archive.read(large, scorer._SCHEMA)[1][name].size == most
    larger = np.zeros((*shape[:-1], most + 1), arrays[name].dtype)
    archive.write(large, header, arrays | {name: larger})
    with pytest.raises(ModelError, match=name):
        archive.read(large, scorer._SCHEMA)


def test_a_file_whose_weights_would_overflow_is_refused(file, tmp_path):
    header, arrays = archive.read(file, scorer._SCHEMA)
    broken = tmp_path / "broken.npz"
    archive.write(broken, header, arrays | {"heads": np.full_like(arrays["heads"], 1e30)})
    with pytest.raises(ModelError, match="heads has too large a number"):
        scorer.load(broken)


def test_a_page_of_very_many_segments_is_judged(trained):
    page = read("<p>Some tea was on the table.</p>" * (SEGMENTS_AT_ONCE + 5), "html")
    assert np.isfinite(trained.scorer("mine").score(page)).all()


@pytest.mark.parametrize("words", [None, "news", [1], ["path:news"]])
def test_a_file_whose_words_are_not_those_of_its_network_is_refused(words, file, tmp_path):
    header, arrays = archive.read(file, scorer._SCHEMA)
    broken = tmp_path / "broken.npz"
    archive.write(broken, {**header, scorer.WORDS_KEY: words}, arrays)
    with pytest.raises(ModelError, match=r"words.*train it again"):
        scorer.load(broken)


def test_a_file_that_reads_ascii_as_something_else_is_refused(file, tmp_path):
    header, arrays = archive.read(file, scorer._SCHEMA)
    broken = tmp_path / "broken.npz"
    archive.write(broken, header, arrays | {"symbols": arrays["symbols"][::-1].copy()})
    with pytest.raises(ModelError, match="symbols of ASCII characters"):
        scorer.load(broken)


def test_words_that_many_sites_have_are_known(trained):
    assert {"path:news", "path/2"} <= set(trained.vocabulary)
    assert "path:nosuch" not in trained.vocabulary


def test_a_model_tells_what_it_learnt(file, capsys):
    assert main(["models", "show", str(file), "--most", "3"]) == 0
    told = capsys.readouterr().out
    assert "sidebar" in told
    assert "Log in" in told
    assert "path:news" in told
    assert sum(line.strip().endswith(tuple(FEATURES)) for line in told.splitlines()) >= 3


@pytest.mark.slow
def test_the_command_trains_a_web_model_that_cleans(tmp_path, capsys):
    for number in range(8):
        page = example(number)
        for folder, text in (("raw", page.page.source), ("gold", "\n".join(s.text for s in page.gold))):
            (tmp_path / folder).mkdir(exist_ok=True)
            suffix = ".html" if folder == "raw" else ".txt"
            (tmp_path / folder / f"p{number}{suffix}").write_text(text, "utf-8")
    model = tmp_path / "mine.npz"
    assert main(["train", str(tmp_path / "gold"), str(tmp_path / "raw"), "--web", "-o", str(model)]) == 0
    assert "8 learnt from" in capsys.readouterr().out
    assert "was on the table" in Cleaner.load(str(model)).clean(example(3).page.source)


def convention_source():
    """Pages whose golds have the title and pages whose golds lack it, told apart by their convention."""
    titled = [example(number) for number in range(24)]
    untitled = [one._replace(name=f"u{one.name}", gold=one.gold[1:]) for one in titled]
    names = {one.name: ("convention:body",) for one in untitled} | {
        one.name: ("convention:titled",) for one in titled
    }
    return Source([*titled, *untitled], conventions=names)


@pytest.fixture(scope="module")
def with_conventions(tmp_path_factory):
    path = tmp_path_factory.mktemp("conventions") / "mine.npz"
    options = replace(QUICK, epochs=60)
    model = train_model([convention_source()], options, fit_confidence=False)
    named = {"auto": ["convention:titled"], "article": ["convention:body"]}
    replace(model, conventions=named).save(path)
    return path


def test_a_convention_decides_what_counts_as_text(with_conventions):
    page = example(99).page
    title = next(index for index, segment in enumerate(page.segments) if segment.text == "About river")
    auto, article = (
        Cleaner.load(str(with_conventions), Options(convention=name)).document(page).decision.scores
        for name in ("auto", "article")
    )
    assert auto[title] > article[title] + 1


@pytest.mark.parametrize("model", ["standard", "keep-all"])
def test_a_model_without_conventions_refuses_one(model):
    with pytest.raises(ModelError, match="knows no convention page: leave --convention out"):
        Cleaner.load(model, Options(convention="page"))


def test_a_web_model_without_conventions_refuses_one_too(file):
    with pytest.raises(ModelError, match="knows no convention page: leave --convention out"):
        Cleaner.load(str(file), Options(convention="page"))


@pytest.mark.parametrize("conventions", [[], {"auto": 3}, {"auto": [3]}, {"auto": None}], ids=str)
def test_damaged_conventions_are_refused(with_conventions, tmp_path, conventions, rewrite_header):
    path = tmp_path / "damaged.npz"
    path.write_bytes(with_conventions.read_bytes())
    rewrite_header(path, {"conventions": conventions})
    with pytest.raises(ModelError, match="train it again"):
        scorer.load(path)


def test_a_network_for_cuts_is_saved_with_the_model(trained, tmp_path):
    network = CutNetwork(*(np.ones(shape, np.float32) for shape in ((2, len(CUT_FEATURES)), 2, 2)))
    replace(trained, cut_network=network).save(tmp_path / "mine.npz")
    loaded = scorer.load(tmp_path / "mine.npz").cut_network
    assert all((one == other).all() for one, other in zip(loaded, network, strict=True))


def test_a_model_without_a_network_for_cuts_uses_expected_f(file):
    assert scorer.load(file).cut_network is None


@pytest.fixture
def second_look():
    """It takes two log-odds from every segment."""
    units = (np.zeros((1, len(INPUTS)), np.float32), np.ones(1, np.float32), np.full(1, -2, np.float32))
    return SecondLook(*units)


def test_a_second_look_is_saved_with_the_model(trained, second_look, tmp_path):
    replace(trained, second_look=second_look).save(tmp_path / "mine.npz")
    loaded = scorer.load(tmp_path / "mine.npz").second_look
    assert all((one == other).all() for one, other in zip(loaded, second_look, strict=True))


def test_a_second_look_without_units_is_refused(trained, second_look, tmp_path):
    nothing = SecondLook(*(array[:0] for array in second_look))
    replace(trained, second_look=nothing).save(tmp_path / "mine.npz")
    with pytest.raises(ModelError, match="its second look is empty"):
        scorer.load(tmp_path / "mine.npz")


def test_a_model_without_a_second_look_takes_none(file):
    assert scorer.load(file).second_look is None


def test_a_second_look_is_for_unsure_pages(trained, second_look):
    first, second = trained.scorer("mine"), replace(trained, second_look=second_look).scorer("mine")
    sure, other = example(3).page, read("<p>Rain<p>and more rain<div>Lamps</div>", "html")
    assert (second.score(sure) == first.score(sure)).all()
    assert np.allclose(second.score(other), first.score(other) - 2, atol=1e-5)


def test_a_very_large_page_gets_no_second_look(trained, second_look):
    page = read("<p>x" * (SEGMENTS_AT_ONCE + 1), "html")
    first, second = trained.scorer("mine"), replace(trained, second_look=second_look).scorer("mine")
    assert (second.score(page) == first.score(page)).all()


@pytest.mark.parametrize("name", SecondLook._fields)
def test_a_damaged_second_look_is_refused(trained, second_look, tmp_path, name):
    path = tmp_path / "mine.npz"
    shape = (3, 3) if name == "look_hidden" else 3
    replace(trained, second_look=second_look._replace(**{name: np.ones(shape, np.float32)})).save(path)
    with pytest.raises(ModelError, match="train it again"):
        scorer.load(path)


def test_a_part_of_a_second_look_is_refused(file, tmp_path):
    header, arrays = archive.read(file, scorer._SCHEMA)
    archive.write(tmp_path / "mine.npz", header, arrays | {"look_last": np.ones(1, np.float32)})
    with pytest.raises(ModelError, match="its parts are not"):
        scorer.load(tmp_path / "mine.npz")


def test_scorers_are_equal_if_they_are_the_same(trained):
    one, other = trained.scorer("mine"), trained.scorer("mine")
    assert one == one
    assert one != other
    assert len({one, other, one}) == 2

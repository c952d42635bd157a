"""The second look: which pages get one, what it sees, and what it may cost."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from stupidos.render import RenderOptions, read
from stupidos.web.features import PageArrays, page_arrays
from stupidos.web.network import SEGMENTS_AT_ONCE
from stupidos.web.second_look import INPUTS, SecondLook, look_inputs, main_element, unsure
from stupidos.web.symbols import symbol_table

PAGE = (
    "<body><div class=nav><p>Home</div>"
    f"<div class=main><div class=text><p>{'a' * 200}<p>{'b' * 100}<p>{'c' * 100}</div><p>{'d' * 100}</div>"
    "<div class=footer><p>Imprint</div>"
)
SURE = 20.0  # natural log-odds; beyond those that are told apart


def arrays_of(html: str) -> PageArrays:
    return page_arrays(read(html, "html", RenderOptions(hidden=True)), symbol_table())


def inputs_of(html: str, scores: list[float]) -> dict[str, list[float]]:
    """The inputs of each segment, by name."""
    page = arrays_of(html)
    elements = np.arange(len(page.elements.parent), dtype=np.float32)
    rows = look_inputs(page, elements, np.array(scores, np.float32))
    return dict(zip(INPUTS, rows.round(3).tolist(), strict=True))


@pytest.fixture(scope="module")
def inputs() -> dict[str, list[float]]:
    """Text to keep is a, b and d; c was dropped."""
    return inputs_of(PAGE, [-SURE, SURE, SURE, -SURE, SURE, -SURE])


def test_the_main_element_is_the_smallest_one_with_most_of_the_kept_text() -> None:
    page = arrays_of(PAGE)
    names = [page.elements.signatures[at] for at in page.elements.signature]
    kept = np.array([0, 0, 200, 300, 300, 300, 300], np.float32)
    assert names[main_element(page.elements, kept)] == "div class=text"
    kept[5:] += 200  # "d" outweighs them
    assert names[main_element(page.elements, kept)] == "div class=main"


def test_a_segment_lies_before_in_or_after_the_main_element(inputs: dict[str, list[float]]) -> None:
    assert inputs["in the main element"] == [0, 1, 1, 1, 0, 0]
    assert inputs["before it"] == [1, 0, 0, 0, 0, 0]
    assert inputs["kept text before"] == [0, 0, 0.5, 0.75, 0.75, 1]
    assert inputs["kept text after"] == [1, 0.5, 0.25, 0.25, 0, 0]


def test_a_child_of_the_main_element_is_a_part() -> None:
    inputs = inputs_of(PAGE, [-SURE, SURE, SURE, SURE, SURE, -SURE])
    assert inputs["in the main element"] == [0, 1, 1, 1, 0, 0]  # 80 % are in div.text
    inputs = inputs_of(PAGE, [-SURE, SURE, -SURE, -SURE, SURE, -SURE])
    assert inputs["in the main element"] == [0, 1, 1, 1, 1, 0]  # no child has 70 %
    assert np.exp(inputs["log segments of its part"]).round().tolist() == [2, 4, 4, 4, 2, 2]  # and one
    assert inputs["part's precision"] == [0, 0.5, 0.5, 0.5, 1, 0]
    assert inputs["part's kept text"] == pytest.approx([0, 2 / 3, 2 / 3, 2 / 3, 1 / 3, 0], abs=1e-3)


def test_distances_are_those_to_long_paragraphs_to_keep(inputs: dict[str, list[float]]) -> None:
    assert inputs["no long paragraph before"] == [1, 1, 0, 0, 0, 0]
    assert inputs["no long paragraph after"] == [0, 0, 0, 0, 1, 1]
    assert np.exp(inputs["log segments since a long one"]).round().tolist() == [2, 3, 2, 2, 3, 2]
    assert np.exp(inputs["log segments to a long one"]).round().tolist() == [2, 2, 3, 2, 3, 2]


def test_long_is_what_the_kept_text_is_like() -> None:
    short, long = "x" * 40, "y" * 100  # where a paragraph is as long as "y", "x" is not
    inputs = inputs_of(f"<p>{short}<p>{long}<p>{long}<p>Imprint", [SURE, SURE, SURE, -SURE])
    assert inputs["no long paragraph before"] == [1, 1, 0, 0]
    inputs = inputs_of(f"<p>{short}<p>{short}<p>{short}<p>Imprint", [SURE, SURE, SURE, -SURE])
    assert inputs["no long paragraph before"] == [1, 0, 0, 0]


def test_a_text_was_seen_before_unless_it_is_short() -> None:
    inputs = inputs_of("<p>It rained all day<p>Reply<p>It rained all day<p>Reply", [SURE] * 4)
    assert inputs["seen before"] == [0, 0, 1, 0]


@pytest.mark.parametrize(("size", "seen"), [(11, 0), (12, 1)])
def test_a_short_text_has_fewer_than_twelve_characters(size: int, seen: int) -> None:
    assert inputs_of(f"<p>{'x' * size}<p>{'x' * size}", [SURE] * 2)["seen before"] == [0, seen]


def test_what_a_page_is_as_a_whole_is_the_same_for_all_segments(inputs: dict[str, list[float]]) -> None:
    for name in ("page's score", "page's precision", "precision page", "kept text in the main element"):
        assert len(set(inputs[name])) == 1
    assert inputs["kept text in the main element"][0] == 0.75


def test_a_page_is_unsure_if_its_text_is_or_if_it_has_none() -> None:
    sizes = np.array([100, 100], np.float32)
    assert not unsure(np.array([5, -1], np.float32), sizes)
    assert unsure(np.array([1, -1], np.float32), sizes)
    assert unsure(np.array([-5, -5], np.float32), sizes)


@pytest.mark.parametrize("scores", [[0.0], [1e30], [-1e30]])
def test_a_page_of_one_segment_has_inputs(scores: list[float]) -> None:
    inputs = inputs_of("<p>It rained all day long.", scores)
    assert np.isfinite(list(inputs.values())).all()


@pytest.mark.parametrize("html", ["<li>x" * 5000, "<div>" * 300 + "<p>x" * 300, "<b>x<div>y" * 200], ids=len)
def test_odd_pages_have_finite_inputs_without_a_warning(html: str) -> None:
    page = arrays_of(html)
    scores = np.linspace(-40, 40, len(page.sizes), dtype=np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rows = look_inputs(page, np.zeros(len(page.elements.parent), np.float32), scores)
    assert rows.shape == (len(INPUTS), len(scores))
    assert np.isfinite(rows).all()


def test_a_correction_is_the_same_in_blocks_and_at_once() -> None:
    rng = np.random.default_rng(3)
    look = SecondLook(*(rng.normal(0, 1, shape).astype(np.float32) for shape in ((48, len(INPUTS)), 48, 48)))
    inputs = rng.normal(0, 1, (len(INPUTS), SEGMENTS_AT_ONCE)).astype(np.float32)
    hidden = np.maximum(look.look_hidden @ inputs + look.look_bias[:, None], 0)
    assert np.allclose(look.correction(inputs), look.look_last @ hidden, atol=1e-3)

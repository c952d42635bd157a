"""Any file as a model: the same scores, or a ModelError of one line; never another exception."""

from __future__ import annotations

import io
import json
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from generators import PAGES, TESTS, check_message, edited, edits, examples, mutants
from hypothesis import given
from hypothesis import strategies as st

from stupidos import Cleaner, ModelError
from stupidos.score import registry

pytestmark = pytest.mark.fuzz

MODELS = ("simplified", "fiasco", "web", "standard")  # by their size; text is one like standard, but large
DESCRIPTIONS = [
    *(
        "'<f4'",
        "'<f8'",
        "'|u1'",
        "'|O'",
        "'<i8'",
        "'>f4'",
        "'|S9'",
        "False",
        "True",
        "(3,)",
        "(0,)",
        "(0, 9)",
        "(9, 0)",
    ),
    *(
        "(1, 999999999999)",
        "(999999999999, 999999999999)",
        "()",
        "(-1,)",
        "(2, 2, 2)",
        "__import__('os')",
        "{}",
    ),
]
Parts = dict[str, bytes]


@cache
def file_of(model: str) -> bytes:
    return (TESTS.parent / "models" / f"{model}.npz").read_bytes()


@cache
def parts_of(model: str) -> Parts:
    with zipfile.ZipFile(io.BytesIO(file_of(model))) as file:
        return {name: file.read(name) for name in file.namelist()}


@cache
def scores_of(model: str) -> list[float]:
    return judged(str(TESTS.parent / "models" / f"{model}.npz"))


def judged(path: str) -> list[float]:
    """The scores of a page by the model in a file."""
    registry._loaded.cache_clear()  # the same file may have changed within a nanosecond
    cleaner = Cleaner.load(path)
    page = cleaner.page(PAGES[0])
    document = cleaner.document(page)
    assert document.confidence is None or 0 <= document.confidence <= 1
    return [verdict.score for verdict in document.verdicts]


def accepted(path: Path) -> list[float] | None:
    """The scores, or None for a model that is refused."""
    try:
        return judged(str(path))
    except ModelError as error:
        check_message(error)
        return None


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz") / "m.npz"


@pytest.mark.parametrize("model", MODELS)
@examples(20)
@given(st.data())
def test_a_damaged_file_gives_the_same_scores_or_is_refused(
    path: Path, model: str, data: st.DataObject
) -> None:
    path.write_bytes(data.draw(mutants([file_of(model), file_of(model)[-700:]])))
    scores = accepted(path)
    assert scores is None or scores == scores_of(model)


def header_values() -> st.SearchStrategy[Any]:
    """Whatever JSON may hold where something else is expected."""
    leaves = st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-3, 9),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(max_size=4),
        st.sampled_from(
            [10**400, -(10**9), "nan", "-inf", "viterbi", "zero", "unicode", "ngram", "web", 1e308, -0.0]
        ),
    )
    names = st.sampled_from(["base", "weights", "clean", "dirty", "a"])
    return st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3)
    )


def changed_header(header: bytes, changes: dict[str, Any]) -> bytes:
    return json.dumps({**json.loads(header), **changes}).encode()


@st.composite
def changed(draw: st.DrawFn, model: str) -> Parts:
    """The parts of a model with another header, other descriptions or other numbers."""
    parts = dict(parts_of(model))
    names = [*json.loads(parts["header.json"]), "cut", "switch", "decision", "confidence", "visual", "words"]
    what = draw(st.sampled_from(["header", "header", "description", "numbers", "lost", "bytes"]))
    name = draw(st.sampled_from(sorted(set(parts) - {"header.json"})))
    if what == "header":
        changes = draw(st.dictionaries(st.sampled_from(names), header_values(), min_size=1, max_size=2))
        parts["header.json"] = changed_header(parts["header.json"], changes)
    elif what == "bytes":
        parts["header.json"] = edited(parts["header.json"], draw(edits(st.binary(max_size=9))))
    elif what == "description":
        old, new = draw(st.sampled_from(DESCRIPTIONS)), draw(st.sampled_from(DESCRIPTIONS))
        head, body = parts[name][:128].decode("latin-1"), parts[name][128:]
        shape = head[head.index("(") : head.index(")") + 1]
        replaced = head.replace(shape if old.startswith("(") else old, new)
        fitted = replaced.rstrip("\n").rstrip(" ").ljust(127)[:127] + "\n"
        parts[name] = fitted.encode("latin-1") + body[: draw(st.integers(0, len(body)))]
    elif what == "numbers":
        array = np.lib.format.read_array(io.BytesIO(parts[name]))
        data = bytearray(array.tobytes())
        for at in draw(st.lists(st.floats(0, 1, exclude_max=True), max_size=9)):
            data[int(at * len(data))] = draw(st.integers(0, 255))
        parts[name] = parts[name][:128] + bytes(data)
    else:
        parts[draw(st.sampled_from(["more.npy", "../x"]))] = parts.pop(name)
    return parts


@pytest.mark.parametrize("model", MODELS)
@examples(30)
@given(st.data())
def test_a_file_of_other_content_works_or_is_refused(path: Path, model: str, data: st.DataObject) -> None:
    parts = data.draw(changed(model))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as file:
        for name, content in parts.items():
            file.writestr(name, content)
    scores = accepted(path)
    assert scores is None or all(np.isfinite(scores))

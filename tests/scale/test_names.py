"""Names of output files: two inputs never share one, and the inputs alone decide them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
import standin

from stupidos.scale.batch import run
from stupidos.scale.job import Job
from stupidos.scale.names import Names
from stupidos.scale.source_items import Raw
from stupidos.scale.sources import Inline
from stupidos.write import Style

pytestmark = pytest.mark.usefixtures("small")


def made(*paths: str) -> None:
    """Pages that tell their own path, in the current folder."""
    for path in paths:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(f"<p>Page {os.path.abspath(path)}")


def cleaned(*inputs: str, names: Iterable[str | Inline] | None = None, jobs: int = 1) -> dict[str, str]:
    """The input (below the current folder) that each output was made of."""
    job = Job(inputs, "out", folder=True, style=Style("text"), cleaner=standin.NAME)
    accounts = run(job, jobs, names=names)
    found = {
        str(path.relative_to("out")): path.read_text().removeprefix("Page ").removesuffix("\n")
        for path in Path("out").rglob("*")
        if path.is_file()
    }
    assert accounts.failed == 0
    assert len(found) == accounts.written
    assert len({name.casefold() for name in found}) == len(found)
    return {name: text.removeprefix(f"{Path.cwd()}/") for name, text in found.items()}


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_one_folder_keeps_its_names() -> None:
    made("in/p.html", "in/a/b.html", "in/a/c.html.gz.html", "in/README")
    assert cleaned("in") == {
        "p.txt": "in/p.html",
        "a/b.txt": "in/a/b.html",
        "a/c.html.gz.txt": "in/a/c.html.gz.html",
        "README.txt": "in/README",
    }


def test_several_folders_keep_their_own_names_in_front() -> None:
    made("a/p.html", "b/c/p.html")
    assert cleaned("a", "b/c/") == {"a/p.txt": "a/p.html", "c/p.txt": "b/c/p.html"}


def test_folders_of_one_name_are_numbered() -> None:
    made("x/a/p.html", "y/a/p.html", "z/A/p.html")
    assert cleaned("x/a", "y/a", "z/A", "x/a") == {
        "a/p.txt": "x/a/p.html",
        "a-2/p.txt": "y/a/p.html",
        "A-3/p.txt": "z/A/p.html",
        "a-4/p.txt": "x/a/p.html",
    }


def test_a_folder_and_its_own_file_are_two_inputs() -> None:
    made("a/p.html", "a/q.html")
    assert cleaned("a", "a/p.html") == {
        "a/p.txt": "a/p.html",
        "a/q.txt": "a/q.html",
        "a/p.html.txt": "a/p.html",
    }


def test_names_that_lose_different_suffixes_stay_different() -> None:
    made("in/a.html", "in/a.htm", "in/a.html.html", "in/a.html.htm", "in/a.htm.html")
    found = cleaned("in")
    assert len(found) == 5
    assert found["a.html.txt"] == "in/a.html"


def test_a_number_does_not_take_a_name_away() -> None:
    made("p.html", "p.html-2")
    assert cleaned("p.html", "p.html", "p.html", "p.html-2", "p.html-2") == {
        "p.txt": "p.html",
        "p.html.txt": "p.html",
        "p.html-2.txt": "p.html",
        "p.html-2-2.txt": "p.html-2",
        "p.html-2-3.txt": "p.html-2",
    }


@pytest.mark.parametrize("inputs", [("in",), ("in/a.html", "in/a.txt"), ("in/a.txt", "in/a.html")])
def test_a_file_and_a_folder_do_not_share_a_name(inputs: tuple[str, ...]) -> None:
    made("in/a.html", "in/a.txt/b.html")
    assert sorted(cleaned(*inputs).values()) == ["in/a.html", "in/a.txt/b.html"]


def test_names_that_differ_in_case_only_are_distinguished() -> None:
    made("in/A.html", "in/a.html", "in/\u00e9.html", "in/e\u0301.html")
    if len(os.listdir("in")) < 4:
        pytest.skip("this file system cannot tell them apart itself")
    assert len(cleaned("in")) == 4


def test_standard_input_has_a_name_of_its_own() -> None:
    made("standard-input.html")
    page = Inline(Raw("-", b"<p>Page of nobody"), "standard-input.txt")
    found = cleaned(names=[page, "standard-input.html", page])
    assert sorted(found.values()) == ["of nobody", "of nobody", "standard-input.html"]
    assert found["standard-input.txt"] == "of nobody"


def test_the_folder_of_the_journal_is_not_a_place_for_pages() -> None:
    made(".stupidos/journal.html", ".stupidos/output.html")
    assert len(cleaned(".stupidos/journal.html", ".stupidos/output.html")) == 2


@pytest.mark.parametrize("name", ["x" * 250 + ".html", "x" * 255, "\u00e4" * 127, "x" * 254 + "\udcff"])
def test_a_name_that_is_too_long_is_shortened(name: str) -> None:
    made("in/p.html")
    Path("in", name).write_text("<p>Page long")
    (long,) = (output for output, text in cleaned("in").items() if text == "long")
    assert len(os.fsencode(long)) <= 255
    assert os.fsencode(long)[:100] == os.fsencode(name)[:100]


@pytest.mark.parametrize("before", ["", "x", "xx"])
def test_a_shortened_name_is_cut_between_characters(before: str) -> None:
    made("in/p.html")
    Path("in", before + "茶" * (84 - len(before) // 3)).write_text("<p>Page long")
    (long,) = (output for output, text in cleaned("in").items() if text == "long")
    assert long.partition("-")[0] in before + "茶" * 84  # no half of a character


def test_long_names_with_the_same_start_stay_different() -> None:
    made(*(f"in/{'x' * 250}{number}" for number in range(3)), *(f"in/{'x' * 250}1.{end}" for end in "ab"))
    assert len(cleaned("in")) == 5


def test_a_path_that_is_too_long_fails_its_page_only(tmp_path: Path) -> None:
    made("in/p.html")
    deep = os.sep.join(["in", *["d" * 200] * 20])
    os.makedirs(deep)
    Path(deep, "q.html").write_text("<p>Deep")  # 4,030 bytes here, more than PATH_MAX in the output folder
    output = "o" * 200
    job = Job(("in",), output, folder=True, style=Style("text"), cleaner=standin.NAME)
    accounts = run(job)
    assert accounts.summary() == "read 2 = written 1 + empty 0 + failed 1"
    assert Path(output, "p.txt").exists()


@pytest.mark.parametrize(
    "name", [b"\xff\xfe.html", b"a\nb.html", b"-o.html", b"\xf0\x9f\x90\xa2.html", b"a b\\.html"]
)
def test_any_bytes_are_a_name(name: bytes) -> None:
    os.mkdir("in")
    try:
        Path(os.fsdecode(b"in/" + name)).write_text("<p>Page here")
    except OSError:
        pytest.skip("this file system has no such names")
    assert cleaned("in") == {os.fsdecode(name[:-5] + b".txt"): "here"}


@pytest.mark.slow
def test_names_do_not_depend_on_the_number_of_workers() -> None:
    made(
        *(f"{folder}/{name}.{end}" for folder in "ab" for name in ("p", "P", "q") for end in ("htm", "html"))
    )
    alone = cleaned("a", "b", "a/p.htm")
    os.rename("out", "alone")
    assert cleaned("a", "b", "a/p.htm", jobs=2) == alone


def test_a_run_into_the_folder_of_its_pages_keeps_their_names(tmp_path: Path) -> None:
    """The outputs of the first run are no reason to call those of the second one otherwise."""
    made("p.html")
    for _ in range(2):
        run(Job(("p.html",), ".", folder=True, style=Style("text"), cleaner=standin.NAME))
        assert sorted(os.listdir()) == ["p.html", "p.txt"]


def test_a_name_costs_little_memory() -> None:
    names = Names(".txt")
    for number in range(5000):
        names.of_file(f"folder{number % 7}/page{number}.html")
    sizes = [sys.getsizeof(names._taken), sum(map(sys.getsizeof, names._taken))]
    assert sum(sizes) / 5000 < 150  # bytes


NAMED = {
    "relative": ("pages/a/2.html", "pages/a/2.txt"),
    "packed": ("pages/a.html.gz", "pages/a.txt"),
    "a root": ("/pages/a.html", "pages/a.txt"),
    "no name at all": ("", "unnamed.txt"),
}


@pytest.mark.parametrize(("path", "expected"), NAMED.values(), ids=NAMED)
def test_a_file_that_was_named_keeps_its_path(path: str, expected: str) -> None:
    assert Names(".txt").of_file(path) == expected


@pytest.mark.parametrize("path", ["../../etc/passwd", "a/../../../x.html", "/../x.html"])
def test_no_output_name_leaves_the_folder(path: str) -> None:
    name = Names(".txt").of_file(path)
    assert not os.path.isabs(name)
    assert ".." not in Path(name).parts


def test_pages_of_a_folder_that_differ_in_their_suffix_only_keep_it() -> None:
    made("in/b.html", "in/b.htm", "in/a/2.html")
    Path("in/b.png").write_bytes(b"PNG")
    assert sorted(cleaned("in")) == ["a/2.txt", "b.htm.txt", "b.html.txt"]


def test_folders_inside_folders_each_have_stems_of_their_own() -> None:
    names = Names(".txt")
    inside = ["p.html", "p.htm", "a/p.html", "a/b/p.html", "a/b/p.htm", "c/p.html", "q.html"]
    paths = [f"in/{path}" for path in inside]
    made(*paths)
    assert [names.of_member(path, "in") for path in paths] == [
        "p.html.txt", "p.htm.txt", "a/p.txt", "a/b/p.html.txt", "a/b/p.htm.txt", "c/p.txt", "q.txt",
    ]  # fmt: skip
    assert [folder for folder, _ in names._shared] == ["in"]  # a walk keeps those above it alone


def test_a_folder_is_listed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made(*(f"in/{number}.html" for number in range(5)))
    listed: list[str] = []
    listdir = os.listdir

    def recorded(folder: str) -> list[str]:
        listed.append(folder)
        return listdir(folder)

    monkeypatch.setattr(os, "listdir", recorded)
    names = Names(".txt")
    for number in range(5):
        names.of_member(f"in/{number}.html", "in")
    assert listed == ["in"]

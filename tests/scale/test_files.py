"""Pages that are files: what a folder holds, what it is called, what it must not become."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from stupidos.errors import StupidosError
from stupidos.scale.files import File, Files, file_or_skipped, page, tree
from stupidos.scale.source_items import Skipped
from stupidos.scale.unit import _inside

HTML = b"<p>A page"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("b.html", "a/2.html", "a/10.html", "a/.hidden.html", ".git/x.html"):
        path = tmp_path / "pages" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(HTML)
    return tmp_path / "pages"


def test_a_tree_is_read_in_the_order_of_names(folder: Path) -> None:
    found = [path for path in tree(str(folder)) if isinstance(path, str)]
    assert [os.path.relpath(path, folder) for path in found] == ["a/10.html", "a/2.html", "b.html"]


def test_hidden_files_are_counted_not_read(folder: Path) -> None:
    assert [one for one in tree(str(folder)) if isinstance(one, Skipped)] == [Skipped("hidden")] * 2


def test_links_to_folders_are_not_followed(folder: Path) -> None:
    (folder / "a" / "loop").symlink_to(folder)
    assert Skipped("link to a folder") in list(tree(str(folder)))


def test_the_output_folder_is_not_read(folder: Path) -> None:
    found = list(tree(str(folder), avoid=os.path.realpath(folder / "a")))
    assert [one for one in found if isinstance(one, str)] == [str(folder / "b.html")]


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_a_page_is_unpacked(tmp_path: Path, suffix: str) -> None:
    if suffix == ".zst":
        pack = pytest.importorskip("zstandard").compress
    else:
        pack = {"": bytes, ".gz": gzip.compress}[suffix]
    path = tmp_path / f"page.html{suffix}"
    path.write_bytes(pack(HTML))
    assert page(str(path), 100).data == HTML


def test_a_page_over_the_limit_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "page.html.gz"
    path.write_bytes(gzip.compress(bytes(1 << 20)))
    found = page(str(path), 1000)
    assert (len(found.data), found.truncated) == (1000, "max-bytes")


def test_a_page_of_exactly_the_limit_is_not_cut(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(HTML)
    assert not page(str(path), len(HTML)).truncated


def test_a_broken_gzip_file_is_a_page_with_an_error(tmp_path: Path) -> None:
    path = tmp_path / "page.html.gz"
    path.write_bytes(gzip.compress(HTML * 1000)[:-20])
    assert page(str(path), 100000).error.startswith("broken gzip")


def test_names_that_are_not_text_can_be_shown(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/\xff.html"
    with open(path, "wb") as file:
        file.write(HTML)
    found = page(os.fsdecode(path), 100)
    assert found.data == HTML
    assert found.id.endswith("/\\xff.html")


def test_what_is_not_a_file_is_skipped(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.html")
    assert file_or_skipped(str(tmp_path / "pipe.html")) == Skipped("no file")


def test_files_know_the_names_of_their_outputs(folder: Path) -> None:
    work = Files((File("x.html", "x.txt", 5), Skipped("hidden"), File("y.html", "y.txt", 6)))
    assert list(work.names()) == ["x.txt", "y.txt"]
    assert work.size == 11


def test_a_link_cannot_lead_out_of_the_output_folder(tmp_path: Path) -> None:
    root, outside = tmp_path / "out", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    (root / "a").symlink_to(outside)
    with pytest.raises(StupidosError, match="outside"):
        _inside(root, "a/b/c.txt")
    assert list(outside.iterdir()) == []
    assert _inside(root, "c/b.txt") == root / "c" / "b.txt"

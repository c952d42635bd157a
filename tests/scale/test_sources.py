"""The plan: inputs of every kind in units that depend on nothing else."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import crawls
import pytest

from stupidos.errors import StupidosError
from stupidos.scale import compression, sources, warc
from stupidos.scale.files import File, Files
from stupidos.scale.jsonl import Lines
from stupidos.scale.source_items import Raw
from stupidos.scale.sources import Inline, ReadOptions, Unit, sizes, units
from stupidos.scale.warc import Range


def pages(plan: Iterable[Unit]) -> list[str]:
    return [page.id for unit in plan for page in crawls.pages(unit.work.items(1 << 20))]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sources, "_MAX_UNIT_FILES", 3)
    monkeypatch.setattr(warc, "_RANGE_BYTES", {compression.GZIP: 1000, warc.PREFIX: 1000})
    for number in range(7):
        (tmp_path / f"{number}.html").write_bytes(crawls.page(number))
    (tmp_path / "3.jpg").write_bytes(b"\xff\xd8")
    (tmp_path / "5.jsonl").write_text('{"html": "<p>line"}\n')
    crawls.write(tmp_path / "6.warc.gz", crawls.packed(crawls.records(4)))
    return tmp_path


def test_units_are_numbered_and_hold_a_few_pages_each(folder: Path) -> None:
    plan = list(units([str(folder)]))
    assert [unit.number for unit in plan] == list(range(len(plan)))
    assert {type(unit.work) for unit in plan} == {Files, Lines, Range}
    assert all(len(unit.work.files) <= 3 for unit in plan if isinstance(unit.work, Files))


def test_a_folder_gives_its_pages_in_order(folder: Path) -> None:
    found = [os.path.relpath(name, folder) for name in pages(units([str(folder)])) if name.startswith("/")]
    assert found == ["0.html", "1.html", "2.html", "3.html", "4.html", "5.html", "5.jsonl:1", "6.html"]


def test_ranges_of_one_file_are_one_chain(folder: Path) -> None:
    plan = list(units([str(folder / "6.warc.gz"), str(folder / "6.warc.gz"), str(folder / "0.html")]))
    chains = [unit.chain for unit in plan if isinstance(unit.work, Range)]
    assert len(set(chains)) == 2
    assert chains == sorted(chains)
    assert plan[-1].chain not in chains


def test_what_is_not_a_page_by_its_name_is_skipped_in_folders_only(folder: Path) -> None:
    plan = list(units([str(folder)]))
    assert "image/jpeg" in [kind for unit in plan for kind in crawls.skipped(unit.work.items(100))]
    (named,) = units([str(folder / "3.jpg")])
    assert len(crawls.pages(named.work.items(100))) == 1


@pytest.mark.parametrize("name", ["none.warc.gz", "none.jsonl", "none.html"])
def test_an_input_that_is_not_there_is_a_page_that_failed(tmp_path: Path, name: str) -> None:
    (unit,) = units([str(tmp_path / name)])
    (page,) = crawls.pages(unit.work.items(100))
    assert page.error == "No such file or directory"


def test_lines_that_are_truncated_are_a_page_that_failed(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(crawls.packed([b'{"html": "<p>"}\n' * 3000])[0][:-10])
    *_, last = units([str(path)])
    (page,) = crawls.pages(last.work.items(100))
    assert page.error.startswith("broken gzip")


def test_archives_cannot_go_to_a_folder(folder: Path) -> None:
    with pytest.raises(StupidosError, match=r"holds many pages"):
        list(units([str(folder)], ReadOptions(suffix=".txt")))


def test_a_changed_file_changes_its_unit_only(folder: Path) -> None:
    before = [unit.digest for unit in units([str(folder)])]
    os.utime(folder / "0.html", ns=(1, 1))
    after = [unit.digest for unit in units([str(folder)])]
    assert [old == new for old, new in zip(before, after, strict=True)] == [False] + [True] * (
        len(before) - 1
    )


def test_changed_lines_change_their_unit(folder: Path) -> None:
    (before,) = units([str(folder / "5.jsonl")])
    (folder / "5.jsonl").write_text('{"html": "<p>Line"}\n')
    (after,) = units([str(folder / "5.jsonl")])
    assert before.digest != after.digest


def test_a_unit_that_waits_carries_no_lines(folder: Path) -> None:
    (unit,) = units([str(folder / "5.jsonl")])
    assert isinstance(unit.work, Lines)
    assert unit.work.lines
    assert unit.without_lines() == unit._replace(work=unit.work._replace(lines=()))


def test_a_page_at_hand_is_a_unit(folder: Path) -> None:
    found = units([str(folder / "0.html"), Inline(Raw("-", b"<p>Hi")), str(folder / "1.html")])
    assert [os.path.basename(name) for name in pages(found)] == ["0.html", "-", "1.html"]


def test_sizes_are_those_of_the_files(folder: Path) -> None:
    expected = sum(path.stat().st_size for path in folder.iterdir() if path.suffix != ".jpg")
    assert sum(sizes([str(folder), str(folder / "none.warc")])) == expected


def test_large_files_make_small_units(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "_UNIT_BYTES", 100)
    for number in range(20):
        (tmp_path / f"{number:02}.html").write_bytes(bytes(50))
    counts = [len(unit.work.files) for unit in units([str(tmp_path)]) if isinstance(unit.work, Files)]
    assert counts == [8, 8, 4]
    assert File("x").size == 0

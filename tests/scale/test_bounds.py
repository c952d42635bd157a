"""Where the limits of crawls lie exactly: what is still counted, named, read and what is not any more."""

from __future__ import annotations

import gzip
import json
import os
from collections import Counter
from pathlib import Path

import pytest

from stupidos.scale import accounts, compression, files, jsonl, source_items, sources, warc
from stupidos.scale.accounts import Accounts
from stupidos.scale.executor import WorkerPool
from stupidos.scale.files import File, Files
from stupidos.scale.job import Job, format_of
from stupidos.scale.page_task import failed
from stupidos.scale.source_items import Raw, Skipped
from stupidos.write import Style


def test_six_kinds_are_named_and_the_others_counted() -> None:
    kinds = Counter({f"kind/{letter}": 9 - number for number, letter in enumerate("abcdef")})
    assert Accounts(skipped=kinds).summary().endswith("kind/f 4)")
    more = Accounts(skipped=kinds + Counter({"kind/g": 1, "kind/h": 1}))
    assert more.summary() == (
        "read 0 = written 0 + empty 0 + failed 0; skipped 41 (kind/a 9, kind/b 8, kind/c 7, kind/d 6, "
        "kind/e 5, kind/f 4, 2 other kinds)"
    )


def test_beyond_two_hundred_kinds_new_ones_are_counted_together() -> None:
    found = Accounts()
    for number in range(accounts._MAX_KINDS + 2):
        found.skip(f"kind/{number}")
    found.skip("kind/0")
    assert len(found.skipped) == 201
    assert (found.skipped["other"], found.skipped["kind/0"]) == (2, 2)


def test_all_counts_are_taken_in_and_zeros_left_out() -> None:
    total = Accounts(1, 2, 3, 4, 5, 6, 7)
    total.add(Accounts(10, 20, 30, 40, 50, 60, 70, Counter(pdf=2)))
    assert total == Accounts(11, 22, 33, 44, 55, 66, 77, Counter(pdf=2))
    assert total.as_json() == {
        "written": 11, "empty": 22, "failed": 33, "cut": 44, "size": 55, "damaged": 66, "lost": 77,
        "skipped": {"pdf": 2},
    }  # fmt: skip
    assert Accounts(failed=1).as_json() == {"failed": 1}
    assert Accounts(written=1, cut=1).summary() == "read 1 = written 1 + empty 0 + failed 0; cut 1"


def test_a_page_is_entered_by_its_fate() -> None:
    found = Accounts()
    found.count("written", True, 4)
    found.count("failed", False, 6)
    assert found == Accounts(written=1, failed=1, cut=1, size=10)


@pytest.mark.parametrize(
    ("most", "expected"), [(2, (b"ab", "max-bytes")), (3, (b"abc", "")), (4, (b"abc", ""))]
)
def test_a_page_is_cut_after_the_last_byte_allowed(
    most: int, expected: tuple[bytes, str], tmp_path: Path
) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(b"abc")
    assert source_items.shortened(b"abc", most) == expected
    assert compression.content(str(path), most) == b"abc"[: most + 1]
    page = files.page(str(path), most)
    assert (page.data, page.truncated) == expected


def test_a_packed_page_is_unpacked_no_further_than_needed(tmp_path: Path) -> None:
    path = tmp_path / "page.html.gz"
    path.write_bytes(gzip.compress(b"abcdef") + gzip.compress(b"ghi"))
    assert compression.content(str(path), 3) == b"abcd"
    assert compression.content(str(path), 7) == b"abcdefgh"


def test_packing_gives_the_same_bytes_every_time(tmp_path: Path) -> None:
    for name in ("one", "other"):
        with (tmp_path / name).open("wb") as file, compression.compressor(file, ".gz") as writer:
            writer.write(b"page" * 99)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()
    with pytest.raises(ValueError):
        compression.compressor(None, ".bz2")  # type: ignore[arg-type]


def test_a_whole_warc_file_is_one_exact_range(tmp_path: Path) -> None:
    path = tmp_path / "crawl.warc"
    path.write_bytes(b"WARC/1.0\r\n" * 7)
    assert warc.whole_file(str(path)) == warc.Range(str(path), 0, 70, exact=True)


def one(size: int) -> File:
    return File("x.html", size=size)


@pytest.mark.parametrize(
    ("sizes", "units"),
    [
        ([1] * 128, [64, 64]),
        ([1] * 129, [64, 64, 1]),
        ([sources._UNIT_BYTES] * 9, [8, 1]),  # at least eight, however large
        ([sources._UNIT_BYTES // 10] * 12, [11, 1]),  # a tenth is rounded down, so ten are not enough
        ([sources._UNIT_BYTES // 8] * 9, [8, 1]),
    ],
)
def test_units_hold_64_files_or_8_megabytes(
    sizes: list[int], units: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "_entries", lambda names, wanted: map(one, sizes))
    found = list(sources.units([]))
    assert [len(unit.work.files) for unit in found] == units  # type: ignore[union-attr]
    assert [unit.chain for unit in found] == list(range(1, len(units) + 1))
    assert [unit.number for unit in found] == list(range(len(units)))
    assert sum(unit.size for unit in found) == sum(sizes)


def test_lines_go_to_workers_64_at_once_or_4_megabytes(tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_bytes(b"{}\n" * 130)
    assert [(part.first, len(part.lines)) for part in jsonl.pieces(str(path), None)] == [
        (1, 64),
        (65, 64),
        (129, 2),
    ]
    path.write_bytes((b"x" * ((1 << 20) - 1) + b"\n") * 5)
    assert [len(part.lines) for part in jsonl.pieces(str(path), "html")] == [4, 1]


@pytest.mark.parametrize(("most", "truncated"), [(4, "max-bytes"), (5, "")])
def test_a_page_in_a_line_is_cut_after_the_last_character_allowed(most: int, truncated: str) -> None:
    page = jsonl.page(Raw("x:1", b'{"html": "<p>Hi"}'), None, most)
    assert (page.data, page.truncated, page.id, page.url) == ("<p>Hi"[:most], truncated, "x:1", "")


@pytest.mark.parametrize("own", [None, ""])
def test_a_line_without_an_id_goes_by_its_number(own: str | None) -> None:
    assert jsonl.page(Raw("x:1", json.dumps({"id": own, "text": "Tea"}).encode()), None, 9).id == "x:1"
    assert jsonl.page(Raw("x:1", b'{"id": 0, "text": "Tea"}'), None, 9).id == "0"


@pytest.mark.parametrize(
    ("output", "format", "packing"),
    [
        ("a.JSONL", "jsonl", ""),
        ("a.ndjson.zst", "jsonl", ".zst"),
        ("a.xml.gz", "tei", ".gz"),
        ("a.vrt", "vertical", ""),
        ("a.md", "markdown", ""),
        ("a.txt/", None, ""),
        ("a.html", "html", ""),
        ("a.htm.gz", "html", ".gz"),
        ("a.pdf", None, ""),
    ],
)
def test_a_name_gives_format_and_packing(output: str, format: str | None, packing: str) -> None:
    assert format_of(output) == format
    assert Job((), output).packing == packing
    assert Job((), output, folder=True).packing == ""
    assert Job((), output, style=Style("tei")).suffix == ""
    assert Job((), output, folder=True, style=Style("tei")).suffix == ".xml"


def test_only_one_file_can_be_parquet() -> None:
    assert Job((), "a.parquet").parquet
    assert not Job((), "a.parquet", folder=True).parquet
    assert not Job((), "a.jsonl").parquet


def test_a_changed_job_has_another_fingerprint() -> None:
    job = Job(("a",), "b.jsonl")
    others = [Job(("b",), "b.jsonl"), Job(("a",), "c.jsonl"), Job(("a",), "b.jsonl", max_bytes=1)]
    assert job.fingerprint("m") == Job(("a",), "b.jsonl").fingerprint("m")
    assert len({job.fingerprint("m"), job.fingerprint("n"), *(one.fingerprint("m") for one in others)}) == 5


def test_a_skipped_file_has_neither_size_nor_name() -> None:
    some = Files((one(3), Skipped("hidden"), File("y.html", "y.txt", 4)))
    assert some.size == 7
    assert list(some.names()) == ["", "y.txt"]


def test_a_file_is_known_by_its_size_and_time(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_bytes(b"abc")
    os.utime(path, ns=(5, 7))
    assert files.file_or_skipped(str(path)) == File(str(path), "", 3, 7)
    assert files.file_or_skipped(str(tmp_path)) == Skipped("folder")
    assert files.file_or_skipped(str(tmp_path / "b.html")) == File(str(tmp_path / "b.html"))


@pytest.mark.parametrize(
    ("suffix", "format"),
    [
        (".jsonl", "jsonl"), (".ndjson", "jsonl"), (".parquet", "jsonl"), (".md", "markdown"),
        (".html", "html"), (".htm", "html"), (".txt", "text"), (".vert", "vertical"), (".vrt", "vertical"),
        (".tei", "tei"), (".xml", "tei"), (".XML", "tei"), (".jsonl.zst", "jsonl"), (".tei.gz", "tei"),
        (".gz", None), (".pdf", None),
    ],
)  # fmt: skip
def test_the_suffix_of_an_output_gives_its_format(suffix: str, format: str | None) -> None:
    assert format_of(f"out/clean{suffix}") == format
    assert format_of(f"out/clean{suffix}/") is None


@pytest.mark.parametrize(
    ("format", "suffix"),
    [("text", ".txt"), ("cleaneval", ".txt"), ("jsonl", ".jsonl"), ("markdown", ".md"), ("html", ".html"),
     ("vertical", ".vert"), ("tei", ".xml")],
)  # fmt: skip
def test_files_of_an_output_folder_have_the_suffix_of_their_format(format: str, suffix: str) -> None:
    assert Job((), "out", folder=True, style=Style(format)).suffix == suffix
    assert Job((), "out.gz", style=Style(format)).suffix == ""


def test_an_account_is_complete_if_nothing_failed_and_nothing_is_damaged() -> None:
    assert Accounts(written=1, empty=1, cut=1, skipped=Counter(pdf=1)).complete
    assert not Accounts(failed=1).complete
    assert not Accounts(damaged=1).complete
    assert not Accounts(lost=1).complete


def test_the_reason_of_a_failure_is_one_line_of_300_characters() -> None:
    assert failed(Raw("a"), "two\nlines  of it").error == "two lines of it"
    assert failed(Raw("a"), "x" * 400).error == "x" * 300


@pytest.mark.parametrize(("seconds", "wall"), [(0.0, 3600.0), (1.0, 60.0), (2.0, 60.0), (2.5, 75.0)])
def test_a_worker_may_be_silent_thirty_times_as_long_as_a_page_may_take(
    seconds: float, wall: float, tmp_path: Path
) -> None:
    assert WorkerPool(Job((), seconds=seconds), tmp_path, 1)._wall_limit == wall

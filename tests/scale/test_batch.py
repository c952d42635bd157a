"""A whole run in this process: every page once, the accounts right, outputs complete."""

from __future__ import annotations

import gzip
import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import crawls
import pytest
import standin

from stupidos.errors import StupidosError
from stupidos.scale.batch import Progress, run
from stupidos.scale.job import Job
from stupidos.write import Style

pytestmark = pytest.mark.usefixtures("small")


def job(inputs: Path | str, output: Path | str = "", **options: Any) -> Job:
    return Job((str(inputs),), str(output), cleaner=standin.NAME, **options)


def records(path: Path) -> list[dict[str, Any]]:
    data = path.read_bytes()
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    elif path.suffix == ".zst":
        import zstandard

        with path.open("rb") as file:
            data = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True).read()
    return [json.loads(line) for line in data.splitlines()]


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz", ".jsonl.zst"])
def test_every_page_has_one_record_in_order(tmp_path: Path, folder: Path, suffix: str) -> None:
    if suffix.endswith("zst"):
        pytest.importorskip("zstandard")
    output = tmp_path / f"out{suffix}"
    accounts = run(job(folder, output))
    assert accounts.summary() == "read 10 = written 8 + empty 1 + failed 1"
    found = records(output)
    assert [Path(record["id"]).name for record in found] == [f"{number}.html" for number in range(10)]
    assert found[3]["text"] == "This is page 3.\n"
    assert found[3]["title"] == "Page 3"
    assert (found[4]["text"], found[4]["error"]) == ("", None)
    assert (found[7]["text"], found[7]["error"]) == ("", "ZeroDivisionError: as asked")


def test_nothing_is_left_beside_the_output(tmp_path: Path, folder: Path) -> None:
    run(job(folder, tmp_path / "out.jsonl"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.jsonl", "pages"]


def test_a_folder_keeps_its_names(tmp_path: Path, folder: Path) -> None:
    output = tmp_path / "out"
    accounts = run(job(folder, output, folder=True, style=Style("text")))
    assert accounts.summary() == "read 10 = written 8 + empty 1 + failed 1"
    found = {str(path.relative_to(output)): path.read_text() for path in output.rglob("*") if path.is_file()}
    expected = {f"part{number // 4}/{number}.txt": f"This is page {number}.\n" for number in range(10)}
    expected["part1/4.txt"] = ""
    del expected["part1/7.txt"]
    assert found == expected


def test_the_output_folder_may_be_inside_the_input(folder: Path) -> None:
    for _ in range(2):
        accounts = run(job(folder, folder / "out", folder=True, style=Style("text")))
        assert accounts.read == 10


def test_a_link_in_the_output_folder_stops_the_run(tmp_path: Path, folder: Path) -> None:
    output, outside = tmp_path / "out", tmp_path / "outside"
    output.mkdir()
    outside.mkdir()
    (output / "part0").symlink_to(outside)
    with pytest.raises(StupidosError, match="outside"):
        run(job(folder, output, folder=True, style=Style("text")))
    assert list(outside.iterdir()) == []


def test_a_crawl_gives_its_pages_and_counts_the_rest(tmp_path: Path) -> None:
    parts = crawls.records(20)
    parts.insert(3, crawls.record(99, b"\x89PNG", "Content-Type: image/png"))
    path = tmp_path / "a.warc.gz"
    crawls.write(path, crawls.packed(parts))
    accounts = run(job(path, tmp_path / "out.jsonl"))
    assert accounts.summary() == "read 20 = written 20 + empty 0 + failed 0; skipped 1 (image/png 1)"
    assert [record["url"] for record in records(tmp_path / "out.jsonl")] == [
        f"http://example.org/{number}" for number in range(20)
    ]


def test_the_charset_of_the_server_is_used(tmp_path: Path) -> None:
    path = tmp_path / "a.warc"
    body = "<p>Żółw idzie powoli ścieżką".encode("iso-8859-2")
    crawls.write(path, [crawls.record(1, body, "Content-Type: text/html; charset=iso-8859-2")])
    run(job(path, tmp_path / "out.jsonl"))
    (record,) = records(tmp_path / "out.jsonl")
    assert record["text"] == "Żółw idzie powoli ścieżką\n"
    assert record["encoding"].replace("-", "") == "iso88592"


def test_wet_records_are_read_as_text(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.wet.gz"
    text = b"<b>is how one writes bold\nA second line"
    crawls.write(path, crawls.packed([crawls.record(1, text, "Content-Type: text/plain", kind="conversion")]))
    run(job(path, tmp_path / "out.jsonl"))
    (record,) = records(tmp_path / "out.jsonl")
    assert record["text"].startswith("<b>is how")


def test_a_long_page_is_cut_and_counted(tmp_path: Path, folder: Path) -> None:
    accounts = run(job(folder, tmp_path / "out.jsonl", max_bytes=30))
    assert accounts.cut == 8
    assert accounts.read == 10
    assert [one["truncated"] for one in records(tmp_path / "out.jsonl")].count("max-bytes") == 8


def test_a_page_that_takes_too_long_has_failed(tmp_path: Path, folder: Path) -> None:
    (folder / "part0" / "1.html").write_text("<p>Dear stand-in, loop")
    news: list[Progress] = []
    accounts = run(job(folder, tmp_path / "out.jsonl", seconds=0.05), on_progress=news.append)
    assert accounts.summary() == "read 10 = written 7 + empty 1 + failed 2"
    assert next(reason for one in news for _, reason in one.failures) == "needs more than 0.05 s"


def test_no_memory_for_a_page_is_its_failure(tmp_path: Path, folder: Path) -> None:
    (folder / "part0" / "1.html").write_text("<p>Dear stand-in, overflow")
    accounts = run(job(folder, tmp_path / "out.jsonl"))
    assert accounts.failed == 2
    assert records(tmp_path / "out.jsonl")[1]["error"] == "out of memory"


def test_a_picture_among_the_pages_is_a_failure_that_names_itself(tmp_path: Path, folder: Path) -> None:
    (folder / "part0" / "1.html").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    run(job(folder, tmp_path / "out.jsonl"))
    assert "not text" in records(tmp_path / "out.jsonl")[1]["error"]


def test_pages_below_the_wanted_confidence_are_left_out(tmp_path: Path, folder: Path) -> None:
    (folder / "part0" / "1.html").write_text("<p>A doubtful page")
    accounts = run(job(folder, tmp_path / "out.jsonl", min_confidence=0.5))
    assert accounts.summary() == "read 10 = written 7 + empty 2 + failed 1"
    record = records(tmp_path / "out.jsonl")[1]
    assert (record["text"], record["confidence"]) == ("", 0.25)
    assert "below 0.5" in record["error"]


def test_segments_come_when_asked_for(tmp_path: Path, folder: Path) -> None:
    run(job(folder, tmp_path / "out.jsonl", style=Style("jsonl", segments=True)))
    assert [one["text"] for one in records(tmp_path / "out.jsonl")[3]["segments"]] == ["This is page 3."]


def test_a_tei_file_is_well_formed(tmp_path: Path, folder: Path) -> None:
    run(job(folder, tmp_path / "out.xml", style=Style("tei")))
    root = ElementTree.parse(tmp_path / "out.xml").getroot()
    assert len(root.findall("{http://www.tei-c.org/ns/1.0}TEI")) == 10


def test_pages_in_one_text_file_have_blank_lines_between_them(tmp_path: Path, folder: Path) -> None:
    run(job(folder, tmp_path / "out.txt", style=Style("text")))
    pages = [f"This is page {number}.\n" for number in range(10) if number not in (4, 7)]
    assert (tmp_path / "out.txt").read_text() == "\n".join(pages)


def test_a_stream_gets_the_same_records(tmp_path: Path, folder: Path) -> None:
    pieces: list[str] = []
    run(job(folder), write=pieces.append)
    run(job(folder, tmp_path / "out.jsonl"))
    assert "".join(pieces) == (tmp_path / "out.jsonl").read_text()


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz"])
def test_no_pages_are_a_valid_output(tmp_path: Path, suffix: str) -> None:
    (tmp_path / "empty.jsonl").touch()
    accounts = run(job(tmp_path / "empty.jsonl", tmp_path / f"out{suffix}"))
    assert accounts.summary() == "read 0 = written 0 + empty 0 + failed 0"
    assert records(tmp_path / f"out{suffix}") == []


@pytest.mark.parametrize("name", ["", "photo.jpeg"])
def test_a_folder_without_pages_is_a_failure(tmp_path: Path, name: str) -> None:
    (tmp_path / "in").mkdir()
    if name:
        (tmp_path / "in" / name).touch()
    accounts = run(job(tmp_path / "in", tmp_path / "out.jsonl"))
    assert not accounts.complete
    assert [record["error"] for record in records(tmp_path / "out.jsonl")] == [
        "holds no pages: is it the right folder?"
    ]


def test_an_old_output_stays_until_the_new_one_is_complete(tmp_path: Path, folder: Path) -> None:
    output = tmp_path / "out.jsonl"
    output.write_text("old")
    seen: list[str] = []
    run(job(folder, output), on_progress=lambda news: seen.append(output.read_text()))
    assert set(seen) == {"old"}
    assert len(records(output)) == 10


def test_a_watcher_hears_of_every_byte(tmp_path: Path, folder: Path) -> None:
    news: list[Progress] = []
    run(job(folder, tmp_path / "out.jsonl"), on_progress=news.append)
    assert sum(one.size for one in news) == sum(path.stat().st_size for path in folder.rglob("*.html"))
    assert [failure for one in news for failure in one.failures] == [
        (str(folder / "part1" / "7.html"), "ZeroDivisionError: as asked")
    ]


def test_without_order_the_same_pages_are_written(tmp_path: Path, folder: Path) -> None:
    run(job(folder, tmp_path / "a.jsonl"))
    run(job(folder, tmp_path / "b.jsonl", ordered=False))

    def lines(name: str) -> list[str]:
        return sorted((tmp_path / name).read_text().splitlines())

    assert lines("a.jsonl") == lines("b.jsonl")


def test_a_model_that_is_not_there_makes_nothing(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(StupidosError, match="nonsense"):
        run(Job((str(folder),), str(tmp_path / "out.jsonl"), model="nonsense"))
    assert not (tmp_path / "out.jsonl.parts").exists()

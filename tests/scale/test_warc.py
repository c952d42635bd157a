"""Ranges of WARC files: every record once, whatever is broken."""

from __future__ import annotations

import gzip
import random
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import crawls
import pytest

from stupidos import gzip_members
from stupidos.scale import compression, warc, warc_records
from stupidos.scale.source_items import Damage, Raw, SourceItem
from stupidos.scale.warc import Range, ranges

MOST = 1 << 20


def whole(path: Path) -> list[SourceItem]:
    return list(Range(str(path), 0, path.stat().st_size, exact=True).items(MOST))


def test_a_page_is_held_once_while_it_is_cleaned(tmp_path: Path) -> None:
    size = 16 << 20
    crawls.write(tmp_path / "a.warc", [crawls.record(1, b"x" * size), *crawls.records(1)])
    items = Range(str(tmp_path / "a.warc"), 0, size, exact=True).items(size)
    tracemalloc.start()
    page = next(items)
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert isinstance(page, Raw)
    assert len(page.data) == size <= held < 1.2 * size


@pytest.mark.parametrize("pack", [list, crawls.packed], ids=["plain", "gzip"])
def test_a_file_gives_its_pages_in_order(tmp_path: Path, pack: Callable[[list[bytes]], list[bytes]]) -> None:
    path = tmp_path / "a.warc"
    crawls.write(path, pack(crawls.records(5)))
    found = whole(path)
    assert [page.id for page in crawls.pages(found)] == [f"urn:uuid:{number}" for number in range(5)]
    assert [page.url for page in crawls.pages(found)] == [
        f"http://example.org/{number}" for number in range(5)
    ]
    assert [page.data for page in crawls.pages(found)] == [crawls.page(number) for number in range(5)]
    assert crawls.span(found) == (0, path.stat().st_size)


def damaged(data: bytes, how: str, chance: random.Random) -> bytes:
    place = chance.randrange(len(data))
    broken = bytearray(data)
    if how == "flipped":
        broken[place] ^= chance.randrange(1, 256)
    elif how == "zeroed":
        broken[place : place + 20] = bytes(20)
    elif how == "inserted":
        broken[place:place] = chance.randbytes(chance.randrange(1, 2000))
    elif how == "removed":
        del broken[place : place + chance.randrange(1, 2000)]
    elif how == "cut off":
        del broken[place:]
    return bytes(broken)


@pytest.mark.parametrize("pack", [list, crawls.packed], ids=["plain", "gzip"])
@pytest.mark.parametrize("how", ["whole", "flipped", "zeroed", "inserted", "removed", "cut off"])
@pytest.mark.parametrize("seed", range(2))
def test_ranges_give_the_pages_of_the_whole_file(
    tmp_path: Path, how: str, seed: int, pack: Callable[[list[bytes]], list[bytes]]
) -> None:
    path, chance = tmp_path / "a.warc", random.Random(seed)
    crawls.write(path, [damaged(b"".join(pack(crawls.records(20))), how, chance)])
    expected = crawls.pages(whole(path))
    assert len(expected) >= (20 if how == "whole" else 0)
    for step in (700, 6000):
        assert crawls.by_ranges(path, step)[0] == expected


def test_a_record_inside_a_page_is_not_a_record(tmp_path: Path) -> None:
    inner = crawls.record(99, b"<p>not a page of its own")
    outer = [crawls.record(1, inner + gzip.compress(inner, 0)), *crawls.records(3)]
    plain, gzipped = tmp_path / "a.warc", tmp_path / "b.warc.gz"
    crawls.write(plain, outer)
    crawls.write(gzipped, [gzip.compress(part, 0) for part in outer])  # stored, so the inner member shows
    for path in (plain, gzipped):
        for step in (100, 700):
            ids = [page.id for page in crawls.by_ranges(path, step)[0]]
            assert ids == [f"urn:uuid:{n}" for n in (1, 0, 1, 2)]


def test_records_in_one_member_belong_to_the_range_of_its_start(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    crawls.write(path, [gzip.compress(b"".join(crawls.records(30)))])
    assert len(crawls.by_ranges(path, 1000)[0]) == 30


@pytest.mark.parametrize(
    "how",
    [b"\0\0\0\0\0\0\0\0\0\0\0\0", b"\1\2\3\4"],
    ids=["member without a start", "member with a broken body"],
)
def test_a_broken_member_is_skipped_and_counted(tmp_path: Path, how: bytes) -> None:
    parts = crawls.packed(crawls.records(5))
    place = 0 if how.startswith(b"\0") else 100
    parts[2] = parts[2][:place] + how + parts[2][place + len(how) :]
    path = tmp_path / "a.warc.gz"
    crawls.write(path, parts)
    found = whole(path)
    ids = [page.id for page in crawls.pages(found) if not page.truncated]
    assert ids == [f"urn:uuid:{number}" for number in (0, 1, 3, 4)]
    assert [gap.start for gap in crawls.damage(found)] == [len(parts[0]) + len(parts[1])]


def test_a_record_that_lies_about_its_length_takes_no_others_with_it(tmp_path: Path) -> None:
    parts = crawls.records(5)
    parts[1] = parts[1].replace(b"Content-Length: ", b"Content-Length: 9")
    path = tmp_path / "a.warc.gz"
    crawls.write(path, crawls.packed(parts))
    found = whole(path)
    assert [(page.id, page.truncated) for page in crawls.pages(found)] == [
        (f"urn:uuid:{number}", "unspecified" if number == 1 else "") for number in range(5)
    ]
    assert [gap.reason for gap in crawls.damage(found)] == [warc_records._TOO_LONG]


def test_a_file_cut_off_keeps_what_was_read_of_its_last_record(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    crawls.write(path, [b"".join(crawls.packed(crawls.records(5)))[:-60]])
    found = whole(path)
    assert [page.truncated for page in crawls.pages(found)] == [*[""] * 4, "unspecified"]
    assert crawls.page(4).startswith(bytes(crawls.pages(found)[4].data))  # type: ignore[arg-type]
    assert [gap.reason for gap in crawls.damage(found)] == [gzip_members._CUT_OFF]


def test_a_file_that_is_not_a_warc_has_no_pages(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    crawls.write(path, [b"<html><p>Not found"])
    (piece,) = ranges(str(path))
    found = list(piece.items(MOST))
    assert crawls.pages(found) == []
    assert crawls.damage(found) == [Damage(str(path), 0, 18, warc_records.NO_RECORD)]


@pytest.mark.parametrize("pack", [list, crawls.packed])
def test_a_record_that_starts_where_a_range_stops_is_not_part_of_it(
    tmp_path: Path, pack: Callable[[list[bytes]], list[bytes]]
) -> None:
    parts = pack(crawls.records(3))
    path = crawls.write(tmp_path / "a.warc", parts)
    stop = len(parts[0] + parts[1])
    for end, expected in ((stop - 1, 2), (stop, 2), (stop + 1, 3)):
        assert len(crawls.pages(Range(path, 0, end, exact=True).items(MOST))) == expected


def test_an_empty_file_has_no_ranges(tmp_path: Path) -> None:
    assert list(ranges(crawls.write(tmp_path / "a.warc.gz", []))) == []


def test_zstandard_is_read_in_one_piece(tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard")
    path = tmp_path / "a.warc.zst"
    crawls.write(path, [zstandard.compress(part) for part in crawls.records(30)])
    (piece,) = ranges(str(path))
    assert len(crawls.pages(piece.items(MOST))) == 30


def test_ranges_cover_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warc, "_RANGE_BYTES", {compression.GZIP: 1000, warc.PREFIX: 1000})
    path = tmp_path / "a.warc.gz"
    crawls.write(path, crawls.packed(crawls.records(10)))
    found = list(ranges(str(path)))
    assert [piece.start for piece in found] == [0, *[piece.stop for piece in found[:-1]]]
    assert found[-1].stop == path.stat().st_size
    assert [piece.exact for piece in found] == [True] + [False] * (len(found) - 1)


def filled(header: bytes, size: int) -> bytes:
    """A record whose header has so many bytes, its blank line included."""
    start, end, body = header.partition(b"\r\n\r\n")
    return start + b"\r\nX: ".ljust(size - len(start) - len(end), b"x") + end + body


@pytest.mark.parametrize(("size", "read"), [(1 << 16, True), ((1 << 16) + 1, False)])
def test_a_header_has_at_most_64_kilobytes(tmp_path: Path, size: int, read: bool) -> None:
    path = tmp_path / "a.warc"
    first, second = crawls.records(2)
    crawls.write(path, [filled(first, size), second])
    found = crawls.pages(whole(path))
    assert [page.id for page in found] == ["urn:uuid:0", "urn:uuid:1"][1 - read :]


@pytest.mark.parametrize("digits", ["-5", "5 5", "\u0665", "1" * 21, "0x10", ""])
def test_a_length_that_is_not_a_number_makes_no_record(tmp_path: Path, digits: str) -> None:
    path = tmp_path / "a.warc"
    first, second = crawls.records(2)
    length = first.partition(b"Content-Length: ")[2].partition(b"\r\n")[0]
    broken = first.replace(b"Content-Length: " + length, b"Content-Length: " + digits.encode())
    crawls.write(path, [broken, second])
    items = whole(path)
    assert [page.id for page in crawls.pages(items)] == ["urn:uuid:1"]
    reasons = [one.reason for one in items if isinstance(one, Damage)]
    assert reasons == ["a WARC record without a Content-Length"]


@pytest.mark.parametrize("blanks", [0, 1, 7, 600])
def test_any_number_of_blank_lines_may_separate_records(tmp_path: Path, blanks: int) -> None:
    path = tmp_path / "a.warc"
    first, second = (one.removesuffix(b"\r\n\r\n") for one in crawls.records(2))
    crawls.write(path, [first, b"\r\n" * blanks, second, b"\r\n\r\n"])
    items = whole(path)
    assert [page.id for page in crawls.pages(items)] == ["urn:uuid:0", "urn:uuid:1"]
    assert not [one for one in items if isinstance(one, Damage)]


@pytest.mark.parametrize("folded", [b"\r\n\t", b"\n  ", b"\r\n "])
def test_a_field_may_continue_in_the_next_line_and_the_first_counts(tmp_path: Path, folded: bytes) -> None:
    path = tmp_path / "a.warc"
    record = crawls.records(1)[0].replace(
        b"WARC-Target-URI: http", b"WARC-Target-URI:" + folded + b"http"
    ).replace(b"WARC-Date", b"WARC-Target-URI: http://other.example/\r\nWARC-Date")
    crawls.write(path, [record])
    (page,) = crawls.pages(whole(path))
    assert page.url == "http://example.org/0"

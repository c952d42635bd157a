"""Damaged archives: whatever can be read is read, and every other byte is in a named gap."""

from __future__ import annotations

import gzip
import json
import random
import re
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import crawls
import pytest

from stupidos.cli import main
from stupidos.scale import warc
from stupidos.scale.source_items import SourceItem
from stupidos.scale.warc import Range, ranges
from stupidos.scale.warc_records import Reader

pytestmark = pytest.mark.usefixtures("forked")

MOST = 1 << 20
EMPTY = gzip.compress(b"", mtime=0)


def whole(path: Path) -> list[SourceItem]:
    return list(Range(str(path), 0, path.stat().st_size, exact=True).items(MOST))


def read(tmp_path: Path, data: bytes, name: str = "a.warc.gz") -> list[SourceItem]:
    return whole(Path(crawls.write(tmp_path / name, [data])))


def ids(found: list[SourceItem]) -> list[str]:
    return [page.id.removeprefix("urn:uuid:") for page in crawls.pages(found)]


@pytest.mark.parametrize("count", [1, 3])
def test_an_empty_member_is_not_the_end_of_the_file(tmp_path: Path, count: int) -> None:
    parts = crawls.packed(crawls.records(6))
    found = read(tmp_path, b"".join([*parts[:2], EMPTY * count, *parts[2:], EMPTY]))
    assert ids(found) == list("012345")
    assert crawls.damage(found) == []


def test_a_record_may_continue_in_the_next_member(tmp_path: Path) -> None:
    data = b"".join(crawls.records(8, 2000))
    blocks = [gzip.compress(data[place : place + 1500]) for place in range(0, len(data), 1500)]
    found = read(tmp_path, b"".join(blocks))
    assert [page.data for page in crawls.pages(found)] == [crawls.page(number, 2000) for number in range(8)]
    assert crawls.damage(found) == []


def test_packed_and_plain_records_may_share_a_file(tmp_path: Path) -> None:
    records = crawls.records(6)
    mixed = [*crawls.packed(records[:2]), *records[2:4], *crawls.packed(records[4:])]
    found = read(tmp_path, b"".join(mixed))
    assert ids(found) == list("012345")
    assert crawls.damage(found) == []


def test_bare_newlines_are_line_ends_too(tmp_path: Path) -> None:
    parts = [record.replace(b"\r\n", b"\n") for record in crawls.records(3)]
    parts = [re.sub(rb"Content-Length: \d+", length_of, part) for part in parts]
    found = read(tmp_path, b"".join(parts), "a.warc")
    assert ids(found) == list("012")
    assert [page.data for page in crawls.pages(found)] == [crawls.page(number) for number in range(3)]
    assert crawls.damage(found) == []


def length_of(match: re.Match[bytes]) -> bytes:
    content = match.string[match.end() + 2 : -2]  # blank lines around it
    return b"Content-Length: %d" % len(content)


def test_a_member_with_a_bad_checksum_is_read_and_named(tmp_path: Path) -> None:
    parts = crawls.packed(crawls.records(4))
    parts[1] = parts[1][:-8] + b"\0\0\0\0" + parts[1][-4:]
    found = read(tmp_path, b"".join(parts))
    assert ids(found) == list("0123")
    (gap,) = crawls.damage(found)
    assert (gap.start, gap.end) == (len(parts[0]), len(parts[0]) + len(parts[1]))
    assert gap.reason == "broken gzip member: incorrect data check"


def test_a_broken_member_gives_what_can_be_unpacked(tmp_path: Path) -> None:
    parts = crawls.packed(crawls.records(3, 50_000))
    broken = bytearray(parts[1])
    broken[-5000:-4000] = bytes(1000)
    found = read(tmp_path, parts[0] + bytes(broken) + parts[2])
    pages = crawls.pages(found)
    assert [page.id[-1] for page in pages] == ["0", "1", "2"]
    assert [page.truncated for page in pages] == ["", "unspecified", ""]
    start = bytes(pages[1].data)  # type: ignore[arg-type]
    assert len(start) > 85_000
    assert crawls.page(1, 50_000)[:85_000] == start[:85_000]
    assert [(gap.start, gap.end) for gap in crawls.damage(found)] == [
        (len(parts[0]), len(parts[0]) + len(broken))
    ]


def test_bytes_between_members_are_a_gap(tmp_path: Path) -> None:
    parts = crawls.packed(crawls.records(3))
    found = read(tmp_path, parts[0] + b"?" * 100 + parts[1] + parts[2] + bytes(7))
    assert ids(found) == list("012")
    end = sum(map(len, parts)) + 107
    assert [(gap.start, gap.end) for gap in crawls.damage(found)] == [
        (len(parts[0]), len(parts[0]) + 100),
        (end - 7, end),
    ]


NO_ARCHIVES = {
    "random bytes": random.Random(1).randbytes(100_000),
    "random bytes behind a magic number": gzip.compress(b"x")[:10] + random.Random(2).randbytes(5000),
    "an HTML page": b"<!DOCTYPE html><html><body><p>Not found</body></html>\n" * 30,
    "a packed HTML page": gzip.compress(b"<!DOCTYPE html><html><body><p>Not found</body></html>" * 30),
    "a header and no record": b"WARC/1.0\r\n" * 500,
    "a record without a length": b"WARC/1.0\r\nWARC-Type: response\r\n\r\nbody\r\n\r\n",
    "an endless header": b"WARC/1.0\r\n" + b"X: y\r\n" * 15_000,
}


@pytest.mark.parametrize("data", NO_ARCHIVES.values(), ids=NO_ARCHIVES)
def test_a_file_that_is_not_an_archive_is_a_gap(tmp_path: Path, data: bytes) -> None:
    found = read(tmp_path, data)
    assert crawls.pages(found) == []
    assert crawls.damage(found)[0].start == 0


@pytest.mark.parametrize("before", [0, 1, 20])
def test_gzip_inside_another_compression_is_a_gap(tmp_path: Path, before: int) -> None:
    zstandard: Any = pytest.importorskip("zstandard")
    records = crawls.records(before + 2)
    plain, inside = b"".join(records[:before]), b"".join(crawls.packed(records[before:]))
    found = read(tmp_path, zstandard.compress(plain + inside), "a.warc.zst")
    assert len(crawls.pages(found)) == before
    (gap,) = crawls.damage(found)
    assert (gap.start, gap.end) == (len(plain), len(plain + inside))


@pytest.mark.parametrize("said", ["length", "time", "disconnect", "because", "Unspecified"])
def test_a_record_that_its_crawler_truncated_says_so(tmp_path: Path, said: str) -> None:
    record = crawls.record(1, b"<p>Half a pa").replace(
        b"WARC-Date", b"WARC-Truncated: %s\r\nWARC-Date" % said.encode()
    )
    (page,) = crawls.pages(read(tmp_path, gzip.compress(record)))
    assert page.truncated == (said if said in ("length", "time", "disconnect") else "unspecified")


def test_a_header_without_an_end_does_not_swallow_the_member_after_it(tmp_path: Path) -> None:
    pages = crawls.record(1, crawls.page(1)) + crawls.record(2, crawls.page(2))
    members = [*map(gzip.compress, (crawls.record(0, crawls.page(0)), b"WARC/1.0\r\n" * 9, pages))]
    found = read(tmp_path, b"".join(members))
    assert ids(found) == list("012")
    assert [(gap.start, gap.end) for gap in crawls.damage(found)] == [
        (len(members[0]), len(members[0]) + len(members[1]))
    ]


@pytest.mark.parametrize("step", [1, 10, 100, 5000])
def test_a_wrong_length_at_the_end_of_a_member_lets_nothing_be_read_twice(tmp_path: Path, step: int) -> None:
    records = [crawls.record(number, crawls.page(number)) for number in range(5)]
    records[1] = LENGTH.sub(b"\nContent-Length: 99999\r\n", records[1])
    members = [gzip.compress(b"".join(records[:3])), gzip.compress(b"".join(records[3:]))[:-100]]
    path = Path(crawls.write(tmp_path / "a.warc.gz", members))
    found = whole(path)
    assert ids(found) == list("01234")
    first, second = map(len, members)
    assert [(gap.start, gap.end) for gap in crawls.damage(found)] == [(0, first), (first, first + second)]
    pages, damaged = crawls.by_ranges(path, step)
    assert pages == crawls.pages(found)
    assert damaged


def test_a_wrong_length_does_not_swallow_the_records_after_it(tmp_path: Path) -> None:
    parts = crawls.records(5)
    for lie in (b"Content-Length: 1000", b"Content-Length: 999999999999"):
        changed = re.sub(rb"Content-Length: \d+", lie, parts[1])
        found = read(tmp_path, b"".join([parts[0], changed, *parts[2:]]), "a.warc")
        assert ids(found)[-3:] == list("234")
        assert [gap.start for gap in crawls.damage(found)] == [len(parts[0])]


def test_records_that_all_claim_the_rest_of_the_file_are_read_in_linear_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lying = [LENGTH.sub(b"\nContent-Length: 9999999\r\n", one) for one in crawls.records(200)]
    read_bytes = 0
    cut = Reader._without_next

    def counting(self: Reader, content: bytes, complete: bool) -> tuple[bytes, bytes]:
        nonlocal read_bytes
        read_bytes += len(content)
        return cut(self, content, complete)

    monkeypatch.setattr(Reader, "_without_next", counting)
    data = b"".join(lying)
    assert len(ids(read(tmp_path, gzip.compress(data)))) == 200
    assert read_bytes < 2 * len(data)


def test_search_in_damaged_bytes_is_linear(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Members inside a broken member, each of which would be unpacked up to the same broken end."""
    from stupidos import gzip_members

    work = 0
    inside = gzip_members.Members.piece

    def counted(self: gzip_members.Members) -> bytes:
        nonlocal work
        data = inside(self)
        work += len(data)
        return data

    monkeypatch.setattr(gzip_members.Members, "piece", counted)
    data = nested(200)
    found = read(tmp_path, data)
    assert crawls.damage(found)
    assert work < 30 * len(data)


def nested(depth: int, size: int = 60_000) -> bytes:
    """Starts of members, each holding the others and the end in one stored block, the end being broken."""
    tail = b"A" * size
    data = b"\x01" + b"\0" * 4 + b"broken"
    data = tail + data
    for _ in range(depth):
        head = b"WARC/1.0\r\n"
        length = min(len(head) + len(data), 65535)
        block = b"\0" + length.to_bytes(2, "little") + (length ^ 0xFFFF).to_bytes(2, "little") + head
        data = b"\x1f\x8b\x08\0\0\0\0\0\0\x03" + block + data
    return data


# --- random damage, against warcio and against a strict reader ---

HEADER = re.compile(rb"WARC/\d\.\d\r?\n(?:[^\n]*[^\r\n][^\n]*\n)+\r?\n")
LENGTH = re.compile(rb"\nContent-Length:[ ]*(\d{1,9})[ ]*\r?\n", re.IGNORECASE)


def is_intact(data: bytes) -> bool:
    """Whether a file is whole: every member and every record, with only blank lines between them."""
    while data := data.lstrip(b"\r\n"):
        if data.startswith(b"\x1f\x8b"):
            machine = zlib.decompressobj(31)
            try:
                content = machine.decompress(data)
            except zlib.error:
                return False
            if not machine.eof or content.startswith(b"\x1f\x8b") or not is_intact(content):
                return False
            data = machine.unused_data
            continue
        header = HEADER.match(data)
        length = LENGTH.search(header[0]) if header else None
        if header is None or length is None or header.end() + int(length[1]) > len(data):
            return False
        data = data[header.end() + int(length[1]) :]
    return True


def mutated(parts: list[bytes], chance: random.Random, pack: Callable[[bytes], bytes]) -> bytes:
    """An archive with one to three changes: bits, bytes, lengths, members; or cut off."""
    parts = list(parts)
    for _ in range(chance.randrange(1, 4)):
        place = chance.randrange(len(parts))
        part = bytearray(parts[place])
        spot = chance.randrange(len(part)) if part else 0
        how = chance.choice("flip zero lose insert cut length member twice".split())
        if how == "flip" and part:
            part[spot] ^= 1 << chance.randrange(8)
        elif how == "zero":
            part[spot : spot + 20] = bytes(len(part[spot : spot + 20]))
        elif how == "lose":
            del part[spot : spot + chance.randrange(1, 400)]
        elif how == "insert":
            part[spot:spot] = chance.randbytes(chance.randrange(1, 400))
        elif how == "cut":
            del part[spot:]
            del parts[place + 1 :]
        elif how == "length":
            size = chance.choice((0, 5, 300, 5000, 10**6, 10**12))
            plain = crawls.record(place, crawls.page(place))
            part = bytearray(pack(re.sub(rb"Content-Length: \d+", b"Content-Length: %d" % size, plain)))
        elif how == "member":
            part[:0] = chance.choice((EMPTY, gzip.compress(b"text"), b"\r\n\r\n", bytes(30)))
        else:
            part += bytes(part)
        parts[place] = bytes(part)
    return b"".join(parts)


def pages_of_warcio(path: Path) -> int:
    """How many pages warcio reads before it gives up."""
    iterator: Any = pytest.importorskip("warcio.archiveiterator")
    count = 0
    with path.open("rb") as file:
        try:
            for record in iterator.ArchiveIterator(file):
                headers = record.http_headers
                if record.rec_type == "response" and headers and headers.get_statuscode() == "200":
                    kind = (headers.get_header("Content-Type") or "").partition(";")[0]
                    count += kind == "text/html"
                record.content_stream().read()
        except Exception:  # whatever it raises, it has ended
            return count
    return count


def check_mutant(path: Path, seed: int) -> None:
    chance = random.Random(seed)
    pack: Callable[[bytes], bytes] = chance.choice([bytes, lambda data: gzip.compress(data, mtime=0)])
    data = mutated([pack(record) for record in crawls.records(60, 100)], chance, pack)
    path.write_bytes(data)
    found = whole(path)
    assert len(crawls.pages(found)) >= pages_of_warcio(path)
    assert bool(crawls.damage(found)) or is_intact(data)
    expected = crawls.pages(found)
    pages, gaps = crawls.by_ranges(path, chance.choice([500, 3000, 20_000]))
    assert pages == expected
    assert bool(gaps) == bool(crawls.damage(found))


@pytest.mark.parametrize("seed", range(40))
def test_no_damage_goes_unnoticed(tmp_path: Path, seed: int) -> None:
    check_mutant(tmp_path / "a.warc.gz", seed)


@pytest.mark.slow
@pytest.mark.parametrize("hundred", range(10))
def test_no_damage_goes_unnoticed_in_a_thousand_files(tmp_path: Path, hundred: int) -> None:
    for seed in range(100):
        check_mutant(tmp_path / "a.warc.gz", 1000 + 100 * hundred + seed)


def test_an_undamaged_file_is_intact(tmp_path: Path) -> None:
    records = crawls.records(3)
    assert is_intact(b"".join(records))
    assert is_intact(b"".join(crawls.packed(records)))
    assert list(ranges(crawls.write(tmp_path / "a.warc", [b""]))) == []


# --- the whole command ---


def clean(*arguments: object) -> int:
    return main(["clean", "--model", "keep-all", *map(str, arguments)])


@pytest.mark.parametrize("jobs", [1, 2])
def test_archives_joined_by_an_empty_member_are_read_whole(
    tmp_path: Path, jobs: int, small: None, capsys: pytest.CaptureFixture[str]
) -> None:
    parts = crawls.packed(crawls.records(40))
    path = crawls.write(tmp_path / "a.warc.gz", [*parts[:10], EMPTY, *parts[10:]])
    assert clean(path, "-o", tmp_path / "out.jsonl", "--jobs", jobs) == 0
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 40
    assert "read 40 = written 40 + empty 0 + failed 0\n" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "jobs"), [*((name, 1) for name in NO_ARCHIVES), ("random bytes behind a magic number", 2)]
)
def test_a_file_that_is_not_an_archive_is_named_and_fails_the_command(
    tmp_path: Path, name: str, jobs: int, small: None, capsys: pytest.CaptureFixture[str]
) -> None:
    data = NO_ARCHIVES[name]
    path = crawls.write(tmp_path / "a.warc.gz", [data])
    assert clean(path, "-o", tmp_path / "out.jsonl", "--jobs", jobs) == 1
    error = capsys.readouterr().err
    assert f"stupidos: {path}@0: " in error
    assert re.search(rf"read 0 = written 0 \+ empty 0 \+ failed 0; damaged \d+ \({len(data)} bytes", error)


@pytest.mark.parametrize("jobs", [1, 2])
def test_of_an_archive_cut_off_all_that_was_read_is_written(
    tmp_path: Path, jobs: int, small: None, capsys: pytest.CaptureFixture[str]
) -> None:
    """The damage shows among many kinds of skipped records too."""
    others = [crawls.record(n, b"x", f"Content-Type: image/x{n}") for n in range(100, 120)]
    parts = crawls.packed([*others, *crawls.records(20)])
    place = sum(map(len, parts[:-1]))
    path = crawls.write(tmp_path / "a.warc.gz", [b"".join(parts)[:-60]])
    assert clean(path, "-o", tmp_path / "out.jsonl", "--jobs", jobs) == 1
    records = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [record["truncated"] for record in records] == [*[None] * 19, "unspecified"]
    error = capsys.readouterr().err
    assert f"stupidos: {path}@{place}: the file ends inside a gzip member\n" in error
    lost = len(parts[-1]) - 60
    assert f"read 20 = written 20 + empty 0 + failed 0; damaged 1 ({lost} bytes of archives)" in error


@pytest.mark.parametrize("step", [700, 5000])
def test_the_bytes_of_a_gap_do_not_depend_on_the_ranges(
    tmp_path: Path, step: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(warc, "_RANGE_BYTES", {b"\x1f\x8b": step})
    parts = crawls.packed(crawls.records(10))
    path = crawls.write(tmp_path / "a.warc.gz", [*parts[:4], random.Random(3).randbytes(9000), *parts[4:]])
    assert clean(path, "-o", tmp_path / "out.jsonl") == 1
    assert "read 10 = written 10 + empty 0 + failed 0; damaged 1 (9000 bytes" in capsys.readouterr().err

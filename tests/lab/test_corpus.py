from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from stupidos.errors import CorpusError
from stupidos.lab import corpus as corpora
from stupidos.lab.corpus import content, corpus, gold_of, gold_segments, raw_of
from stupidos.lab.examples import Example, Problem, examples, list_digest
from stupidos.page import Page, Segment

TEXT = "It rained all day, and nobody had expected it so early in the year."


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    gold, raw = tmp_path / "gold", tmp_path / "raw"
    gold.mkdir()
    raw.mkdir()
    return gold, raw


def write(folder: Path, name: str, text: str = f"<p>{TEXT}") -> Path:
    path = folder / name
    data = text.encode()
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return path


@pytest.mark.parametrize("name", ["a.html", "a.htm", "a.HTML", "a.txt", "a.html.gz", "a.txt.gz"])
def test_files_are_paired_by_their_stem(folders: tuple[Path, Path], name: str) -> None:
    gold, raw = folders
    write(gold, "a.txt")
    write(raw, name)
    found = corpus(gold, raw)
    assert [(pair.name, pair.gold.name, pair.raw.name) for pair in found.pairs] == [("a", "a.txt", name)]
    assert found.unpaired == []


def test_pairs_come_in_the_order_of_their_names(folders: tuple[Path, Path]) -> None:
    for folder in folders:
        for name in ("b.txt", "a.b.txt", "10.txt", "9.txt"):
            write(folder, name)
    assert [pair.name for pair in corpus(*folders).pairs] == ["10", "9", "a.b", "b"]


def test_files_without_a_partner_are_reported(folders: tuple[Path, Path]) -> None:
    gold, raw = folders
    write(gold, "a.txt")
    write(raw, "a.html")
    alone = [write(gold, "b.txt"), write(raw, "c.html")]
    assert corpus(gold, raw).unpaired == alone


def test_a_second_file_of_the_same_stem_is_reported(folders: tuple[Path, Path]) -> None:
    gold, raw = folders
    write(gold, "a.txt")
    first, second = write(raw, "a.html"), write(raw, "a.txt")
    found = corpus(gold, raw)
    assert [pair.raw for pair in found.pairs] == [first]
    assert found.unpaired == [second]


def test_other_files_and_folders_are_passed_over(folders: tuple[Path, Path]) -> None:
    gold, raw = folders
    for folder in folders:
        write(folder, "a.txt")
        write(folder, ".a.txt")
        write(folder, "sites.json")
        (folder / "sub.txt").mkdir()
    assert [pair.name for pair in corpus(gold, raw).pairs] == ["a"]


def test_an_empty_folder_is_refused(folders: tuple[Path, Path]) -> None:
    gold, raw = folders
    write(raw, "a.html")
    with pytest.raises(CorpusError, match=r"gold: has no file that ends in \.html, \.htm, \.txt or \.gz"):
        corpus(gold, raw)


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="none: cannot be read: No such file or directory"):
        corpus(tmp_path / "none", tmp_path)


def test_folders_without_a_single_pair_are_refused_with_names(folders: tuple[Path, Path]) -> None:
    gold, raw = folders
    write(gold, "a.txt")
    write(raw, "b.html")
    with pytest.raises(CorpusError, match=r"no two files have the same name.*a\.txt.*b\.html"):
        corpus(gold, raw)


GOLDS = {
    "marks": ("<h>Tea\n<p>Hot or\n  cold.\n<l> one\n<l>two", ["h Tea", "p Hot or cold.", "l one", "l two"]),
    "an address": ("URL: http://x.example\n\n<p>Tea", ["p Tea"]),
    "capital marks": ("<P>Tea<H>Hot", ["p Tea", "h Hot"]),
    "lines": ("Tea\n\n  Hot or cold. \n", ["p Tea", "p Hot or cold."]),
    "text before the marks": ("Tea\n<p>Hot", ["p Tea", "p Hot"]),
    "nothing": ("", []),
    "only marks": ("<p><p>\n<h> ", []),
    "other tags": ("<p>a <b>c</b>", ["p a <b>c</b>"]),
}


@pytest.mark.parametrize(("text", "expected"), GOLDS.values(), ids=GOLDS)
def test_gold_texts_are_cut_at_their_marks_or_lines(text: str, expected: list[str]) -> None:
    assert [f"{segment.kind.value} {segment.text}" for segment in gold_segments(text)] == expected


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_gold_comes_in_any_encoding(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "a.txt").write_bytes("<p>Crème brûlée für alle, très bien déjà vu".encode(encoding))
    assert [segment.text for segment in gold_of(tmp_path / "a.txt")] == [
        "Crème brûlée für alle, très bien déjà vu"
    ]


def test_raw_pages_and_dumps_are_rendered(tmp_path: Path) -> None:
    page = write(tmp_path, "a.html.gz", f"<!DOCTYPE html><title>x</title><p>{TEXT}<p>Two")
    dump = write(tmp_path, "b.txt", f"{TEXT}\n\nTwo\n")
    assert [segment.text for segment in raw_of(page).segments] == [TEXT, "Two"]
    assert [segment.text for segment in raw_of(dump).segments] == [TEXT, "Two"]


def test_a_gzip_file_of_several_members_is_read_whole(tmp_path: Path) -> None:
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(b"one ") + gzip.compress(b"two"))
    assert content(tmp_path / "a.txt.gz") == b"one two"


def test_a_broken_gzip_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(b"one")[:10] + b"\xff" * 20)
    with pytest.raises(CorpusError, match=r"a\.txt\.gz: broken gzip member: "):
        content(tmp_path / "a.txt.gz")


def test_a_truncated_gzip_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(b"one " * 100)[:-9])
    with pytest.raises(CorpusError, match=r"a\.txt\.gz: the file ends inside a gzip member"):
        content(tmp_path / "a.txt.gz")


def test_what_follows_a_gzip_file_is_not_lost(tmp_path: Path) -> None:
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(b"one") + b"two")
    with pytest.raises(CorpusError, match="there is data after"):
        content(tmp_path / "a.txt.gz")


def test_a_gzip_file_that_grows_without_end_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corpora, "_MAX_BYTES", 1 << 20)
    path = write(tmp_path, "a.txt.gz", "x" * (1 << 21))
    with pytest.raises(CorpusError, match="unpacks to more than 1 MB"):
        content(path)


PROBLEMS = {
    "a page with no text": ("<p>x", "<!DOCTYPE html><title>x</title><body></body>", "the page has no text"),
    "an empty gold text": ("", f"<p>{TEXT}", "the gold text is empty"),
    "a gold text longer than the page": (
        f"<p>{TEXT * 3}",
        f"<p>{TEXT}",
        "the gold text is longer than the page",
    ),
    "a page that is a picture": ("<p>x", "\x89PNG\r\n\x1a\n\0\0", ""),
}


@pytest.mark.parametrize(("gold_text", "raw_text", "reason"), PROBLEMS.values(), ids=PROBLEMS)
def test_a_bad_pair_is_a_problem_and_the_rest_is_processed(
    folders: tuple[Path, Path], gold_text: str, raw_text: str, reason: str
) -> None:
    gold, raw = folders
    write(gold, "a.txt", gold_text)
    (raw / "a.html").write_bytes(raw_text.encode("latin-1"))
    write(gold, "b.txt")
    write(raw, "b.html", f"<html><p>{TEXT}")
    bad, good = examples(corpus(gold, raw).pairs)
    assert isinstance(bad, Problem)
    assert reason in bad.reason
    assert isinstance(good, Example)


def test_the_fingerprint_of_a_list_does_not_depend_on_its_order() -> None:
    one, two = ("a", "1"), ("b", "2")
    assert list_digest([one, two]) == list_digest([two, one]) != list_digest([one])


def test_the_fingerprint_of_a_page_holds_both_texts() -> None:
    page = Page("<p>x", "", [Segment("x")])
    digests = {
        Example("1", page, [Segment("x")]).digest,
        Example("1", page, [Segment("y")]).digest,
        Example("1", page._replace(source="<p>y"), [Segment("x")]).digest,
    }
    assert len(digests) == 3

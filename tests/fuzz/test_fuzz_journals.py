"""Journals with any damage: an error of one line, or what the complete lines say."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from annotation_samples import BY_LENGTH, PAGES
from generators import check_message, edited, edits, examples
from hypothesis import given
from hypothesis import strategies as st

from stupidos.annotate import journal as annotation
from stupidos.annotate.project import Project
from stupidos.annotate.session import Session
from stupidos.errors import CorpusError, StupidosError
from stupidos.scale.accounts import Accounts
from stupidos.scale.journal import Journal, UnitEntry

pytestmark = pytest.mark.fuzz

Changes = list[tuple[str, float, int, bytes]]
NUMBERS = [-1, 0, 3, 10**30, 1.5, "1", True, [], {}]
PIECES = st.one_of(
    st.binary(max_size=9),
    st.sampled_from(
        [b"\n", b"{", b"}", b'"', b"null", b"-1", b"1e9", b"[[", b"\0", b"true", b'{"finished": true}\n']
    ),
    st.sampled_from(
        [b"99999999999999999999", b'"unit": ', b'"page": "', b'"keeps": "01"', b"\xff", b"\r", b"[" * 3000]
    ),
    st.sampled_from(
        [b'{"do": "undo"}\n', b'{"do": "finish", "page": "bees", "keeps": "1", "kinds": "p"}\n', b", "]
    ),
)
CRAWL = [
    UnitEntry(n, f"digest{n}", 10 * n + 10, 7 * n if n % 2 else None, Accounts(written=n + 1))
    for n in range(6)
]
TEXTS = {name: tuple(text.splitlines()[1:]) for name, text in PAGES.items()}
SAID = [
    annotation.AnnotationEntry("open", "bees", texts=TEXTS["bees"], title="Bees", at="2024"),
    annotation.AnnotationEntry("change", "bees", (0, 2), keep=True, key="a"),
    annotation.AnnotationEntry("change", "bees", (1,), kind="h", settles=True),
    annotation.AnnotationEntry("finish", "bees", keeps="0110", kinds="pphl", annotator="ann"),
    annotation.AnnotationEntry("open", "tea", texts=TEXTS["tea"]),
    annotation.AnnotationEntry("change", "tea", (2,), keep=False),
    annotation.AnnotationEntry("undo"),
    annotation.AnnotationEntry("finish", "tea", keeps="010", kinds="ppp"),
    annotation.AnnotationEntry("import", "zebra", texts=TEXTS["zebra"], keeps="01", kinds="hp", hands="11"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


def emptied(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


def crawl_journal(folder: Path) -> Path:
    """The folder of a run that was stopped."""
    parts = emptied(folder) / "parts"
    with Journal(parts, "print", resume=False) as journal:
        journal.write(*(entry.line() for entry in CRAWL))
        (parts / "output").write_bytes(b"x" * 70)
    return parts


def resumed(parts: Path) -> tuple[object, ...] | None:
    """The state of a run that goes on, or None if it is refused."""
    try:
        with Journal(parts, "print", resume=True) as journal:
            journal.output().close()
            return dict(journal.done), journal.accounts, journal.offset, journal.finished
    except StupidosError as error:
        check_message(error)
        return None


@examples(140)
@given(edits(PIECES))
def test_a_damaged_crawl_is_refused_or_resumed_the_same_every_time(folder: Path, changes: Changes) -> None:
    parts = crawl_journal(folder)
    path = parts / "journal"
    path.write_bytes(edited(path.read_bytes(), changes))
    state = resumed(parts)
    if state is None or not parts.exists():
        return
    assert (parts / "output").stat().st_size == state[2]
    assert resumed(parts) == state
    with Journal(parts, "print", resume=True) as journal:
        new = max(journal.done, default=0) + 1
        journal.write(UnitEntry(new, "new", journal.offset, None, Accounts(empty=1)).line())
    again = resumed(parts)
    assert again is not None
    assert again[0] == {**state[0], new: ("new", None)}  # type: ignore[dict-item]


@examples(50)
@given(st.floats(0, 1))
def test_of_a_crawl_cut_off_anywhere_the_complete_lines_count(folder: Path, share: float) -> None:
    parts = crawl_journal(folder)
    path = parts / "journal"
    data = path.read_bytes()
    data = data[: int(share * len(data))]
    path.write_bytes(data)
    state = resumed(parts)
    complete = CRAWL[: max(0, data.count(b"\n") - 1)]
    assert state is not None
    assert state[0] == {entry.unit: (entry.digest, entry.ended) for entry in complete}
    assert state[2] == (complete[-1].offset if complete else 0)


@examples(140)
@given(edits(PIECES))
def test_a_damaged_annotation_is_refused_or_read_the_same_every_time(folder: Path, changes: Changes) -> None:
    path = emptied(folder) / annotation.JOURNAL_FILE
    path.write_bytes(edited(b"".join(entry.line() for entry in SAID), changes))
    try:
        with closing(annotation.AnnotationJournal(path)) as journal:
            entries = list(journal.entries())
            journal.append(SAID[1])
    except CorpusError as error:
        check_message(error)
        return
    with closing(annotation.AnnotationJournal(path)) as journal:
        assert list(journal.entries()) == [*entries, SAID[1]]


def without_some(
    entries: list[annotation.AnnotationEntry], changes: list[tuple[int, int]]
) -> Iterator[annotation.AnnotationEntry]:
    """Entries of which some come elsewhere, twice or not at all."""
    kept = list(entries)
    for first, second in changes:
        if first == second and kept:
            del kept[first % len(kept)]
        elif kept:
            kept.insert(second % (len(kept) + 1), kept[first % len(kept)])
    yield from kept


@examples(40)
@given(edits(PIECES), st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=5), st.booleans())
def test_an_annotation_goes_on_after_any_damage_or_is_refused(
    folder: Path, changes: Changes, moves: list[tuple[int, int]], damaged: bool
) -> None:
    gold = emptied(folder)
    data = b"".join(entry.line() for entry in without_some(SAID, moves))
    (gold / annotation.JOURNAL_FILE).write_bytes(edited(data, changes) if damaged else data)
    project = Project({name: text.encode for name, text in PAGES.items()}, gold)
    try:
        session = Session(project, BY_LENGTH)
    except StupidosError as error:
        check_message(error)
        return
    with closing(session):
        for name in PAGES:
            session.state(name)
            session.labelled_page(name)
        session.change(annotation.AnnotationEntry("change", "tea", (0,), keep=True))
        assert session.labelled_page("tea").labels[0].keep

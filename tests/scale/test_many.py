"""extract_many: documents of many pages, in order, errors included."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import standin

import stupidos
from stupidos.scale.job import Job
from stupidos.scale.many import _in_process, _in_workers, extract_many
from stupidos.write import Style

pytestmark = pytest.mark.usefixtures("forked")

PAGE = "<title>Rain {0}</title><p>It rained for {0} days, and the river rose over its banks.</p>"
PAGES = [PAGE.format(number) for number in range(3, 103)]

both = pytest.mark.parametrize("jobs", [1, 2])


@both
def test_documents_come_in_the_order_of_the_pages(jobs: int) -> None:
    documents = list(extract_many(PAGES, jobs=jobs))
    assert [document.title for document in documents] == [f"Rain {number}" for number in range(3, 103)]
    assert [document.text for document in documents] == [stupidos.clean(page) for page in PAGES]
    assert [document.id for document in documents] == [str(number) for number in range(100)]


@both
def test_every_kind_of_page_is_taken(jobs: int, tmp_path: Path) -> None:
    path = tmp_path / "rain.html"
    path.write_text(PAGES[0])
    given = [PAGES[0], PAGES[0].encode(), path, ("mine", path), ("yours", bytearray(PAGES[0].encode()))]
    documents = list(extract_many(given, jobs=jobs))  # type: ignore[arg-type]
    assert [document.id for document in documents] == ["0", "1", str(path), "mine", "yours"]
    assert len({document.text for document in documents}) == 1


@both
def test_what_is_not_a_page_is_a_document_with_an_error(jobs: int, caplog: pytest.LogCaptureFixture) -> None:
    given = [PAGES[0], None, Path("no-such-file.html"), 3, PAGES[1]]
    with caplog.at_level(logging.WARNING, logger="stupidos"):
        documents = list(extract_many(given, jobs=jobs))  # type: ignore[arg-type]
    assert [bool(document.error) for document in documents] == [False, True, True, True, False]
    assert "not None" in documents[1].error
    assert [record.name for record in caplog.records] == ["stupidos"] * 3


@both
def test_a_returned_document_has_all_of_a_document(jobs: int) -> None:
    (document,) = extract_many([PAGES[0]], jobs=jobs)
    same = stupidos.extract(PAGES[0])
    assert document.verdicts == same.verdicts
    assert document.confidence == same.confidence
    assert document.page.title == same.page.title
    assert document.record() | {"id": ""} == same.record()


def job(**options: object) -> Job:
    return Job((), style=Style("text"), cleaner=standin.NAME, returned=True, **options)  # type: ignore[arg-type]


@both
def test_a_page_that_never_ends_is_a_document_with_an_error(jobs: int) -> None:
    pages = ["first", "Dear stand-in, loop", "last"]
    limited = job(seconds=0.2)
    documents = list(_in_process(pages, limited) if jobs == 1 else _in_workers(pages, limited, jobs))
    assert [document.error for document in documents] == ["", "needs more than 0.2 s", ""]


def test_a_page_that_ends_its_worker_is_a_document_with_an_error() -> None:
    documents = list(_in_workers(["first", "Dear stand-in, exit", "last"], job(), 2))
    assert [bool(document.error) for document in documents] == [False, True, False]
    assert "ended 2 workers" in documents[1].error


@both
def test_pages_are_read_as_they_are_needed(jobs: int) -> None:
    taken = []

    def endless() -> Iterator[str]:
        for number in range(10**9):
            taken.append(number)
            yield PAGES[0]

    documents = extract_many(endless(), jobs=jobs)
    assert next(documents).text
    documents.close()  # type: ignore[attr-defined]
    assert len(taken) < 1000


def test_threads_get_the_same_documents() -> None:
    texts: dict[int, list[str]] = {}

    def work(number: int) -> None:
        texts[number] = [document.text for document in extract_many(PAGES[:20])]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(texts[number] == texts[0] and len(texts[number]) == 20 for number in range(4))


def test_no_process_at_all_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one process"):
        extract_many([], jobs=0)


@both
def test_pages_in_other_languages_are_skipped(jobs: int, caplog: pytest.LogCaptureFixture) -> None:
    german = "<html lang=de><p>Der Turm ist nicht hoch, und das Licht wird mit der Hand entzündet.</p>"
    pages = [f"<html lang=en>{PAGES[0]}", german, f"<html lang=en>{PAGES[1]}"]
    with caplog.at_level(logging.WARNING, logger="stupidos"):
        documents = list(extract_many(pages, jobs=jobs, lang=["de-AT", "fr"]))
    assert [document.skipped for document in documents] == ["language en", "", "language en"]
    assert [bool(document.text) for document in documents] == [False, True, False]
    assert not caplog.records


def test_languages_are_a_list() -> None:
    with pytest.raises(TypeError, match=r"\['de'\]"):
        extract_many(PAGES, lang="de")


@pytest.mark.parametrize("page", [PAGE, PAGE.encode(), None, 3])
def test_one_page_is_not_many(page: object) -> None:
    with pytest.raises(TypeError, match="pages are an iterable"):
        extract_many(page)  # type: ignore[arg-type]

"""Gold files are derived from the journal, whatever happened to the disk in between."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from annotation_samples import PAGES

from stupidos.annotate.journal import JOURNAL_FILE, AnnotationEntry
from stupidos.annotate.labels import read_labels
from stupidos.annotate.session import Session
from stupidos.annotate.views import overview, page_view
from stupidos.errors import StupidosError

Open = Callable[..., Session]
TEA = "<p>Tea is hot, coffee is hotter, ice is not.\n"
SHARED = TEA + "\n<p>Share\n"
SHARE = AnnotationEntry("change", "tea", (2,), keep=True, key="share")
FILES = ("tea.labels.json", "tea.txt")


def files(gold: Path) -> list[str]:
    return sorted(path.name for path in gold.iterdir() if path.name != JOURNAL_FILE)


def no_room(path: str | Path, *more: object, **options: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device", str(path))


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], None]:
    """A switch: while it is on, no gold file takes its place."""
    replace = os.replace
    return lambda on: monkeypatch.setattr(os, "replace", no_room if on else replace)


def test_gold_that_cannot_be_written_is_an_error_and_the_label_is_kept(
    open_session: Open, gold: Path, full_disk: Callable[[bool], None]
) -> None:
    session = open_session()
    session.finish("tea")
    full_disk(True)
    with pytest.raises(StupidosError, match=r"saved in the journal.*tea\.labels\.json: No space left"):
        session.change(SHARE)
    assert page_view(session, "tea")["segments"][2]["keep"]
    assert "tea.labels.json" in overview(session)["trouble"]
    assert files(gold) == list(FILES)


def test_a_request_sent_again_is_an_error_until_its_gold_is_written(
    open_session: Open, gold: Path, full_disk: Callable[[bool], None]
) -> None:
    session = open_session()
    session.finish("tea")
    full_disk(True)
    for _ in range(2):
        with pytest.raises(StupidosError, match="gold is not written"):
            session.change(SHARE)
    full_disk(False)
    session.change(SHARE)
    assert (gold / "tea.txt").read_text() == SHARED
    assert overview(session)["trouble"] == ""


def test_gold_of_every_page_is_written_again_with_the_next_change(
    open_session: Open, gold: Path, full_disk: Callable[[bool], None]
) -> None:
    session = open_session()
    full_disk(True)
    for name in ("tea", "zebra"):
        with pytest.raises(StupidosError, match="gold is not written"):
            session.finish(name)
    full_disk(False)
    session.change(AnnotationEntry("change", "bees", (0,), keep=True))
    assert files(gold) == [*FILES, "zebra.labels.json", "zebra.txt"]


def test_gold_that_a_full_disk_left_old_is_written_at_the_next_start(
    open_session: Open, gold: Path, full_disk: Callable[[bool], None]
) -> None:
    session = open_session()
    session.finish("tea")
    full_disk(True)
    with pytest.raises(StupidosError):
        session.change(SHARE)
    full_disk(False)
    session.close()
    with (gold / JOURNAL_FILE).open("ab") as file:  # not the page of the last entry
        file.write(AnnotationEntry("open", "zebra").line())
    open_session()
    assert (gold / "tea.txt").read_text() == SHARED
    assert files(gold) == list(FILES)  # what stood there came from the journal: no copy


def test_gold_that_cannot_be_taken_back_is_an_error_and_the_page_stays_ours(
    open_session: Open, gold: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = open_session()
    session.finish("tea")
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", no_room)
        with pytest.raises(StupidosError, match=r"tea\.txt: No space left"):
            session.undo()
        assert session.state("tea") == "started"
    session.close()
    assert open_session().state("tea") == "started"
    assert files(gold) == []


def test_gold_that_cannot_be_written_at_the_start_is_reported(
    open_session: Open, gold: Path, full_disk: Callable[[bool], None]
) -> None:
    session = open_session()
    session.finish("tea")
    session.close()
    (gold / "tea.txt").unlink()
    full_disk(True)
    assert "tea.txt" in overview(open_session())["trouble"]


@pytest.mark.parametrize("name", FILES)
def test_gold_edited_by_hand_is_kept_beside_what_the_journal_gives(
    name: str, open_session: Open, gold: Path
) -> None:
    session = open_session()
    session.finish("tea")
    session.close()
    before = (gold / name).read_text()
    (gold / name).write_text(before.replace("hotter", "colder"))
    log: list[str] = []
    session = open_session(log=log.append)
    assert (gold / name).read_text() == before
    assert (gold / f"{name}.orig").read_text() == before.replace("hotter", "colder")
    assert log == [f"{gold / name}: was changed outside the journal; that version is saved as {name}.orig"]
    assert overview(session)["notes"] == log


def test_gold_edited_by_hand_is_kept_when_its_page_is_changed_or_taken_back(
    open_session: Open, gold: Path
) -> None:
    session = open_session()
    session.finish("tea")
    (gold / "tea.txt").write_text("first")
    session.change(SHARE)
    (gold / "tea.txt").write_text("second")
    session.undo()
    (gold / "tea.txt").write_text("third")
    session.undo()
    kept = {path.name: path.read_text() for path in gold.glob("tea.txt*")}
    assert kept == {"tea.txt": "third", "tea.txt.orig": "first", "tea.txt.orig2": "second"}
    assert session.state("tea") == "given"


def test_a_copy_that_exists_is_not_made_twice(open_session: Open, gold: Path) -> None:
    session = open_session()
    session.finish("tea")
    session.close()
    for _ in range(2):
        (gold / "tea.txt").write_text("by hand")
        open_session().close()
    assert files(gold) == [*FILES, "tea.txt.orig"]


def test_an_empty_gold_file_is_replaced_without_a_copy(open_session: Open, gold: Path) -> None:
    session = open_session()
    session.finish("tea")
    session.close()
    (gold / "tea.txt").write_bytes(b"")
    open_session()
    assert (gold / "tea.txt").read_text() == TEA
    assert files(gold) == list(FILES)


def test_the_head_of_a_labels_file_may_be_edited(open_session: Open, gold: Path) -> None:
    session = open_session()
    session.finish("tea")
    session.close()
    path = gold / "tea.labels.json"
    path.write_text(path.read_text().replace('"annotator": ""', '"annotator": "Eva"'))
    open_session()
    assert json.loads(path.read_text())["annotator"] == "Eva"
    assert files(gold) == list(FILES)


def test_labels_of_somebody_else_for_a_started_page_are_never_destroyed(
    open_session: Open, gold: Path
) -> None:
    session = open_session()
    session.change(SHARE)
    theirs = '{"format": "stupidos-labels", "version": 1, "segments": []}'
    (gold / "tea.labels.json").write_text(theirs)
    session.change(AnnotationEntry("change", "tea", (0,), keep=True))
    assert (gold / "tea.labels.json").read_text() == theirs
    session.finish("tea")
    assert (gold / "tea.labels.json.orig").read_text() == theirs


def test_another_annotator_does_not_sign_finished_pages(open_session: Open, gold: Path) -> None:
    session = open_session(annotator="Eva")
    session.finish("tea")
    session.close()
    (gold / "tea.labels.json").unlink()
    open_session(annotator="Adam")
    assert json.loads((gold / "tea.labels.json").read_text())["annotator"] == "Eva"


def test_files_that_a_killed_process_left_unfinished_are_removed(open_session: Open, gold: Path) -> None:
    for name in (".tea.txt.part", ".tea.labels.json.part", f".{JOURNAL_FILE}.part", ".other.txt.part"):
        (gold / name).write_text("half")
    open_session()
    assert files(gold) == [".other.txt.part"]


KILLED = """
import os, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from annotation_samples import BY_LENGTH, PAGES
from stupidos.annotate.project import Project
from stupidos.annotate.session import Session
replaced = []
def replace(part, path, real=os.replace):
    if len(replaced) == int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)
    replaced.append(path)
    real(part, path)
os.replace = replace
raw_pages = {name: text.encode for name, text in PAGES.items()}
Session(Project(raw_pages, Path(sys.argv[2])), BY_LENGTH).finish("tea")
"""


@pytest.mark.parametrize("moment", [0, 1], ids=["before the labels", "before the text"])
def test_a_process_killed_while_it_writes_gold_loses_nothing(
    moment: int, open_session: Open, gold: Path
) -> None:
    command = [sys.executable, "-c", KILLED, str(Path(__file__).parent), str(gold), str(moment)]
    assert subprocess.run(command, timeout=60).returncode == -signal.SIGKILL
    assert any(name.endswith(".part") for name in files(gold))
    assert open_session().state("tea") == "finished"
    assert (gold / "tea.txt").read_text() == TEA
    assert files(gold) == list(FILES)


def test_a_deleted_gold_folder_is_written_again_with_the_next_change(open_session: Open, gold: Path) -> None:
    log: list[str] = []
    session = open_session(log=log.append)
    session.finish("tea")
    shutil.rmtree(gold)
    session.finish("zebra")
    session.close()
    assert log == [f"{gold / JOURNAL_FILE}: was deleted while in use; restored"]
    assert files(gold) == [*FILES, "zebra.labels.json", "zebra.txt"]
    again = open_session()
    assert (again.state("tea"), again.state("zebra")) == ("finished", "finished")


def test_a_gold_folder_that_was_moved_away_is_an_error(open_session: Open, gold: Path) -> None:
    session = open_session()
    session.finish("tea")
    gold.rename(gold.with_name("moved"))
    with pytest.raises(StupidosError, match="was moved away; put it back"):
        session.change(SHARE)
    assert not page_view(session, "tea")["segments"][2]["keep"]
    gold.with_name("moved").rename(gold)
    session.change(SHARE)
    assert (gold / "tea.txt").read_text() == SHARED


def test_gold_of_a_finished_page_needs_no_raw_page(open_session: Open, gold: Path) -> None:
    pages = dict(PAGES)
    session = open_session(pages)
    session.finish("tea")
    session.close()
    (gold / "tea.txt").unlink()
    again = open_session({**PAGES, "tea": "Tea\nAll new.\n"})
    assert (gold / "tea.txt").read_text() == TEA
    assert again.state("tea") == "finished"


def test_labels_of_a_page_that_changed_after_it_was_finished_are_those_on_the_screen(
    open_session: Open, gold: Path
) -> None:
    session = open_session()
    session.finish("tea")
    session.close()
    longer = PAGES["tea"] + "The kettle sings when the water boils.\n"
    session = open_session({**PAGES, "tea": longer})
    assert [row["keep"] for row in page_view(session, "tea")["segments"]] == [False, True, False, True]
    session.change(SHARE)
    assert (gold / "tea.txt").read_text() == SHARED + "\n<p>The kettle sings when the water boils.\n"
    session.close()
    open_session()
    assert "kettle" in (gold / "tea.txt").read_text()


def test_the_hash_in_a_labels_file_is_of_the_bytes_that_were_labelled(open_session: Open, gold: Path) -> None:
    from hashlib import sha256

    session = open_session()
    session.page_labels("tea")
    session.project.raw_pages["tea"] = lambda: b"Tea\nchanged\n"  # type: ignore[index]
    session.finish("tea")
    head = json.loads((gold / "tea.labels.json").read_text())
    assert head["sha256"] == sha256(PAGES["tea"].encode()).hexdigest()


def test_segments_of_another_version_of_the_page_are_refused(open_session: Open) -> None:
    session = open_session()
    version = page_view(session, "tea")["version"]
    session.close()
    again = open_session({**PAGES, "tea": "Tea\nNew\nMenu\nShare\n"})
    with pytest.raises(StupidosError, match="raw page has changed"):
        again.change(SHARE, version)
    with pytest.raises(StupidosError, match="raw page has changed"):
        again.finish("tea", version=version)
    assert again.history.pages() == []


def test_nobody_finishes_a_page_with_labels_that_were_not_on_the_screen(open_session: Open) -> None:
    session = open_session()
    session.change(SHARE)
    with pytest.raises(StupidosError, match="labels have changed"):
        session.finish("tea", displayed=AnnotationEntry("finish", "tea", keeps="010", kinds="ppp"))
    session.finish("tea", displayed=AnnotationEntry("finish", "tea", keeps="011", kinds="ppp"))
    assert session.state("tea") == "finished"


def test_the_head_of_imported_labels_is_kept(open_session: Open, gold: Path) -> None:
    session = open_session(annotator="Eva")
    session.finish("tea")
    session.close()
    (gold / JOURNAL_FILE).unlink()
    open_session().change(SHARE)
    head = json.loads((gold / "tea.labels.json").read_text())
    assert (head["title"], head["annotator"]) == ("Tea", "Eva")
    assert read_labels(gold / "tea.labels.json").by_hand == (False, False, True)


def test_an_edit_is_kept_once_its_place_is_taken_and_not_before(
    open_session: Open, gold: Path, full_disk: Callable[[bool], None]
) -> None:
    session = open_session()
    session.finish("tea")
    for text in ("first", "second"):  # edits of the text alone: the labels file is as it should be
        (gold / "tea.txt").write_text(text)
        full_disk(True)
        with pytest.raises(StupidosError, match="gold is not written"):
            session.write_gold()
        full_disk(False)
    assert files(gold) == list(FILES)
    assert session.notes == []
    session.write_gold()
    assert (gold / "tea.txt.orig").read_text() == "second"
    assert len(session.notes) == 1

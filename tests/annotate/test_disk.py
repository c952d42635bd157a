"""`stupidos annotate` on a disk that fills up, and on what it finds there at the start."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

resource = pytest.importorskip("resource")
pytestmark = [
    pytest.mark.slow,  # each test starts a server
    pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="needs prlimit of Linux"),
]

SEGMENTS = 200  # so short that the labels file is much larger than the journal
JOURNAL = "journal.jsonl"


class Annotator:
    """A running `stupidos annotate`, and what a browser says to it."""

    def __init__(self, raw: Path, gold: Path) -> None:
        command = [sys.executable, "-m", "stupidos", "annotate", str(raw), str(gold), "--no-browser"]
        self.process = subprocess.Popen(
            [*command, "--model", "rules"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        self.url = urlsplit(self.process.stdout.readline().strip())

    def largest_file(self, size: int) -> None:
        """Let no file grow beyond a size, as a full disk would."""
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    def ask(self, path: str, said: Any = None) -> tuple[int, Any]:
        connection = HTTPConnection(self.url.netloc, timeout=60)
        headers = {
            "Authorization": f"Bearer {self.url.fragment}",
            "Origin": f"http://{self.url.netloc}",
            "Content-Type": "application/json",
        }
        with closing(connection):
            connection.request("POST" if said else "GET", path, said and json.dumps(said), headers)
            with connection.getresponse() as answer:
                return answer.status, json.loads(answer.read())

    def end(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        self.process.send_signal(number)
        err = self.process.communicate(timeout=60)[1]
        return self.process.returncode, err


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    folder = tmp_path / "raw"
    folder.mkdir()
    for name in ("tea", "milk"):
        (folder / f"{name}.html").write_text("".join(f"<p>{name} {i}</p>" for i in range(SEGMENTS)))
    return folder


@pytest.fixture
def annotate(raw: Path, gold: Path) -> Iterator[Callable[[], Annotator]]:
    started: list[Annotator] = []

    def start() -> Annotator:
        started.append(Annotator(raw, gold))
        return started[-1]

    yield start
    for each in started:
        with each.process:
            each.process.kill()


def change(page: str, key: str, segments: list[int] | None = None) -> dict[str, Any]:
    return {"page": page, "segments": segments or [0], "keep": False, "key": key}


def test_gold_that_finds_no_room_is_an_error_and_written_when_there_is_room(
    annotate: Callable[[], Annotator], gold: Path
) -> None:
    server = annotate()
    assert server.ask("/api/change", change("tea", "a"))[0] == 200
    server.largest_file((gold / JOURNAL).stat().st_size + 2000)
    status, told = server.ask("/api/finish", {"page": "tea", "key": "b"})
    assert (status, told["saved"]) == (507, True)
    assert "tea.labels.json: File too large" in told["error"]
    assert not [path.name for path in gold.iterdir() if path.name.endswith((".part", ".txt"))]
    code, err = server.end()
    assert code == 1
    assert err.splitlines()[0] == "stupidos: 1 of 2 pages finished"
    assert "tea.labels.json: File too large" in err.splitlines()[1]
    assert len(err.splitlines()) == 2
    again = annotate()
    assert (gold / "tea.txt").read_text().startswith("<p>tea 1\n")
    assert again.ask("/api/overview")[1]["trouble"] == ""


def test_half_a_line_on_a_full_disk_is_not_a_label_and_spoils_nothing(
    annotate: Callable[[], Annotator], gold: Path
) -> None:
    server = annotate()
    assert server.ask("/api/change", change("tea", "a"))[0] == 200
    before = (gold / JOURNAL).read_bytes()
    server.largest_file(len(before) + 30)
    status, told = server.ask("/api/change", change("tea", "b", [1]))
    assert (status, list(told)) == (507, ["error"])
    assert (gold / JOURNAL).read_bytes() == before
    assert server.ask("/api/page?name=tea")[1]["segments"][1]["keep"]
    server.largest_file(resource.RLIM_INFINITY)
    assert server.ask("/api/change", change("tea", "b", [1]))[0] == 200
    assert server.end() == (0, "stupidos: 0 of 2 pages finished\n")
    lines = (gold / JOURNAL).read_text().splitlines()
    assert [json.loads(line)["do"] for line in lines] == ["open", "change", "change"]


def test_labels_outlive_a_killed_server(annotate: Callable[[], Annotator], gold: Path) -> None:
    server = annotate()
    assert server.ask("/api/finish", {"page": "tea", "key": "a"})[0] == 200
    assert server.end(signal.SIGKILL) == (-9, "")
    (gold / ".tea.txt.part").write_text("half")
    with (gold / JOURNAL).open("a") as journal:
        journal.write('{"do": "change", "page": "tea", "seg')
    again = annotate()
    assert [page["state"] for page in again.ask("/api/overview")[1]["pages"]] == ["open", "finished"]
    assert not (gold / ".tea.txt.part").exists()
    code, err = again.end()
    assert (code, err.splitlines()[1:]) == (0, ["stupidos: 1 of 2 pages finished"])
    assert "removed an incomplete last line (36 bytes)" in err


def test_a_damaged_line_is_one_line_with_its_number_and_the_remedy(
    annotate: Callable[[], Annotator], gold: Path
) -> None:
    (gold / JOURNAL).write_text('{"do": "undo"}\nnonsense\n{"do": "undo"}\n')
    code, err = annotate().end(0)
    assert (code, err) == (
        1,
        f"stupidos: {gold / JOURNAL}: line 2 is damaged (not JSON); repair or remove that line\n",
    )


def test_raw_and_gold_in_one_folder_are_refused(raw: Path) -> None:
    server = Annotator(raw, raw)
    code, err = server.end(0)
    assert code == 1
    assert err == f"stupidos: {raw}: gold files need a folder of their own, not that of the raw pages\n"

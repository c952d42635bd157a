"""Output is complete or the exit code says otherwise; stderr never shows a traceback."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from stupidos.cli import output
from stupidos.errors import StupidosError

BIG = "x" * 300_000  # more than a pipe holds

WRITE = """
import sys
from stupidos.cli import output, program
program._run = lambda arguments: output.write("x" * 300_000) or 0
sys.exit(program.run([]))
"""


def writer(shell: str, checkout: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """What becomes of a big write in a shell line, in which $RUN is the writer."""
    return subprocess.run(
        ["bash", "-c", shell],
        cwd=checkout,
        env={**os.environ, "RUN": WRITE, "PY": sys.executable, **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_a_reader_that_stops_is_no_news(checkout: Path) -> None:
    done = writer('"$PY" -c "$RUN" | head -c 3; echo " ${PIPESTATUS[0]}"', checkout)
    assert done.stdout == "xxx 141\n"
    assert done.stderr == ""


@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])
def test_a_slow_reader_gets_every_byte(checkout: Path, unbuffered: str) -> None:
    done = writer('"$PY" -c "$RUN" | { sleep 0.1; wc -c; }', checkout, PYTHONUNBUFFERED=unbuffered)
    assert done.stdout.strip() == str(len(BIG))
    assert done.stderr == ""


def test_a_non_blocking_pipe_gets_every_byte(checkout: Path) -> None:
    switch = "import os; os.set_blocking(1, False);"
    done = writer(
        f'"$PY" -c "{switch} $RUN" | {{ sleep 0.1; wc -c; }}'.replace(
            "$RUN", "exec(__import__('os').environ['RUN'])"
        ),
        checkout,
    )
    assert done.stdout.strip() == str(len(BIG))
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("target", "told"),
    [(">&-", "standard output: is closed"), (">/dev/full", "standard output: No space left on device")],
)
def test_a_failed_write_is_reported_in_one_line(checkout: Path, target: str, told: str) -> None:
    done = writer(f'"$PY" -c "$RUN" {target}', checkout)
    assert done.returncode == 1
    assert done.stderr == f"stupidos: {told}\n"


def test_closed_standard_error_does_not_put_errors_into_the_output(checkout: Path) -> None:
    done = writer('"$PY" -m stupidos nonsense 2>&-', checkout)
    assert (done.returncode, done.stdout) == (2, "")


@pytest.fixture(params=[signal.SIG_IGN, signal.default_int_handler], ids=["ignored", "handled"])
def interrupts(request: pytest.FixtureRequest) -> Iterator[None]:
    """SIGINT as a background job of a shell (or nohup) inherits it, and as a terminal has it."""
    before = signal.signal(signal.SIGINT, request.param)
    yield
    signal.signal(signal.SIGINT, before)


# An ignored signal stays ignored in a new process, so the child must not inherit it from the tests.
INTERRUPTIBLE = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""


@pytest.mark.usefixtures("interrupts")
def test_an_interrupt_ends_with_130_and_no_traceback(checkout: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTIBLE, "-m", "stupidos", "render"],
        cwd=checkout,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    process.stdin.write(b"<p>" * 70_000)  # more than the pipe holds, so the command is reading by now
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"")


def test_lone_surrogates_become_replacement_characters() -> None:
    assert output.utf8("a\ud800\udfffé") == "a\ufffd\ufffdé".encode()


def test_a_stand_in_for_standard_output_is_written_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    output.write("déjà\n")
    assert sys.stdout.getvalue() == "déjà\n"  # type: ignore[attr-defined]


def test_a_file_appears_whole(tmp_path: Path) -> None:
    with output.replaced(tmp_path / "a.txt") as file:
        file.write(b"half")
        assert not (tmp_path / "a.txt").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_a_file_that_fails_leaves_the_old_one(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("old")
    with pytest.raises(StupidosError, match="boom"), output.replaced(tmp_path / "a.txt") as file:
        file.write(b"half")
        raise StupidosError("boom")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a.txt": "old"}


def test_a_file_in_no_folder_is_an_error_that_names_it(tmp_path: Path) -> None:
    with (
        pytest.raises(output.OutputError, match=r"none/a\.txt: No such file"),
        output.replaced(tmp_path / "none" / "a.txt"),
    ):
        pass


def test_pieces_are_written_after_what_stands_before_them(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "_FLUSH_SIZE", 3)
    assert output.write_pieces("\n", ["a", "bc", "d"])
    assert not output.write_pieces("\n", [])
    assert capfd.readouterr().out == "\nabcd"


def test_a_large_piece_is_not_in_memory_twice(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    encoded: list[str] = []
    utf8 = output.utf8
    monkeypatch.setattr(output, "_FLUSH_SIZE", 3)
    monkeypatch.setattr(output, "utf8", lambda text: encoded.append(text) or utf8(text))
    assert output.write_pieces("\n", ["äbcdefg", "h"])
    assert capfd.readouterr().out == "\näbcdefgh"
    assert max(map(len, encoded)) == 3

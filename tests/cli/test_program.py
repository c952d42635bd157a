"""The program around the commands: help, usage, errors and exit codes."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from stupidos import __version__, errors
from stupidos.cli import commands, main, program

Captured = pytest.CaptureFixture[str]


def python(*arguments: str, checkout: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=checkout,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_the_version_is_printed(capsys: Captured) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"stupidos {__version__}\n"


def test_every_verb_has_a_module_and_is_in_the_help(capsys: Captured) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    listed = [line.split()[0] for line in shown.splitlines() if line[2:].split(" ")[0] in commands.COMMANDS]
    assert listed == list(commands.COMMANDS)


@pytest.mark.parametrize("name", commands.COMMANDS)
def test_the_help_of_a_verb_is_its_docstring_with_examples(name: str, capsys: Captured) -> None:
    assert main([name, "--help"]) == 0
    shown = capsys.readouterr().out
    assert (commands.command(name).__doc__ or "").strip() in shown
    assert f"\n  stupidos {name} " in shown


@pytest.mark.parametrize("name", commands.COMMANDS)
def test_no_verb_takes_abbreviated_options(name: str) -> None:
    assert not commands.parser_of(name).allow_abbrev


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["cleen"], "stupidos: unknown command 'cleen'; did you mean 'clean'? (try stupidos --help)\n"),
        (["--verzion"], "stupidos: unrecognized arguments: --verzion (try stupidos --help)\n"),
        (["--vers"], "stupidos: unrecognized arguments: --vers (try stupidos --help)\n"),
        (
            ["render", "--form", "text"],
            "stupidos render: unrecognized arguments: --form (try stupidos render --help)\n",
        ),
        (["clean", "--precision", "--recall"], "not allowed with"),
    ],
)
def test_wrong_usage_is_reported_in_one_line(arguments: list[str], told: str, capsys: Captured) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert told in err


def test_no_arguments_show_the_help_on_stderr(capsys: Captured) -> None:
    assert main([]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("usage: stupidos COMMAND")


def fails_with(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> int:
    def run(arguments: list[str]) -> int:
        raise error

    monkeypatch.setattr(program, "_run", run)
    return main([])


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        (errors.ModelError("a.npz: is damaged"), 1, "stupidos: a.npz: is damaged\n"),
        (errors.StupidosError("two\nlines"), 1, "stupidos: two lines\n"),
        (
            FileNotFoundError(2, "No such file or directory", "a"),
            1,
            "stupidos: a: No such file or directory\n",
        ),
        (MemoryError(), 1, "stupidos: out of memory\n"),
        (KeyboardInterrupt(), 130, ""),
        (
            ZeroDivisionError("no"),
            70,
            "stupidos: internal error: ZeroDivisionError: no (STUPIDOS_DEBUG=1 shows where)\n",
        ),
    ],
)
def test_every_failure_is_at_most_one_line_and_a_code(
    error: BaseException, code: int, told: str, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    assert fails_with(error, monkeypatch) == code
    assert capsys.readouterr().err == told


def test_the_debug_variable_shows_where(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUPIDOS_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        fails_with(ZeroDivisionError(), monkeypatch)


def test_warnings_are_one_line_without_source(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    def run(arguments: list[str]) -> int:
        warnings.simplefilter("always")
        warnings.warn("two\nlines", stacklevel=1)
        return 0

    monkeypatch.setattr(program, "_run", run)
    assert main([]) == 0
    assert capsys.readouterr().err == "stupidos: warning: two lines\n"


@pytest.mark.parametrize(
    "arguments", [["--version"], ["render", "tests/pages/lighthouse.html"]], ids=["version", "render"]
)
def test_light_work_loads_nothing_heavy(arguments: list[str], checkout: Path) -> None:
    code = (
        f"import sys; from stupidos.cli import main; main({arguments}); print(*sys.modules, file=sys.stderr)"
    )
    loaded = set(python("-c", code, checkout=checkout).stderr.split())
    assert "stupidos.cli.program" in loaded
    assert not loaded & {"numpy", "tqdm", "chardet", "difflib", "json", "tempfile"}


def test_the_module_runs_like_the_command(checkout: Path) -> None:
    done = python("-m", "stupidos", "--version", checkout=checkout)
    assert (done.returncode, done.stdout) == (0, f"stupidos {__version__}\n")


def test_the_checkout_runs_without_installation(checkout: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, checkout / "bin" / "stupidos", "--version"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (0, f"stupidos {__version__}\n")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["clean", "--timeout", "x"], "argument --timeout: x is not a number of seconds"),
        (["clean", "--timeout", "-1"], "argument --timeout: -1 is not a number of seconds"),
        (["clean", "--max-bytes", "x"], "argument --max-bytes: x is not a number of bytes such as 20m"),
        (["clean", "--max-bytes", "0"], "argument --max-bytes: 0 is not a number of bytes such as 20m"),
        (["clean", "--max-bytes", "m"], "argument --max-bytes: m is not a number of bytes such as 20m"),
        (["clean", "--jobs", "x"], "argument --jobs: x is not a positive integer"),
        (["clean", "--jobs", "0"], "argument --jobs: 0 is not a positive integer"),
        (["clean", "--threshold", "x"], "argument --threshold: x is not a number"),
        (["clean", "--threshold", "nan"], "argument --threshold: nan is not a number"),
        (["clean", "--min-recall", "x"], "argument --min-recall: x is not between 0 and 1"),
        (["clean", "--min-recall", "2"], "argument --min-recall: 2 is not between 0 and 1"),
        (["explain", "--ancestor", "x"], "argument --ancestor: x is not an integer between 1 and 5"),
        (["explain", "--ancestor", "6"], "argument --ancestor: 6 is not an integer between 1 and 5"),
    ],
)
def test_a_wrong_value_is_told_what_is_wanted(arguments: list[str], told: str, capsys: Captured) -> None:
    assert main(arguments) == 2
    assert told in capsys.readouterr().err

"""The man page and the completions tell of every command and every option."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from stupidos.cli import commands, main

MAN = "man/man1/stupidos.1"
FILES = (MAN, "completions/stupidos.bash", "completions/_stupidos", "completions/stupidos.fish")
REMEDY = "run python share/generate.py"


def names(command: str) -> list[str]:
    """Long options of a command."""
    actions = commands.parser_of(command)._actions
    return [name[2:] for action in actions for name in action.option_strings if name.startswith("--")]


def part(text: str, command: str, file: str) -> str:
    """What a file says of one command."""
    if file == MAN:
        return text.partition(f".SS {command}\n")[2].partition(".SS ")[0].replace("\\-", "-")
    lines = text.splitlines()
    if file.endswith(".fish"):
        return "\n".join(line for line in lines if f"from {command}'" in line).replace(" -l ", " --")
    if file.endswith(".bash"):
        return "\n".join(line for line in lines if line.lstrip().startswith(f"{command})"))
    return text.partition(f" {command}) _arguments")[2].partition(";;")[0]


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("command", commands.summaries())
def test_every_option_of_every_command_is_there(command: str, file: str, checkout: Path) -> None:
    told = part((checkout / "share" / file).read_text(), command, file)
    missing = [name for name in names(command) if f"--{name}" not in told]
    assert not missing, REMEDY


@pytest.mark.parametrize("file", FILES)
def test_every_verb_is_there(file: str, checkout: Path) -> None:
    text = (checkout / "share" / file).read_text()
    assert not [command for command in commands.summaries() if command not in text], REMEDY


@pytest.mark.parametrize(
    ("shell", "file"), [("bash", "stupidos.bash"), ("zsh", "_stupidos"), ("fish", "stupidos.fish")]
)
def test_the_shell_can_read_its_completions(shell: str, file: str, checkout: Path) -> None:
    path = checkout / "share" / "completions" / file
    assert "stupidos" in path.read_text()
    if program := shutil.which(shell):  # bash is everywhere, the others where people use them
        assert subprocess.run([program, "-n", str(path)], capture_output=True).stderr == b""


def test_bash_completes_verbs_options_and_choices(checkout: Path) -> None:
    path = checkout / "share" / "completions" / "stupidos.bash"
    script = f"""source {path}
complete_line() {{
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _stupidos
    echo "${{COMPREPLY[*]}}"
}}
complete_line stupidos exp
complete_line stupidos explain --outp
complete_line stupidos render --input ht
"""
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["explain", "--output", "html"]


@pytest.mark.parametrize(
    ("shell", "file"), [("bash", "stupidos.bash"), ("zsh", "_stupidos"), ("fish", "stupidos.fish")]
)
def test_clean_prints_the_completions(
    shell: str, file: str, checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["clean", "--completion", shell]) == 0
    printed = capsys.readouterr().out
    assert printed == (checkout / "share" / "completions" / file).read_text(), REMEDY
    assert " web" in printed  # a model


def test_completions_of_an_unknown_shell_are_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean", "--completion", "csh"]) == 2
    assert "csh" in capsys.readouterr().err


def test_bash_offers_models(checkout: Path) -> None:
    path = checkout / "share" / "completions" / "stupidos.bash"
    script = f"source {path}; COMP_WORDS=(stupidos clean --model we) COMP_CWORD=3; _stupidos; "
    script += "echo ${COMPREPLY[*]}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert "web" in done.stdout.split()


def test_the_man_page_has_no_line_that_troff_would_swallow(checkout: Path) -> None:
    known = {"TH", "SH", "SS", "PP", "TP", "B", "I", "RI", "RS", "RE", "nf", "fi", "BR", '\\"'}
    lines = (checkout / "share" / MAN).read_text().splitlines()
    requests = {line[1:].partition(" ")[0] for line in lines if line.startswith(".")}
    assert requests <= known
    assert not [line for line in lines if line.startswith("'")]

"""The README tells the truth: its commands exist, its files are there, its example is what comes out."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from stupidos.cli import commands, main

CHECKOUT = Path(__file__).resolve().parents[1]
README = (CHECKOUT / "README.md").read_text()
BLOCKS = re.findall(r"^```sh\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
LINES = [line for block in BLOCKS for line in block.replace("\\\n", " ").splitlines() if line.strip()]
CALLS = [
    words
    for line in LINES
    for command in re.split(r"\||&&|;", line)
    if (words := shlex.split(command, comments=True)) and words[0].split("/")[-1] == "stupidos"
]


@pytest.mark.parametrize("block", BLOCKS)
def test_every_block_is_valid_shell(block: str) -> None:
    assert subprocess.run(["bash", "-n"], input=block, text=True, capture_output=True).stderr == ""


def test_the_first_two_blocks_are_the_two_commands() -> None:
    first, second = BLOCKS[:2]
    assert re.search(
        r"-m venv .*pip install .*stupidos clean tests/pages/lighthouse\.html$", first.strip(), re.DOTALL
    )
    assert re.search(
        r"-m venv .*pip install .*\[test\].*pytest -q -n auto --dist loadfile$", second.strip(), re.DOTALL
    )


@pytest.mark.parametrize("words", CALLS, ids=" ".join)
def test_every_call_of_the_readme_parses(words: list[str]) -> None:
    if words[1:] in (["--help"], ["--version"]):
        assert main(words[1:]) == 0
        return
    arguments = words[2 : words.index("<")] if "<" in words else words[2:]
    assert commands.parser_of(words[1]).parse_args([word for word in arguments if word != ">"]) is not None


@pytest.mark.parametrize(("place", "command", "characters"), [(0, "render", 100), (1, "clean", 300)])
def test_the_example_is_what_comes_out(
    place: int,
    command: str,
    characters: int,
    lighthouse: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([command, str(lighthouse)]) == 0
    shown = re.findall(r"^```text\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)[place]
    beginning, dots, rest = shown.rpartition("...")
    assert (dots, rest) == ("...", "\n")
    assert len(beginning) > characters
    assert folded(capsys.readouterr().out, 42).startswith(beginning)
    assert f"`stupidos {command} page.html | fold -sw42`" in README


def folded(text: str, width: int) -> str:
    """Lines broken behind a blank, as by fold -s, without the blanks at their ends.

    >>> folded("tea is hot\\n", 7)
    'tea is\\nhot\\n'
    """
    broken = re.sub(rf"(?=[^\n]{{{width + 1}}})([^\n]{{0,{width - 1}}} )", r"\1\n", text)
    return re.sub(r" +$", "", broken, flags=re.MULTILINE)


@pytest.mark.parametrize("block", re.findall(r"^```python\n(.*?)^```$", README, re.MULTILINE | re.DOTALL))
def test_the_python_of_the_readme_runs(
    block: str, lighthouse: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    exec(compile(block, "README.md", "exec"), {"html": lighthouse.read_bytes()})
    assert "His kitchen is round" in capsys.readouterr().out


def test_relative_links_lead_somewhere() -> None:
    links = [link for link in re.findall(r"\]\(([^)#]+)", README) if "://" not in link]
    assert all((CHECKOUT / link).exists() for link in links), links

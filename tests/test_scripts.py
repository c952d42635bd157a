"""Scripts without spaces between words are known by Unicode property, and `regex` is loaded on demand."""

from __future__ import annotations

import subprocess
import sys

import pytest

from stupidos.scripts import _unspaced


@pytest.mark.parametrize("character", "漢々〇あアーｱกລខမ𠀀")
def test_scripts_without_spaces(character: str) -> None:
    assert _unspaced(character)


@pytest.mark.parametrize("character", "aéжα한अا1 .·。")
def test_scripts_with_spaces(character: str) -> None:
    assert not _unspaced(character)


@pytest.mark.parametrize("arguments", [["--version"], ["render", "/dev/null"]])
def test_start_up_does_not_import_regex(arguments: list[str]) -> None:
    code = "import sys; from stupidos.cli import main; main(sys.argv[1:]); assert 'regex' not in sys.modules"
    subprocess.run([sys.executable, "-c", code, *arguments], check=True, capture_output=True)

"""Scripts without spaces between words are known by Unicode property, and `regex` is loaded on demand."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from stupidos import scripts
from stupidos.scripts import UNSPACED, pattern

RANGES = "THAI_LAO MYANMAR KHMER KANA KANA_EXTENSIONS HALFWIDTH_KANA HAN HAN_SUPPLEMENT HAN_MARKS".split()


@pytest.mark.parametrize("character", "漢々〇あアーｱกລខမ𠀀")
def test_scripts_without_spaces(character: str) -> None:
    assert pattern(UNSPACED).match(character)


@pytest.mark.parametrize("character", "aéжα한अا1 .·。")
def test_scripts_with_spaces(character: str) -> None:
    assert not pattern(UNSPACED).match(character)


@pytest.mark.parametrize("name", RANGES)
def test_letters_of_the_ranges_are_those_of_the_property(name: str) -> None:
    inside = re.compile(f"[{getattr(scripts, name)}]")
    letters = [chr(code) for code in range(0x40000) if inside.match(chr(code)) and chr(code).isalpha()]
    assert letters
    assert [letter for letter in letters if not pattern(UNSPACED).match(letter)] == []


@pytest.mark.parametrize("arguments", [["--version"], ["render", "/dev/null"]])
def test_start_up_does_not_import_regex(arguments: list[str]) -> None:
    code = "import sys; from stupidos.cli import main; main(sys.argv[1:]); assert 'regex' not in sys.modules"
    subprocess.run([sys.executable, "-c", code, *arguments], check=True, capture_output=True)

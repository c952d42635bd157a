"""The README's sample page by way of the real Lynx."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from stupidos.pipeline import Cleaner


@pytest.mark.skipif(shutil.which("lynx") is None, reason="lynx is not installed")
@pytest.mark.parametrize("options", [[], ["-nolist"]], ids=["links", "no links"])
def test_the_dump_of_the_sample_page_keeps_title_and_lead(checkout: Path, options: list[str]) -> None:
    page = checkout / "tests" / "pages" / "lighthouse.html"
    command = ["lynx", "-dump", "-display_charset=utf-8", *options, str(page)]
    dump = subprocess.run(command, capture_output=True, check=True, stdin=subprocess.DEVNULL).stdout
    text = Cleaner.load().extract(dump, input="text").text
    assert text.startswith("The last keeper of Gull Rock\n\nFor thirty-one years Anders Holm")
    assert "Share" not in text
    assert "newsletter" not in text

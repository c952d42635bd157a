"""bin/compare-lynx, with the real Lynx where one is needed."""

import shutil
import subprocess
import sys

import pytest

needs_lynx = pytest.mark.skipif(shutil.which("lynx") is None, reason="lynx is not installed")


def compare(checkout, *arguments, **options):
    command = [sys.executable, str(checkout / "bin" / "compare-lynx"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, **options)


@pytest.fixture
def corpus(tmp_path):
    raw = tmp_path / "raw"
    raw.mkdir()
    (raw / "plain.html").write_text("<h1>Rain</h1><p>It rained <b>all</b> day.<ul><li>wet<li>cold</ul>")
    (raw / "encoded.html").write_bytes("<meta charset=koi8-r><p>Дождь идёт весь день".encode("koi8-r"))
    (raw / "frame.html").write_text("<p>Words<iframe src=elsewhere.html></iframe>")
    return tmp_path


@pytest.mark.slow
@needs_lynx
def test_a_corpus_gets_one_macro_figure(checkout, corpus):
    result = compare(checkout, corpus)
    assert result.returncode == 0
    assert result.stdout.endswith("macro, 3 pages\n")


@pytest.mark.slow
@needs_lynx
def test_the_worst_page_comes_first(checkout, corpus):
    lines = compare(checkout, corpus, "--worst", "2").stdout.splitlines()
    assert "frame.html" in lines[0]
    assert "1.0000" in lines[1]
    assert len(lines) == 3


@pytest.mark.slow
@needs_lynx
def test_what_lynx_draws_can_be_left_out(checkout, corpus):
    assert compare(checkout, corpus, "--bare").stdout == "F 1.0000  macro, 3 pages\n"


@pytest.mark.slow
@needs_lynx
def test_the_words_that_differ_can_be_seen(checkout, corpus):
    assert "-elsewhere" in compare(checkout, corpus, "--diff", "frame.html").stdout.splitlines()


@pytest.mark.slow
@needs_lynx
def test_a_folder_that_is_not_there_is_one_line(checkout, tmp_path):
    result = compare(checkout, tmp_path / "missing")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith("compare-lynx: ")
    assert result.stderr.count("\n") == 1


def test_without_lynx_there_is_one_line(checkout, tmp_path):
    result = compare(checkout, tmp_path, env={"PATH": str(tmp_path)})
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == "compare-lynx: there is no lynx here: install the package lynx\n"

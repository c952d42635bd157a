from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from stupidos.cli import main
from stupidos.lm import archive


@pytest.fixture
def folders(checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a few sample pages as gold/ and raw/, which is also the current one."""
    monkeypatch.chdir(tmp_path)
    for name in ("gold/article.txt", "gold/news.txt", "gold/forum.txt"):
        copy(checkout, name, tmp_path)
    for name in ("raw/article.html", "raw/news.html", "raw/forum.html"):
        copy(checkout, name, tmp_path)
    return tmp_path


def copy(checkout: Path, name: str, target: Path) -> None:
    (target / name).parent.mkdir(exist_ok=True)
    shutil.copy(checkout / "training" / name, target / name)


def test_the_model_lies_here_without_o_and_that_is_said(
    folders: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "gold", "raw"]) == 0
    assert archive.header(folders / "model.npz")["pages"] == 3
    captured = capsys.readouterr()
    assert captured.err == "stupidos: the model is in model.npz; -o FILE puts it elsewhere\n"
    assert "written   model.npz" in captured.out


def test_the_summary_fits_a_screen_and_says_what_was_learnt(
    folders: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "gold", "raw", "-o", "own.npz"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    lines = captured.out.splitlines()
    assert len(lines) < 20
    assert [line.split()[0] for line in lines] == ["pages", "alphabet", "clean", "dirty", "written"]
    assert "3 learnt from" in lines[0]
    assert "different 3-grams" in lines[2]
    assert "bits a character on held-out pages" in lines[3]


SETTINGS = {
    "nothing": ([], ("ascii", 3, 0.5, "differential")),
    "--simplified": (["--simplified"], ("simplified", 6, 0.4, "differential")),
    "--simplified with n": (["--simplified", "-n", "4"], ("simplified", 4, 0.4, "differential")),
    "all": (
        ["--alphabet", "unicode", "-n5", "-q", ".6", "--dirty", "aligned"],
        ("unicode", 5, 0.6, "aligned"),
    ),
    "vowels": (["--alphabet", "vowels"], ("vowels", 3, 0.5, "differential")),
}


@pytest.mark.parametrize(("options", "expected"), SETTINGS.values(), ids=SETTINGS)
def test_options_make_the_recipe(folders: Path, options: list[str], expected: tuple[object, ...]) -> None:
    assert main(["train", "gold", "raw", "-o", "own.npz", *options]) == 0
    header = archive.header(folders / "own.npz")
    assert (header["alphabet"], header["n"], header["q"], header["dirty"]) == expected


WRONG = {
    "n too large": (["-n", "9"], "9 is not an integer between 1 and 8"),
    "n no number": (["-n", "two"], "two is not an integer between 1 and 8"),
    "q too large": (["-q", "1"], "1 is not between 0 and 1, exclusive"),
    "q no number": (["-q", "much"], "much is not between 0 and 1, exclusive"),
    "two alphabets": (["--simplified", "--alphabet", "ascii"], "exclude each other"),
    "unknown alphabet": (["--alphabet", "runes"], "invalid choice: 'runes'"),
}


@pytest.mark.parametrize(("options", "message"), WRONG.values(), ids=WRONG)
def test_wrong_usage_is_reported_in_one_line(
    folders: Path, capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    assert main(["train", "gold", "raw", *options]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert len(captured.err.splitlines()) == 1
    assert not (folders / "model.npz").exists()


def test_files_without_a_partner_and_bad_pages_are_named_and_counted(
    folders: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folders / "gold" / "alone.txt").write_text("<p>x")
    (folders / "gold" / "void.txt").write_text("<p>x")
    (folders / "raw" / "void.html").write_text("<!DOCTYPE html><title>x</title>")
    (folders / "gold" / "forum.txt").write_text("<p>" + "too long " * 900)
    assert main(["train", "gold", "raw", "-o", "own.npz"]) == 0
    captured = capsys.readouterr()
    assert "without a partner of the same name: gold/alone.txt" in captured.err
    assert "left out: void: the page has no text" in captured.err
    assert "left out: forum: the gold text is longer than the page" in captured.err
    assert "2 learnt from, 2 left out, 1 files unpaired" in captured.out


@pytest.mark.parametrize("missing", ["gold", "raw"])
def test_an_empty_folder_is_an_error_in_a_line(
    folders: Path, capsys: pytest.CaptureFixture[str], missing: str
) -> None:
    shutil.rmtree(folders / missing)
    (folders / missing).mkdir()
    assert main(["train", "gold", "raw"]) == 1
    assert capsys.readouterr().err.startswith(f"stupidos: {missing}: has no file that ends in")
    assert not (folders / "model.npz").exists()


def test_a_model_that_cannot_be_written_is_an_error_in_a_line(
    folders: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "gold", "raw", "-o", "none/own.npz"]) == 1
    assert capsys.readouterr().err == "stupidos: none/own.npz: cannot be written: No such file or directory\n"


def test_pages_without_dirty_text_are_reported(folders: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for folder, suffix in (("gold", "txt"), ("raw", "html")):
        shutil.rmtree(folders / folder)
        (folders / folder).mkdir()
        (folders / folder / f"a.{suffix}").write_text("<p>It rained all day.")
    assert main(["train", "gold", "raw", "-o", "own.npz"]) == 0
    assert "no dirty text was seen" in capsys.readouterr().out


def test_a_trained_model_cleans(folders: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "gold", "raw", "-o", "own.npz"]) == 0
    capsys.readouterr()
    assert main(["clean", "--model", "own.npz", "raw/article.html"]) == 0
    cleaned = capsys.readouterr().out
    assert "A tidal mill is a machine for catching that rise" in cleaned
    assert "All rights reserved" not in cleaned

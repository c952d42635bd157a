"""`stupidos explain` and `stupidos annotate` on the command line."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from stupidos.cli import main

LABELS = {
    "format": "stupidos-labels",
    "version": 1,
    "segments": [
        {"text": "Menu", "keep": False, "kind": "p"},
        {"text": "Tea is hot.", "keep": True, "kind": "p"},
    ],
}


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    folder = tmp_path / "raw"
    folder.mkdir()
    (folder / "tea.html").write_text("<title>Tea</title><p>Menu</p><p>Tea is hot.</p>")
    return folder


def labels(folder: Path, *keeps: bool) -> Path:
    folder.mkdir()
    rows = [{**row, "keep": keep} for row, keep in zip(LABELS["segments"], keeps, strict=True)]  # type: ignore[arg-type, dict-item]
    (folder / "tea.labels.json").write_text(json.dumps({**LABELS, "segments": rows}))
    return folder


def test_a_pipe_gets_plain_lines(lighthouse: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "--model", "rules", str(lighthouse)]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("The last keeper of Gull Rock")
    assert "[cookie_notice]" in shown
    assert "\x1b" not in shown


@pytest.mark.parametrize(("variable", "colour"), [("NOTHING", True), ("NO_COLOR", False)])
def test_a_terminal_gets_colours_unless_told_otherwise(
    variable: str, colour: bool, lighthouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv(variable, "1")
    monkeypatch.setattr(sys, "stdout", terminal := Terminal())
    assert main(["explain", "--model", "rules", str(lighthouse)]) == 0
    assert ("\x1b[" in terminal.getvalue()) is colour


def test_a_report_is_written_whole(lighthouse: Path, tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    assert main(["explain", "--model", "rules", str(lighthouse), "-o", str(target)]) == 0
    assert target.read_text().startswith("<!doctype html>")
    assert target.read_text().rstrip().endswith("</html>")
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_a_report_may_go_to_standard_output(raw: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "--model", "rules", str(raw / "tea.html"), "-o", "-"]) == 0
    assert capsys.readouterr().out.startswith("<!doctype html>")


@pytest.mark.parametrize("target", ["-", "{raw}/tea.html"])
def test_several_pages_do_not_fit_into_one_file(
    target: str, raw: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, target = str(raw / "tea.html"), target.format(raw=raw)
    assert main(["explain", page, page, "-o", target]) == 1
    remedy = "the report on several pages is a folder, as in --output report/"
    assert capsys.readouterr().err == f"stupidos: {target}: {remedy}\n"


def links(folder: Path) -> list[str]:
    """Where the index leads, in its order."""
    return re.findall(r'<a href="(.*?)">', (folder / "index.html").read_text())


@pytest.fixture
def pages(raw: Path) -> Path:
    """A folder with a page in a subfolder, one that is called like the index, and a broken one."""
    (raw / "more").mkdir()
    (raw / "more" / "a b.html").write_text("<title>A <b>b</b></title><p>Tea is hot, they say.</p>")
    (raw / "index.html").write_text("<title>Front</title><p>Tea is hot, they say, and green.</p>")
    (raw / "broken.html").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    (raw / "photo.jpeg").write_bytes(b"x")
    return raw


def test_a_folder_of_pages_becomes_a_folder_of_reports(
    pages: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "report"
    assert main(["explain", "--model", "rules", str(pages), "-o", str(target)]) == 1
    assert capsys.readouterr().err.startswith(f"stupidos: {pages / 'broken.html'}: ")
    found = sorted(str(path.relative_to(target)) for path in target.rglob("*.html"))
    assert found == ["index.html", "index.html.html", "more/a b.html", "tea.html"]
    assert sorted(links(target)) == ["index.html.html", "more/a%20b.html", "tea.html"]
    index = (target / "index.html").read_text()
    assert "<b>" not in index
    assert "broken.html" in index
    assert 'href="../index.html"' in (target / "more" / "a b.html").read_text()
    assert 'href="index.html"' in (target / "tea.html").read_text()


def test_the_worst_page_comes_first(quality: Path, tmp_path: Path) -> None:
    assert main(["explain", str(quality), "-o", f"{tmp_path}/report/"]) == 0
    index = (tmp_path / "report" / "index.html").read_text()
    confidences = [int(number) for number in re.findall(r'<li><span class="figure">(\d+)%', index)]
    assert len(confidences) == 3
    assert confidences == sorted(confidences)


@pytest.fixture
def quality(tmp_path: Path) -> Path:
    """Three pages of the quality suite."""
    folder = tmp_path / "pages"
    folder.mkdir()
    source = Path(__file__).resolve().parents[1] / "quality" / "raw"
    for name in ("article-bees", "forum-gearbox", "product-kettle"):
        (folder / f"{name}.html").write_bytes((source / f"{name}.html").read_bytes())
    return folder


def notes(folder: Path) -> str:
    """What the index says below the titles."""
    return " ".join(re.findall(r'<p class="note">(.*?)</p>', (folder / "index.html").read_text()))


def test_the_index_names_the_common_folder_once(pages: Path, tmp_path: Path) -> None:
    target = tmp_path / "report"
    assert main(["explain", "--model", "rules", str(pages), "-o", str(target)]) == 1
    assert (target / "index.html").read_text().count(str(pages)) == 1
    assert f"<dd><bdi>{pages}</bdi></dd>" in (target / "index.html").read_text()
    assert "<bdi>more/a b.html · " in notes(target)


def test_an_index_without_a_common_folder_shows_names_as_they_were_given(
    raw: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (raw / "milk.html").write_text("<p>Milk is cold.")
    monkeypatch.chdir(raw)
    pages = ["milk.html", str(raw / "tea.html")]
    assert main(["explain", "--model", "rules", *pages, "-o", f"{tmp_path}/r"]) == 0
    assert "<bdi>milk.html · " in notes(tmp_path / "r")
    assert f"<bdi>{raw / 'tea.html'} · " in notes(tmp_path / "r")
    assert "<dt>folder</dt>" not in (tmp_path / "r" / "index.html").read_text()


def test_a_report_inside_its_own_pages_is_not_read_again(raw: Path) -> None:
    for _ in range(2):
        assert main(["explain", "--model", "rules", str(raw), "-o", str(raw / "report")]) == 0
    assert sorted(path.name for path in (raw / "report").iterdir()) == ["index.html", "tea.html"]


def test_one_page_may_go_to_a_folder(raw: Path, tmp_path: Path) -> None:
    page = str(raw / "tea.html")
    assert main(["explain", "--model", "rules", page, "-o", f"{tmp_path}/report/"]) == 0
    assert len(links(tmp_path / "report")) == 1


def test_a_folder_is_explained_on_the_terminal_too(pages: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "--model", "rules", str(pages / "more"), str(pages / "tea.html")]) == 0
    shown = capsys.readouterr().out
    assert shown.count("segments kept") == 2


def test_a_folder_without_pages_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "photo.jpeg").write_bytes(b"x")
    assert main(["explain", str(tmp_path), "-o", f"{tmp_path}/report/"]) == 1
    assert capsys.readouterr().err == f"stupidos: {tmp_path}: has no pages\n"


def test_a_report_folder_that_cannot_be_made_is_one_line(
    raw: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = raw / "tea.html" / "report/"
    assert main(["explain", str(raw), "-o", str(target)]) == 1
    assert capsys.readouterr().err == f"stupidos: {target}: Not a directory\n"


def test_a_page_without_a_title_goes_by_its_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bare.html").write_text("<p>text")
    assert main(["explain", "--model", "rules", str(tmp_path / "bare.html")]) == 0
    assert capsys.readouterr().out.startswith("bare.html\n")


def test_the_agreement_of_two_gold_folders_is_one_line(
    raw: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = labels(tmp_path / "first", True, True), labels(tmp_path / "second", False, True)
    arguments = ["annotate", str(raw), str(first), "--second", str(second), "--agreement", "--model", "rules"]
    assert main(arguments) == 0
    assert capsys.readouterr().out == "words 4  alike 75.0%  kappa 0.000  pages 1\n"


def test_gold_texts_without_labels_are_aligned(
    raw: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = labels(tmp_path / "first", False, True), tmp_path / "second"
    second.mkdir()
    (second / "tea.txt").write_text("<p>Tea is hot.\n")
    arguments = ["annotate", str(raw), str(first), "--second", str(second), "--agreement", "--model", "rules"]
    assert main(arguments) == 0
    assert capsys.readouterr().out == "words 4  alike 100.0%  kappa 1.000  pages 1\n"


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_agreement_is_printed_while_somebody_annotates_and_changes_nothing(
    raw: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from stupidos.annotate.lock import FolderLock

    first, second = labels(tmp_path / "first", True, True), labels(tmp_path / "second", False, True)
    entry = {"do": "open", "page": "tea", "texts": ["Menu", "Tea is hot."], "title": "Tea"}
    change = {"do": "change", "page": "tea", "segments": [0], "keep": False}
    finish = {"do": "finish", "page": "tea", "keeps": "01", "kinds": "pp"}
    lines = "".join(json.dumps(line) + "\n" for line in (entry, change, finish))
    (first / "journal.jsonl").write_text(lines + '{"do": "change", "page": "te')  # being written
    with FolderLock(first):
        before = files_of(first)
        arguments = ["annotate", str(raw), str(first), "--second", str(second), "--agreement"]
        assert main([*arguments, "--model", "rules"]) == 0
        assert files_of(first) == before
    assert capsys.readouterr().out == "words 4  alike 100.0%  kappa 1.000  pages 1\n"


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ((), "words 0  alike 100.0%  kappa undefined  pages 0 (1 accepted left out)\n"),
        (("--accepted",), "words 4  alike 75.0%  kappa 0.000  pages 1\n"),
    ],
)
@pytest.mark.parametrize("who", ["first", "second"])
def test_pages_accepted_as_suggested_are_left_out_of_the_agreement(
    who: str,
    options: tuple[str, ...],
    line: str,
    raw: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folders = {name: labels(tmp_path / name, name == "first", True) for name in ("first", "second")}
    path = folders[who] / "tea.labels.json"
    content = json.loads(path.read_text())
    path.write_text(
        json.dumps({**content, "segments": [{**row, "by": "model"} for row in content["segments"]]})
    )
    given = [str(raw), str(folders["first"]), "--second", str(folders["second"]), "--agreement", *options]
    assert main(["annotate", *given, "--model", "rules"]) == 0
    assert capsys.readouterr().out == line


def test_the_agreement_makes_no_folder(raw: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    second = labels(tmp_path / "second", False, True)
    assert main(["annotate", str(raw), str(tmp_path / "no"), "--second", str(second), "--agreement"]) == 1
    assert capsys.readouterr().err == f"stupidos: {tmp_path / 'no'}: No such file or directory\n"
    assert not (tmp_path / "no").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{raw}/nowhere", "{gold}"], "nowhere: cannot be read"),
        (["{raw}", "{raw}/tea.html"], "tea.html: "),
        (["{raw}", "{gold}", "--agreement"], "--second PATH"),
        (["{raw}", "{gold}", "--second", "{raw}"], "no labels and no gold texts"),
        (["{raw}", "{gold}", "--second", "{raw}/tea.html"], "is not a labels file"),
    ],
)
def test_a_folder_that_will_not_do_is_one_line(
    arguments: list[str], message: str, raw: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [argument.format(raw=raw, gold=tmp_path / "gold") for argument in arguments]
    assert main(["annotate", "--model", "rules", *given]) == 1
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_two_pages_of_one_stem_are_refused(
    raw: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (raw / "tea.txt").write_text("tea")
    assert main(["annotate", str(raw), str(tmp_path / "gold")]) == 1
    assert "same name before the dot" in capsys.readouterr().err


def test_a_second_editor_is_refused(raw: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from stupidos.annotate.lock import FolderLock

    with FolderLock(tmp_path):
        assert main(["annotate", str(raw), str(tmp_path)]) == 1
    assert f"annotated already by process {os.getpid()}" in capsys.readouterr().err


def test_annotate_prints_its_address_and_ends_when_told(raw: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "stupidos", "annotate", str(raw), str(tmp_path / "gold"), "--no-browser"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([*command, "--model", "rules"], text=True, **pipes) as process:  # type: ignore[call-overload]
        url = process.stdout.readline()
        assert url.startswith("http://127.0.0.1:")
        with urlopen(url.partition("#")[0], timeout=10) as answer:
            assert b"stupidos annotate" in answer.read()
        process.terminate()
        assert process.stderr.read() == "stupidos: 0 of 1 pages finished\n"
    assert process.returncode == 0

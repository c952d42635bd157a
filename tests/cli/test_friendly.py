"""What a person meets in the first minutes: addresses, a silent terminal, an empty folder."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from stupidos.cli import main

URL = "https://example.org/a?b=1&c"


def test_an_address_is_told_how_to_be_fetched(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean", URL]) == 1
    assert f"curl -sL '{URL}' | stupidos clean" in capsys.readouterr().err


def test_an_address_in_a_list_is_told_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "list").write_text(f"{URL}\n")
    assert main(["clean", "--files-from", str(tmp_path / "list"), "-o", str(tmp_path / "out.jsonl")]) == 1
    assert f"curl -sL '{URL}' | stupidos clean" in capsys.readouterr().err


class Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


def test_a_terminal_is_told_that_a_page_is_awaited(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", Terminal(io.BytesIO(b"<p>It rained all day long, and we stayed in.")))
    assert main(["clean"]) == 0
    told = capsys.readouterr()
    assert told.err.count("waiting for a page on standard input; end it with Ctrl-D") == 1
    assert "It rained" in told.out


def test_an_empty_folder_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean", str(tmp_path)]) == 1
    assert f"{tmp_path}: holds no pages" in capsys.readouterr().err


def test_a_format_may_be_named_by_its_suffix(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.html").write_text("<h1>Rain</h1><p>It rained all day long, and the river rose.")
    assert main(["clean", "--format", "md", "--model", "keep-all", str(tmp_path / "a.html")]) == 0
    assert capsys.readouterr().out.startswith("# Rain\n")


def two_pages(folder: Path) -> list[str]:
    for name in ("a", "b--c"):
        (folder / f"{name}.html").write_text("<p>It rained all day long, and the river rose.")
    return [str(path) for path in sorted(folder.iterdir())]


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ([], "==> {} <==\n\n"),
        (["--format", "md"], "<!-- {} -->\n\n"),
        (["--separator", "# {id}"], "# {}\n\n"),
        (["--separator", ""], ""),
        (["--format", "cleaneval"], ""),
    ],
)
@pytest.mark.parametrize("folder", [False, True])
def test_several_pages_are_distinguished(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], line: str, folder: bool
) -> None:
    paths = two_pages(tmp_path)
    assert main(["clean", "--model", "keep-all", *options, *([str(tmp_path)] if folder else paths)]) == 0
    mark = "<p>" if "cleaneval" in options else ""
    names = [path.replace("--", "- -") if "md" in options else path for path in paths]
    pages = [f"{line.format(name)}{mark}It rained all day long, and the river rose.\n" for name in names]
    assert capsys.readouterr().out == "\n".join(pages)


def test_one_page_has_no_separator(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = two_pages(tmp_path)[0]
    assert main(["clean", "--model", "keep-all", path]) == 0
    assert capsys.readouterr().out == "It rained all day long, and the river rose.\n"

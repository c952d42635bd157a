"""`stupidos tune`: the best settings first, the grid on request."""

from __future__ import annotations

from pathlib import Path

import pytest

from stupidos.cli import main
from stupidos.lab import tune

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    for folder in ("raw", "gold"):
        (tmp_path / folder).mkdir()
    for day in range(12):
        clean = f"It rained on day {day} and the tea was hot; nobody left the house."
        (tmp_path / "gold" / f"{day}.txt").write_text(f"<p>{clean}\n")
        (tmp_path / "raw" / f"{day}.html").write_text(f"<p>Home page</p><p>{clean}</p><p>Subscribe now</p>")
    return tmp_path / "raw"


def run(capsys: Captured, *arguments: object) -> list[str]:
    code = main(["tune", *map(str, arguments)])
    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    return out.splitlines()


def grid(lines: list[str]) -> list[list[str]]:
    """The rows below the empty line."""
    return [line.split() for line in lines[lines.index("") + 1 :]]


def test_the_answer_comes_first_and_the_grid_on_request(raw: Path, capsys: Captured) -> None:
    answer = run(capsys, raw, "-n", "2-4", "-q", "0.2,0.6")
    lines = run(capsys, raw, "-n", "2-4", "-q", "0.2,0.6", "--grid")
    assert lines[:3] == answer
    heads, *rows = grid(lines)
    assert heads == ["n", "q", "bits", "per", "character"]
    assert [row[:2] for row in rows] == [[n, q] for n in "234" for q in ("0.2", "0.6")]
    n, q, bits = min(rows, key=lambda row: float(row[2]))
    assert answer[0] == f"n {n}, q {q}: {bits} bits per character"
    assert answer[1] == f"stupidos train GOLD RAW --alphabet ascii -n {n} -q {q} -o my.npz"
    assert answer[2].startswith(f"bits {bits}  alphabet:ascii|pages:12|")


def test_the_simplified_alphabet_needs_fewer_bits(raw: Path, capsys: Captured) -> None:
    plain, simple = (run(capsys, raw, "-n", "3", "-q", "0.5", *more) for more in ((), ("--simplified",)))
    assert float(simple[2].split()[1]) < float(plain[2].split()[1])
    assert "alphabet:simplified" in simple[-1]


@pytest.mark.parametrize("objective", [(), ("--objective", "f")])
def test_the_published_formula_can_be_tuned(raw: Path, capsys: Captured, objective: tuple[str, ...]) -> None:
    gold = ("--gold", raw.parent / "gold") if objective else ()
    lines = run(capsys, raw, *objective, *gold, "-n", "3", "-q", "0.5", "--dirty", "published")
    assert lines[1] == "stupidos train GOLD RAW --alphabet ascii -n 3 -q 0.5 --dirty published -o my.npz"
    assert "|dirty:published|" in lines[-1]


def test_every_n_and_q_is_tried_by_default(raw: Path, capsys: Captured) -> None:
    assert len(grid(run(capsys, raw, "--grid"))) == 1 + 8 * 19


@pytest.mark.parametrize(("characters", "share"), [(600, "every second page"), (100, "one page in 11")])
def test_of_a_large_folder_a_sample_is_tuned_on(
    characters: int, share: str, raw: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tune, "_MAX_CHARACTERS", characters)
    assert main(["tune", str(raw), "-n", "2", "-q", "0.5"]) == 0
    assert capsys.readouterr().err == f"stupidos: tuning on {share}: all of them would take long\n"


def test_f_is_tuned_with_a_threshold(raw: Path, capsys: Captured) -> None:
    gold = ("--objective", "f", "--gold", raw.parent / "gold")
    lines = run(capsys, raw, *gold, "-n", "1-3", "-q", "0.5", "--grid")
    heads, *rows = grid(lines)
    assert heads == ["n", "q", "threshold", "F", "P", "R"]
    n, q, threshold, f, _, _ = max(rows, key=lambda row: float(row[3]))
    assert lines[0] == f"n {n}, q {q}, threshold {threshold}: F {f}"
    assert f"--threshold {threshold} " in lines[2]
    assert "measured:evaluate|n:" in lines[3]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(("--objective", "f"), "--gold"), (("--objective", "f", "--gold", "x", "--plot", "y.png"), "--plot")],
)
def test_what_is_missing_is_reported(
    arguments: tuple[str, ...], message: str, raw: Path, capsys: Captured
) -> None:
    assert main(["tune", str(raw), *arguments]) == 1
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [("-n", "0-3"), ("-n", "9"), ("-n", "x"), ("-q", "1.5"), ("-q", "x")])
def test_a_grid_that_makes_no_sense_is_wrong_usage(
    arguments: tuple[str, ...], raw: Path, capsys: Captured
) -> None:
    assert main(["tune", str(raw), *arguments]) == 2
    assert arguments[1] in capsys.readouterr().err


def test_pages_without_text_cannot_be_tuned_on(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "1.html").write_text("<img src=x>")
    assert main(["tune", str(tmp_path)]) == 1
    assert "no page has any text" in capsys.readouterr().err


@pytest.mark.slow
def test_figure_2_is_drawn(raw: Path, tmp_path: Path, capsys: Captured) -> None:
    pytest.importorskip("matplotlib")
    run(capsys, raw, "-n", "1-3", "-q", "0.2,0.5,0.8", "--plot", tmp_path / "2.png")
    assert (tmp_path / "2.png").read_bytes().startswith(b"\x89PNG")

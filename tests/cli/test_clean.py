"""`stupidos clean`, from pages to text, records and errors."""

from __future__ import annotations

import hashlib
import io
import json
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import ClassVar

import pytest

from stupidos.cli import inputs, main, output
from stupidos.score import registry
from stupidos.write import FORMATS

Captured = pytest.CaptureFixture[str]
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1"
KEPT = "His kitchen is round, like everything here."
DROPPED = "All rights reserved"


def run(capsys: Captured, *arguments: object) -> str:
    """Standard output of a run that must work without a word on stderr."""
    code = main(["clean", *map(str, arguments)])
    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    return out


def feed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


@pytest.mark.parametrize("format", FORMATS)
def test_the_article_stays_and_its_frame_goes(format: str, lighthouse: Path, capsys: Captured) -> None:
    text = run(capsys, "--format", format, lighthouse)
    assert ("kitchen" if format == "vertical" else KEPT) in text
    assert ("reserved" if format == "vertical" else DROPPED) not in text
    assert text.endswith("\n")


def test_standard_input_is_cleaned_like_a_file(
    lighthouse: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    feed(monkeypatch, lighthouse.read_bytes())
    assert run(capsys) == run(capsys, lighthouse)


class Observed(bytes):
    """Bytes that tell when they are released."""

    released: ClassVar[list[bool]] = []

    def __del__(self) -> None:
        self.released.append(True)


def test_the_bytes_of_a_page_are_released_before_it_is_written(
    lighthouse: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    def write_pieces(before: str, pieces: object) -> bool:
        assert Observed.released
        return True

    Observed.released.clear()
    monkeypatch.setattr(inputs, "content", lambda name: (Observed(Path(name).read_bytes()), ""))
    monkeypatch.setattr(output, "write_pieces", write_pieces)
    run(capsys, lighthouse)
    assert Observed.released


@pytest.mark.parametrize("format", ["text", "cleaneval", "markdown"])
def test_empty_input_gives_empty_output(
    format: str, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    feed(monkeypatch, b"")
    assert run(capsys, "--format", format) == ""


def test_everything_comes_out_with_its_verdict_when_asked(lighthouse: Path, capsys: Captured) -> None:
    lines = run(capsys, "--keep-dirty", lighthouse).splitlines()
    verdicts = {text: verdict for verdict, _, _, text in (line.split("\t") for line in lines)}
    assert {verdict for text, verdict in verdicts.items() if KEPT in text} == {"keep"}
    assert {verdict for text, verdict in verdicts.items() if DROPPED in text} == {"drop"}


def test_a_record_names_the_model_and_its_hash(lighthouse: Path, capsys: Captured) -> None:
    found = json.loads(run(capsys, "--format", "jsonl", "--model", "standard", lighthouse))
    assert (found["id"], found["encoding"], found["model"], found["error"]) == (
        str(lighthouse),
        "utf-8",
        "standard",
        None,
    )
    assert found["model_sha256"] == hashlib.sha256(registry.model_file("standard").read_bytes()).hexdigest()
    assert found["title"] == "The last keeper of Gull Rock"
    assert KEPT in found["text"]


def test_a_model_of_ones_own_is_known_by_its_file(lighthouse: Path, capsys: Captured, tmp_path: Path) -> None:
    model = tmp_path / "mine.npz"
    model.write_bytes(registry.model_file("standard").read_bytes())
    found = json.loads(run(capsys, "--format", "jsonl", "--model", str(model), lighthouse))
    assert found["model"] == "mine"
    assert found["model_sha256"] == hashlib.sha256(model.read_bytes()).hexdigest()


def test_records_list_segments_when_asked(lighthouse: Path, capsys: Captured) -> None:
    kept = json.loads(run(capsys, "--format", "jsonl", "--segments", lighthouse))["segments"]
    every = json.loads(run(capsys, "--format", "jsonl", "--keep-dirty", lighthouse))["segments"]
    assert all(segment["keep"] for segment in kept)
    assert [segment for segment in every if segment["keep"]] == kept
    assert len(every) > len(kept)


def test_a_page_that_fails_has_its_record_too(lighthouse: Path, tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "a.png").write_bytes(PNG)
    assert main(["clean", "--format", "jsonl", str(tmp_path / "a.png"), str(lighthouse)]) == 1
    out, err = capsys.readouterr()
    failed, worked = map(json.loads, out.splitlines())
    assert "PNG" in failed["error"]
    assert (failed["text"], worked["error"]) == ("", None)
    assert err.startswith(f"stupidos: {tmp_path / 'a.png'}: ")
    assert err.count("\n") == 1


def test_a_page_of_too_many_segments_is_reported(
    lighthouse: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setattr("stupidos.render.pages.WHOLE", 10)
    monkeypatch.setattr("stupidos.render.pages.FEW_TAGS", 0)
    monkeypatch.setattr("stupidos.render.tokens._WINDOW", 64)
    monkeypatch.setattr("stupidos.render.pages.MOST_SEGMENTS", 10)
    assert main(["clean", "--format", "jsonl", str(lighthouse)]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["truncated"] == "max-segments"
    assert err.startswith(f"stupidos: {lighthouse}: warning: has more than 250,000 segments: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("pages", [1, 3])
def test_tei_is_one_document_of_all_pages(pages: int, lighthouse: Path, capsys: Captured) -> None:
    root = ElementTree.fromstring(run(capsys, "--format", "tei", *[lighthouse] * pages).encode())
    assert len(list(root.iter("{http://www.tei-c.org/ns/1.0}TEI"))) == pages


@pytest.mark.parametrize("pages", [1, 3])
def test_html_is_an_article_a_page(pages: int, lighthouse: Path, capsys: Captured) -> None:
    fragment = run(capsys, "--format", "html", *[lighthouse] * pages)
    assert (fragment.count("<article "), fragment.count("<html")) == (pages, 0)
    whole = run(capsys, "--format", "html", "--standalone", *[lighthouse] * pages)
    assert (whole.count("<article"), whole.count("<html"), whole.count("</html>")) == (pages, 1, 1)


@pytest.mark.parametrize("option", [["--standalone"], ["--text-format", "md"], ["--front-matter"]])
def test_an_option_of_another_format_is_refused(
    option: list[str], lighthouse: Path, capsys: Captured
) -> None:
    assert main(["clean", *option, "--format", "vertical", str(lighthouse)]) == 1
    assert capsys.readouterr().err.startswith(f"stupidos: {option[0]} is for ")


@pytest.mark.parametrize("format", ["markdown", "html"])
def test_records_hold_markup_if_asked_for(format: str, lighthouse: Path, capsys: Captured) -> None:
    record = json.loads(run(capsys, "--format", "jsonl", "--text-format", format, lighthouse))
    assert record["text"] == run(capsys, "--format", format, lighthouse)
    assert record["format"] == format


def test_pages_of_text_have_a_blank_line_between_them(lighthouse: Path, capsys: Captured) -> None:
    once = run(capsys, lighthouse)
    assert run(capsys, lighthouse, lighthouse) == f"{once}\n{once}"


@pytest.mark.parametrize("model", ["standard", None])
def test_presets_move_the_line(model: str | None, lighthouse: Path, capsys: Captured) -> None:
    chosen = ["--model", model] if model else []
    careful, balanced, greedy = (
        len(run(capsys, *chosen, *preset, lighthouse)) for preset in (["--precision"], [], ["--recall"])
    )
    assert careful <= balanced <= greedy


def test_a_low_threshold_keeps_all_that_breaks_no_rule(lighthouse: Path, capsys: Captured) -> None:
    text = run(capsys, "--model", "standard", "--threshold", "-1000000", lighthouse)
    assert text == run(capsys, "--model", "rules", lighthouse)
    assert run(capsys, "--model", "standard", "--threshold", "1000000", lighthouse) == ""


def test_a_rule_can_be_switched_off(lighthouse: Path, capsys: Captured) -> None:
    assert "Share | Tweet" not in run(capsys, "--model", "rules", lighthouse)
    assert "Share | Tweet" in run(capsys, "--model", "rules", "--without-rule", "separator_bar", lighthouse)


def test_plain_text_is_cleaned_too(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    prose = "It was quiet when the first boat came in, and nobody\non the quay was awake so early.\n"
    feed(monkeypatch, f"Home | News | Sport\n\n{prose}".encode())
    assert run(capsys) == prose.replace("\n", " ").strip() + "\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--model", "nonsense"], "no model called nonsense: choose from "),
        (["--without-rule", "nonsense"], "unknown rule nonsense: choose from "),
        (["--model", "none.npz"], "none.npz: "),
    ],
)
def test_what_does_not_exist_is_named_in_one_line(
    arguments: list[str], told: str, lighthouse: Path, capsys: Captured
) -> None:
    assert main(["clean", *arguments, str(lighthouse)]) == 1
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"stupidos: {told}")


def test_pages_of_low_confidence_are_left_out_and_reported(lighthouse: Path, capsys: Captured) -> None:
    assert main(["clean", "--min-confidence", "1", str(lighthouse)]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"stupidos: {lighthouse}: skipped: confidence ")


def test_pages_of_high_confidence_are_cleaned_as_ever(lighthouse: Path, capsys: Captured) -> None:
    assert run(capsys, "--min-confidence", "0", lighthouse) == run(capsys, lighthouse)


@pytest.mark.parametrize("more", [[], ["--jobs", "1", "-o", "out.jsonl"]])
@pytest.mark.parametrize(("model", "name"), [("boilerpipe", "confidence"), ("standard", "recall")])
def test_a_minimum_needs_a_model_that_estimates_it(
    more: list[str], model: str, name: str, lighthouse: Path, capsys: Captured, tmp_path: Path
) -> None:
    output = [str(tmp_path / one) for one in more[-1:]]
    options = ["--model", model, f"--min-{name}", "0.5", *more[:-1], *output]
    assert main(["clean", *options, str(lighthouse)]) == 1
    assert capsys.readouterr().err == (
        f"stupidos: the model {model} has no {name} estimate: leave --min-{name} out, or choose --model web\n"
    )


def test_a_model_of_too_few_pages_is_to_be_trained_on_more(
    lighthouse: Path, checkout: Path, capsys: Captured, tmp_path: Path
) -> None:
    for folder, suffix in (("gold", ".txt"), ("raw", ".html")):
        (tmp_path / folder).mkdir()
        for path in sorted((checkout / "training" / folder).glob(f"*{suffix}"))[:3]:
            (tmp_path / folder / path.name).write_bytes(path.read_bytes())
    model = tmp_path / "few.npz"
    assert main(["train", str(tmp_path / "gold"), str(tmp_path / "raw"), "-o", str(model)]) == 0
    capsys.readouterr()
    assert main(["clean", "--model", str(model), "--min-confidence", "0.5", str(lighthouse)]) == 1
    assert capsys.readouterr().err.endswith("leave --min-confidence out, or train it on more pages\n")


def test_a_rule_cannot_be_switched_off_where_none_applies(lighthouse: Path, capsys: Captured) -> None:
    assert main(["clean", "--without-rule", "top_link", str(lighthouse)]) == 1
    assert capsys.readouterr().err == (
        "stupidos: the model web applies no rules: leave --without-rule out, or choose --model standard\n"
    )


def test_limits_hold_for_a_single_page_without_the_accounts_of_a_crawl(
    lighthouse: Path, capsys: Captured
) -> None:
    assert main(["clean", "--max-bytes", "900", "--timeout", "5", "--jobs", "1", str(lighthouse)]) == 0
    message = "warning: is longer than --max-bytes: the rest was ignored"
    assert capsys.readouterr().err == f"stupidos: {lighthouse}: {message}\n"

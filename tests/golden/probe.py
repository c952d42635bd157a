"""The one module through which the golden set reaches the product: a redesign changes it and no golden file.

Everything it returns is plain data: numbers, texts, lists and dicts with names of our own.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from stupidos.cli import main
from stupidos.errors import StupidosError
from stupidos.metadata import detect
from stupidos.page import Page, Segment, Verdict
from stupidos.pipeline import Cleaner
from stupidos.report.page_report import page_report
from stupidos.score import registry
from stupidos.web.features import FEATURES, features, page_arrays
from stupidos.web.page_kind import word_indices
from stupidos.write import plain

Data = dict[str, Any]
FORMATS = ("text", "cleaneval", "markdown", "jsonl", "jsonl --segments", "vertical", "tei")
DIRTY = ("text", "cleaneval", "markdown", "jsonl", "vertical", "tei")
OPTIONS = (
    "--precision", "--recall", "--threshold 2.5", "--threshold -1", "--comments keep", "--comments drop",
    "--ancestor 1", "--ancestor 2", "--br line", "--input text", "--input html", "--min-confidence 0.9",
    "--model standard --precision", "--model standard --recall", "--model standard --threshold -40",
    "--model standard --without-rule copyright_line",
    "--model rules --without-rule separator_bar --without-rule policy_link", "--model standard --ancestor 2",
    "--model text --precision", "--model text --recall",
    "--model tree --comments drop", "--model rules --br line",
)  # fmt: skip
RENDERED = (
    "--format text", "--format cleaneval", "--format jsonl", "--format jsonl --hidden --alt --controls",
    "--format cleaneval --br line", "--format text --input text",
)  # fmt: skip
SHA256 = re.compile(r"\b[0-9a-f]{64}\b")  # of model files, which are trained again now and then


def models() -> list[str]:
    """Names of all models."""
    return registry.names()


def command(arguments: str | Sequence[str], data: bytes = b"") -> str:
    """What a command writes, with a page at its standard input; errors and the exit code follow."""
    words = arguments.split() if isinstance(arguments, str) else list(arguments)
    out, err = io.StringIO(), io.StringIO()
    with (
        patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(data))),
        patch.object(detect, "_installed", return_value=False),  # the same with and without the extra `lang`
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        code = main(words)
    told = err.getvalue() + (f"exit code {code}\n" if code else "")
    return SHA256.sub("SHA256", out.getvalue()) + told


# Segments and verdicts


def judged(data: bytes) -> tuple[Data, Data]:
    """The segments as each model wants them, and what each model makes of them.

    Few models want segments of their own; a model names the first one that has the same.
    """
    segments: Data = {}
    verdicts: Data = {}
    keys: dict[str, list[Any]] = {}
    for model in models():
        cleaner = Cleaner.load(model)
        page = read(cleaner, data)
        key = [segment[:4] for segment in page.segments]
        reading = next((name for name, known in keys.items() if known == key), model)
        if reading == model:
            keys[model], segments[model] = key, [segment_row(segment) for segment in page.segments]
        document = cleaner.document(page)
        found = document.verdicts
        verdicts[model] = {
            "segments of": reading,
            "title": page.title,
            "encoding": page.encoding,
            "markup": page.markup,
            "confidence": document.confidence,
            **verdict_columns(found),
        }
    default = Cleaner.load()
    verdicts["web"]["text is that of the verdicts"] = clean(default, data) == plain(
        default.document(read(default, data)).verdicts
    )
    return segments, verdicts


def read(cleaner: Cleaner, data: bytes) -> Page:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return cleaner.page(data)


def clean(cleaner: Cleaner, data: bytes) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return cleaner.clean(data)


def segment_row(segment: Segment) -> list[Any]:
    """Kind with level, share of links, start, end, nearest elements, path, text."""
    kind = f"{segment.kind}{segment.level}"
    ancestors = " ".join(map(str, segment.ancestors))
    return [kind, segment.link_share, segment.start, segment.end, ancestors, segment.path, segment.text]


def verdict_columns(verdicts: Iterable[Verdict]) -> Data:
    verdicts = list(verdicts)
    return {
        "kept": "".join("x" if verdict.keep else "." for verdict in verdicts),
        "reasons": counted_runs([verdict.reason for verdict in verdicts]),
        "scores": [verdict.score for verdict in verdicts],
    }


def counted_runs(words: Sequence[str]) -> list[str]:
    """Equal words behind each other as one, with their number.

    >>> counted_runs(["web", "web", "bar"])
    ['2 web', '1 bar']
    """
    found: list[tuple[str, int]] = []
    for word in words:
        if found and found[-1][0] == word:
            found[-1] = (word, found[-1][1] + 1)
        else:
            found.append((word, 1))
    return [f"{number} {word}" for word, number in found]


# The web model from inside


def web(data: bytes) -> Data:
    """Features, elements, neighbourhoods and words of the head, as the web model sees them."""
    cleaner = Cleaner.load("web")
    page = read(cleaner, data)
    if not page.markup or not page.segments:
        return {}
    model: Any = cleaner.scorer
    arrays = page_arrays(page, model.symbols)
    elements = arrays.elements
    found: Data = {
        "words": sorted(arrays.words),
        "known words": word_indices(arrays.words, model.vocabulary),
        "headings": arrays.heading.tolist(),
        "elements": {
            "written": list(elements.signatures),
            **{name: column(getattr(elements, field)) for name, field in ELEMENT_COLUMNS.items()},
        },
        "groups": [column(row) for row in arrays.groups],
        "neighbourhoods": [
            column(row)
            for row in arrays.neighbourhoods.spans.transpose(2, 0, 1).reshape(-1, len(page.segments))
        ],
        "order": column(arrays.neighbourhoods.order[len(page.segments) :]),
    }
    rows = features(arrays, model.ngrams)
    assert rows.dtype == np.float32
    found["features"] = {name: column(row) for name, row in zip(FEATURES, rows, strict=True)}
    return found


# Names in the golden files -> fields of Elements
ELEMENT_COLUMNS = {
    "spelling": "signature", "parent": "parent", "inside": "open_tags", "larger": "larger",
    "siblings": "siblings", "card": "card", "of_segment": "of_segment",
}  # fmt: skip


def column(values: Any) -> Any:
    """A column of numbers; one number if all are the same."""
    numbers = values.tolist()
    return numbers[0] if len(set(numbers)) == 1 else numbers


def explained(data: bytes) -> Data:
    """What the report of `explain` is made of, and its short form."""
    found: Data = {"explain": command("explain", data).split("\n")}
    for model in ("web", "standard", "boilerpipe"):
        cleaner = Cleaner.load(model)
        document = cleaner.document(read(cleaner, data))
        facts = page_report(document)
        found[model] = {
            "model": facts.model,
            "signature": facts.signature,
            "cut": facts.threshold,
            "parts": {name: list(values) for name, values in facts.parts.items()},
            "characters": [[len(row), float(sum(row)), weighted(row)] for row in facts.characters],
        }
    return found


def weighted(values: Iterable[float]) -> float:
    """A sum that changes when two values change places."""
    return float(sum(value * (1 + at % 7) for at, value in enumerate(values)))


# The command line


def options(pages: Mapping[str, bytes], folder: Path) -> dict[str, Data]:
    """What each of the options makes of each page; one command for all pages saves most of the time."""
    raw = written(pages, folder / "options")
    found: dict[str, Data] = {name: {} for name in pages}
    for words in OPTIONS:
        lines = command(["clean", "--format", "jsonl", "--keep-dirty", *words.split(), *map(str, raw)]).split(
            "\n"
        )
        for name, line in zip(pages, lines):
            found[name][words] = option_row(json.loads(line))
    return found


def option_row(record: Data) -> Data:
    segments = record.pop("segments", [])
    return {
        "kept": "".join("x" if one["keep"] else "." for one in segments),
        "reasons": counted_runs([one["reason"] for one in segments]),
        "scores": [one["score"] for one in segments],
        "sizes": [len(one["text"]) for one in segments],
        "model": record["model"],
        "confidence": record["confidence"],
        "error": record["error"],
        "characters": len(record["text"]),
    }


def output(data: bytes) -> Data:
    """What `clean` writes to standard output."""
    return {words: command(words, data).split("\n") for words in ("clean", "clean --format jsonl")}


def outputs(pages: Mapping[str, bytes], folder: Path) -> dict[str, Data]:
    """The files that `clean` writes of each page, in all formats; one command for all pages, as above."""
    found: dict[str, Data] = {name: {} for name in pages}
    written(pages, folder / "outputs")
    for number, words in enumerate([*FORMATS, *(f"{format} --keep-dirty" for format in DIRTY)]):
        out = folder / f"out{number}"
        options = ["-o", str(out), "--jobs", "1", "--format", *words.split()]
        told = command(["clean", str(folder / "outputs"), *options])
        files = {path.name.partition(".")[0]: path for path in sorted(out.iterdir())}
        for name in pages:
            text = file_text(files[name]).replace(str(folder), "") if name in files else "no file"
            found[name][f"clean -o FOLDER --format {words}"] = text.split("\n")
        found["empty"][f"clean -o FOLDER --format {words}"] += [told]
    return found


def file_text(path: Path) -> str:
    return SHA256.sub("SHA256", path.read_bytes().decode())


def rendered(data: bytes, complete: bool) -> Data:
    """The output of `render`, in all formats or in one."""
    chosen = RENDERED if complete else RENDERED[:1]
    return {words: command(f"render {words}", data).split("\n") for words in chosen}


def observed(data: bytes, complete: bool) -> Data:
    """What is observed of one page by itself; of most pages without what hardly depends on the page."""
    found: Data = {"output": output(data), "render": rendered(data, complete)}
    try:
        segments, verdicts = judged(data)
    except StupidosError as error:
        return found | {"error": str(error)}
    found |= {"segments": segments, "verdicts": verdicts, "web": web(data)}
    return found | {"explain": explained(data)} if complete else found


# Crawls


def written(pages: Mapping[str, bytes], folder: Path) -> list[Path]:
    """The pages as files of a new folder."""
    folder.mkdir()
    paths = [folder / f"{name}.html" for name in pages]
    for path, data in zip(paths, pages.values()):
        path.write_bytes(data)
    return paths


def folder_crawl(pages: Mapping[str, bytes], folder: Path) -> dict[str, Data]:
    """The records of a crawl over a folder of these pages."""
    raw = folder / "pages"
    written(pages, raw)
    command(["clean", str(raw), "-o", str(folder / "folder.jsonl"), "--jobs", "1"])
    found = records(folder / "folder.jsonl")
    return {Path(one["id"]).stem: one | {"id": one["id"].removeprefix(str(folder))} for one in found}


def warc_crawl(pages: Mapping[str, bytes], folder: Path) -> dict[str, Data]:
    """The records of a crawl over a WARC file of these pages, each of them with a header of its own."""
    path = folder / "crawl.warc.gz"
    path.write_bytes(b"".join(gzip.compress(warc_record(*page), mtime=0) for page in pages.items()))
    command(["clean", str(path), "-o", str(folder / "warc.jsonl"), "--jobs", "1"])
    return {one["url"].rpartition("/")[2]: one for one in records(folder / "warc.jsonl")}


def warc_record(name: str, data: bytes) -> bytes:
    """A response; every third one says nothing of its type, and one in five was sent in chunks."""
    number = sum(name.encode())
    headers = "Content-Type: text/html\r\n" if number % 3 else "Server: golden\r\n"
    if number % 5 == 0 and data:
        headers += "Transfer-Encoding: chunked\r\n"
        half = len(data) // 2 + 1
        parts = [part for part in (data[:half], data[half:], b"") if part or not data] + [b""]
        data = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts)
    block = f"HTTP/1.1 200 OK\r\n{headers}\r\n".encode() + data
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{name}>\r\n"
        f"WARC-Target-URI: http://golden.example/{name}\r\nWARC-Date: 2024-01-01T00:00:00Z\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def records(path: Path) -> list[Data]:
    return [json.loads(SHA256.sub("SHA256", line)) for line in path.read_text(encoding="utf-8").splitlines()]

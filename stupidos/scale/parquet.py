"""Parquet to JSON Lines and back, in batches, with bounded memory."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from stupidos.errors import missing_extra
from stupidos.scale.compression import open_binary
from stupidos.scale.source_items import CRAWL_FIELDS
from stupidos.write.records import CONFIDENCE, METADATA_FIELDS

_COLUMNS = (
    "id", "url", *METADATA_FIELDS, "text", "text_sha1", "encoding", "model", "model_sha256", *CONFIDENCE,
    *CRAWL_FIELDS, "truncated", "error",
)  # fmt: skip
_LISTS = frozenset(("authors", "categories", "tags"))
_GIVEN = (*CRAWL_FIELDS, *METADATA_FIELDS)  # columns that may hold what the input record held
_OTHER_FIELDS = "fields"  # column of what else the input record held, in JSON
_ROWS = 1024  # per row group; about ten megabytes
_ROWS_READ = 32  # at once: each may hold a whole page


def pyarrow() -> Any:
    """Import the package, or raise an error that says how to install it."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise missing_extra("Parquet needs pyarrow", "arrow") from None
    return pyarrow


def schema(segments: bool, formatted: bool = False) -> Any:
    """The schema of a record, the same for every run that asks for the same fields."""
    arrow = pyarrow()
    text = arrow.string()
    others = {**dict.fromkeys(CONFIDENCE, arrow.float64()), "http_status": arrow.int32()}
    others |= dict.fromkeys(_LISTS, arrow.list_(text))
    columns = [(name, others.get(name, text)) for name in _COLUMNS]
    if formatted:
        columns.append(("format", text))
    if segments:
        segment = {"text": text, "kind": text, "level": arrow.int32(), "score": arrow.float64()}
        segment |= {"keep": arrow.bool_(), "reason": text, "path": text, "link_share": arrow.float64()}
        segment |= {"start": arrow.int64(), "end": arrow.int64()}
        columns.append(("segments", arrow.list_(arrow.struct(list(segment.items())))))
    return arrow.schema(columns)


def lines(path: str) -> Iterator[bytes]:
    """The rows of a Parquet file as lines of JSON; bytes are decoded as a page would be."""
    with open_binary(path) as source, pyarrow().parquet.ParquetFile(source) as file:
        for batch in file.iter_batches(batch_size=_ROWS_READ):
            for row in batch.to_pylist():
                yield json.dumps(row, default=_plain, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _plain(value: object) -> object:
    """A JSON form of a value that JSON lacks: bytes of a page, a date, a decimal number."""
    if isinstance(value, bytes):
        from stupidos.decode import decode

        return decode(value)[0]
    return str(value)


def convert(lines: Path, target: Path) -> None:
    """Write the records of a JSONL file to a Parquet file."""
    arrow = pyarrow()
    with lines.open("rb") as file:
        first = file.readline()
        file.seek(0)
        names = json.loads(first) if first else {}
        columns = schema("segments" in names, "format" in names)
        columns = columns.append(arrow.field(_OTHER_FIELDS, arrow.string()))
        with arrow.parquet.ParquetWriter(target, columns, compression="zstd") as writer:
            for records in _batches(file):
                rows = [_with_other_fields(one, frozenset(columns.names)) for one in records]
                writer.write_table(arrow.Table.from_pylist(rows, columns))


def _with_other_fields(record: dict[str, Any], columns: frozenset[str]) -> dict[str, Any]:
    """A record whose fields without a column of their own are JSON in one column.

    >>> _with_other_fields({"id": "a", "rank": 2}, frozenset({"id", "fields"}))
    {'id': 'a', 'rank': None, 'fields': '{"rank": 2}'}
    """
    others = {name: value for name, value in record.items() if name not in columns or name == _OTHER_FIELDS}
    known = {name: record[name] for name in _GIVEN if name in record}
    others |= {name: value for name, value in known.items() if value is not None and not _fits(name, value)}
    fields = json.dumps(others, ensure_ascii=False) if others else None
    return record | dict.fromkeys(others) | {_OTHER_FIELDS: fields}


def _fits(name: str, value: object) -> bool:
    """Whether a value has the type of its column."""
    if name == "http_status":
        return type(value) is int and 0 <= value < 1000
    if name in _LISTS:
        return isinstance(value, list) and all(isinstance(one, str) for one in value)
    return isinstance(value, str)


def _batches(lines: Iterator[bytes]) -> Iterator[list[Any]]:
    """Records in batches of _ROWS."""
    while records := [json.loads(line) for line in islice(lines, _ROWS)]:
        yield records

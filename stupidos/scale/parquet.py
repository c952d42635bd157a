"""Convert JSON Lines to Parquet in batches, with bounded memory."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from stupidos.errors import ExtraError
from stupidos.scale.source_items import CRAWL_FIELDS
from stupidos.write.records import METADATA

COLUMNS = (
    "id", "url", "title", *METADATA, "text", "text_sha1", "encoding", "model", "model_sha256", "confidence",
    *CRAWL_FIELDS, "truncated", "error",
)  # fmt: skip
OTHER_FIELDS = "fields"  # column of what else the input record held, in JSON
ROWS = 1024  # per row group; about ten megabytes


def pyarrow() -> Any:
    """Import the package, or raise an error that says how to install it."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ExtraError('Parquet needs pyarrow: pip install "stupidos[arrow]"') from None
    return pyarrow


def schema(segments: bool) -> Any:
    """The schema of a record, the same for every run."""
    arrow = pyarrow()
    text = arrow.string()
    others = {"confidence": arrow.float64(), "http_status": arrow.int32()}
    others |= dict.fromkeys(("authors", "categories", "tags"), arrow.list_(text))
    columns = [(name, others.get(name, text)) for name in COLUMNS]
    if segments:
        segment = {"text": text, "kind": text, "level": arrow.int32(), "score": arrow.float64()}
        segment |= {"keep": arrow.bool_(), "reason": text}
        columns.append(("segments", arrow.list_(arrow.struct(list(segment.items())))))
    return arrow.schema(columns)


def convert(lines: Path, target: Path) -> None:
    """Write the records of a JSONL file to a Parquet file."""
    arrow = pyarrow()
    with lines.open("rb") as file:
        first = file.readline()
        file.seek(0)
        columns = schema(segments=bool(first) and "segments" in json.loads(first))
        columns = columns.append(arrow.field(OTHER_FIELDS, arrow.string()))
        with arrow.parquet.ParquetWriter(target, columns, compression="zstd") as writer:
            for records in batches(file):
                rows = [with_other_fields(one, frozenset(columns.names)) for one in records]
                writer.write_table(arrow.Table.from_pylist(rows, columns))


def with_other_fields(record: dict[str, Any], columns: frozenset[str]) -> dict[str, Any]:
    """A record whose fields without a column of their own are JSON in one column.

    >>> with_other_fields({"id": "a", "rank": 2}, frozenset({"id", "fields"}))
    {'id': 'a', 'rank': None, 'fields': '{"rank": 2}'}
    """
    others = {name: value for name, value in record.items() if name not in columns or name == OTHER_FIELDS}
    known = {name: record[name] for name in CRAWL_FIELDS if name in record}
    others |= {name: value for name, value in known.items() if value is not None and not fits(name, value)}
    fields = json.dumps(others, ensure_ascii=False) if others else None
    return record | dict.fromkeys(others) | {OTHER_FIELDS: fields}


def fits(name: str, value: object) -> bool:
    """Whether a value has the type of its column."""
    return type(value) is int and 0 <= value < 1000 if name == "http_status" else isinstance(value, str)


def batches(lines: Iterator[bytes]) -> Iterator[list[Any]]:
    """Records in batches of ROWS."""
    while records := [json.loads(line) for line in islice(lines, ROWS)]:
        yield records

#!/usr/bin/env python3
"""Pack HTML files as a WARC file, to try the recipes without a crawl.

    python share/recipes/sample_warc.py tests/pages training/raw -o crawl.warc.gz
"""

from __future__ import annotations

import argparse
import gzip
from pathlib import Path


def record(url: str, page: bytes) -> bytes:
    """A response record with its HTTP header."""
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    return head.encode() + http + b"\r\n\r\n"


def main() -> None:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    paths = [path for folder in arguments.folders for path in sorted(folder.glob("*.htm*"))]
    with arguments.output.open("wb") as file:
        for path in paths:
            file.write(gzip.compress(record(f"https://example.org/{path.name}", path.read_bytes()), mtime=0))


if __name__ == "__main__":
    main()

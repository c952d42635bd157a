"""Recognise file formats other than text by their first bytes."""

from __future__ import annotations

GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"

_FORMATS: dict[bytes, str] = {
    b"\x89PNG": "a PNG image",
    b"GIF87a": "a GIF image",
    b"GIF89a": "a GIF image",
    b"\xff\xd8\xff": "a JPEG image",
    b"II*\0": "a TIFF image",
    b"MM\0*": "a TIFF image",
    b"\0\0\x01\0": "an icon",
    b"%PDF-": "a PDF document",
    b"PK\x03\x04": "a ZIP archive or Office document",
    b"PK\x05\x06": "an empty ZIP archive",
    b"\xd0\xcf\x11\xe0": "an old Office document",
    GZIP: "gzip-compressed data",
    b"BZh": "bzip2-compressed data",
    b"\xfd7zXZ": "xz-compressed data",
    ZSTD: "zstd-compressed data",
    b"7z\xbc\xaf": "a 7-Zip archive",
    b"Rar!\x1a": "a RAR archive",
    b"\x7fELF": "a program",
    b"\0asm": "a WebAssembly program",
    b"SQLite format 3\0": "an SQLite database",
    b"wOFF": "a web font",
    b"wOF2": "a web font",
    b"OggS": "an Ogg recording",
    b"fLaC": "a FLAC recording",
    b"ID3": "an MP3 recording",
    b"PAR1": "a Parquet table",
    b"\x93NUMPY": "a numpy array",
}
_STARTS = tuple(_FORMATS)
# a text may start with them too
_LETTERS_ONLY = frozenset((b"BZh", b"wOFF", b"wOF2", b"OggS", b"fLaC", b"ID3", b"PAR1"))
_CONTAINERS = {b"WEBP": "a WebP image", b"WAVE": "a WAV recording", b"AVI ": "an AVI film"}


def not_text(data: bytes) -> str | None:
    """The format of `data` if its first bytes are the signature of a format other than text.

    >>> not_text(b"\\x89PNG\\r\\n\\x1a\\n..."), not_text(b"<p>PNG</p>")
    ('a PNG image', None)
    """
    if data.startswith(_STARTS):
        start = next(start for start in _STARTS if data.startswith(start))
        if start not in _LETTERS_ONLY or not _printable(data[:64]):
            return _FORMATS[start]
    if data.startswith(b"RIFF"):
        return _CONTAINERS.get(data[8:12])
    return "an MP4 film or a HEIF image" if data[4:8] == b"ftyp" and data.startswith(b"\0") else None


def _printable(data: bytes) -> bool:
    """Whether `data` contains no control characters except white space."""
    return not any(byte < 32 and byte not in b"\t\n\f\r" for byte in data)

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from stupidos.lm.zip_entries import ZipError, content, entries

CONTENTS = {"header.json": b"{}", "a/b.npy": b"rain " * 1000, "empty": b""}


def zipped(path: Path, method: int = zipfile.ZIP_DEFLATED, comment: bytes = b"") -> Path:
    with zipfile.ZipFile(path, "w", method) as file:
        for name, text in CONTENTS.items():
            file.writestr(name, text)
        file.comment = comment
    return path


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_entries_are_read_as_zipfile_reads_them(tmp_path: Path, method: int) -> None:
    with open(zipped(tmp_path / "a.zip", method), "rb") as file:
        found = entries(file, 3)
        assert {entry.name: content(file, entry) for entry in found} == CONTENTS
        assert all(entry.readable for entry in found)


def test_entries_of_unknown_size_are_read_by_the_directory(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as file, file.open("rain", "w", force_zip64=True) as part:
        part.write(b"It rained.")
    with open(tmp_path / "a.zip", "rb") as packed:
        (entry,) = entries(packed, 1)
        assert content(packed, entry) == b"It rained."


def test_other_methods_are_not_readable(tmp_path: Path) -> None:
    with open(zipped(tmp_path / "a.zip", zipfile.ZIP_BZIP2), "rb") as file:
        assert not any(entry.readable for entry in entries(file, 3))


@pytest.mark.parametrize("most", [0, 2])
def test_too_many_entries_are_refused_unread(tmp_path: Path, most: int) -> None:
    with (
        open(zipped(tmp_path / "a.zip"), "rb") as file,
        pytest.raises(ZipError, match="it has 3 parts"),
    ):
        entries(file, most)


def test_a_file_with_a_comment_is_refused(tmp_path: Path) -> None:
    with (
        open(zipped(tmp_path / "a.zip", comment=b"rain"), "rb") as file,
        pytest.raises(ZipError, match="not a zip file"),
    ):
        entries(file, 3)


def test_a_changed_byte_of_the_content_is_noticed(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", zipfile.ZIP_STORED)
    path.write_bytes(path.read_bytes().replace(b"rain rain", b"rain pain", 1))
    with open(path, "rb") as file:
        entry = next(one for one in entries(file, 3) if one.name == "a/b.npy")
        with pytest.raises(ZipError, match="Bad CRC-32"):
            content(file, entry)


@pytest.mark.parametrize("size", [0, 10, 21, 60])
def test_a_file_cut_off_is_refused(tmp_path: Path, size: int) -> None:
    path = zipped(tmp_path / "a.zip")
    path.write_bytes(path.read_bytes()[:size])
    with open(path, "rb") as file, pytest.raises(ZipError):
        entries(file, 3)

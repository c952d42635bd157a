from __future__ import annotations

import io
import json
import os
import pickle
import re
import stat
import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stupidos.errors import ModelError
from stupidos.lm import archive
from stupidos.lm.archive import Member

SCHEMA = {"weights": Member("<f4", 2, 100), "bits": Member("|u1", 1)}
HEADER = {"format": "toy", "name": "tëst", "pages": 3}
ARRAYS = {"weights": np.ones((2, 3), np.float32), "bits": np.arange(5, dtype=np.uint8)}
GOOD_HEADER = json.dumps({**HEADER, "version": archive._VERSION}).encode()


def npy(array: np.ndarray, **options: Any) -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, **options)
    return buffer.getvalue()


def zipped(path: Path, parts: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as file:
        for name, content in parts.items():
            file.writestr(name, content)
    return path


def parts(**changes: bytes | None) -> dict[str, bytes]:
    """The parts of a good file, some of them changed or (None) left out."""
    found: dict[str, bytes | None] = {
        "header.json": GOOD_HEADER,
        "weights.npy": npy(ARRAYS["weights"]),
        "bits.npy": npy(ARRAYS["bits"]),
    }
    found.update((name.replace("__", "."), content) for name, content in changes.items())
    return {name: content for name, content in found.items() if content is not None}


def refusal(path: Path) -> str:
    with pytest.raises(ModelError) as caught:
        archive.read(path, SCHEMA)
    message = str(caught.value)
    assert str(path) in message
    assert "\n" not in message
    return message


def test_what_was_written_comes_back(tmp_path: Path) -> None:
    archive.write(tmp_path / "m.npz", HEADER, ARRAYS)
    header, arrays = archive.read(tmp_path / "m.npz", SCHEMA)
    assert header == {**HEADER, "version": archive._VERSION} == archive.header(tmp_path / "m.npz")
    for name, array in ARRAYS.items():
        np.testing.assert_array_equal(arrays[name], array)
        assert not arrays[name].flags.writeable


def test_numpy_opens_the_file_as_well(tmp_path: Path) -> None:
    archive.write(tmp_path / "m.npz", HEADER, ARRAYS)
    with np.load(tmp_path / "m.npz", allow_pickle=False) as found:
        np.testing.assert_array_equal(found["weights"], ARRAYS["weights"])


def test_the_same_content_gives_the_same_bytes(tmp_path: Path) -> None:
    archive.write(tmp_path / "a.npz", HEADER, ARRAYS)
    archive.write(tmp_path / "b.npz", dict(reversed(HEADER.items())), dict(reversed(ARRAYS.items())))
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_a_file_is_readable_by_others_and_leaves_no_scrap(tmp_path: Path) -> None:
    archive.write(tmp_path / "m.npz", HEADER, ARRAYS)
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE((tmp_path / "m.npz").stat().st_mode) == 0o666 & ~mask
    assert [path.name for path in tmp_path.iterdir()] == ["m.npz"]


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    archive.write(tmp_path / "m.npz", HEADER, ARRAYS)
    before = (tmp_path / "m.npz").read_bytes()
    with pytest.raises(ValueError, match=r"[Oo]bject"):
        archive.write(tmp_path / "m.npz", HEADER, {"bad": np.array([{}], object)})
    assert (tmp_path / "m.npz").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["m.npz"]


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"none/m\.npz: cannot be written: No such file"):
        archive.write(tmp_path / "none" / "m.npz", HEADER, ARRAYS)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    assert "cannot be read: No such file" in refusal(tmp_path / "none.npz")


@pytest.mark.parametrize("content", [b"", b"PK", b"hello world" * 100, b"\x89PNG\r\n\x1a\n"], ids=repr)
def test_what_is_not_a_zip_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "m.npz").write_bytes(content)
    assert "is not a model file, or was cut off" in refusal(tmp_path / "m.npz")


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.99])
def test_a_truncated_file_is_refused(tmp_path: Path, share: float) -> None:
    archive.write(tmp_path / "m.npz", HEADER, ARRAYS)
    data = (tmp_path / "m.npz").read_bytes()
    (tmp_path / "m.npz").write_bytes(data[: int(len(data) * share)])
    assert "is not a model file, or was cut off" in refusal(tmp_path / "m.npz")


def test_every_flipped_byte_is_refused_or_harmless(tmp_path: Path) -> None:
    archive.write(tmp_path / "m.npz", HEADER, ARRAYS)
    data = (tmp_path / "m.npz").read_bytes()
    refused = 0
    for place in range(0, len(data), 13):
        (tmp_path / "m.npz").write_bytes(data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :])
        try:
            _, arrays = archive.read(tmp_path / "m.npz", SCHEMA)
            np.testing.assert_array_equal(arrays["bits"], ARRAYS["bits"])
        except ModelError:
            refused += 1
    assert refused > len(data) // 26


class Bomb:
    """Pickled, it would leave a file behind when it is read."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.path,)


def test_a_pickle_is_refused_and_not_run(tmp_path: Path) -> None:
    trap = tmp_path / "sprung"
    array = np.array([Bomb(trap)], object)
    for name, content in (
        ("weights__npy", npy(array, allow_pickle=True)),
        ("bits__npy", pickle.dumps(Bomb(trap))),
    ):
        assert "is not a plain array" in refusal(zipped(tmp_path / "m.npz", parts(**{name: content})))
    assert not trap.exists()


DESCRIBED = "{'descr': '<f4', 'fortran_order': False, 'shape': %s, }"


def described(text: str, data: bytes = b"") -> bytes:
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text) + 1) + text.encode() + b"\n" + data


BAD_PARTS = {
    "no header": ({"header__json": None}, "has no header.json"),
    "header no JSON": ({"header__json": b"{"}, "is not a valid"),
    "header no object": ({"header__json": b"[]"}, "names no format"),
    "header without format": ({"header__json": b'{"version": 1}'}, "names no format"),
    "header without version": ({"header__json": b'{"format": "toy"}'}, "has no version"),
    "version true": ({"header__json": b'{"format": "toy", "version": true}'}, "has no version"),
    "NaN in header": ({"header__json": b'{"format": "toy", "version": 1, "x": NaN}'}, "NaN for a number"),
    "cut null": ({"header__json": b'{"format": "toy", "version": 1, "cut": null}'}, "cut is not a number"),
    "cut a text": ({"header__json": b'{"format": "toy", "version": 1, "cut": "nan"}'}, "cut is not a number"),
    "switch too large": (
        {"header__json": b'{"format": "toy", "version": 1, "switch": 1%b}' % (b"0" * 400)},
        "switch is not a number",
    ),
    "header nested": ({"header__json": b'{"format": ' + b"[" * 100_000}, "is not a valid"),
    "header not UTF-8": ({"header__json": b"\xff\xfe{}"}, "is not a valid"),
    "long header": ({"header__json": b" " * (1 << 20) + GOOD_HEADER}, "header is too long"),
    "array missing": ({"bits__npy": None}, "parts are not weights, bits"),
    "array too many": ({"more__npy": npy(np.zeros(1))}, "parts are not weights, bits"),
    "path as name": ({"../evil__npy": npy(np.zeros(1))}, "parts are not weights, bits"),
    "other type": ({"weights__npy": npy(np.ones((2, 3)))}, r"is <f8\[2, 3\], not <f4 in 2 dimensions"),
    "other byte order": ({"weights__npy": npy(np.ones((2, 3), ">f4"))}, "is not a plain array"),
    "other shape": ({"weights__npy": npy(np.ones(6, np.float32))}, "not <f4 in 2 dimensions"),
    "too many numbers": ({"weights__npy": npy(np.ones((11, 10), np.float32))}, "more than 100 numbers"),
    "fortran order": ({"weights__npy": npy(np.asfortranarray(ARRAYS["weights"]))}, "is not a plain array"),
    "not finite": ({"weights__npy": npy(np.full((1, 1), np.nan, np.float32))}, "not finite"),
    "text": ({"bits__npy": npy(np.array(["a"]))}, "is not a plain array"),
    "npy 2.0": ({"bits__npy": npy(ARRAYS["bits"], version=(2, 0))}, "is not a plain array"),
    "longer than it says": ({"bits__npy": npy(ARRAYS["bits"]) + b"x"}, "not as long as it says"),
    "shorter than it says": ({"bits__npy": npy(ARRAYS["bits"])[:-1]}, "not as long as it says"),
    "empty array part": ({"bits__npy": b""}, "is not a plain array"),
    "negative shape": ({"weights__npy": described(DESCRIBED % "(-1, 3)")}, "is not a plain array"),
    "shape beyond all memory": (
        {"weights__npy": described(DESCRIBED % "(99999999999, 9)")},
        "is too large|more than",
    ),
    "code for a shape": (
        {"weights__npy": described(DESCRIBED % "__import__('os').getcwd()")},
        "is not a plain array",
    ),
}


@pytest.mark.parametrize(("changes", "message"), BAD_PARTS.values(), ids=BAD_PARTS)
def test_a_file_that_is_not_as_it_should_be_is_refused(
    tmp_path: Path, changes: dict[str, bytes | None], message: str
) -> None:
    assert re.search(message, refusal(zipped(tmp_path / "m.npz", parts(**changes))))


def test_a_newer_model_is_refused_with_the_remedy(tmp_path: Path) -> None:
    header = json.dumps({**HEADER, "version": archive._VERSION + 1}).encode()
    zipped(tmp_path / "m.npz", parts(header__json=header))
    assert refusal(tmp_path / "m.npz").endswith("update stupidos")


def test_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    zipped(tmp_path / "m.npz", parts(bits__npy=npy(np.zeros(1 << 20, np.uint8))))
    archive.read(tmp_path / "m.npz", SCHEMA)  # so little does no harm
    monkeypatch.setattr(archive, "_SMALL", 1 << 16)
    assert "it unpacks to 104" in refusal(tmp_path / "m.npz")


def test_two_parts_of_one_name_are_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "m.npz", "w") as file:
        file.writestr("header.json", GOOD_HEADER)
        with pytest.warns(UserWarning, match="Duplicate"):
            file.writestr("header.json", GOOD_HEADER)
    assert "a part twice" in refusal(tmp_path / "m.npz")


def test_other_packing_is_refused(tmp_path: Path) -> None:
    zipped(tmp_path / "m.npz", parts(), zipfile.ZIP_BZIP2)
    assert "packed in another way" in refusal(tmp_path / "m.npz")


def test_only_arrays_that_can_be_packed_are(tmp_path: Path) -> None:
    random = np.random.default_rng(1).integers(256, size=1000, dtype=np.uint8)
    archive.write(tmp_path / "m.npz", HEADER, {"even": np.zeros(1000, np.uint8), "random": random})
    with zipfile.ZipFile(tmp_path / "m.npz") as file:
        methods = {info.filename: info.compress_type for info in file.infolist()}
    assert methods["even.npy"] == methods["header.json"] == zipfile.ZIP_DEFLATED
    assert methods["random.npy"] == zipfile.ZIP_STORED

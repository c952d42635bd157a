"""Gzip data of one or more members, whole and damaged."""

from __future__ import annotations

import gzip
import random

import pytest

from stupidos.errors import StupidosError
from stupidos.gzip_members import unpacked

MOST = 1 << 22
NOISE = random.Random(1).randbytes(300_000)  # more than one piece of either side
TEA, MILK = gzip.compress(b"tea", mtime=0), gzip.compress(b"milk", mtime=0)
NOISY = gzip.compress(NOISE, mtime=0)
WRONG_CHECKSUM = TEA[:-8] + bytes([TEA[-8] ^ 1]) + TEA[-7:]

WHOLE = {
    "one member": (TEA, b"tea"),
    "two members": (TEA + MILK, b"teamilk"),
    "an empty member between": (TEA + gzip.compress(b"") + MILK, b"teamilk"),
    "a large member": (NOISY + TEA, NOISE + b"tea"),
    "a tape block padded with NULs": (TEA + bytes(500), b"tea"),
}


@pytest.mark.parametrize(("data", "content"), WHOLE.values(), ids=WHOLE)
def test_all_members_are_joined(data: bytes, content: bytes) -> None:
    assert unpacked(data, MOST) == (content, "")


DAMAGED = {
    "a truncated checksum": (TEA[:-1], b"tea", "the file ends inside a gzip member"),
    "a truncated second member": (TEA + MILK[:-9], b"teamilk", "the file ends inside a gzip member"),
    "a wrong checksum": (WRONG_CHECKSUM, b"tea", "broken gzip member: incorrect data check"),
    "text after the last member": (TEA + b"milk", b"tea", "there is data after the last gzip member"),
    "NULs and text after it": (TEA + b"\0\0milk", b"tea", "there is data after the last gzip member"),
    "nothing that can be read": (TEA[:10] + b"\xff" * 20, b"", "broken gzip member: invalid block type"),
}


@pytest.mark.parametrize(("data", "content", "damage"), DAMAGED.values(), ids=DAMAGED)
def test_what_precedes_the_damage_is_kept(data: bytes, content: bytes, damage: str) -> None:
    assert unpacked(data, MOST) == (content, damage)


def test_a_large_broken_member_is_kept_up_to_the_break() -> None:
    content, damage = unpacked(NOISY[:200_000] + b"\xff" * 5 + NOISY[200_005:], MOST)
    assert NOISE[:150_000] == content[:150_000]
    assert damage.startswith("broken gzip member: ")


@pytest.mark.parametrize("data", [TEA, TEA + MILK])
def test_content_may_be_as_long_as_the_limit_and_no_longer(data: bytes) -> None:
    size = len(gzip.decompress(data))
    assert unpacked(data, size).damage == ""
    with pytest.raises(StupidosError, match="unpacks to more than 0 MB"):
        unpacked(data, size - 1)

"""Golden files: how what was observed is condensed, written, and compared with what is observed now."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any
from zlib import crc32

EXPECTED = Path(__file__).resolve().parent / "expected"
LONG = 1 << 13  # characters of a text; of a longer one the checksum is stored
MANY = 200  # values of a list that is longer are condensed
TOLERANCE = 1e-6  # of a number, or of the largest one in its list: kernels of OpenBLAS round sums differently
LAST_DIGIT = 1.1e-4  # records round to four digits, and that difference may decide which way
ROUNDED = ("options", "crawls")  # sections that hold fields of records
NUMBER = re.compile(r"-?\d+\.\d+")


def path_of(name: str) -> Path:
    return EXPECTED / f"{name}.json"


def load(name: str) -> Any:
    return json.loads(path_of(name).read_text(encoding="utf-8"))


def save(name: str, value: Any) -> None:
    EXPECTED.mkdir(exist_ok=True)
    path_of(name).write_text(written(value) + "\n", encoding="utf-8")


def written(value: Any, depth: int = 0) -> str:
    """JSON with a line for each field of the outer levels, so that a changed file can be read as a diff."""
    if isinstance(value, dict) and value and depth < 4:
        inner = (
            f"{json.dumps(key, ensure_ascii=False)}: {written(one, depth + 1)}" for key, one in value.items()
        )
        return "{\n" + ",\n".join(" " * (depth + 1) + line for line in inner) + "}"
    if isinstance(value, list) and any(isinstance(one, list | str) for one in value):
        return (
            "[\n" + ",\n".join(" " * (depth + 1) + json.dumps(one, ensure_ascii=False) for one in value) + "]"
        )
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def condensed(value: Any) -> Any:
    """What is stored of an observation: floats with nine digits, long lists as sums and checksums."""
    if isinstance(value, dict):
        return {str(key): condensed(one) for key, one in value.items()}
    if isinstance(value, float):
        return rounded(value)
    if isinstance(value, str) and len(value) > LONG:
        return f"{len(value)} characters, sha256 {sha256(value.encode()).hexdigest()}"
    if isinstance(value, list | tuple):
        return condensed_list(list(value))
    return value


def rounded(value: float) -> float | int | str:
    if not math.isfinite(value):
        return str(value)  # JSON knows no infinity
    short = float(f"{value:.8g}")
    return int(short) if short == int(short) and abs(short) < 1e9 else short


def condensed_list(values: list[Any]) -> Any:
    if len(values) <= MANY:
        return [condensed(one) for one in values]
    if all(isinstance(one, int | float) for one in values):
        sums = [sum(value * (1 + at % 7) for at, value in enumerate(values[part : part + MANY]))
                for part in range(0, len(values), MANY)]  # fmt: skip
        return {"number": len(values), "sums": [rounded(float(one)) for one in sums]}
    if all(isinstance(one, str) for one in values):
        return {"number": len(values), "sha256": sha256("\n".join(values).encode()).hexdigest()}
    lines = [json.dumps(condensed(one)) for one in values]
    return {"number": len(values), "crc32": " ".join(f"{crc32(line.encode()):08x}" for line in lines)}


Where = tuple[str, ...]


def differences(
    expected: Any, found: Any, where: Where = (), largest: float = 1.0
) -> Iterator[tuple[Where, str]]:
    """Each place in which two observations differ, and how; `largest` is the largest number beside them."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in [*expected, *(key for key in found if key not in expected)]:
            if key not in expected or key not in found:
                yield (*where, key), "missing" if key in expected else "new"
            else:
                yield from differences(expected[key], found[key], (*where, key))
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        beside = largest_of(expected)
        for at, (one, other) in enumerate(zip(expected, found)):
            yield from differences(one, other, (*where, str(at)), beside)
    elif where[-1:] == ("kept",) and len(expected) == len(found):
        for at, (one, other) in enumerate(zip(expected, found)):
            if one != other:
                yield (*where, str(at)), "expected to be kept" if one == "x" else "expected to be dropped"
    elif not same(expected, found, LAST_DIGIT if set(where[:1]) & set(ROUNDED) else TOLERANCE * largest):
        yield where, shown(expected, found)


def largest_of(values: list[Any]) -> float:
    """The largest number of a list, of either sign, and at least 1.

    >>> largest_of([0.5, -7.25, "tea"])
    7.25
    """
    return max([1.0, *(abs(one) for one in values if isinstance(one, int | float))])


def same(expected: Any, found: Any, tolerance: float = TOLERANCE) -> bool:
    if isinstance(expected, int | float) and isinstance(found, int | float):
        if isinstance(expected, bool) or isinstance(found, bool):
            return expected is found
        return math.isclose(expected, found, rel_tol=TOLERANCE, abs_tol=tolerance)
    if isinstance(expected, str) and isinstance(found, str):
        return expected == found or same_but_for_rounding(expected, found)
    return bool(expected == found)


def same_but_for_rounding(expected: str, found: str) -> bool:
    """Whether two lines differ only in the last digit of decimals, as the last bit of a score may decide.

    >>> same_but_for_rounding("drop 1.25", "drop 1.26"), same_but_for_rounding("drop 1.25", "keep 1.25")
    (True, False)
    """
    if NUMBER.sub("0", expected) != NUMBER.sub("0", found):
        return False
    pairs = list(zip(NUMBER.findall(expected), NUMBER.findall(found)))
    digits = [max(len(one.partition(".")[2]), len(other.partition(".")[2])) for one, other in pairs]
    return all(
        one == other or (places > 1 and abs(float(one) - float(other)) < 1.1 * 10**-places)
        for (one, other), places in zip(pairs, digits)
    )


def shown(expected: Any, found: Any) -> str:
    """Both sides, long ones around the first difference."""
    one, other = (
        value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for value in (expected, found)
    )
    if isinstance(expected, list) and isinstance(found, list):
        return f"expected {len(expected)} entries, found {len(found)}; {first_other_entry(expected, found)}"
    at = next((i for i, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
    start = max(at - 30, 0)
    place = f" (from character {start})" if start else ""
    return f"expected {one[start : at + 60]!r}, found {other[start : at + 60]!r}{place}"


def first_other_entry(expected: list[Any], found: list[Any]) -> str:
    for at, (one, other) in enumerate(zip(expected, found)):
        if not same(one, other):
            return f"entry {at}: expected {str(one)[:200]!r}, found {str(other)[:200]!r}"
    return "the shorter one is the beginning of the longer one"

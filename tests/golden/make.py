"""Write the golden files again: `python tests/golden/make.py`. For intended changes only."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).resolve().parents[2]), str(Path(__file__).parent)]

import golden
import store


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        observations = golden.Observations(Path(folder))
    for path in store.EXPECTED.glob("*.json"):
        path.unlink()
    for name in observations.pages:
        store.save(name, observations.page(name))
    size = sum(path.stat().st_size for path in store.EXPECTED.iterdir())
    print(f"{len(observations.pages)} pages, {size / 1e6:.2f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())

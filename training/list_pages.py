"""Put the hashes of the pages that a model learnt from into its header, if it is older than that entry.

    python training/list_pages.py models/web.npz DATA/wcxb DATA/cleaneval ...

Each folder has gold/ and raw/, as `stupidos train` reads them. `stupidos evaluate` warns of these pages.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from stupidos.lab.corpus import corpus
from stupidos.lab.examples import TRAINING_PAGES, Example, examples, joined_hashes, page_hash
from stupidos.lm import archive


def hashes(folder: Path) -> list[str]:
    """The hashes of the pages of a corpus that can be learnt from."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # pages that lie about their encoding
        read = examples(corpus(folder / "gold", folder / "raw").pairs)
        return [page_hash(one.page.source) for one in read if isinstance(one, Example)]


def main() -> int:
    if len(sys.argv) < 3:
        sys.stderr.write("usage: python training/list_pages.py MODEL.npz CORPUS ...\n")
        return 2
    path = Path(sys.argv[1])
    header = archive.header(path)
    with np.load(path, allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files if not name.endswith(".json")}
    listed = [one for folder in sys.argv[2:] for one in hashes(Path(folder))]
    archive.write(path, {**header, TRAINING_PAGES: joined_hashes(listed)}, arrays)
    print(f"{path}: {len(listed)} pages, of {header.get('pages')} in its header")
    return 0


if __name__ == "__main__":
    sys.exit(main())

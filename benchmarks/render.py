"""Speed of rendering against other tools: `python benchmarks/render.py DATA`."""

from __future__ import annotations

import sys

from interleaved import corpora, table
from peers import RENDERERS, installed

from stupidos.render import render


def main() -> None:
    tools = {"stupidos render": render, **installed(RENDERERS)}
    for name, pages in corpora(sys.argv):
        table(f"render, {name}", tools, pages)


if __name__ == "__main__":
    main()

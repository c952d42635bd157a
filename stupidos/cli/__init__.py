"""The command line. Only this package prints, exits or shows progress."""

from __future__ import annotations

from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run `stupidos` with these arguments (those of the process by default); the exit code.

    0 worked; 1 an error, told in one line on stderr; 2 wrong usage; 70 an error of ours; 130 Ctrl-C;
    141 the reader of our output went away (`| head`), as filters in C have it.
    """
    try:
        from stupidos.cli.program import run
    except KeyboardInterrupt:
        return 130
    return run(argv)

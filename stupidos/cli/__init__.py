"""The command line. Only this package prints, exits or shows progress."""

from __future__ import annotations

from collections.abc import Sequence

_COLLECT_AFTER = 100_000  # new objects between two garbage collections; loading `stupidos clean` makes 45,000


def main(argv: Sequence[str] | None = None) -> int:
    """Run `stupidos` with these arguments (default: sys.argv); return the exit code.

    0 success; 1 an error, reported in one line on stderr; 2 usage error; 70 internal error; 130 Ctrl-C;
    141 the reader of the output closed the pipe (`| head`), as for filters killed by SIGPIPE.
    """
    try:
        from stupidos.cli.program import run
    except KeyboardInterrupt:
        return 130
    return run(argv)


def command() -> int:
    """`main` as a process of its own, without garbage collection during imports and at exit.

    Loaded modules are not garbage, and scanning them took 15 % of a short run.
    """
    import gc

    gc.set_threshold(_COLLECT_AFTER)
    try:
        return main()
    finally:
        gc.freeze()

"""`stupidos COMMAND ...`: dispatch to the command; every failure becomes one line and an exit code."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from typing import TextIO

from stupidos.cli import commands, output
from stupidos.errors import StupidosError

_FAILED, _USAGE, _INTERNAL, _INTERRUPTED, _PIPE = 1, 2, 70, 130, 141  # as the shell names 128 + signal

_ABOUT = """\
Extract the main text of web pages.

commands:
{commands}

Run `stupidos COMMAND --help` for options and examples.

examples:
  stupidos clean page.html
  curl -s https://example.org/ | stupidos clean | head
  stupidos render --format cleaneval page.html
"""


def run(argv: Sequence[str] | None = None) -> int:
    """Run the command line; every failure becomes an exit code and one line on stderr."""
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            return _run(list(sys.argv[1:] if argv is None else argv))
    except SystemExit as error:  # argparse has printed the message
        return error.code if isinstance(error.code, int) else 0
    except output.ReaderGoneError:
        return _PIPE
    except KeyboardInterrupt:
        return _INTERRUPTED
    except StupidosError as error:
        return _failed(str(error))
    except MemoryError:
        return _failed("out of memory")
    except OSError as error:  # a file that disappeared, a disk error
        name = error.filename if isinstance(error.filename, str) else ""
        return _failed(f"{name}: {error.strerror}" if name and error.strerror else str(error))
    except Exception as error:  # a bug: one line for the user, the traceback on request
        if os.environ.get("STUPIDOS_DEBUG"):
            raise
        _failed(f"internal error: {type(error).__name__}: {error} (STUPIDOS_DEBUG=1 shows where)")
        return _INTERNAL


def _run(arguments: list[str]) -> int:
    if not arguments:
        output.complain(_parser().format_help().rstrip())
        return _USAGE
    name = arguments[0]
    if arguments == ["--version"]:  # without importing every command for its summary
        output.write(_version() + "\n")
        return 0
    if name in commands.COMMANDS:
        return commands.command(name).run(commands.parser_of(name).parse_args(arguments[1:]))
    parser = _parser()
    if name.startswith("-"):
        parser.parse_args(arguments)
    return parser.error(_unknown_command(name))


def _version() -> str:
    from stupidos import __version__

    return f"stupidos {__version__}"


def _parser() -> commands.Parser:
    width = max(map(len, commands.COMMANDS))
    listed = "\n".join(f"  {name:{width}}  {summary}" for name, summary in commands.summaries().items())
    parser = commands.Parser(
        prog="stupidos", usage="stupidos COMMAND [options] ...", description=_ABOUT.format(commands=listed)
    )
    parser.add_argument("--version", action="version", version=_version())
    return parser


def _unknown_command(name: str) -> str:
    from difflib import get_close_matches

    meant = get_close_matches(name, commands.COMMANDS, 1)
    return f"unknown command {name!r}" + (f"; did you mean {meant[0]!r}?" if meant else "")


def _failed(message: str) -> int:
    output.complain("stupidos: " + " ".join(message.split()))
    return _FAILED


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print a warning as one line, without the source line."""
    output.complain(f"stupidos: warning: {' '.join(str(message).split())}")

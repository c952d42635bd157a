"""The commands and their modules; a module is imported when its command is used.

A command module has `add_arguments(parser)` and `run(arguments) -> int`; its docstring is its help text.
"""

from __future__ import annotations

import argparse
from functools import partial
from importlib import import_module
from typing import Any, NoReturn, Protocol, cast

from stupidos.cli import output

COMMANDS = {
    "render": "stupidos.cli.render",
    "clean": "stupidos.cli.clean",
    "train": "stupidos.cli.train",
    "models": "stupidos.cli.models",
    "evaluate": "stupidos.cli.evaluate",
    "tune": "stupidos.cli.tune",
    "explain": "stupidos.cli.explain",
    "annotate": "stupidos.cli.annotate",
}


class _Command(Protocol):
    """A command module."""

    __doc__: str | None

    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, arguments: argparse.Namespace) -> int: ...


def command(name: str) -> _Command:
    """The module of a command."""
    return cast(_Command, import_module(COMMANDS[name]))


def summaries() -> dict[str, str]:
    """Every command with the first line of its help, without the full stop."""
    from importlib.util import find_spec

    return {
        name: (import_module(module).__doc__ or "").strip().partition("\n")[0].rstrip(".")
        for name, module in COMMANDS.items()
        if find_spec(module)
    }


# Each option that is added is tried on a formatter, which would ask for the width of the terminal each time
_WHILE_ADDING = partial(argparse.RawDescriptionHelpFormatter, width=80)


class Parser(argparse.ArgumentParser):
    """argparse with no abbreviated options, one-line errors, and help that survives a closed pipe."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("formatter_class", _WHILE_ADDING)
        options["allow_abbrev"] = False  # also for subparsers, which use this class
        super().__init__(**options)

    def format_help(self) -> str:
        self.formatter_class = argparse.RawDescriptionHelpFormatter
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        output.complain(f"{self.prog}: {message} (try {self.prog} --help)")
        raise SystemExit(2)

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print help and version unbuffered, so that write errors are reported."""
        output.write(message)


def parser_of(name: str) -> Parser:
    """The parser of one command, built from its docstring and `add_arguments`."""
    module = command(name)
    parser = Parser(prog=f"stupidos {name}", description=(module.__doc__ or "").strip())
    module.add_arguments(parser)
    return parser

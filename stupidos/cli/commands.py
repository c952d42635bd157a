"""The verbs and the modules that do them; a module is loaded when its verb is used.

A verb module has `add_arguments(parser)` and `run(arguments) -> int`; its docstring is its help.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from typing import Any, NoReturn, Protocol, cast

from stupidos.cli import output

VERBS = {
    "render": "stupidos.cli.render",
    "clean": "stupidos.cli.clean",
    "train": "stupidos.cli.train",
    "models": "stupidos.cli.models",
    "evaluate": "stupidos.cli.evaluate",
    "tune": "stupidos.cli.tune",
    "explain": "stupidos.cli.explain",
    "annotate": "stupidos.cli.annotate",
}


class Verb(Protocol):
    """A verb module."""

    __doc__: str | None

    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, arguments: argparse.Namespace) -> int: ...


def verb(name: str) -> Verb:
    """The module that does a verb."""
    return cast(Verb, import_module(VERBS[name]))


def summaries() -> dict[str, str]:
    """Every verb with the first line of its help, its full stop aside."""
    from importlib.util import find_spec

    return {
        name: (import_module(module).__doc__ or "").strip().partition("\n")[0].rstrip(".")
        for name, module in VERBS.items()
        if find_spec(module)
    }


class Parser(argparse.ArgumentParser):
    """argparse with no abbreviated options, one-line errors, and help that survives a closed pipe."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        options["allow_abbrev"] = False  # also for the parsers that add_subparsers makes of this class
        super().__init__(**options)

    def error(self, message: str) -> NoReturn:
        output.complain(f"{self.prog}: {message} (try {self.prog} --help)")
        raise SystemExit(2)

    def _print_message(self, message: str, file: Any = None) -> None:
        """Help and version; argparse would leave them in a buffer that nobody checks."""
        output.write(message)


def parser_of(name: str) -> Parser:
    """The parser of one verb, made of its docstring and its `add_arguments`."""
    module = verb(name)
    parser = Parser(prog=f"stupidos {name}", description=(module.__doc__ or "").strip())
    module.add_arguments(parser)
    return parser

"""The error tree: every message is one line that names the file and the remedy."""

from __future__ import annotations


class StupidosError(Exception):
    """Any error that this package reports; `str(error)` is one line for the user."""


class DecodeError(StupidosError):
    """Input that is no text at all, such as a PNG."""


class ModelError(StupidosError):
    """A model file that is missing, damaged or of a newer format."""


class CorpusError(StupidosError):
    """A gold or raw folder that cannot be used."""


class ExtraError(StupidosError):
    """An optional package that is not installed; the message holds the pip command."""


def missing_extra(what: str, extra: str) -> ExtraError:
    """The error for an optional package that is not installed.

    stupidos is not on a package index, so the command installs from the checkout.

    >>> print(missing_extra("plots need matplotlib", "plot"))
    plots need matplotlib: pip install '.[plot]' in the checkout of stupidos
    """
    return ExtraError(f"{what}: pip install '.[{extra}]' in the checkout of stupidos")

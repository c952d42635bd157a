"""Objects named as `module:name`, in tables and jobs: imported when they are needed, in any process."""

from __future__ import annotations

from importlib import import_module
from operator import attrgetter
from typing import Any


def imported(entry: str) -> Any:
    """The object of that name.

    >>> imported("collections:Counter")("aab"), imported("stupidos.pipeline:Cleaner.load").__name__
    (Counter({'a': 2, 'b': 1}), 'load')
    """
    module, _, name = entry.partition(":")
    return attrgetter(name)(import_module(module))

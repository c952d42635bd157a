"""The registry of scorers: built-in ones, shipped model files, and files of your own.

    >>> scorer("keep-all").signature
    'model:keep-all'

The tables hold `module:factory` names, so that nothing is imported before it is wanted.
"""

from __future__ import annotations

import os
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from stupidos.errors import ModelError
from stupidos.lazy import imported
from stupidos.score.scorer import Scorer

if TYPE_CHECKING:
    from pathlib import Path  # imported where it is used: a filter has to start fast

# Scorers without a model file: a factory without arguments each.
BUILT_IN = {
    "keep-all": "stupidos.score.baseline:keep_all",
    "rules": "stupidos.score.baseline:rules",
    "boilerpipe": "stupidos.literature.boilerpipe:density",
    "boilerpipe-words": "stupidos.literature.boilerpipe:words",
    "boilerpipe-article": "stupidos.literature.boilerpipe:article",
    "boilerpipe-largest": "stupidos.literature.boilerpipe:largest",
    "boilerpipe-cleaneval": "stupidos.literature.boilerpipe:cleaneval_rule",
    "boilerpipe-1r": "stupidos.literature.boilerpipe:one_rule",
    "boilerpipe-10-words": "stupidos.literature.boilerpipe:ten_words",
    "bte": "stupidos.literature.bte:bte",
    "tree": "stupidos.literature.tree_filter:tree",
}

# The "format" of a model file's header: a factory from the name of the file each.
_FORMATS = {
    "ngram": "stupidos.score.ngram:load",
    "web": "stupidos.web.scorer:load",
    "fiasco": "stupidos.literature.fiasco:load",
}


_SUFFIX = ".npz"


def _models_folder() -> str:
    """Folder of the shipped models: inside an installed package, beside it in a checkout."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    inside = os.path.join(package, "models")
    return inside if os.path.isdir(inside) else os.path.join(os.path.dirname(package), "models")


def names() -> list[str]:
    """Names that `scorer` knows: built-in scorers, then shipped models."""
    return [*BUILT_IN, *sorted(name.removesuffix(_SUFFIX) for name in _shipped() if name.endswith(_SUFFIX))]


def _shipped() -> list[str]:
    """Files in the folder of the shipped models."""
    try:
        return os.listdir(_models_folder())
    except FileNotFoundError:
        return []


def scorer(name: str) -> Scorer:
    """The scorer of a name, or the model in a file.

    >>> scorer("nonsense")
    Traceback (most recent call last):
        ...
    stupidos.errors.ModelError: no model called nonsense: choose from keep-all, rules, ...
    """
    if name in BUILT_IN:
        return _built_in(name)
    path = _file_of(name)
    try:
        state = os.stat(path)
    except OSError as error:
        raise ModelError(f"{path}: cannot be read: {error.strerror}") from error
    return _loaded(path, state.st_mtime_ns, state.st_size)


def model_file(name: str) -> Path:
    """File of a model, shipped under its name or given as a path."""
    from pathlib import Path

    return Path(_file_of(name))


def _file_of(name: str) -> str:
    shipped = os.path.join(_models_folder(), name + _SUFFIX)
    if name == os.path.basename(name) and os.path.isfile(shipped):
        return shipped
    if name and os.path.isfile(name):
        return name
    if name.endswith(_SUFFIX):
        raise ModelError(f"{name}: there is no such model file")
    raise ModelError(f"no model called {name}: choose from {', '.join(names())}, or give a .npz file")


@lru_cache(maxsize=8)
def model_sha256(model: str) -> str:
    """The SHA-256 of a model's file, given its name or path; empty for a scorer that has no file.

    >>> model_sha256("keep-all")
    ''
    """
    from hashlib import sha256

    if model in BUILT_IN:
        return ""
    with open(_file_of(model), "rb") as file:
        return sha256(file.read()).hexdigest()


@cache
def _built_in(name: str) -> Scorer:
    built_in: Scorer = imported(BUILT_IN[name])()
    return built_in


@lru_cache(maxsize=8)
def _loaded(path: str, changed: int, size: int) -> Scorer:
    # `changed` and `size` are part of the key: a model trained again is read again.
    from stupidos.lm import archive

    kind = archive.header(path)["format"]
    if kind not in _FORMATS:
        raise ModelError(f"{path}: holds a {kind!r} model, which this version does not know")
    loaded: Scorer = imported(_FORMATS[kind])(path)
    return loaded

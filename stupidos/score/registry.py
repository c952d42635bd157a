"""The shelf of scorers: built-in ones, shipped model files, and files of your own.

    >>> scorer("keep-all").signature
    'model:keep-all'

The tables hold `module:factory` names, so that nothing is imported before it is wanted.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

from stupidos.errors import ModelError
from stupidos.score.scorer import Scorer

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

# The "format" of a model file's header: a factory from its path each.
_FORMATS = {
    "ngram": "stupidos.score.ngram:load",
    "web": "stupidos.web.scorer:load",
    "fiasco": "stupidos.literature.fiasco:load",
}


def _models_folder() -> Path:
    """Folder of the shipped models: inside an installed package, beside it in a checkout."""
    package = Path(__file__).parents[1]
    inside = package / "models"
    return inside if inside.is_dir() else package.parent / "models"


def names() -> list[str]:
    """Names that `scorer` knows: built-in scorers, then shipped models."""
    return [*BUILT_IN, *sorted(path.stem for path in _models_folder().glob("*.npz"))]


def scorer(name: str) -> Scorer:
    """The scorer of a name, or the model in a file.

    >>> scorer("nonsense")
    Traceback (most recent call last):
        ...
    stupidos.errors.ModelError: no model called nonsense: known are keep-all, rules, ...
    """
    if name in BUILT_IN:
        return _built_in(name)
    path = model_file(name)
    try:
        state = path.stat()
    except OSError as error:
        raise ModelError(f"{path}: cannot be read: {error.strerror}") from error
    return _loaded(path, state.st_mtime_ns, state.st_size)


def model_file(name: str) -> Path:
    """File of a model, shipped under its name or given as a path."""
    shipped = _models_folder() / f"{name}.npz"
    if name == Path(name).name and shipped.is_file():
        return shipped
    if name and Path(name).is_file():
        return Path(name)
    if name.endswith(".npz"):
        raise ModelError(f"{name}: there is no such model file")
    raise ModelError(f"no model called {name}: known are {', '.join(names())}; or give a .npz file")


@lru_cache(maxsize=8)
def model_sha256(model: str) -> str:
    """The SHA-256 of a model's file, given its name or path; empty for a scorer that has no file.

    >>> model_sha256("keep-all")
    ''
    """
    from hashlib import sha256

    return "" if model in BUILT_IN else sha256(model_file(model).read_bytes()).hexdigest()


@cache
def _built_in(name: str) -> Scorer:
    made: Scorer = _factory(BUILT_IN[name])()
    return made


@lru_cache(maxsize=8)
def _loaded(path: Path, changed: int, size: int) -> Scorer:
    # `changed` and `size` are part of the key: a model trained again is read again.
    from stupidos.lm import archive

    kind = archive.header(path)["format"]
    if kind not in _FORMATS:
        raise ModelError(f"{path}: holds a {kind!r} model, which this version does not know")
    made: Scorer = _factory(_FORMATS[kind])(path)
    return made


def _factory(entry: str) -> Callable[..., Any]:
    """What an entry `module:factory` of the tables names, imported now."""
    module, _, name = entry.partition(":")
    made: Callable[..., Any] = getattr(import_module(module), name)
    return made

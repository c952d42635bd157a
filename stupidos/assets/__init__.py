"""Style sheets, scripts and page templates of the report and of the annotation tool."""

from __future__ import annotations

from importlib.resources import files


def asset(name: str) -> str:
    """The text of one of these files.

    >>> asset("report.html").lower().startswith("<!doctype html>")
    True
    """
    return files(__name__).joinpath(name).read_text(encoding="utf-8")

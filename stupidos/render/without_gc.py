"""Work on a page without the collector of garbage: thousands of values are made, and none is in a cycle."""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")


def uncollected(work: Callable[Asked, Answer]) -> Callable[Asked, Answer]:
    """`work` with the collector switched off meanwhile; 7 % of cleaning a page."""

    @wraps(work)
    def done(*asked: Asked.args, **named: Asked.kwargs) -> Answer:
        collects = gc.isenabled()
        gc.disable()
        try:
            return work(*asked, **named)
        finally:
            if collects:
                gc.enable()

    return done

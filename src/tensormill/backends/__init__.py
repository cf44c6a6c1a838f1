"""Where graphs run: the compiler for this processor, and the reference that defines meanings."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_chosen: ContextVar[str | None] = ContextVar("backend", default=None)


def default() -> Any:
    """The back end that functions are compiled with here: a module that is a `base.Backend`."""
    name = _chosen.get()
    if name is None:
        name = "cpu" if importlib.util.find_spec(f"{__name__}.cpu") else "reference"
    return importlib.import_module(f"{__name__}.{name}")


@contextmanager
def using(name: str) -> Iterator[None]:
    """Within, functions that run for the first time are compiled with another back end."""
    token = _chosen.set(name)
    try:
        yield
    finally:
        _chosen.reset(token)

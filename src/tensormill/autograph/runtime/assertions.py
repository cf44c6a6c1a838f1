"""`assert`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import tensors


def assert_stmt(test: Any, message: Callable[[], Any] | None = None) -> None:
    """`assert test, message()`; a tensor is checked when the graph runs."""
    test = tensors.as_condition(test)
    if tensors.is_staged(test):
        from .staged import assertions

        assertions.assert_stmt(test, message() if message else None)
    elif not test:
        raise AssertionError(*([message()] if message else []))

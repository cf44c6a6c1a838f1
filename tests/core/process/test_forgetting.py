"""What is known of an object goes with it, and no Python runs for that.

A signal handler runs between two steps of Python, and an exception that it raises in the callback
of a weak reference is printed and lost.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from tensormill.autograph.weak_identity import WeakIdentityMap
from tensormill.core.process.locks import ForkedLock


def of_a_weak_identity() -> list[Any]:
    def key() -> None: ...

    table: WeakIdentityMap[Any, int] = WeakIdentityMap()
    table.set(key, 1)
    return [key, lambda: len(table)]


def of_a_lock() -> list[Any]:
    return [ForkedLock(), None]


@pytest.mark.parametrize("make", [of_a_weak_identity, of_a_lock])
def test_no_python_runs_where_something_is_forgotten(make: Callable[[], list[Any]]) -> None:
    kept = make()
    calls: list[str] = []
    gc.collect()
    gc.disable()

    def told(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            calls.append(frame.f_code.co_qualname)

    sys.setprofile(told)
    try:
        kept[0] = None
    finally:
        sys.setprofile(None)
        gc.enable()

    assert [] == calls
    assert kept[1] is None or kept[1]() == 0

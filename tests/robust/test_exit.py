"""What outlives its module: an interpreter that exits sets the names of modules to None."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import pytest

from tensormill.compiler.loops import interning
from tensormill.compiler.loops.ir import Literal
from tensormill.core.files import gfile
from tensormill.core.process import locks
from tensormill.graph import func_graph
from tensormill.graph.builder import trace_graph


@contextmanager
def taken_apart(module: ModuleType) -> Iterator[None]:
    names = dict(vars(module))
    vars(module).update(dict.fromkeys(names))
    try:
        yield
    finally:
        vars(module).update(names)


LAST: dict[str, tuple[ModuleType, Callable[[], Any]]] = {
    "an expression": (interning, lambda: Literal(-76, "i64")),
    "a lock": (locks, locks.ForkedLock),
    "a graph": (func_graph, lambda: trace_graph(lambda: [], [], "empty").graph),
    "a file": (gfile, lambda: gfile.GFile(__file__)),
}


@pytest.mark.parametrize("what", LAST)
def test_what_goes_after_its_module_goes_quietly(
    monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    module, make = LAST[what]
    heard: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", heard.append)
    last = [make()]
    with taken_apart(module):
        last.clear()

    assert heard == []

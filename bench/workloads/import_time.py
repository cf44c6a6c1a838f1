"""The import, in a new process. Python's own start is not counted."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from bench.work import Timed, TimeGoal, Work


def importing(name: str) -> Callable[[], Timed]:
    return lambda: Timed(lambda: import_module(name))


WORK = Work(
    title="import",
    unit="import",
    programs={name: importing(name) for name in ("tensormill", "tensorflow", "jax", "torch")},
    goals=(TimeGoal(0.2),),
    process="import",
)

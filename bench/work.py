"""What a workload file states. Peers import this with nothing but Python and NumPy at hand."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, Literal


@dataclass(frozen=True)
class Timed:
    """One peer's version of the work, ready to be called.

    `call` does the work once. `finish` waits for the result of a call whose peer answers early.
    `check` is a number that every peer must find for the work to be the same.
    `units` is how many of the workload's units (steps, iterations) one call does.
    """

    call: Callable[[], Any]
    finish: Callable[[Any], Any] = lambda result: result
    check: float | None = None
    units: int = 1


@dataclass(frozen=True)
class Goal:
    """tensormill, or its back end `of`, is to need at most `at_most` times the time of `peer`."""

    peer: str
    at_most: float
    of: str = "tensormill"

    def is_reached(self, seconds: Mapping[str, float]) -> bool:
        return seconds[self.of] <= self.at_most * seconds[self.peer]

    def __str__(self) -> str:
        return self._times() if self.of == "tensormill" else f"{self._times()} ({self.of})"

    def _times(self) -> str:
        if self.at_most <= 0.5:
            return f"{self.peer} / {1 / self.at_most:g}"
        return f"{self.at_most:g} × {self.peer}" if self.at_most != 1 else self.peer


@dataclass(frozen=True)
class TimeGoal:
    """tensormill is to need at most so many seconds."""

    seconds: float

    def is_reached(self, seconds: Mapping[str, float]) -> bool:
        return seconds["tensormill"] <= self.seconds

    def __str__(self) -> str:
        milliseconds = self.seconds * 1e3
        return f"{milliseconds:g} ms" if milliseconds >= 1 else f"{milliseconds * 1e3:g} µs"


@dataclass(frozen=True)
class Bound:
    """What a unit of the work needs at least, counted (bench/bounds.py makes seconds of it).

    `operations` are the additions and multiplications of its products in float32; `bytes` is what
    it has to read from memory and write there.
    """

    operations: float = 0
    bytes: float = 0


def product(rows: int, inner: int, columns: int) -> int:
    """Operations of a product of matrices: an addition for each multiplication."""
    return 2 * rows * inner * columns


def trained(first: int, *others: int) -> int:
    """Operations of a training step, of those of its products on the way to the loss.

    The gradient of a product is two as large. The first needs one: nobody asks for the gradient
    of the inputs.
    """
    return 2 * first + 3 * sum(others)


# How a process is used. "steady": one process, calls repeated until the clock is good enough.
# "first call": a new process each time, without compiled code on the disk.
# "warm first call": a new process each time, with the compiled code of an earlier one.
# "import": a new process each time, and its call is the import.
Process = Literal["steady", "first call", "warm first call", "import"]


@dataclass(frozen=True)
class Work:
    """A workload: its title and unit, a program for each peer, what is to be and can be reached."""

    title: str
    unit: str
    programs: Mapping[str, Callable[[], Timed]]
    goals: tuple[Goal | TimeGoal, ...] = ()
    bound: Bound | None = None
    process: Process = "steady"


def on_xla(program: Callable[[Any], Timed]) -> dict[str, Callable[[], Timed]]:
    """tensormill with its back end XLA, by the source that it shares with TensorFlow."""

    def chosen() -> Timed:
        os.environ["TENSORMILL_BACKEND"] = "xla"  # read by the import
        tensormill = import_module("tensormill")

        def finish(result: Any) -> None:
            for one in tensormill.nest.flatten(result):
                one.numpy()

        return replace(program(tensormill), finish=finish)

    return {"xla": chosen}


def keep_what_jax_compiles() -> None:
    """Let JAX find on the disk what an earlier process has compiled for this run."""
    config = import_module("jax").config
    config.update("jax_compilation_cache_dir", os.environ["BENCH_CACHE"])
    config.update("jax_persistent_cache_min_compile_time_secs", 0)
    config.update("jax_persistent_cache_min_entry_size_bytes", -1)


def tf2(program: Callable[[Any], Timed]) -> dict[str, Callable[[], Timed]]:
    """One source for the two that speak TensorFlow 2."""
    return {
        "tensormill": lambda: program(import_module("tensormill")),
        "tensorflow": lambda: program(import_module("tensorflow")),
    }

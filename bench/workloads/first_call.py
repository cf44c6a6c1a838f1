"""The first call of the train step in a new process: trace, compile, run.

The import and the making of the variables are not counted, and nothing is on the disk.
"""

from __future__ import annotations

from typing import Any

from bench.work import Goal, Timed, Work, tf2
from bench.workloads.train_step import make_jax_step, make_tf2_step


def with_tf2(tf: Any) -> Timed:
    step = make_tf2_step(tf)
    return Timed(lambda: float(step()))


def with_jax() -> Timed:
    step = make_jax_step()
    return Timed(lambda: float(step()))


WORK = Work(
    title="first call of the train step, nothing cached",
    unit="call",
    programs=tf2(with_tf2) | {"jax": with_jax},
    goals=(Goal("tensorflow", 1),),
    process="first call",
)

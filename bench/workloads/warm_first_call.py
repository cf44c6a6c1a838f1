"""The first call of the train step in a new process, after another process has compiled it.

TensorFlow keeps no compiled code; JAX does so when it is told a folder.
"""

from __future__ import annotations

from bench.work import Timed, TimeGoal, Work, keep_what_jax_compiles, tf2
from bench.workloads.first_call import with_tf2
from bench.workloads.train_step import make_jax_step


def with_jax() -> Timed:
    keep_what_jax_compiles()
    step = make_jax_step()
    return Timed(lambda: float(step()))


WORK = Work(
    title="first call of the train step, from the disk cache",
    unit="call",
    programs=tf2(with_tf2) | {"jax": with_jax},
    goals=(TimeGoal(0.060),),
    process="warm first call",
)

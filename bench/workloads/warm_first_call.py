"""The first call of the train step in a new process, after another process has compiled it.

TensorFlow keeps no compiled code; JAX does so when it is told a folder.
"""

from __future__ import annotations

import os
from importlib import import_module

from bench.work import Timed, TimeGoal, Work, tf2
from bench.workloads.first_call import with_tf2
from bench.workloads.train_step import make_jax_step


def with_jax() -> Timed:
    config = import_module("jax").config
    config.update("jax_compilation_cache_dir", os.environ["BENCH_CACHE"])
    config.update("jax_persistent_cache_min_compile_time_secs", 0)
    config.update("jax_persistent_cache_min_entry_size_bytes", -1)
    step = make_jax_step()
    return Timed(lambda: float(step()))


WORK = Work(
    title="first call of the train step, from the disk cache",
    unit="call",
    programs=tf2(with_tf2) | {"jax": with_jax},
    goals=(TimeGoal(0.060),),
    process="warm first call",
)

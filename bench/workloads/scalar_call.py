"""A call of a compiled function with one scalar: nothing but the cost of a call."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, on_xla, tf2


def with_tf2(tf: Any) -> Timed:
    @tf.function
    def increment(x: Any) -> Any:
        return x + 1.0

    x = tf.constant(2.0)
    return Timed(lambda: increment(x), check=float(increment(x)))


def with_jax() -> Timed:
    jax = import_module("jax")
    increment = jax.jit(lambda x: x + 1.0)
    x = jax.numpy.float32(2.0)
    return Timed(lambda: increment(x), jax.block_until_ready, check=float(increment(x)))


def with_numba() -> Timed:
    numba = import_module("numba")
    increment = numba.njit(lambda x: x + np.float32(1.0))
    x = np.array(2.0, np.float32)
    return Timed(lambda: increment(x), check=float(increment(x)))


WORK = Work(
    title="cached call, one scalar tensor",
    unit="call",
    programs=tf2(with_tf2) | on_xla(with_tf2) | {"jax": with_jax, "numba": with_numba},
    goals=(Goal("tensorflow", 1 / 100), Goal("jax", 1 / 3)),
)

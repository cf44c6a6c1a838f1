"""x = tanh(x) until x is small: a loop that waits for one function, turn after turn."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2

START, END = 2.0, 0.01


def turns() -> int:
    """Count in double precision; float32 ends within a few turns of it."""
    x, count = START, 0
    while x > END:
        x, count = np.tanh(x), count + 1
    return count


def with_tf2(tf: Any) -> Timed:
    @tf.function
    def shrink(x: Any, end: Any) -> Any:
        while x > end:
            x = tf.tanh(x)
        return x

    x, end = tf.constant(START), tf.constant(END)
    return Timed(lambda: shrink(x, end), check=float(shrink(x, end)), units=turns())


def with_jax() -> Timed:
    jax = import_module("jax")
    jnp = jax.numpy

    @jax.jit
    def shrink(x: Any, end: Any) -> Any:
        return jax.lax.while_loop(lambda x: x > end, jnp.tanh, x)

    x, end = jnp.float32(START), jnp.float32(END)
    check = float(shrink(x, end))
    return Timed(lambda: shrink(x, end), jax.block_until_ready, check, turns())


def with_numba() -> Timed:
    @import_module("numba").njit
    def shrink(x: Any, end: Any) -> Any:
        while x > end:
            x = np.tanh(x)
        return x

    x, end = np.float32(START), np.float32(END)
    return Timed(lambda: shrink(x, end), check=float(shrink(x, end)), units=turns())


WORK = Work(
    title="tanh `while` loop",
    unit="turn",
    programs=tf2(with_tf2) | {"jax": with_jax, "numba": with_numba},
    goals=(Goal("numba", 2), Goal("tensorflow", 1 / 500)),
)

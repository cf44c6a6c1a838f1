"""All Collatz orbits of the numbers below 1000: 59 542 turns of a loop that knows no end ahead."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from bench.work import Goal, Timed, Work, tf2

LIMIT = 1000


def with_tf2(tf: Any) -> Timed:
    @tf.function
    def total_steps(limit: Any) -> Any:
        total = tf.constant(0, tf.int64)
        start = tf.constant(1, tf.int64)
        while start < limit:
            n = start
            while n != 1:
                if n % 2 == 0:
                    n = n // 2
                else:
                    n = 3 * n + 1
                total += 1
            start += 1
        return total

    limit = tf.constant(LIMIT, tf.int64)
    steps = int(total_steps(limit))
    return Timed(lambda: total_steps(limit), check=steps, units=steps)


def with_jax() -> Timed:
    jax = import_module("jax")
    jax.config.update("jax_enable_x64", True)
    jnp, while_loop = jax.numpy, jax.lax.while_loop

    def orbit(state: Any) -> Any:
        n, total = state
        return jnp.where(n % 2 == 0, n // 2, 3 * n + 1), total + 1

    def next_start(state: Any) -> Any:
        start, total = state
        _, total = while_loop(lambda state: state[0] != 1, orbit, (start, total))
        return start + 1, total

    @jax.jit
    def total_steps(limit: Any) -> Any:
        first = jnp.int64(1), jnp.int64(0)
        return while_loop(lambda state: state[0] < limit, next_start, first)[1]

    limit = jnp.int64(LIMIT)
    steps = int(total_steps(limit))
    return Timed(lambda: total_steps(limit), jax.block_until_ready, steps, steps)


def with_numba() -> Timed:
    @import_module("numba").njit
    def total_steps(limit: int) -> int:
        total = 0
        for start in range(1, limit):
            n = start
            while n != 1:
                if n % 2 == 0:
                    n = n // 2
                else:
                    n = 3 * n + 1
                total += 1
        return total

    steps = total_steps(LIMIT)
    return Timed(lambda: total_steps(LIMIT), check=steps, units=steps)


WORK = Work(
    title="Collatz `while` loop",
    unit="turn",
    programs=tf2(with_tf2) | {"jax": with_jax, "numba": with_numba},
    goals=(Goal("numba", 2), Goal("tensorflow", 1 / 500)),
)

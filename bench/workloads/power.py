"""The hundredth power of a 10×10 matrix of integers: a hundred small products in a row."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2

EXPONENT = 100
MATRIX = np.random.default_rng(0).integers(-1, 2, (10, 10), np.int32)


def with_tf2(tf: Any) -> Timed:
    @tf.function
    def power(x: Any, exponent: int) -> Any:
        result = tf.eye(10, dtype=tf.int32)
        for _ in range(exponent):
            result = tf.matmul(x, result)
        return result

    x = tf.constant(MATRIX)
    return Timed(lambda: power(x, EXPONENT), check=total(power(x, EXPONENT)))


def with_jax() -> Timed:
    jax = import_module("jax")
    jnp = jax.numpy

    def power(x: Any, exponent: int) -> Any:
        result = jnp.eye(10, dtype=jnp.int32)
        for _ in range(exponent):
            result = x @ result
        return result

    compiled = jax.jit(power, static_argnums=1)
    x = jnp.asarray(MATRIX)
    check = total(compiled(x, EXPONENT))
    return Timed(lambda: compiled(x, EXPONENT), jax.block_until_ready, check)


def total(matrix: Any) -> float:
    """Sum the elements as wide integers: the products wrap around, the sum must not."""
    return float(np.asarray(matrix).astype(np.int64).sum())


WORK = Work(
    title="`power`: 100 products of 10×10 int32",
    unit="call",
    programs=tf2(with_tf2) | {"jax": with_jax},
    goals=(Goal("tensorflow", 1 / 10), Goal("jax", 1 / 2)),
)

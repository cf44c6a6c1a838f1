"""The hundredth power of a 10×10 matrix of integers, operation by operation."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from bench.work import Goal, Timed, Work, tf2
from bench.workloads.power import EXPONENT, MATRIX, total


def with_tf2(tf: Any) -> Timed:
    x = tf.constant(MATRIX)

    def power() -> Any:
        result = tf.eye(10, dtype=tf.int32)
        for _ in range(EXPONENT):
            result = tf.matmul(x, result)
        return result

    return Timed(power, check=total(power()))


def with_jax() -> Timed:
    jax = import_module("jax")
    jnp, x = jax.numpy, jax.numpy.asarray(MATRIX)

    def power() -> Any:
        result = jnp.eye(10, dtype=jnp.int32)
        for _ in range(EXPONENT):
            result = x @ result
        return result

    return Timed(power, jax.block_until_ready, total(power()))


def with_torch() -> Timed:
    torch = import_module("torch")
    x = torch.tensor(MATRIX)

    def power() -> Any:
        result = torch.eye(10, dtype=torch.int32)
        for _ in range(EXPONENT):
            result = torch.matmul(x, result)
        return result

    return Timed(power, check=total(power()))


WORK = Work(
    title="eager `power`: 100 products of 10×10 int32",
    unit="call",
    programs=tf2(with_tf2) | {"jax": with_jax, "torch": with_torch},
    goals=(Goal("torch", 1),),
)

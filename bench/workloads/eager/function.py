"""The sum of two scalar tensors by a function, outside any compiled one."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from bench.work import Goal, Timed, Work, tf2


def with_tf2(tf: Any) -> Timed:
    a, b = tf.constant(1.5), tf.constant(2.5)
    return Timed(lambda: tf.add(a, b), check=float(tf.add(a, b)))


def with_jax() -> Timed:
    jax = import_module("jax")
    a, b = jax.numpy.float32(1.5), jax.numpy.float32(2.5)
    return Timed(lambda: jax.numpy.add(a, b), jax.block_until_ready, check=float(a + b))


def with_torch() -> Timed:
    torch = import_module("torch")
    a, b = torch.tensor(1.5), torch.tensor(2.5)
    return Timed(lambda: torch.add(a, b), check=float(torch.add(a, b)))


WORK = Work(
    title="eager `add` of scalars",
    unit="call",
    programs=tf2(with_tf2) | {"jax": with_jax, "torch": with_torch},
    goals=(Goal("torch", 0.9),),
)

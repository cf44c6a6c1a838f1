"""Layer norm and softmax of 4096 rows of 1024 numbers: each row is read once, if all goes well."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from bench.work import Bound, Goal, Timed, Work, tf2

ROWS, WIDTH, EPSILON = 4096, 1024, 1e-5


def operand() -> np.ndarray:
    return np.random.default_rng(0).standard_normal((ROWS, WIDTH), dtype=np.float32)


def with_tf2(tf: Any) -> Timed:
    @tf.function
    def normed(x: Any) -> Any:
        centered = x - tf.reduce_mean(x, -1, keepdims=True)
        variance = tf.reduce_mean(tf.square(centered), -1, keepdims=True)
        return tf.nn.softmax(centered * tf.math.rsqrt(variance + EPSILON))

    x = tf.constant(operand())
    return Timed(lambda: normed(x), check=total(normed(x)))


def with_jax() -> Timed:
    jax = import_module("jax")
    jnp = jax.numpy

    @jax.jit
    def normed(x: Any) -> Any:
        centered = x - jnp.mean(x, -1, keepdims=True)
        variance = jnp.mean(jnp.square(centered), -1, keepdims=True)
        return jax.nn.softmax(centered * jax.lax.rsqrt(variance + EPSILON))

    x = jnp.asarray(operand())
    return Timed(lambda: normed(x), jax.block_until_ready, total(normed(x)))


def with_torch() -> Timed:
    functional = import_module("torch.nn.functional")
    x = import_module("torch").from_numpy(operand())

    def normed() -> Any:
        return functional.softmax(functional.layer_norm(x, (WIDTH,), eps=EPSILON), -1)

    return Timed(normed, check=total(normed()))


def total(result: Any) -> float:
    return float(np.square(np.asarray(result), dtype=np.float64).sum())


WORK = Work(
    title="layer norm and softmax, 4096×1024",
    unit="call",
    programs=tf2(with_tf2) | {"jax": with_jax, "torch": with_torch},
    goals=(Goal("bound", 1.5),),
    bound=Bound(bytes=2 * 4 * ROWS * WIDTH),
)

"""The first call of a function of 1 500 operations on a scalar, each on the one before."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from bench.work import Timed, TimeGoal, Work, tf2

OPERATIONS = 1500


def chain(sin: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def function(x: Any) -> Any:
        for i in range(OPERATIONS // 3):
            x = sin(x * 1.01) + 0.001 * i
        return x

    return function


def with_tf2(tf: Any) -> Timed:
    function, x = tf.function(chain(tf.sin), autograph=False), tf.constant(0.5)
    return Timed(lambda: float(function(x)))


def with_jax() -> Timed:
    jax = import_module("jax")
    function, x = jax.jit(chain(jax.numpy.sin)), jax.numpy.float32(0.5)
    return Timed(lambda: float(function(x)))


WORK = Work(
    title="first call of 1 500 scalar operations, nothing cached",
    unit="call",
    programs=tf2(with_tf2) | {"jax": with_jax},
    goals=(TimeGoal(0.1),),
    process="first call",
)

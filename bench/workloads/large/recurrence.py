"""A recurrent network written as a loop that writes to a TensorArray, and its gradient."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from bench.work import Bound, Goal, Timed, TimeGoal, Work, product, tf2, trained

STEPS, WIDTH = 1000, 32


def operands() -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(0)
    inputs = generator.standard_normal((STEPS, 1, WIDTH), dtype=np.float32)
    return inputs, generator.standard_normal((WIDTH, WIDTH), dtype=np.float32) / 6


def with_tf2(tf: Any) -> Timed:
    @tf.function
    def gradient(inputs: Any, weights: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(weights)
            state = tf.zeros((1, WIDTH))
            states = tf.TensorArray(tf.float32, STEPS)
            for i in tf.range(STEPS):
                state = tf.tanh(inputs[i] + tf.matmul(state, weights))
                states = states.write(i, state)
            loss = tf.reduce_mean(tf.square(states.stack()))
        return tape.gradient(loss, weights)

    inputs, weights = (tf.constant(value) for value in operands())
    check = total(gradient(inputs, weights))
    return Timed(lambda: gradient(inputs, weights), check=check, units=STEPS)


def with_jax() -> Timed:
    jax = import_module("jax")
    jnp = jax.numpy

    def loss(weights: Any, inputs: Any) -> Any:
        def turn(state: Any, x: Any) -> Any:
            state = jnp.tanh(x + state @ weights)
            return state, state

        _, states = jax.lax.scan(turn, jnp.zeros((1, WIDTH)), inputs)
        return jnp.mean(jnp.square(states))

    gradient = jax.jit(jax.grad(loss))
    inputs, weights = (jnp.asarray(value) for value in operands())
    check = total(gradient(weights, inputs))
    return Timed(lambda: gradient(weights, inputs), jax.block_until_ready, check, STEPS)


def total(result: Any) -> float:
    return float(np.abs(np.asarray(result, np.float64)).sum())


WORK = Work(
    title="RNN 32 in a TensorArray, its gradient",
    unit="step",
    programs=tf2(with_tf2) | {"jax": with_jax},
    goals=(TimeGoal(0.8e-6), Goal("jax", 1)),
    bound=Bound(operations=trained(0, product(1, WIDTH, WIDTH))),
)

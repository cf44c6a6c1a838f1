"""One training step of a small network on one row of data, with Adam written by hand.

What it shows: the cost of everything around the arithmetic, which is 6 000 products. Other rows
train other networks in the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise
from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, on_xla, tf2

RATE, BETA_1, BETA_2, EPSILON = 1e-3, 0.9, 0.999, 1e-7
CHECKED_STEPS = 20


@dataclass(frozen=True)
class Network:
    """Dense layers of these widths, the input's first, and how many rows are a batch."""

    widths: tuple[int, ...]
    rows: int

    def parameters(self) -> list[np.ndarray]:
        generator = np.random.default_rng(0)
        parameters = []
        for inputs, outputs in pairwise(self.widths):
            weights = generator.standard_normal((inputs, outputs), dtype=np.float32)
            parameters += [np.float32((2 / inputs) ** 0.5) * weights, np.zeros(outputs, np.float32)]
        return parameters

    def batch(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows [rows, inputs], and what is wanted of each [rows, outputs]: 20."""
        shape = self.rows, self.widths[0]
        x = np.random.default_rng(1).standard_normal(shape, dtype=np.float32)
        return x, np.full((self.rows, self.widths[-1]), 20, np.float32)


SMALL = Network((13, 32, 32, 1), 1)


def make_tf2_step(tf: Any, network: Network = SMALL, is_compiled: bool = True) -> Callable[[], Any]:
    """Return a function without arguments that trains once and returns the loss."""
    parameters = [tf.Variable(value) for value in network.parameters()]
    means = [tf.Variable(tf.zeros_like(parameter)) for parameter in parameters]
    squares = [tf.Variable(tf.zeros_like(parameter)) for parameter in parameters]
    steps = tf.Variable(0.0)

    def predict(x: Any) -> Any:
        *hidden, last = zip(parameters[::2], parameters[1::2], strict=True)
        for weights, bias in hidden:
            x = tf.nn.relu(tf.matmul(x, weights) + bias)
        return tf.matmul(x, last[0]) + last[1]

    def train_step(x: Any, y: Any) -> Any:
        with tf.GradientTape() as tape:
            prediction = predict(x)
            loss = tf.reduce_mean(tf.square(prediction - y))
        gradients = tape.gradient(loss, parameters)
        steps.assign_add(1.0)
        rate = RATE * tf.sqrt(1.0 - tf.pow(BETA_2, steps)) / (1.0 - tf.pow(BETA_1, steps))
        for parameter, gradient, mean, square in zip(
            parameters, gradients, means, squares, strict=True
        ):
            mean.assign_add((1.0 - BETA_1) * (gradient - mean))
            square.assign_add((1.0 - BETA_2) * (gradient * gradient - square))
            parameter.assign_sub(rate * mean / (tf.sqrt(square) + EPSILON))
        return loss

    x, y = (tf.constant(value) for value in network.batch())
    step = tf.function(train_step) if is_compiled else train_step
    return lambda: step(x, y)


def with_tf2(tf: Any) -> Timed:
    return checked(make_tf2_step(tf))


def make_jax_step(network: Network = SMALL) -> Callable[[], Any]:
    jax = import_module("jax")
    jnp = jax.numpy

    def loss_of(parameters: list[Any], x: Any, y: Any) -> Any:
        for weights, bias in zip(parameters[:-2:2], parameters[1:-2:2], strict=True):
            x = jax.nn.relu(x @ weights + bias)
        prediction = x @ parameters[-2] + parameters[-1]
        return jnp.mean(jnp.square(prediction - y))

    def train_step(state: Any, x: Any, y: Any) -> Any:
        parameters, means, squares, steps = state
        loss, gradients = jax.value_and_grad(loss_of)(parameters, x, y)
        steps = steps + 1.0
        rate = RATE * jnp.sqrt(1.0 - BETA_2**steps) / (1.0 - BETA_1**steps)
        tree = jax.tree.map
        means = tree(lambda m, g: m + (1 - BETA_1) * (g - m), means, gradients)
        squares = tree(lambda v, g: v + (1 - BETA_2) * (g * g - v), squares, gradients)
        parameters = tree(
            lambda p, m, v: p - rate * m / (jnp.sqrt(v) + EPSILON), parameters, means, squares
        )
        return (parameters, means, squares, steps), loss

    compiled = jax.jit(train_step, donate_argnums=0)
    parameters = [jnp.asarray(value) for value in network.parameters()]
    zeros = [[jnp.zeros_like(parameter) for parameter in parameters] for _ in range(2)]
    state = (parameters, *zeros, jnp.float32(0))
    x, y = (jnp.asarray(value) for value in network.batch())

    def step() -> Any:
        nonlocal state
        state, loss = compiled(state, x, y)
        return loss

    return step


def with_jax() -> Timed:
    return checked(make_jax_step(), import_module("jax").block_until_ready)


def checked(step: Callable[[], Any], finish: Callable[[Any], Any] = float) -> Timed:
    """A step that returns its loss; the loss after some steps is the same for every peer."""
    losses = [float(step()) for _ in range(CHECKED_STEPS)]
    return Timed(step, finish, check=losses[-1])


WORK = Work(
    title="train step: MLP 13-32-32-1, batch 1, hand-written Adam",
    unit="step",
    programs=tf2(with_tf2) | on_xla(with_tf2) | {"jax": with_jax},
    goals=(Goal("tensorflow", 1 / 100), Goal("jax", 1 / 10), Goal("jax", 1.1, "xla")),
)

"""Random expressions: second derivatives against differences of first ones."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tensormill as tf
from tests.composition.ways import compiled, eagerly

EXAMPLES = int(os.environ.get("TENSORMILL_FUZZ", "0"))  # 0: a few, always the same
SHAPE = (2, 3)
Function = Callable[[Any], Any]


def looped(x: Any, count: int) -> Any:
    return tf.while_loop(
        lambda i, y: i < count, lambda i, y: (i + 1, tf.sin(y) * 0.9 + x * 0.2), [0, x]
    )[1]


def branched(x: Any) -> Any:
    return tf.cond(tf.reduce_sum(x) > 0.1, lambda: x * tf.sin(x), lambda: tf.exp(-x) + x * 0.5)


def remembered(x: Any) -> Any:
    rows = tf.TensorArray(tf.float64, size=4, clear_after_read=False).write(0, x[0])

    def step(i: Any, rows: Any) -> Any:
        return i + 1, rows.write(i, tf.tanh(rows.read(i - 1)) * x[1] + x[0])

    return tf.while_loop(lambda i, _: i < 4, step, [1, rows])[1].gather([1, 3])


@tf.custom_gradient
def told(x: Any) -> Any:
    y = tf.sin(x)
    return y * y, lambda dy: dy * 2.0 * y * tf.cos(x)


def matrix(x: Any) -> Any:
    return tf.eye(2, dtype=tf.float64) * 3.0 + 0.1 * x @ tf.transpose(x)


# Smooth everywhere, from [2, 3] to [2, 3], and of moderate size.
STEPS: dict[str, Function] = {
    "sin": tf.sin,
    "tanh": tf.tanh,
    "sigmoid": tf.sigmoid,
    "softplus": tf.nn.softplus,
    "erf": tf.math.erf,
    "gelu": tf.nn.gelu,
    "swish": tf.nn.silu,
    "elu of positives": lambda x: tf.nn.elu(x * x),
    "log": lambda x: tf.math.log(x * x + 0.5),
    "sqrt": lambda x: tf.sqrt(x * x + 0.5),
    "rsqrt": lambda x: tf.math.rsqrt(x * x + 0.7),
    "atan2": lambda x: tf.atan2(x, x * x + 1.0),
    "power": lambda x: tf.pow(x * x + 0.5, tf.sin(x)),
    "lgamma": lambda x: tf.math.lgamma(x * x + 1.5),
    "xlogy": lambda x: tf.math.xlogy(x, x * x + 1.0),
    "divide": lambda x: x / (2.0 + tf.reduce_sum(x * x, 0)),
    "softmax": lambda x: tf.nn.softmax(x * 2.0),
    "log softmax": lambda x: tf.nn.log_softmax(x, 0) * 0.3,
    "logsumexp": lambda x: x + tf.reduce_logsumexp(x, 1, keepdims=True),
    "mean": lambda x: x * tf.reduce_mean(x, 0),
    "variance": lambda x: x * tf.math.reduce_variance(x, 1, keepdims=True),
    "deviation": lambda x: x / tf.math.reduce_std(x + tf.constant([[0.0, 3.0, 7.0]], tf.float64)),
    "product": lambda x: x + tf.reduce_prod(x + 1.5, 0) * 0.1,
    "cumulative sum": lambda x: tf.cumsum(tf.sin(x), 1, exclusive=True) * x,
    "cumulative product": lambda x: tf.math.cumprod(x * 0.3 + 1.5, 1, reverse=True) * 0.3,
    "norm": lambda x: x / tf.norm(x + 5.0, axis=1, keepdims=True),
    "l2 normalize": lambda x: tf.math.l2_normalize(x + 2.0, 1),
    "matmul": lambda x: 0.3 * x @ tf.transpose(x) @ x,
    "einsum": lambda x: 0.2 * tf.einsum("ij,kj,kl->il", x, x, tf.sin(x)),
    "cholesky": lambda x: tf.linalg.cholesky(matrix(x)) @ x * 0.5,
    "inverse": lambda x: tf.linalg.inv(matrix(x)) @ x,
    "solve": lambda x: tf.linalg.solve(matrix(x), tf.sin(x)),
    "determinant": lambda x: x * tf.linalg.det(matrix(x)) * 0.1,
    "eigenvalues": lambda x: x + tf.linalg.eigvalsh(matrix(x))[:, tf.newaxis] * 0.1,
    "reshape": lambda x: tf.reshape(tf.transpose(x), [2, 3]),
    "reverse": lambda x: tf.reverse(x, [1]) * x,
    "roll": lambda x: tf.roll(x, 1, 1) * tf.cos(x),
    "gather": lambda x: tf.gather(x, [2, 0, 0], axis=1) + x,
    "gather nd": lambda x: x * tf.gather_nd(x, [[0, 1], [1, 2], [0, 1]]),
    "scatter": lambda x: tf.tensor_scatter_nd_add(x, [[1], [1]], tf.sin(x)),
    "update": lambda x: tf.tensor_scatter_nd_update(x, [[0, 0], [1, 2]], tf.exp(x[:, 1] * 0.3)),
    "segments": lambda x: x + tf.math.unsorted_segment_sum(x * x, [1, 1], 2) * 0.2,
    "slices": lambda x: tf.concat([x[:, 1:] * x[:, :-1], x[:, :1]], 1),
    "tile": lambda x: tf.tile(x[:1], [2, 1]) * x,
    "pad": lambda x: tf.pad(x * x, [[0, 0], [1, 0]])[:, :-1] + x,
    "stack": lambda x: tf.reduce_sum(tf.stack([x, x * x, tf.sin(x)]), 0) * 0.4,
    "split": lambda x: tf.add_n(tf.split(tf.concat([x, x * x], 0), 2)),
    "diagonal": lambda x: tf.linalg.diag_part(tf.linalg.diag(x)) * x,
    "complex": lambda x: tf.abs(tf.exp(tf.complex(x * 0.3, x * x)) + 2.0),
    "fft": lambda x: tf.math.real(tf.signal.fft(tf.complex(x, tf.sin(x)))) * 0.3,
    "rfft": lambda x: tf.signal.irfft(tf.signal.rfft(x, [4]) * 0.5j, [3]) + x,
    "where": lambda x: tf.where(tf.constant([True, False, True]), tf.sin(x), x * x * 0.3),
    "clip": lambda x: tf.clip_by_norm(x, 100.0) * tf.sin(x),
    "loop": lambda x: looped(x, 3),
    "no loop": lambda x: looped(x * x * 0.5, 0),
    "branch": branched,
    "array": remembered,
    "map": lambda x: tf.map_fn(lambda row: row * tf.sin(row), x),
    "scan": lambda x: tf.scan(lambda a, row: tf.tanh(a) * row + row, x),
    "fold": lambda x: x + tf.foldr(lambda a, row: a * 0.5 + tf.sin(row) * row, x),
    "vectorized": lambda x: tf.vectorized_map(lambda r: r / (1.0 + tf.reduce_sum(r * r)), x),
    "function": tf.function(lambda x: tf.sin(x) * x),
    "told": told,
    "recomputed": tf.recompute_grad(lambda x: tf.tanh(x * x)),
    "conv": lambda x: tf.nn.conv1d(x[..., tf.newaxis], x[:, :1, tf.newaxis], 1, "SAME")[..., 0],
    "pool": lambda x: tf.nn.avg_pool1d(tf.sin(x)[..., tf.newaxis], 2, 1, "SAME")[..., 0] * x,
    "cross entropy": lambda x: x
    * tf.nn.softmax_cross_entropy_with_logits(tf.nn.softmax(tf.sin(x)), x)[:, tf.newaxis],
}  # fmt: skip

names = st.lists(st.sampled_from(sorted(STEPS)), min_size=1, max_size=3)
points = st.integers(0, 1000)


def composed(chosen: list[str]) -> Function:
    def function(x: Any) -> Any:
        for name in chosen:
            x = STEPS[name](x)
        return tf.reduce_sum(x * tf.constant([[1.0, -0.7, 0.4], [0.3, 1.2, -0.5]], tf.float64))

    return function


def slope(function: Function) -> Function:
    def differentiated(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        return tape.gradient(y, x, unconnected_gradients="zero")

    return differentiated


def along(function: Function, direction: Any) -> Function:
    def pushed(x: Any) -> Any:
        with tf.autodiff.ForwardAccumulator(x, tf.constant(direction)) as accumulator:
            y = function(x)
        return accumulator.jvp(y, unconnected_gradients="zero")

    return pushed


def difference(function: Function, x: Any, direction: Any) -> Any:
    """By values at four places, whose error is of the fourth power of the step."""
    step = 2e-4
    at = {k: eagerly(function, x + k * step * direction)[0] for k in (-2, -1, 1, 2)}
    return (8.0 * (at[1] - at[-1]) - (at[2] - at[-2])) / (12 * step)


def assert_derivatives(chosen: list[str], seed: int, staged: bool) -> None:
    function = composed(chosen)
    generator = np.random.default_rng(seed)
    x, direction = generator.uniform(-1.2, 1.2, (2, *SHAPE))
    (first,) = eagerly(slope(function), x)
    expected = difference(slope(function), x, direction)
    close = {"rtol": 1e-6, "atol": 1e-7 * (1.0 + np.max(np.abs(expected)))}

    np.testing.assert_allclose(
        np.sum(first * direction), difference(function, x, direction), **close
    )
    seconds = {
        "reverse over reverse": slope(lambda x: tf.reduce_sum(slope(function)(x) * direction)),
        "forward over reverse": along(slope(function), direction),
        "reverse over forward": slope(along(function, direction)),
        "forward over forward": along(along(function, direction), direction),
    }
    for order, second in seconds.items():
        wanted = np.sum(expected * direction) if order == "forward over forward" else expected
        for run in (eagerly, compiled) if staged else (eagerly,):
            np.testing.assert_allclose(run(second, x)[0], wanted, err_msg=order, **close)


@pytest.mark.sampled(among="random programs")
@settings(max_examples=EXAMPLES or 20, deadline=None, derandomize=not EXAMPLES)
@given(names, points)
def test_second_derivatives_of_random_expressions(chosen: list[str], seed: int) -> None:
    assert_derivatives(chosen, seed, staged=False)


@pytest.mark.sampled(among="random programs")
@settings(max_examples=EXAMPLES // 10 or 4, deadline=None, derandomize=not EXAMPLES)
@given(names, points)
def test_second_derivatives_of_random_functions(chosen: list[str], seed: int) -> None:
    assert_derivatives(chosen, seed, staged=True)

"""Where the largest element is, and running sums, along every axis and for every size."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.compiler.loops.text import text
from tensormill.compiler.lowering.graphs import lower_graph
from tensormill.graph.builder import trace_graph
from tensormill.graph.passes.order import simplify

SHAPES = {1: [(1,), (7,), (1000,)], 3: [(2, 3, 4), (5, 2, 1), (1, 64, 33)]}
FLOATS = ["bfloat16", "float32", "float64"]


def compiled(fn: Any, rank: int, dtype: str) -> Any:
    spec = tf.TensorSpec([None] * rank, dtype)
    return tf.function(fn, input_signature=[spec], autograph=False)


def odd_numbers(shape: tuple[int, ...], dtype: str) -> Any:
    """Few different numbers, infinities, NaNs and zeros of both signs among them."""
    draw = np.random.default_rng(len(shape) + sum(shape))
    chosen = draw.choice([0.0, -0.0, 1.0, -2.5, np.inf, -np.inf, np.nan], shape)
    return tf.cast(tf.constant(chosen), dtype)


@pytest.mark.sampled
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("rank", SHAPES)
def test_the_first_extreme_element_is_found_among_odd_numbers(rank: int, dtype: str) -> None:
    """Of the largest along one axis, of the smallest along the next, the other way round for the
    next dtype: each is a loop that takes LLVM long.
    """
    turn = FLOATS.index(dtype)
    finds = [(tf.argmax, tf.argmin)[(axis + turn) % 2] for axis in range(rank)]

    def fn(x: Any) -> list[Any]:
        return [find(x, axis) for axis, find in enumerate(finds)]

    native = compiled(fn, rank, dtype)
    for shape in SHAPES[rank]:
        x = odd_numbers(shape, dtype)
        for found, expected in zip(native(x), fn(x), strict=True):
            np.testing.assert_array_equal(found.numpy(), expected.numpy())


@pytest.mark.sampled
@pytest.mark.parametrize("dtype", ["int8", "int64", "uint64"])
def test_the_extremes_of_integers_reach_their_limits(dtype: str) -> None:
    limits = np.iinfo(dtype)
    x = tf.constant([limits.max - 1, limits.min, limits.max, limits.min, limits.max], dtype)
    both = compiled(lambda x: (tf.argmax(x), tf.argmin(x)), 1, dtype)

    assert [one.numpy() for one in both(x)] == [2, 1]


def test_the_largest_of_nothing_but_the_worst_is_the_first() -> None:
    argmax = compiled(lambda x: tf.argmax(x), 1, "float32")

    for worst in [float("nan"), -float("inf")], [-float("inf"), float("nan")]:
        assert argmax(tf.constant(worst)).numpy() == 0


@pytest.mark.sampled
@pytest.mark.parametrize("rank", SHAPES)
def test_running_sums_are_the_eager_ones(rank: int) -> None:
    sums, choices = [tf.cumsum, tf.math.cumprod], [False, True]
    ways = list(itertools.product(sums, range(rank), choices, choices))

    def fn(x: Any) -> list[Any]:
        return [run(x * 0.5, axis, exclusive, back) for run, axis, exclusive, back in ways]

    native = compiled(fn, rank, "float32")
    empty = [(0, 3, 2)[:rank], (2, 0, 3)[:rank]]
    for shape in [*SHAPES[rank], *empty]:
        x = tf.constant(np.random.default_rng(0).integers(-9, 9, shape), tf.float32)
        for found, expected in zip(native(x), fn(x), strict=True):
            np.testing.assert_allclose(found.numpy(), expected.numpy(), rtol=1e-5)


def test_a_running_sum_goes_on_through_the_parts_of_its_operand() -> None:
    def fn(x: Any) -> list[Any]:
        return [tf.cumsum(tf.pad(-x, [[1, 2]])), tf.cumsum(tf.concat([x, [5.0, 1.0], x * x], 0))]

    x = tf.constant([1.0, 2.0, -3.0])
    for found, expected in zip(tf.function(fn)(x), fn(x), strict=True):
        assert found.numpy().tolist() == expected.numpy().tolist()


@pytest.mark.sampled(among="functions of vectors")
@pytest.mark.parametrize("size", [2, 3, 6, 8, 9])
def test_short_rows_of_dear_numbers_are_reduced_as_eagerly(size: int) -> None:
    def fn(x: Any) -> list[Any]:
        dear = tf.exp(x)
        return [
            tf.reduce_sum(dear, -1), tf.reduce_max(tf.sin(x), -1), tf.reduce_prod(dear, [0, 2]),
            tf.reduce_logsumexp(x, -1), tf.reduce_any(dear > 1, -1), tf.math.lbeta(dear),
            tf.reduce_mean(tf.cast(x, tf.float16) ** tf.constant(1.5, tf.float16), -1),
        ]  # fmt: skip

    x = np.random.default_rng(0).uniform(0.1, 2, (2, 7, size)).astype(np.float32)
    specs = [tf.TensorSpec([2, None, size]), tf.TensorSpec([None] * 3)]
    for native in (tf.function(fn), *(tf.function(fn, input_signature=[one]) for one in specs)):
        for found, expected in zip(native(tf.constant(x)), fn(tf.constant(x)), strict=True):
            tolerance = 2e-3 if found.dtype == tf.float16 else 2e-5
            np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("dtype", [tf.float32, tf.int32, tf.bfloat16])
def test_runs_of_a_vector_are_combined_as_eagerly(dtype: Any) -> None:
    ways = [getattr(tf.math, f"segment_{one}") for one in ("sum", "prod", "max", "min", "mean")]

    def fn(data: Any, ids: Any) -> list[Any]:
        return [run(data, ids) for run in ways]

    native = tf.function(
        fn, input_signature=[tf.TensorSpec([None], dtype), tf.TensorSpec([None], tf.int64)]
    )
    random = np.random.default_rng(0)
    for count, segments in ((0, 1), (1, 4), (60, 9), (60, 100)):
        data = tf.cast(tf.constant(random.integers(-3, 4, count)), dtype)
        ids = tf.constant(np.sort(random.integers(0, segments, count)))
        for found, expected in zip(native(data, ids), fn(data, ids), strict=True):
            both = [tf.cast(one, tf.float64) for one in (expected, found)]
            np.testing.assert_allclose(*both, rtol=1e-2 if dtype == tf.bfloat16 else 1e-6)


@pytest.mark.parametrize(
    ("pool", "regrouped"),
    [
        (lambda x: tf.nn.fractional_avg_pool(x, [1.0, 1.5, 1.5, 1.0])[0], 0),
        (lambda x: tf.nn.avg_pool2d(x, 8, 8, "VALID"), 0),
        (lambda x: tf.reduce_sum(x, 1), 1),
    ],
)
def test_few_terms_are_added_in_order_and_leave_vectors_to_results(
    pool: Any, regrouped: int
) -> None:
    spec = tf.TensorSpec([None] * 4, tf.float32)
    program = lower_graph(simplify(trace_graph(pool, [spec], "fn").graph)).program

    assert program is not None
    assert text(program).count(" reassociate") == regrouped

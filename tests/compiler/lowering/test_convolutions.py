"""What convolutions, and pooling, keep in memory."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tensormill as tf
from tensormill.compiler.loops.ir import Allocate, For, Literal, NativeCall
from tensormill.compiler.loops.passes.order import optimise
from tensormill.compiler.loops.walk import every_statement
from tensormill.compiler.lowering.graphs import lower_graph
from tensormill.core.specs import TensorSpec
from tensormill.graph.builder import trace_graph
from tensormill.graph.passes.order import simplify

IMAGES, FILTERS = (2, 9, 9, 16), (3, 3, 16, 32)
WITH_MARGINS = (2, 11, 11, 16)


def program_of(fn: Any, *shapes: Any) -> Any:
    specs = [TensorSpec(shape, tf.float32) for shape in shapes]
    program = lower_graph(simplify(trace_graph(fn, specs, "fn").graph)).program
    assert program is not None
    return optimise(program)


def memory_of(fn: Any, *shapes: Any) -> Counter[tuple[Any, ...]]:
    """How often temporaries of which shapes are there."""
    return Counter(
        tuple(size.value if isinstance(size, Literal) else None for size in one.buffer.shape)
        for one in every_statement(program_of(fn, *shapes).body)
        if isinstance(one, Allocate)
    )


def convolved(x: Any, filters: Any) -> Any:
    return tf.nn.conv2d(x, filters, 1, "SAME")


def gradients(x: Any, filters: Any) -> Any:
    """Of a convolution of something computed, which somebody else reads as well."""
    seen = tf.nn.relu(x + 1.0)
    with tf.GradientTape() as tape:
        tape.watch((seen, filters))
        loss = tf.reduce_sum(convolved(seen, filters) ** 2 / 2)
    return *tape.gradient(loss, (seen, filters)), seen * 2.0


def test_a_gradient_reads_pictures_where_their_convolution_did() -> None:
    memory = memory_of(gradients, IMAGES, FILTERS)

    assert memory[WITH_MARGINS] == 1


def test_what_has_margins_is_not_there_without_them() -> None:
    assert memory_of(lambda x, f: convolved(tf.nn.relu(x + 1.0), f), IMAGES, FILTERS)[IMAGES] == 0
    assert memory_of(gradients, IMAGES, FILTERS)[2, 9, 9, 32] == 1  # the result, not its gradient


def test_equal_tables_are_one() -> None:
    calls = [
        one
        for one in every_statement(program_of(gradients, IMAGES, FILTERS).body)
        if isinstance(one, NativeCall) and one.function.startswith("tm_winograd")
    ]
    forward, _, of_filters = (call.arguments for call in calls)

    assert forward[4] is of_filters[4]


def test_what_surrounds_convolutions_of_many_images_is_done_image_by_image() -> None:
    def chain(x: Any, down: Any, up: Any) -> Any:
        seen = tf.nn.relu(tf.nn.conv2d(x, down, 2, "SAME") + 1.0)
        return tf.nn.relu(tf.nn.conv2d_transpose(seen, up, (32, 16, 16, 8), 2, "SAME") - 1.0)

    program = program_of(chain, (32, 16, 16, 8), (3, 3, 8, 16), (3, 3, 8, 16))

    over_images = next(one for one in program.body if isinstance(one, For) and one.parallel)
    phases, beside = 4, [one for one in every_statement(program.body) if is_convolution(one)]
    assert [one for one in every_statement(over_images.body) if is_convolution(one)] == beside
    assert len(beside) == 1 + phases


def is_convolution(one: Any) -> bool:
    return isinstance(one, NativeCall) and one.function.startswith("tm_convolve")


@pytest.mark.sampled
@settings(max_examples=4, deadline=None)
@pytest.mark.parametrize("padding", ["SAME", "VALID"])
@pytest.mark.parametrize(("stride", "rate"), [(1, 1), (2, 1), (3, 1), (1, 2)])
@given(
    size=st.integers(9, 17), kernel=st.sampled_from([1, 2, 4, 5]),
    depth=st.sampled_from([1, 3, 16]),
    filters=st.sampled_from([1, 5, 16, 33]), seed=st.integers(0, 99),
)  # fmt: skip
def test_images_have_the_results_that_they_have_alone(
    padding: str, stride: int, rate: int, size: int, kernel: int, depth: int, filters: int,
    seed: int,
) -> None:  # fmt: skip
    """Many are convolved one by one, few all together. (Windows of 3×3 side by side are filtered
    minimally, all or none.)
    """
    random = np.random.default_rng(seed)
    x = random.normal(size=(16, size, size + 2, depth)).astype(np.float32)
    x.flat[random.integers(0, x.size, 3)] = np.array([1e5, np.inf, -0.0], np.float32)
    weights = random.normal(size=(kernel, kernel, depth, filters)).astype(np.float32)

    def step(x: Any, weights: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.nn.relu(tf.nn.conv2d(x, weights, stride, padding, dilations=rate) + 0.5)
        return y, tape.gradient(y, x)

    weights = tf.constant(weights)
    compiled = tf.function(step, reduce_retracing=False)
    many, eager = compiled(tf.constant(x), weights), step(tf.constant(x), weights)
    few = [compiled(tf.constant(x[k : k + 4]), weights) for k in (0, 12)]

    for wanted, one, first, last in zip(eager, many, *few, strict=True):
        np.testing.assert_array_equal(first, one[:4])
        np.testing.assert_array_equal(last, one[12:])
        np.testing.assert_allclose(wanted, one, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("pool", [tf.nn.max_pool2d, tf.nn.avg_pool2d])
def test_pooling_stores_what_windows_see_where_they_overlap(pool: Any) -> None:
    def pooled(size: int) -> Any:
        return lambda x: pool(tf.nn.relu(x + 1.0), size, 2, "SAME")

    assert not memory_of(pooled(2), IMAGES).keys() & {IMAGES, IMAGES[1:]}
    assert memory_of(pooled(3), IMAGES).keys() & {IMAGES, IMAGES[1:]}


@pytest.mark.parametrize("shape", [IMAGES, (None, None, None, 16)])
@pytest.mark.parametrize("stride", [1, 2])
def test_gradients_of_what_lies_within_margins_are_right(shape: Any, stride: int) -> None:
    random = np.random.default_rng(0)
    x, weights = random.normal(size=IMAGES), random.normal(size=16)
    filters, back = random.normal(size=FILTERS), random.normal(size=(3, 3, 8, 16))

    def step(x: Any, filters: Any, back: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch((x, filters, back))
            seen = tf.nn.relu(x + 1.0)
            down = tf.nn.relu(tf.nn.conv2d(seen, filters, stride, "SAME") - 0.5)
            sizes = tf.concat((tf.shape(x)[:3], [8]), 0)
            up = tf.nn.conv2d_transpose(seen, back, sizes, 1, "SAME")
            pooled = tf.nn.max_pool2d(seen, 2, 2, "SAME")
            loss = sum(map(tf.reduce_sum, (down**2, up**3, pooled * weights)))
        return loss, *tape.gradient(loss, (x, filters, back))

    operands = [tf.constant(one, tf.float64) for one in (x, filters, back)]
    signature = [
        tf.TensorSpec(shape, tf.float64),
        *(tf.TensorSpec(one.shape, tf.float64) for one in operands[1:]),
    ]
    for mine, wanted in zip(
        tf.function(step, input_signature=signature)(*operands), step(*operands), strict=True
    ):
        np.testing.assert_allclose(wanted, mine, rtol=1e-9, atol=1e-9)

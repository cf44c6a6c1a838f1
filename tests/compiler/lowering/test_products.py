"""What the library is told to multiply."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.compiler.loops.ir import Allocate, Buffer, For, Literal, NativeCall
from tensormill.compiler.loops.passes.order import optimise
from tensormill.compiler.loops.walk import every_statement
from tensormill.compiler.lowering import products
from tensormill.compiler.lowering.graphs import lower_graph
from tensormill.compiler.native import threads
from tensormill.config import settings
from tensormill.core.specs import TensorSpec
from tensormill.graph.builder import trace_graph
from tensormill.graph.passes.order import simplify


def library_products(fn: Any, *shapes: Any) -> list[tuple[Any, ...]]:
    """How many matrices, rows, columns and terms a function tells the library."""
    specs = [TensorSpec(shape, tf.float32) for shape in shapes]
    program = lower_graph(simplify(trace_graph(fn, specs, "fn").graph)).program
    assert program is not None
    return [
        tuple(getattr(one, "value", None) for one in call.arguments[3:7])
        for call in every_statement(program.body)
        if isinstance(call, NativeCall) and call.function.startswith("tm_gemm_")
    ]


@pytest.mark.parametrize("one", [(64, 96), (1, 64, 96)])
def test_many_matrices_times_one_are_one_product(one: tuple[int, ...]) -> None:
    assert library_products(tf.linalg.matmul, (5, 16, 64), one) == [(1, 80, 96, 64)]
    assert library_products(tf.linalg.matmul, (None, 16, 64), one) == [(1, None, 96, 64)]


def test_other_products_are_as_many_as_there_are_matrices() -> None:
    def turned(a: Any, b: Any) -> Any:
        return tf.linalg.matmul(a, b, transpose_a=True)

    assert library_products(tf.linalg.matmul, (5, 16, 64), (5, 64, 96)) == [(5, 16, 96, 64)]
    assert library_products(tf.linalg.matmul, (16, 64), (5, 64, 96)) == [(5, 16, 96, 64)]
    assert library_products(turned, (5, 64, 16), (64, 96)) == [(5, 16, 96, 64)]


@pytest.mark.parametrize(
    ("batch", "tokens", "matrices"),
    [
        ((32, 4), 128, 1),
        ((1, 1, 8), 128, 1),
        ((None, 4), 128, 1),
        ((None, None), None, 1),
        ((2, 32), 128, 64),  # threads would have two loops to take
        ((32, 4), 2048, 128),  # such a product alone is enough for all of them
    ],
)
def test_many_small_products_are_each_a_turn_of_a_loop(
    batch: tuple[int | None, ...], tokens: int | None, matrices: int
) -> None:
    def scores(q: Any, k: Any) -> Any:
        return tf.linalg.matmul(q, k, transpose_b=True)

    shape = (*batch, tokens, 16)
    assert library_products(scores, shape, shape) == [(matrices, tokens, tokens, 16)]


def attention(q: Any, k: Any, v: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch([q, k, v])
        scores = tf.nn.softmax(tf.linalg.matmul(q, k, transpose_b=True) * 0.25)
        total = tf.reduce_sum(tf.linalg.matmul(scores, v) ** 2)
    return tape.gradient(total, [q, k, v])


def test_attention_and_its_gradient_keep_a_slice_of_what_only_they_want() -> None:
    specs = [TensorSpec((32, 4, 128, 16), tf.float32)] * 3
    lowered = lower_graph(simplify(trace_graph(attention, specs, "fn").graph)).program
    assert lowered is not None
    program = optimise(lowered)
    (loop,) = [
        one
        for one in program.body
        if isinstance(one, For) and any(isinstance(x, NativeCall) for x in every_statement((one,)))
    ]

    kept = [one.buffer for one in program.body if isinstance(one, Allocate)]
    assert sum(isinstance(one, NativeCall) for one in every_statement((loop,))) == 6
    assert not [one for one in kept if _elements(one) == 32 * 4 * 128 * 128]


def _elements(buffer: Buffer) -> int:
    return prod(size.value for size in buffer.shape if isinstance(size, Literal))


@pytest.mark.sampled
@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("known", [(16, 3, 37, 40), (None, 3, None, 40), (None,) * 4])
def test_attention_is_the_same_whatever_is_known_and_for_any_number_of_threads(
    known: tuple[int | None, ...], count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = np.random.default_rng(0)
    given = [tf.constant(random.normal(size=(16, 3, 37, 40)), tf.float32) for _ in range(3)]
    compiled = tf.function(attention, input_signature=[tf.TensorSpec(known, tf.float32)] * 3)
    together = [one.numpy() for one in compiled(*given)]
    monkeypatch.setattr(settings, "threads", count)
    threads.address("tm_threads")  # tells the pool how many there are
    try:
        otherwise = [one.numpy() for one in compiled(*given)]
    finally:
        monkeypatch.undo()
        threads.address("tm_threads")

    for expected, one, other in zip(attention(*given), together, otherwise, strict=True):
        np.testing.assert_allclose(one, expected, rtol=1e-4, atol=1e-4)
        np.testing.assert_array_equal(one.view(np.int32), other.view(np.int32))


@pytest.mark.parametrize("transpose_b", [False, True])
@pytest.mark.parametrize("known", [False, True])
def test_many_matrices_times_one_are_what_they_are_eagerly(transpose_b: bool, known: bool) -> None:
    random = np.random.default_rng(0)
    a = random.integers(-9, 9, (3, 2, 21, 65)).astype(np.float32)
    b = random.integers(-9, 9, (97, 65) if transpose_b else (65, 97)).astype(np.float32)
    shapes = (a.shape, b.shape) if known else ([None] * 4, [None] * 2)
    signature = [tf.TensorSpec(shape, tf.float32) for shape in shapes]

    def fn(a: Any, b: Any) -> Any:
        return tf.linalg.matmul(a, b, transpose_b=transpose_b)

    expected = fn(tf.constant(a), tf.constant(b)).numpy()
    np.testing.assert_array_equal(expected, tf.function(fn, input_signature=signature)(a, b))


@pytest.mark.sampled
@pytest.mark.parametrize("batch", [(), (3,)])
@pytest.mark.parametrize("transposed", [(False, False), (True, False), (False, True), (True, True)])
@pytest.mark.parametrize("terms", [0, 1, 2, products.FEW_ANYWHERE, 5, products.FEW_TERMS, 17])
def test_sums_that_are_written_out_are_those_of_numpy(
    terms: int, transposed: tuple[bool, bool], batch: tuple[int, ...]
) -> None:
    rows, columns = 400, 90  # too many for loops, so that others go to a library

    @tf.function
    def product(a: Any, b: Any) -> Any:
        found = tf.matmul(a, b, *transposed)
        return found, tf.nn.relu(found - 1), tf.reduce_sum(found, -1)

    random = np.random.default_rng(terms)
    a = random.integers(-9, 9, (*batch, rows, terms)).astype(np.float32)
    b = random.integers(-9, 9, (terms, columns)).astype(np.float32)
    given = (a.swapaxes(-1, -2) if transposed[0] else a), b.T if transposed[1] else b
    whole, above, sums = product(*map(np.ascontiguousarray, given))

    np.testing.assert_array_equal(a @ b, whole)
    np.testing.assert_array_equal(np.maximum(a @ b - 1, 0), above)
    np.testing.assert_array_equal((a @ b).sum(-1), sums)

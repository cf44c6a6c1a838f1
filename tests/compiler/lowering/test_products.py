"""What the library is told to multiply."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.compiler.loops.ir import NativeCall
from tensormill.compiler.loops.walk import every_statement
from tensormill.compiler.lowering.graphs import lower_graph
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

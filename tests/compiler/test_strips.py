"""Large matrix products, which threads take in strips."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.compiler.native import threads
from tensormill.compiler.native.products import LEAST
from tensormill.config import settings

WIDE, TALL = (70, 1300, 2050), (2050, 1300, 70)  # in eight strips
FOUR, TWO = (128, 784, 451), (331, 512, 128)


def factors(sizes: tuple[int, int, int], dtype: Any, batch: tuple[int, ...] = ()) -> Any:
    """Whole numbers, whose products are exact, and as many that more than one strip is made."""
    m, k, n = sizes
    assert m * k * n >= 2 * LEAST
    generator = np.random.default_rng(0)
    a = generator.integers(-9, 9, (*batch, m, k)).astype(dtype)
    return a, generator.integers(-9, 9, (*batch, k, n)).astype(dtype)


@tf.function
def product(a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False) -> Any:
    return tf.matmul(a, b, transpose_a, transpose_b)


@pytest.mark.sampled
@pytest.mark.parametrize("sizes", [WIDE, TALL, FOUR, TWO])
@pytest.mark.parametrize("transpose_a", [False, True])
@pytest.mark.parametrize("transpose_b", [False, True])
def test_strips_make_up_the_product(
    sizes: tuple[int, int, int], transpose_a: bool, transpose_b: bool
):
    a, b = factors(sizes, np.float32)
    left = np.ascontiguousarray(a.T) if transpose_a else a
    right = np.ascontiguousarray(b.T) if transpose_b else b

    made = product(tf.constant(left), tf.constant(right), transpose_a, transpose_b)

    np.testing.assert_array_equal(made, a @ b)


def test_strips_of_complex_matrices_make_up_the_product():
    a, b = factors(WIDE, np.complex64)

    np.testing.assert_array_equal(product(a, b), a @ b)


@pytest.mark.parametrize("sizes", [(3, 5, 4), (64, 300, 70)])
def test_every_matrix_of_a_batch_is_multiplied(sizes: tuple[int, int, int]):
    m, k, n = sizes
    generator = np.random.default_rng(0)
    a = generator.integers(-9, 9, (37, m, k)).astype(np.float64)
    b = generator.integers(-9, 9, (37, k, n)).astype(np.float64)
    # Sizes that only run time knows go to the library whatever they are.
    unknown = product.get_concrete_function(*[tf.TensorSpec([None] * 3, tf.float64)] * 2)

    np.testing.assert_array_equal(unknown(tf.constant(a), tf.constant(b)), a @ b)


def test_a_batch_of_large_matrices_is_cut_as_well():
    a, b = factors(WIDE, np.float32, (2,))

    np.testing.assert_array_equal(product(a, b), a @ b)


@pytest.mark.sampled
@pytest.mark.parametrize("sizes", [WIDE, TALL, FOUR, TWO, (70, 1300, 2049), (2113, 1300, 33)])
@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_the_number_of_threads_does_not_change_a_bit(
    sizes: tuple[int, int, int], count: int, monkeypatch: pytest.MonkeyPatch
):
    generator = np.random.default_rng(0)
    a = generator.standard_normal(sizes[:2], dtype=np.float32)
    b = generator.standard_normal(sizes[1:], dtype=np.float32)
    together = product(a, b).numpy()
    monkeypatch.setattr(settings, "threads", count)
    threads.address("tm_threads")  # tells the pool how many there are
    try:
        otherwise = product(a, b).numpy()
    finally:
        monkeypatch.undo()
        threads.address("tm_threads")

    np.testing.assert_array_equal(otherwise.view(np.int32), together.view(np.int32))

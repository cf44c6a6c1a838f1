"""Eager products run in the native code of compiled ones."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.compiler import eager_products as native
from tensormill.compiler.native import shared
from tensormill.core.native_products import FEW, FEW_OF_VECTOR
from tensormill.core.native_products import matmul as either

DTYPES = [np.float32, np.float64, np.complex64, np.complex128]
SHAPES: list[tuple[tuple[int, ...], tuple[int, ...]]] = [
    ((50, 60), (60, 70)),
    ((1, 40), (40, 30)),
    ((3, 20, 30), (30, 20)),
    ((3, 20, 30), (3, 30, 20)),
    ((2, 1, 20, 30), (3, 30, 20)),
    ((20, 30), (2, 30, 20)),
    ((0, 20, 30), (30, 20)),
    ((20, 0), (0, 30)),
]
random = np.random.default_rng(0)


def numbers(shape: tuple[int, ...], dtype: Any) -> Any:
    return random.integers(-9, 9, shape).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("a", "b"), SHAPES)
def test_products_are_numpys(a: tuple[int, ...], b: tuple[int, ...], dtype: Any) -> None:
    x, y = numbers(a, dtype), numbers(b, dtype)

    for left in (x, np.ascontiguousarray(x.mT).mT, np.repeat(x, 2, -1)[..., ::2]):
        for right in (y, np.ascontiguousarray(y.mT).mT, np.repeat(y, 2, -2)[..., ::2, :]):
            expected, found = np.matmul(left, right), native.matmul(left, right)
            np.testing.assert_array_equal(expected, found)
            assert (expected.shape, expected.dtype) == (found.shape, found.dtype)


SIZES = [(50, 256, 1024), (300, 299, 301), (1, 784, 128), (3, 784, 128), (64, 65, 66)]


@pytest.mark.parametrize(("m", "k", "n"), SIZES)
def test_eager_products_have_the_bits_of_compiled_ones(m: int, k: int, n: int) -> None:
    a, b = (tf.constant(random.normal(size=size).astype(np.float32)) for size in ((m, k), (k, n)))
    compiled = tf.function(lambda x, y: x @ y, autograph=False)

    assert np.array_equal(compiled(a, b).numpy(), (a @ b).numpy())


@pytest.mark.parametrize("dtype", DTYPES)
def test_products_have_the_same_bits_without_llvms_passes(
    dtype: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = [
        (random.normal(size=(m, k)).astype(dtype), random.normal(size=(k, n)).astype(dtype))
        for m, k, n in SIZES
    ]
    expected = [native.matmul(x, y) for x, y in pairs]

    monkeypatch.setattr(shared, "_effort_for", lambda _: 0)
    monkeypatch.setattr(shared, "_module", cache(shared._module.__wrapped__))
    monkeypatch.setattr(native, "_function", cache(native._function.__wrapped__))
    found = [native.matmul(x, y) for x, y in pairs]

    for one, other in zip(expected, found, strict=True):
        np.testing.assert_array_equal(one, other)


MULTIPLIED = {
    "matmul": lambda a, b: tf.matmul(a, b),
    "matmul of many": lambda a, b: tf.matmul(a[None], b[None]),
    "matmul, transposed": lambda a, b: tf.matmul(b, a, True, True),
    "tensordot": lambda a, b: tf.tensordot(a, b, 1),
    "einsum": lambda a, b: tf.einsum("ij,jk->ik", a, b),
    "matvec": lambda a, b: tf.linalg.matvec(a, b[:, 0]),
    "conv2d": lambda a, b: tf.nn.conv2d(a[None, None], b[None, None], 1, "VALID"),
    "conv2d_transpose": lambda a, b: tf.nn.conv2d_transpose(
        a[None, None], tf.transpose(b)[None, None], (1, 1, 100, 110), 1, "VALID"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MULTIPLIED)
def test_no_eager_product_with_many_terms_goes_to_numpy(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(a: Any, b: Any) -> Any:
        raise AssertionError(f"np.matmul of {a.shape} and {b.shape}")

    a, b = (tf.constant(numbers(size, np.float32)) for size in ((100, 120), (120, 110)))
    monkeypatch.setattr(np, "matmul", refuse)

    MULTIPLIED[name](a, b)


def test_few_terms_and_integers_are_numpys() -> None:
    assert 64**3 <= FEW
    assert 96 * 96 <= FEW_OF_VECTOR
    x = numbers((100, 100), np.int32)

    np.testing.assert_array_equal(x @ x, either(x, x))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (np.ones((99, 99), np.float32), np.ones((98, 99), np.float32)),
        (np.ones((3, 99, 99)), np.ones((2, 99, 99))),
    ],
)
def test_sizes_that_do_not_fit_are_told_by_numpy(a: Any, b: Any) -> None:
    with pytest.raises(ValueError, match=r"mismatch|broadcast"):
        either(a, b)


def test_several_dtypes_and_rare_ones_are_numpys() -> None:
    a, b = np.ones((99, 99), np.float32), np.full((99, 99), 2.0)

    for left, right in ((a, b), (a.astype(np.longdouble), b.astype(np.longdouble))):
        np.testing.assert_array_equal(either(left, right), np.full((99, 99), 198.0))


@pytest.mark.sampled
@pytest.mark.parametrize("dtype", [np.float32, np.int32])
@pytest.mark.parametrize("sizes", [(None, 4, None), (3, 4, None), (None, 4, 5), (3, None, 5)])
def test_compiled_products_take_sizes_that_are_half_known(
    sizes: tuple[int | None, ...], dtype: Any
) -> None:
    specs = [tf.TensorSpec(sizes[:2], dtype), tf.TensorSpec(sizes[1:], dtype)]
    a, b = numbers((3, 4), dtype), numbers((4, 5), dtype)
    fn = tf.function(tf.matmul, input_signature=specs)

    assert (a @ b).tolist() == fn(a, b).numpy().tolist()
    assert () == fn.report().callbacks


@pytest.mark.sampled
@pytest.mark.parametrize("left", [(2, 3, 1), (3, 1), (2, 1, 3, 1)])
@pytest.mark.parametrize("right", [(2, 1, 4), (1, 4)])
def test_products_over_one_term_are_native_in_batches_too(
    left: tuple[int, ...], right: tuple[int, ...]
) -> None:
    a, b = numbers(left, np.float32), numbers(right, np.float32)
    fn = tf.function(lambda x, y: tf.matmul(x + 1.0, y))

    assert ((a + 1) @ b).tolist() == fn(tf.constant(a), tf.constant(b)).numpy().tolist()
    assert () == fn.report().callbacks

"""Fourier transforms in native code are NumPy's, to the bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tensormill as tf
from tensormill.compiler.loops.externals import signature_of
from tensormill.compiler.loops.parse import parse_function
from tensormill.compiler.loops.text import function_text
from tensormill.compiler.loops.verify import verify_function
from tensormill.compiler.native import library, ufunc_loops
from tensormill.compiler.native.fourier import functions as fourier
from tensormill.errors import InternalError

DRAWN = np.random.default_rng(3)
NAMES = [f"{fourier.PREFIX}{kind}_{one}" for kind, ones in fourier.KINDS.items() for one in ones]
CUBE = tf.TensorSpec([None, None, None], tf.complex64)


@tf.function(input_signature=[CUBE, tf.TensorSpec([2], tf.int32)])
def transforms(x: Any, lengths: Any) -> list[Any]:
    reals, raw = tf.math.real(x), tf.raw_ops
    return [
        raw.FFT(input=x), raw.IFFT2D(input=x), raw.FFT3D(input=x),
        raw.RFFT(input=reals, fft_length=lengths[1:]),
        raw.IRFFT(input=x, fft_length=lengths[1:]),
        raw.RFFT2D(input=tf.cast(reals, tf.float64), fft_length=lengths, Tcomplex=tf.complex128),
        raw.IRFFT2D(input=x, fft_length=lengths),
    ]  # fmt: skip


@given(st.tuples(*[st.sampled_from([1, 2, 3, 7, 12, 59])] * 3), st.data())
@settings(max_examples=25, deadline=None)
def test_transforms_are_those_of_the_kernels(shape: tuple[int, ...], data: Any) -> None:
    real, imaginary = DRAWN.normal(size=(2, *shape))
    x = tf.constant((real + 1j * imaginary).astype(np.complex64))
    lengths = tf.constant([data.draw(st.integers(1, size)) for size in shape[1:]])

    for expected, found in zip(
        transforms.python_function(x, lengths), transforms(x, lengths), strict=True
    ):
        np.testing.assert_array_equal(found, expected)
    assert transforms.report().callbacks == ()


@pytest.mark.parametrize("shape", [(0, 3, 4), (3, 0, 4), (3, 4, 0)])
def test_transforms_of_nothing_are_empty(shape: tuple[int, ...]) -> None:
    x = tf.zeros(shape, tf.complex64)
    lengths = tf.constant(shape[1:])
    for expected, found in zip(
        transforms.python_function(x, lengths), transforms(x, lengths), strict=True
    ):
        assert found.shape == expected.shape


def test_many_rows_and_columns_are_shared_by_threads() -> None:
    x = tf.constant(DRAWN.normal(size=(300, 400)) + 0j)

    np.testing.assert_array_equal(tf.function(tf.signal.fft2d)(x), tf.signal.fft2d(x))


@pytest.mark.parametrize("columns", [129, 257, 300])
def test_columns_that_lie_far_apart_are_transformed_as_rows(columns: int) -> None:
    def transformed(x: Any) -> list[Any]:
        narrow = tf.cast(x, tf.complex64)
        return [
            tf.signal.fft2d(narrow), tf.signal.ifft2d(narrow), tf.signal.irfft2d(x),
            tf.signal.fft3d(x), tf.signal.rfft2d(tf.math.real(narrow), [30, columns - 2]),
        ]  # fmt: skip

    x = tf.constant(DRAWN.normal(size=(2, 31, columns)) + 1j * DRAWN.normal(size=columns))
    for expected, found in zip(transformed(x), tf.function(transformed)(x), strict=True):
        np.testing.assert_array_equal(expected, found)


def test_a_transform_wants_so_many_numbers() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="must have length of at least 9"):
        transforms(tf.zeros([1, 1, 8], tf.complex64), tf.constant([1, 9]))


@pytest.mark.parametrize("name", NAMES)
def test_functions_make_sense_and_are_read_back(name: str) -> None:
    functions = fourier.functions(name)
    signatures = {**library.SIGNATURES, **{one.name: signature_of(one) for one in functions}}
    for function in functions:
        verify_function(function, signatures)
        assert function_text(parse_function(function_text(function))) == function_text(function)


def test_where_numpy_is_otherwise_python_transforms(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(name: str) -> Any:
        raise InternalError(f"NumPy has no {name}")

    monkeypatch.setattr(ufunc_loops, "_loops", unknown)
    transform = tf.function(lambda x: tf.signal.ifft(x * 2.0))

    np.testing.assert_array_equal(transform(tf.ones([4], tf.complex64)), [2, 0, 0, 0])
    assert "in Python" in str(transform.report())

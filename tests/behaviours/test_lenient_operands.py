"""Operands that TensorFlow takes, or leaves until they are used."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, tf
from tests.behaviours.modes import both, traced

X = np.array([3, 4], np.float32)
TAKEN: dict[str, tuple[Callable[[], Any], Any]] = {
    "a norm below 0": (lambda: tf.clip_by_norm(X, -1.0), [0, 0]),
    "norms below 0": (
        lambda: tf.clip_by_norm(X[:, None] * 2, np.array([[1], [-1]], np.float32), axes=[1]),
        [[1], [0]],
    ),
    "an array times a number": (lambda: tf.math.scalar_mul(2, X), [6, 8]),
    "slopes of integers": (
        lambda: tf.nn.leaky_relu(np.array([-4, 5]), alpha=0.5),
        np.array([-2, 5], np.float32),
    ),
    "some numbers": (lambda: tf.reduce_any(X), True),
    "all numbers": (lambda: tf.reduce_all(np.array([0, 1])), False),
    "a number of rows that is an int64": (lambda: tf.eye(tf.constant(1, tf.int64)), [[1]]),
    "numbers of rows and columns that are floats": (
        lambda: tf.eye(tf.constant(1.0), tf.constant(2.5)),
        [[1, 0]],
    ),
    "sizes of matrices that are int16": (
        lambda: tf.eye(tf.constant(1, tf.int16), batch_shape=[1]),
        [[[1]]],
    ),
    "sizes in a list that are int16 and floats": (
        lambda: tf.zeros([tf.constant(1, tf.int16), tf.constant(2.0)]),
        [[0, 0]],
    ),
    "times that are int16": (lambda: tf.tile([7], [tf.constant(2, tf.int16)]), [7, 7]),
    "rows of a sparse matrix that are a float": (
        lambda: tf.sparse.to_dense(tf.sparse.eye(tf.constant(1.0), 2)),
        [[1, 0]],
    ),
    "the rest of a text": (
        lambda: tf.strings.substr(["hello", "abc"], [1, -2], [-1, -7]),
        [b"ello", b"bc"],
    ),
}


@behaviour("T1")
@both
@pytest.mark.parametrize("name", TAKEN)
def test_operands_that_are_taken(mode: Any, name: str):
    call, wanted = TAKEN[name]
    found = mode(call)().numpy()

    assert found.tolist() == np.asarray(wanted).tolist()


ASSIGNED = [
    (0, [5.0], [5, 2, 3]),
    (0, [[[5.0]]], [5, 2, 3]),
    (slice(2), [[7.0, 8.0]], [7, 8, 3]),
    (slice(1, 2), [[7.0]], [1, 7, 3]),
    (slice(3, None), [[]], [1, 2, 3]),
]


@behaviour("V1")
@both
@pytest.mark.parametrize(("part", "value", "wanted"), ASSIGNED)
def test_values_may_have_more_axes_of_one(mode: Any, part: Any, value: Any, wanted: list[float]):
    v = tf.Variable([1.0, 2.0, 3.0])

    @mode
    def assign(value: Any) -> None:
        v[part].assign(value)

    assign(tf.constant(value, tf.float32))
    assert v.numpy().tolist() == wanted


@behaviour("V1")
def test_sizes_of_values_that_only_the_call_tells():
    v = tf.Variable([1.0, 2.0, 3.0])

    @tf.function(input_signature=[tf.TensorSpec([None, None], tf.float32)], autograph=False)
    def assign(value: Any) -> None:
        v[:2].assign(value)

    assign([[7.0, 8.0]])
    assert v.numpy().tolist() == [7, 8, 3]
    with pytest.raises((tf.errors.InvalidArgumentError, ValueError)):
        assign([[7.0, 8.0], [7.0, 8.0]])


LATE: dict[str, Callable[[], Any]] = {
    "a diagonal that is too long": lambda: tf.linalg.set_diag(np.eye(2), [1.0, 2.0, 3.0]),
    "another number of diagonals": lambda: tf.linalg.set_diag(np.eye(3), np.eye(3), k=(0, 1)),
    "other rows to search": lambda: tf.searchsorted(X, X[:, None]),
}


@behaviour("C1")
@pytest.mark.parametrize("wrong", LATE.values(), ids=LATE)
def test_what_does_not_fit_is_told_where_it_runs(wrong: Callable[[], Any]):
    with pytest.raises(tf.errors.InvalidArgumentError):
        wrong()
    with pytest.raises(tf.errors.InvalidArgumentError):
        traced(wrong)
    tf.function(wrong, autograph=False).get_concrete_function()


IMAGE = np.ones((1, 4, 4, 1), np.float32)
REFUSED: dict[str, Callable[[], Any]] = {
    "a window of nothing": lambda: tf.nn.conv2d(
        IMAGE, np.ones((0, 2, 1, 1), np.float32), 1, "SAME"
    ),
    "a slice with two ends": lambda: tf.raw_ops.StridedSlice(
        input=X, begin=[0], end=[1, 2], strides=[1]
    ),
    "places in no images": lambda: tf.nn.max_pool_with_argmax(IMAGE[:0], 2, 2, "VALID")[0],
    "a transform of too few": lambda: tf.raw_ops.RFFT(input=X, fft_length=[8]),
    "a row of too few": lambda: tf.raw_ops.RFFT2D(input=IMAGE[0, :, :, 0], fft_length=[4, 8]),
    "an inverse transform of too few": lambda: tf.raw_ops.IRFFT(
        input=X.astype(np.complex64), fft_length=[8]
    ),
}


@behaviour("C1")
@both
@pytest.mark.parametrize("name", REFUSED)
def test_operands_that_are_refused(mode: Any, name: str):
    with pytest.raises((tf.errors.InvalidArgumentError, ValueError)):
        mode(REFUSED[name])()


@behaviour("T1")
@pytest.mark.parametrize("length", [3, 8, 12])
def test_transforms_are_padded_or_cropped(length: int):
    x = np.arange(10, dtype=np.float32)
    halves = np.fft.rfft(x).astype(np.complex64)
    unsized = [tf.TensorSpec([None], one.dtype) for one in (x, halves)]

    def transforms(x: Any, halves: Any) -> Any:
        return tf.signal.rfft(x, [length]), tf.signal.irfft(halves, [length])

    for run in (transforms, tf.function(transforms, unsized, autograph=False)):
        there, back = run(x, halves)
        np.testing.assert_allclose(there, np.fft.rfft(x, length), 1e-5, 1e-5)
        np.testing.assert_allclose(back, np.fft.irfft(halves, length), 1e-5, 1e-5)

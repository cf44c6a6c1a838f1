"""Operands that do not fit: the class and the key words of the error, eager and compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.ops.array.broadcasting import SumToShape
from tensormill.ops.array.dynamic_slices import read_slice, write_slice
from tensormill.ops.bind import bind

X = np.arange(8.0).reshape(4, 2)
SINGULAR = np.array([[1.0, 2.0], [2.0, 4.0]])

CASES: dict[str, tuple[Callable[..., Any], list[Any], str]] = {
    "rows that end before they begin": (
        lambda x, splits: tf.RaggedTensor.from_row_splits(x, splits).values,
        [X, np.array([0, 3, 1, 4])], "must not descend",
    ),
    "rows of fewer values": (
        lambda x, lengths: tf.RaggedTensor.from_row_lengths(x, lengths).values,
        [X, np.array([1, 1])], "row splits",
    ),
    "rows out of order": (
        lambda x, rows: tf.RaggedTensor.from_value_rowids(x, rows).values,
        [X, np.array([0, 1, 0, 1])], "must not descend",
    ),
    "rows of one length that leave values": (
        lambda x, length: tf.RaggedTensor.from_uniform_row_length(x, length[0]).values,
        [X, np.array([3])], "uniform",
    ),
    "a mask of fewer rows": (
        lambda x, mask: tf.boolean_mask(x, mask), [X, np.array([True, True, False])],
        "not compatible|incompatible|sizes of the mask",
    ),
    "a sparse matrix and too few rows": (
        lambda x, shape: tf.sparse.sparse_dense_matmul(
            tf.SparseTensor([[0, 0]], [1.0], shape), tf.cast(x, tf.float32)
        ),
        [X, np.array([2, 5])], "inner dimension",
    ),
    "a largest element outside": (
        lambda x, place: tf.raw_ops.MaxPoolGradWithArgmax(
            input=tf.reshape(x, [1, 2, 2, 2]), grad=tf.ones([1, 1, 1, 2], x.dtype),
            argmax=tf.reshape(place, [1, 1, 1, 2]), ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1],
            padding="VALID",
        ),
        [X, np.array([0, 8])], "outside",
    ),
    "a transform of four numbers": (
        lambda x, t: tf.raw_ops.ImageProjectiveTransformV3(
            images=tf.reshape(x, [1, 2, 2, 2]), transforms=t, output_shape=[2, 2], fill_value=0.0,
            interpolation="NEAREST",
        ),
        [X, np.ones([1, 4], np.float32)], "transform",
    ),
    "an image of three sizes": (
        lambda x, size: tf.raw_ops.ResizeBicubic(images=tf.reshape(x, [1, 2, 2, 2]), size=size),
        [X, np.array([2, 2, 2], np.int32)], "2 elements|must be equal",
    ),
    "a sum to a size that is none": (
        lambda x, shape: bind(SumToShape, x, shape), [X[0], np.array([5], np.int32)],
        "does not broadcast|must be equal",
    ),
    "segments that descend": (
        lambda x, ids: tf.math.segment_sum(x, ids), [X, np.array([0, 1, 0, 3], np.int32)],
        "not increasing",
    ),
    "negative segments": (
        lambda x, ids: tf.math.segment_max(x, ids), [X, np.array([-1, 0, 0, 3], np.int32)],
        "out of range",
    ),
    "segments of strings that are not there": (
        lambda x, ids: tf.strings.unsorted_segment_join(tf.strings.as_string(x), ids, 3),
        [X, np.array([0, 1, -1, 2], np.int32)], "out of range",
    ),
    "too few segments": (
        lambda x, ids: tf.math.segment_mean(x, ids), [X, np.array([0, 1], np.int32)], "same size",
    ),
    "a partition that is not there": (
        lambda x, places: tf.dynamic_partition(x, places, 3), [X, np.array([1, 0, 1, 3], np.int32)],
        "not in",
    ),
    "a negative place": (
        lambda x, places: tf.dynamic_stitch([places], [x]), [X, np.array([0, 1, -1, 2], np.int32)],
        "out of range",
    ),
    "a sequence that is too long": (
        lambda x, lengths: tf.reverse_sequence(x, lengths, seq_axis=1),
        [X, np.array([1, 0, 3, 1], np.int32)], "seq_lens",
    ),
    "a segment beyond all numbers": (
        lambda x, ids: tf.math.segment_sum(x, ids), [X, np.array([0, 1, 1, 2**63 - 1])],
        r"out of range|More than 2\*\*63",
    ),
    "four colours": (
        lambda x: tf.image.rgb_to_hsv(tf.reshape(x, [-1, 4])), [X], "must have 3 channels",
    ),
    "two colours": (lambda x: tf.image.rgb_to_hsv(x), [X], "must have 3 channels"),
    "addends of two shapes": (
        lambda x, y: tf.raw_ops.AddN(inputs=[x, y]), [X, X[:1]], "same shape|must be equal",
    ),
    "labels for other rows": (
        lambda x, y: tf.raw_ops.SparseSoftmaxCrossEntropyWithLogits(features=x, labels=y),
        [X, np.array([1])], "same first dimension",
    ),
    "an empty range": (
        lambda x, bounds: tf.histogram_fixed_width(x, bounds), [X, np.array([1.0, 1.0])],
        "value_range",
    ),
    "boundaries that descend": (
        lambda x: tf.raw_ops.Bucketize(input=x, boundaries=[5.0, 1.0]), [X], "sorted boundaries",
    ),
    "a singular matrix": (lambda x: tf.linalg.inv(x), [SINGULAR], "not invertible"),
    "singular equations": (
        lambda x: tf.linalg.solve(x, x), [SINGULAR], "not invertible",
    ),
    "no triangles": (lambda x: tf.linalg.lu(x), [SINGULAR], "not invertible"),
    "no square": (lambda x: tf.linalg.det(x), [X], "square"),
    "equations of another size": (
        lambda a, b: tf.linalg.solve(a, b), [SINGULAR, X], "incompatible",
    ),
    "triangles of another size": (
        lambda a, b: tf.linalg.triangular_solve(a, b), [SINGULAR, X], "mismatch",
    ),
    "eigenvalues of NaN": (lambda x: tf.linalg.eigh(x), [SINGULAR * np.nan], "not successful"),
    "no vectors of three": (lambda x: tf.linalg.cross(x, x), [X], "3-element"),
    "beta of unlike shapes": (
        lambda x: tf.math.betainc(x, tf.transpose(x), 0.5 * x), [X], "inconsistent",
    ),
    "moments of bytes": (
        lambda x: tf.nn.moments(tf.cast(x, tf.int8), [0]), [X], "int8 is not in the list",
    ),
    "weights that wrap around": (
        lambda x: tf.math.bincount([1, 1], weights=tf.cast(x[:2, 0], tf.uint8)), [X],
        "bincount adds up one of int32, int64, float32, float64, got uint8",
    ),
    "ragged weights that wrap around": (
        lambda x: tf.math.bincount(
            tf.ragged.constant([[1], [1]]),
            weights=tf.RaggedTensor.from_tensor(tf.cast(x[:2, :1], tf.int8)), axis=-1,
        ),
        [X], "bincount adds up one of int32, int64, float32, float64, got int8",
    ),
    "counts that wrap around": (
        lambda x: tf.math.bincount(x, dtype=tf.int8), [np.array([1, 1], np.int32)],
        "bincount adds up one of int32, int64, float32, float64, got int8",
    ),
    "rows of more than a matrix to count": (
        lambda x: tf.math.bincount(tf.cast(tf.reshape(x, [1, 2, -1]), tf.int32), axis=-1), [X * 0],
        "rows of a matrix are counted",
    ),
    "too few axes to transform": (
        lambda x: tf.signal.fft2d(tf.cast(x[0], tf.complex64)), [X], "rank",
    ),
}  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
@pytest.mark.parametrize("name", CASES)
def test_what_does_not_fit_is_said(name: str, compiled: bool) -> None:
    call, arrays, words = CASES[name]
    specs = [tf.TensorSpec([None] * array.ndim, array.dtype) for array in arrays]
    function = tf.function(call, input_signature=specs) if compiled else call
    error = (tf.errors.InvalidArgumentError, tf.errors.FailedPreconditionError)

    with pytest.raises(error, match=words):
        function(*map(tf.constant, arrays))


# Numbers that are more or fewer than a rule relies on, which Python says in words of its own.
IMAGE = np.ones([1, 2, 2, 1], np.float32)
COUNTS: dict[str, tuple[Callable[..., Any], list[Any], str]] = {
    "space_to_batch": (
        lambda x, margins: tf.space_to_batch(x, [2], margins), [X, np.zeros([2, 2], int)], "pair",
    ),
    "batch_to_space": (lambda x: tf.batch_to_space(x, [1, 1], [[0, 0]]), [X], "pair"),
    "space_to_batch of three margins": (
        lambda x: tf.space_to_batch(x, [2], [[0, 0, 0]]), [X], "3 is not 2|must have shape",
    ),
    "slice": (lambda x: tf.slice(x, [0], [1]), [X], "tensors of size 2"),
    "strided_slice": (
        lambda x, end: tf.strided_slice(x, [0, 0], end), [X, np.array([1], np.int32)],
        "'begin' of shape .*'end' of shape",
    ),
    "the gradient of a slice": (
        lambda end, dy: tf.raw_ops.StridedSliceGrad(
            shape=[4, 2], begin=[0, 0], end=end, strides=[1, 1], dy=dy
        ),
        [np.array([1], np.int32), X[0]], "'begin' of shape .*'end' of shape",
    ),
    "dynamic_update_slice": (
        lambda x, k: write_slice(x, x, k),
        [X, np.array([0], np.int32)], "1 indices are given for the 2 axes",
    ),
    "starts of dynamic_slice": (
        lambda x, k: read_slice(x, k, np.array([1, 1], np.int32)),
        [X, np.array([0], np.int32)], "1 starts and 2 sizes are given for the 2 axes",
    ),
    "sizes of dynamic_slice": (
        lambda x, n: read_slice(x, np.array([0, 0], np.int32), n),
        [X, np.array([1, 9], np.int32)], "9 elements are asked for along axis 1",
    ),
    "roll": (lambda x: tf.roll(x, [1, 2], [0]), [X], "shift and axis must have the same size"),
    "histogram": (
        lambda x, ends: tf.histogram_fixed_width(x, ends), [X, np.array([0.0, 1.0, 2.0])],
        "3 is not 2",
    ),
    "reduce_join": (
        lambda x, axes: tf.strings.reduce_join(tf.as_string(x), axes),
        [X, np.array([0, 0], np.int32)], "Duplicate reduction dimension",
    ),
    "mirrors": (
        lambda x: tf.raw_ops.MirrorPadGrad(input=x, paddings=[[0, 0]], mode="REFLECT"), [X],
        "rank of inputs",
    ),
    "a projected image": (
        lambda x, size: tf.raw_ops.ImageProjectiveTransformV3(
            images=x, transforms=tf.ones([1, 8]), output_shape=size, fill_value=0.0,
            interpolation="NEAREST",
        ),
        [IMAGE, np.ones([3], np.int32)], "3 is not 2",
    ),
    "the gradient of pooled images": (
        lambda x, dy: tf.raw_ops.MaxPoolGrad(
            orig_input=x, orig_output=x, grad=dy, ksize=[1] * 4, strides=[1] * 4, padding="VALID"
        ),
        [IMAGE, IMAGE[None]], "grad shape",
    ),
}  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize("known", ["eager", "ranks", "nothing"])
@pytest.mark.parametrize("name", COUNTS)
def test_numbers_that_are_not_as_many_are_said_in_words(name: str, known: str) -> None:
    call, arrays, words = COUNTS[name]
    shapes = [None if known == "nothing" else [None] * array.ndim for array in arrays]
    specs = list(map(tf.TensorSpec, shapes, [array.dtype for array in arrays]))

    with pytest.raises((tf.errors.InvalidArgumentError, ValueError), match=words):
        (call if known == "eager" else tf.function(call, specs, autograph=False))(*arrays)


def test_what_does_not_fit_may_stand_where_nobody_comes() -> None:
    @tf.function(input_signature=[tf.TensorSpec(None)])
    def rolled(x: Any) -> Any:
        return x if tf.rank(x) > 0 else tf.roll(x, [1, 2], [0, 5])

    np.testing.assert_array_equal(X, rolled(tf.constant(X, tf.float32)))


@pytest.mark.parametrize(("left", "right"), [([3, 1], [1, 4]), ([1, 4], [3, 4]), ([3, 4], [3, 1])])
def test_logits_and_labels_broadcast(left: list[int], right: list[int]) -> None:
    logits = np.arange(np.prod(left), dtype=np.float32).reshape(left)
    labels = np.full(right, 0.25, np.float32)

    def call(x: Any, y: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([x, y])
            loss = tf.raw_ops.SoftmaxCrossEntropyWithLogits(features=x, labels=y)[0]
        return loss, *tape.gradient(loss, [x, y])

    wide = np.broadcast_to(logits, [3, 4])
    logs = wide - np.log(np.sum(np.exp(wide), -1, keepdims=True))
    expected = -np.sum(logs * 0.25, -1)
    specs = [tf.TensorSpec([None, None])] * 2
    for run in (call, tf.function(call, specs, autograph=False)):
        loss, dx, dy = run(tf.constant(logits), tf.constant(labels))
        np.testing.assert_allclose(expected, loss, rtol=1e-5)
        assert (dx.shape, dy.shape) == (left, right)
        np.testing.assert_allclose(-logs.sum(), tf.reduce_sum(dy), rtol=1e-5)


def test_windows_of_margins_alone_hold_no_number() -> None:
    def pooled(x: Any) -> Any:
        return tf.nn.max_pool(x, 2, 1, [[0, 0], [1, 1], [0, 1], [0, 0]])

    compiled = tf.function(pooled, [tf.TensorSpec([None] * 4)], autograph=False)
    x = tf.zeros([2, 0, 3, 1])

    np.testing.assert_array_equal(np.full([2, 1, 3, 1], -np.inf), pooled(x))
    np.testing.assert_array_equal(pooled(x), compiled(x))

"""Operands that do not fit: the class and the key words of the error, eager and compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf

X = np.arange(8.0).reshape(4, 2)
SINGULAR = np.array([[1.0, 2.0], [2.0, 4.0]])

CASES: dict[str, tuple[Callable[..., Any], list[Any], str]] = {
    "segments that descend": (
        lambda x, ids: tf.math.segment_sum(x, ids), [X, np.array([0, 1, 0, 3], np.int32)],
        "not increasing",
    ),
    "negative segments": (
        lambda x, ids: tf.math.segment_max(x, ids), [X, np.array([-1, 0, 0, 3], np.int32)],
        "out of range",
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
    "too few axes to transform": (
        lambda x: tf.signal.fft2d(tf.cast(x[0], tf.complex64)), [X], "rank",
    ),
}  # fmt: skip


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
@pytest.mark.parametrize("name", CASES)
def test_what_does_not_fit_is_said(name: str, compiled: bool) -> None:
    call, arrays, words = CASES[name]
    specs = [tf.TensorSpec([None] * array.ndim, array.dtype) for array in arrays]
    function = tf.function(call, input_signature=specs) if compiled else call
    error = (tf.errors.InvalidArgumentError, tf.errors.FailedPreconditionError)

    with pytest.raises(error, match=words):
        function(*map(tf.constant, arrays))

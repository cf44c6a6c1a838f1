"""Attributes as files and NumPy have them: bytes, None, arrays; parameters keep their digits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill
from tests.ops.calls.tables import parts

X = np.arange(64, dtype=np.float32).reshape(1, 8, 8, 1)
F = np.ones((2, 2, 1, 1), np.float32)
ROWS = [["a", "b", "c"]]
tf: Any = tensormill  # what is given here, types do not say
V1 = tf.compat.v1

# What is asked for in words of files, and the same in Python's.
ALIKE: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "padding of convolutions": (
        lambda: tf.nn.conv2d(X, F, 1, b"SAME"), lambda: tf.nn.conv2d(X, F, 1, "SAME"),
    ),
    "padding of windows": (
        lambda: tf.nn.avg_pool(X, 2, 2, b"VALID"), lambda: tf.nn.avg_pool(X, 2, 2, "VALID"),
    ),
    "padding of windows on lines": (
        lambda: tf.nn.max_pool1d(X[:, 0], 2, 2, b"SAME"),
        lambda: tf.nn.max_pool1d(X[:, 0], 2, 2, "SAME"),
    ),
    "the order of axes": (
        lambda: tf.nn.conv3d(X[..., None], F[..., None], [1] * 5, "VALID", b"NDHWC"),
        lambda: tf.nn.conv3d(X[..., None], F[..., None], [1] * 5, "VALID", "NDHWC"),
    ),
    "what joins strings": (
        lambda: tf.strings.reduce_join(ROWS, 1, separator=b"-"),
        lambda: tf.strings.reduce_join(ROWS, 1, separator="-"),
    ),
    "what joins neighbours": (
        lambda: tf.strings.ngrams(ROWS, 2, b"-"), lambda: tf.strings.ngrams(ROWS, 2, "-"),
    ),
    "units": (
        lambda: tf.strings.substr(["\u00e9b"], 0, 1, unit=b"UTF8_CHAR"),
        lambda: tf.strings.substr(["\u00e9b"], 0, 1, unit="UTF8_CHAR"),
    ),
    "modes of raw operations": (
        lambda: tf.raw_ops.MirrorPad(input=X[0, :, :, 0], paddings=[[1, 1]] * 2, mode=b"REFLECT"),
        lambda: tf.raw_ops.MirrorPad(input=X[0, :, :, 0], paddings=[[1, 1]] * 2, mode="REFLECT"),
    ),
    "floats that None leaves": (
        lambda: tf.nn.lrn(X, bias=None, alpha=None, beta=None), lambda: tf.nn.lrn(X),
    ),
    "the part of new averages that None leaves": (
        lambda: V1.nn.fused_batch_norm(
            X, [1.0], [0.0], [1.0], [2.0], is_training=False, exponential_avg_factor=None
        ),
        lambda: V1.nn.fused_batch_norm(X, [1.0], [0.0], [1.0], [2.0], is_training=False),
    ),
    "the way that None leaves": (
        lambda: tf.linalg.lstsq([[1.0], [2.0]], [[1.0], [1.0]], 0.5, fast=None),
        lambda: tf.linalg.lstsq([[1.0], [2.0]], [[1.0], [1.0]], 0.5),
    ),
    "arrays of strides": (
        lambda: tf.nn.avg_pool(X, np.array([2, 1]), np.array([2, 2]), "VALID"),
        lambda: tf.nn.avg_pool(X, [2, 1], [2, 2], "VALID"),
    ),
    "long integers of shapes": (
        lambda: tf.nn.conv2d_transpose(X, F, np.array([1, 16, 16, 1]), 2, "SAME"),
        lambda: tf.nn.conv2d_transpose(X, F, [1, 16, 16, 1], 2, "SAME"),
    ),
    "NumPy's integers of axes": (
        lambda: tf.tensordot(X[0, :, :, 0], X[0, :, :, 0], np.int64(1)),
        lambda: tf.tensordot(X[0, :, :, 0], X[0, :, :, 0], 1),
    ),
    "NumPy's integers of widths": (
        lambda: tf.strings.ngrams(ROWS, np.int64(2)), lambda: tf.strings.ngrams(ROWS, 2),
    ),
    "arrays of ratios": (
        lambda: tf.nn.fractional_avg_pool(X, np.array([1, 1.5, 1.5, 1]), seed=3)[0],
        lambda: tf.nn.fractional_avg_pool(X, [1, 1.5, 1.5, 1], seed=3)[0],
    ),
    "a number of parts": (
        lambda: tf.sparse.split(tf.sparse.eye(4), np.int64(2), 0),
        lambda: tf.sparse.split(tf.sparse.eye(4), 2, 0),
    ),
}  # fmt: skip


@pytest.mark.parametrize("how", [lambda f: f, lambda f: tf.function(f, autograph=False)])
@pytest.mark.parametrize("what", ALIKE)
def test_attributes_are_what_files_and_numpy_have(what: str, how: Any) -> None:
    given, usual = [[*map(np.asarray, parts(tf, how(call)()))] for call in ALIKE[what]]

    assert [one.tolist() for one in usual] == [one.tolist() for one in given]


def test_bytes_that_are_no_words_are_refused() -> None:
    with pytest.raises(TypeError, match=r"'separator' is UTF-8, which b'\\xff' is not"):
        tf.strings.join(["a", "b"], separator=b"\xff")


def test_parameters_of_float64_keep_their_digits() -> None:
    matrix = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    rhs = np.ones((3, 1))
    losses = np.array([0.3, 0.7])

    solved = tf.linalg.lstsq(matrix, rhs, 0.1).numpy()
    loss = tf.nn.compute_average_loss(losses, sample_weight=0.1).numpy()

    regular = matrix.T @ matrix + 0.1 * np.eye(2)
    np.testing.assert_allclose(solved, np.linalg.solve(regular, matrix.T @ rhs), rtol=1e-12)
    np.testing.assert_allclose(loss, (losses * 0.1).mean(), rtol=1e-15)

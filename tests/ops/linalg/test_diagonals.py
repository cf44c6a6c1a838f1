"""Diagonals of matrices: gradients, unknown sizes, and what is refused."""

from __future__ import annotations

from itertools import combinations_with_replacement
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.ops.demand_readers import EAGER
from tensormill.ops.linalg.diagonals import ALIGNMENTS, MatrixDiagPartV3, MatrixSetDiagV3
from tests.autodiff.finite_differences import assert_gradients, gradients_of

CUBE = np.arange(1.0, 25.0).reshape(2, 3, 4)
BAND = np.arange(1.0, 25.0).reshape(2, 4, 3)


def weighted(result: Any) -> Any:
    """One number that depends on every element in another way."""
    steps = tf.cast(tf.range(tf.size(result)), tf.float64)
    return tf.reduce_sum(result * tf.reshape(tf.sin(steps), tf.shape(result)))


GRADIENTS = [
    (lambda x: tf.linalg.diag(x), [BAND]),
    (lambda x: tf.linalg.diag(x, k=(-1, 2), num_rows=3, padding_value=7.0), [BAND]),
    (lambda x: tf.linalg.diag_part(x), [CUBE]),
    (lambda x: tf.linalg.diag_part(x, k=(-1, 2), align="LEFT_RIGHT"), [CUBE]),
    (lambda x, y: tf.linalg.set_diag(x, y, k=(-1, 2)), [CUBE, BAND]),
    (lambda x: tf.linalg.trace(x), [CUBE]),
]


@pytest.mark.sampled
@pytest.mark.parametrize("number", range(len(GRADIENTS)))
def test_gradients_agree_with_finite_differences(number: int) -> None:
    function, arrays = GRADIENTS[number]
    derivatives = gradients_of(lambda *xs: weighted(function(*xs)))
    specs = [tf.TensorSpec([None] * array.ndim, tf.float64) for array in arrays]
    compiled = tf.function(derivatives, input_signature=specs)
    for find in (derivatives, compiled):
        assert_gradients(
            lambda *xs: weighted(function(*map(tf.constant, xs))).numpy(),
            lambda *xs, find=find: [one.numpy() for one in find(*map(tf.constant, xs))],
            *arrays,
            tolerance=1e-6,
        )


def test_a_diagonal_of_a_matrix_of_any_size() -> None:
    fn = tf.function(
        lambda x: tf.linalg.diag_part(x, k=1), input_signature=[tf.TensorSpec([None, None])]
    )

    assert [1.0, 5.0] == fn(tf.constant([[0.0, 1, 2], [3, 4, 5]])).numpy().tolist()
    with pytest.raises(tf.errors.InvalidArgumentError, match="out of bound: 1"):
        fn(tf.constant([[1.0], [2.0]]))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: tf.linalg.diag_part(tf.ones([2, 3]), k=5), "out of bound: 5"),
        (lambda: tf.linalg.diag_part(tf.ones([2, 3]), k=-2), "out of bound: -2"),
        (lambda: tf.linalg.diag_part(tf.ones([3])), "at least 2-dim"),
        (lambda: tf.linalg.diag_part(tf.ones([3, 3]), k=(2, -1)), "must not be larger than"),
        (lambda: tf.linalg.diag_part(tf.ones([3, 3]), k=(0, 1, 2)), "one or two elements"),
        (lambda: tf.linalg.diag_part(tf.ones([3, 3]), align="X"), "align 'X'"),
        (lambda: tf.linalg.diag(tf.ones([2]), num_rows=1), "number of rows is too small"),
        (lambda: tf.linalg.diag(tf.ones([2]), num_rows=4, num_cols=5), "not consistent"),
        (lambda: tf.linalg.diag(tf.ones([2]), k=(0, 1)), "at least 2-dim"),
        (lambda: tf.linalg.diag(tf.ones([3, 2]), k=(0, 1)), "number of diagonals"),
        (lambda: tf.linalg.set_diag(tf.ones([2, 3]), tf.ones([3])), r"\[2\] is wanted"),
    ],
)
def test_what_does_not_fit_is_refused_also_in_a_trace(call: Any, words: str) -> None:
    for run in (call, tf.function(call)):
        with pytest.raises(tf.errors.InvalidArgumentError, match=words):
            run()


@pytest.mark.parametrize("staged", [False, True], ids=["eager", "compiled"])
def test_a_band_may_be_as_wide_as_the_matrix_and_no_wider(staged: bool) -> None:
    def banded(x: Any, low: int, high: int) -> Any:
        return tf.linalg.band_part(x, low, high)

    run = tf.function(banded) if staged else banded
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])

    assert [[1.0, 0.0], [3.0, 4.0]] == run(x, 2, 0).numpy().tolist()
    assert [[1.0, 2.0], [0.0, 4.0]] == run(x, 0, 2).numpy().tolist()
    for low, high in ((3, 0), (0, 3)):
        with pytest.raises(tf.errors.InvalidArgumentError, match="must be negative or less"):
            run(x, low, high)


@pytest.mark.sampled
@pytest.mark.parametrize("align", ALIGNMENTS)
@pytest.mark.parametrize("shape", [(3, 5), (5, 3), (2, 4, 4), (1, 6), (6, 1), (0, 3, 2)])
def test_diagonals_are_written_as_element_by_element(align: str, shape: tuple[int, ...]) -> None:
    rows, columns = shape[-2:]
    x = np.arange(1.0, 1.0 + np.prod(shape)).reshape(shape)
    for low, high in combinations_with_replacement(range(1 - rows, columns), 2):
        k = low if low == high else (low, high)
        band = tf.linalg.diag_part(x, k=k, align=align, padding_value=-1.0)
        put = tf.linalg.set_diag(x, -band, k=k, align=align)
        parts = (MatrixDiagPartV3, x, np.array(k), np.array(-1.0)), (MatrixSetDiagV3, x, -band, k)

        for found, (op, *operands) in zip((band, put), parts, strict=True):
            slow = op(*map(np.asarray, operands), align=align)
            slow.found = slow.demands(EAGER)
            np.testing.assert_array_equal(slow.xla(SimpleNamespace(np=np)), found)

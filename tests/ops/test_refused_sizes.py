"""Operands of other sizes, orders and dtypes are refused as TensorFlow does: nothing is lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf

Refused = tf.errors.InvalidArgumentError
ROWS, OTHERS = tf.ragged.constant([[1, 2], [3]]), tf.ragged.constant([[1], [2, 3]])
TABLE = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]


def of_unknown(run: Callable[..., Any], *tensors: Any, rank: bool = True) -> Any:
    """What a compiled `run` gives that knows no size of the tensors, and no rank unless `rank`."""
    given = [tf.constant(one) for one in tensors]
    specs = [tf.TensorSpec([None] * len(one.shape) if rank else None, one.dtype) for one in given]
    return tf.function(run, input_signature=specs)(*given)


@pytest.mark.parametrize("rhs", [[[3.0], [1.0], [2.0]], [[3.0]]])
def test_a_right_side_has_as_many_rows_as_the_matrix(rhs: Any) -> None:
    solve = tf.linalg.lu_solve

    with pytest.raises(ValueError, match=r"rows, the order is of 2"):
        solve(np.eye(2, dtype="f4"), [0, 1], rhs)
    for rank in (True, False):
        with pytest.raises(Refused):
            of_unknown(solve, np.eye(2, dtype="f4"), [0, 1], rhs, rank=rank)
    assert [[1.0], [2.0]] == of_unknown(
        solve, np.eye(2, dtype="f4"), [1, 0], [[2.0], [1.0]]
    ).numpy().tolist()


def test_a_right_side_is_a_matrix() -> None:
    with pytest.raises(ValueError, match=r"\[\.\.\., n, k\]"):
        tf.linalg.lu_solve(np.eye(2, dtype="f4"), [0, 1], [3.0, 1.0])


def test_an_order_has_a_place_for_every_row() -> None:
    with pytest.raises(ValueError, match="the order is of 1"):
        tf.linalg.lu_reconstruct(np.eye(2, dtype="f4"), [0])
    with pytest.raises(Refused):
        of_unknown(tf.linalg.lu_reconstruct, np.eye(2, dtype="f4"), [0])


@pytest.mark.parametrize(
    ("tensor", "mask"),
    [([1, 2, 3], [True, False]), ([[1, 2], [3, 4]], [True]), ([[1, 2]], [[True]]), (ROWS, [True])],
)
def test_a_mask_has_the_sizes_of_the_first_axes(tensor: Any, mask: Any) -> None:
    with pytest.raises(ValueError, match="first axes"):
        tf.ragged.boolean_mask(tensor, mask)


def test_a_mask_of_unknown_size_is_compared_when_it_runs() -> None:
    for tensor in ([1, 2, 3], [[1, 2], [3, 4], [5, 6]]):
        with pytest.raises(Refused, match="numbers of rows"):
            of_unknown(tf.ragged.boolean_mask, tensor, [True, False])
        kept = of_unknown(tf.ragged.boolean_mask, tensor, [True, False, True])
        assert [tensor[0], tensor[2]] == kept.numpy().tolist()


def test_values_are_mapped_of_equal_rows_only() -> None:
    mapped = tf.ragged.map_flat_values

    for run in (mapped, tf.function(mapped)):
        with pytest.raises(Refused, match="identical ragged splits"):
            run(tf.add, ROWS, OTHERS)
        assert [[2, 4], [6]] == run(tf.add, ROWS, tf.ragged.constant([[1, 2], [3]])).to_list()


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["segment_sum", "segment_mean", "segment_sqrt_n"])
@pytest.mark.parametrize("ids", [[1, 0], [0, -1], [-1, 0], [-1, -1]])
def test_segments_ascend_from_zero(name: str, ids: list[int]) -> None:
    combine = getattr(tf.sparse, name)

    with pytest.raises(Refused, match="segment ids"):
        combine(TABLE, [0, 1], ids)
    with pytest.raises(Refused, match="segment ids"):
        of_unknown(lambda ids: combine(TABLE, [0, 1], ids, num_segments=2), ids)


@pytest.mark.parametrize("name", ["segment_mean", "segment_sqrt_n"])
def test_means_are_those_of_floats(name: str) -> None:
    with pytest.raises(Refused, match="int32"):
        getattr(tf.sparse, name)([1, 0], [0, 1], [0, 0])


@pytest.mark.parametrize("values", [[-1], [[1, -1]], tf.ragged.constant([[1, -1], [2]])])
def test_negative_integers_are_not_counted(values: Any) -> None:
    axis = 0 if isinstance(values, list) and values == [-1] else -1

    for run in (tf.sparse.bincount, tf.function(tf.sparse.bincount)):
        with pytest.raises(Refused, match="not negative"):
            run(values, axis=axis)


def test_weights_do_not_go_with_binary_output() -> None:
    with pytest.raises(ValueError, match="mutually exclusive"):
        tf.sparse.bincount([1, 2], weights=[1.0, 2.0], binary_output=True)


def test_rows_within_rows_become_arrays_within_arrays() -> None:
    found = tf.ragged.constant([[[1, 2], [3]], [[4]]]).numpy()

    assert [[[1, 2], [3]], [[4]]] == [[row.tolist() for row in rows] for rows in found]
    assert ((2, 2), object) == (lambda a: (a.shape, a.dtype))(
        tf.ragged.constant([[[1, 2], [3]], [[4], [5, 6]]]).numpy()
    )
    empty = tf.ragged.constant([], ragged_rank=2, dtype=tf.int32).numpy()
    assert ((0, 0, 0), np.int32) == (empty.shape, empty.dtype)


def test_singular_values_of_what_is_not_finite_are_nan() -> None:
    values = of_unknown(
        lambda x: tf.linalg.svd(x, compute_uv=False), [[[np.nan]], [[3.0]], [[np.inf]]], rank=False
    )

    np.testing.assert_array_equal([[np.nan], [3.0], [np.nan]], values)


@pytest.mark.parametrize("function", [tf.linalg.expm, tf.linalg.logm])
def test_functions_of_matrices_that_are_not_finite_are_nan(function: Any) -> None:
    good = tf.eye(2, batch_shape=[1], dtype="complex64")
    bad = tf.constant([[[np.nan, 1], [1, 2]], [[1, np.inf], [1, 2]]], "complex64")

    for run in (function, tf.function(function)):
        found = run(tf.concat([good, bad], 0)).numpy()
        np.testing.assert_allclose(function(good)[0], found[0])
        assert np.isnan(found[1:]).all()


def test_ranks_that_differ_are_named() -> None:
    one, other = tf.sparse.from_dense([1, 2]), tf.sparse.from_dense([[3]])

    with pytest.raises(ValueError, match="same rank, not"):
        tf.ragged.stack([[1, 2], [[3]]])
    with pytest.raises(Refused, match="same rank, not"):
        tf.sparse.concat(0, [one, other])


def test_a_seed_is_folded_with_an_integer() -> None:
    with pytest.raises(ValueError, match="int32 or int64, got float32"):
        tf.random.fold_in([1, 2], 1.0)


@pytest.mark.parametrize(
    ("name", "allowed"),
    [("argmax", ["int16", "uint16", "int32", "int64"]), ("argmin", ["int32", "int64"])],
)
def test_places_are_integers(name: str, allowed: list[str]) -> None:
    find = getattr(tf, name)

    assert allowed == [find([2, 2], output_type=kind).dtype.name for kind in allowed]
    for kind in {"float32", "int8", "int16", "bool"} - {*allowed}:
        with pytest.raises(Refused, match=r"output_type=.* allowed values"):
            find([1, 3, 2], output_type=kind)


@pytest.mark.parametrize("size", ["a", b"a", [2], [[1]]])
def test_sizes_of_identity_matrices_are_numbers(size: Any) -> None:
    for make in (tf.eye, tf.function(tf.eye)):
        with pytest.raises(TypeError, match="must be integers"):
            make(size)
        with pytest.raises(TypeError, match="must be integers"):
            make(2, size)

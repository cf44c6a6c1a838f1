"""Rows sorted and places found natively, as NumPy does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf


@tf.function(reduce_retracing=True)
def largest(x: Any, k: Any) -> Any:
    return tf.math.top_k(x, k)


@tf.function(reduce_retracing=True)
def ascending(x: Any) -> Any:
    return tf.sort(x), tf.argsort(x)


@pytest.mark.parametrize("size", [0, 1, 2, 7, 64, 1000])
def test_rows_of_any_length_are_sorted(size: int) -> None:
    rows = np.random.default_rng(size).normal(size=(3, size)).astype(np.float32)
    values, places = ascending(tf.constant(rows))

    np.testing.assert_array_equal(np.sort(rows), values.numpy())
    np.testing.assert_array_equal(np.argsort(rows, kind="stable"), places.numpy())


@pytest.mark.sampled
@pytest.mark.parametrize("kind", ["random", "equal", "ascending", "descending", "nan"])
@pytest.mark.parametrize("count", [0, 1, 5, 64, 65])
def test_a_few_elements_are_the_first_of_all_sorted_ones(count: int, kind: str) -> None:
    random = np.random.default_rng(count)
    rows = {
        "random": random.normal(size=(40, 3, 70)),
        "equal": random.integers(0, 4, size=(3, 70)),
        "ascending": np.arange(140.0).reshape(2, 70),
        "descending": -np.arange(70, dtype=np.int8),
        "nan": np.where(random.random((5, 70)) < 0.2, np.nan, random.normal(size=(5, 70))),
    }[kind]
    few = tf.function(lambda x: tf.math.top_k(x, count))(rows)
    every = largest(tf.constant(rows), tf.constant(rows.shape[-1]))  # a tensor: all are sorted

    np.testing.assert_array_equal(every.values[..., :count], few.values)
    np.testing.assert_array_equal(every.indices[..., :count], few.indices)


def test_equal_elements_keep_their_order() -> None:
    _, places = largest(tf.constant([[2, 1, 2, 3, 2, 3]]), 5)

    assert [[3, 5, 0, 2, 4]] == places.numpy().tolist()


def test_nan_is_the_largest() -> None:
    _, places = largest(tf.constant([[1.0, np.nan, np.inf, np.nan]]), 3)

    assert [[1, 3, 2]] == places.numpy().tolist()


def test_more_than_there_are_is_an_error() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="at least k columns"):
        largest(tf.constant([[1.0, 2.0]]), tf.constant(3))


def test_nothing_of_it_runs_in_python() -> None:
    x = tf.constant([[3.0, 1.0]])
    for function, arguments in ((largest, (x, 1)), (ascending, (x,))):
        function(*arguments)
        assert "Python" not in str(function.report())


@pytest.mark.parametrize("side", ["left", "right"])
def test_places_in_sorted_rows_are_numpys(side: Any) -> None:
    row = np.sort(np.random.default_rng(0).integers(0, 50, 100))
    values = np.arange(-3, 53)
    found = tf.function(lambda x, v: tf.searchsorted(x, v, side))(row, values)

    np.testing.assert_array_equal(np.searchsorted(row, values, side), found.numpy())


@pytest.mark.parametrize("side", ["left", "right"])
def test_places_in_rows_without_order_are_found_by_the_same_halvings(side: Any) -> None:
    random = np.random.default_rng(1)
    rows = random.uniform(-1, 1, (20, 13))
    rows[random.uniform(size=rows.shape) < 0.2] = np.nan
    values = np.concatenate([random.uniform(-1, 1, (20, 7)), np.full((20, 1), np.nan)], 1)

    def places(x: Any, v: Any) -> Any:
        return tf.searchsorted(x, v, side)

    unknown = [tf.TensorSpec([None, None], tf.float64)] * 2
    expected = places(rows, values).numpy()
    for native in (tf.function(places), tf.function(places, input_signature=unknown)):
        np.testing.assert_array_equal(expected, native(rows, values).numpy())
    assert native(rows[:, :0], values).numpy().tolist() == np.zeros((20, 8)).tolist()


@pytest.mark.parametrize("count", [3, 9, 40, 70])
def test_elements_of_constants_are_found_by_numbers_that_the_run_knows(count: int) -> None:
    table = np.random.default_rng(count).integers(0, 99, count)
    places = np.random.default_rng(0).integers(0, count, 300)

    @tf.function
    def taken(at: Any, x: Any) -> Any:
        return tf.gather(tf.constant(table), at), tf.raw_ops.Bucketize(
            input=x, boundaries=np.sort(table).astype(float).tolist()
        )

    found, buckets = taken(places, tf.cast(places, tf.float32))
    np.testing.assert_array_equal(table[places], found)
    np.testing.assert_array_equal(np.searchsorted(np.sort(table), places, "right"), buckets)


REALS = [
    "bfloat16", "float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8",
    "uint16", "uint32", "uint64",
]  # fmt: skip


@pytest.mark.parametrize("direction", ["ASCENDING", "DESCENDING"])
@pytest.mark.parametrize("dtype", REALS)
def test_numbers_of_every_dtype_are_sorted_from_end_to_end(dtype: str, direction: str) -> None:
    kind = tf.as_dtype(dtype)
    ends = [kind.min, kind.max, 0, 1, 1, kind.max // 2 if kind.is_integer else -1.5]
    ends += [np.inf, -np.inf, -0.0, np.nan, np.nan] if kind.is_floating else []
    rows = tf.cast(tf.constant(np.array(ends * 9, kind.as_numpy_dtype)), kind)

    def sorted_by(x: Any) -> Any:
        return tf.sort(x, direction=direction), tf.argsort(x, direction=direction)

    values, places = tf.function(sorted_by)(rows)
    expected = np.sort(rows.numpy().astype(np.float64 if kind.is_floating else dtype))
    expected = expected if direction == "ASCENDING" else expected[::-1]
    np.testing.assert_array_equal(expected, values.numpy().astype(expected.dtype))
    for one, other in zip((values, places), sorted_by(rows), strict=True):  # as eagerly
        np.testing.assert_array_equal(*(x.numpy().astype(expected.dtype) for x in (other, one)))

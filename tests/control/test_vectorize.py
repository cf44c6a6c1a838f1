"""`tf.vectorized_map`: results are those of TensorFlow's."""

from __future__ import annotations

from typing import Any

import pytest

import tensormill as tf

modes = pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])


def run(fn: Any, elems: Any, compiled: bool) -> Any:
    mapped = tf.function(lambda *x: tf.vectorized_map(fn, x[0] if len(x) == 1 else x))
    return (
        mapped(*elems)
        if compiled
        else tf.vectorized_map(fn, elems[0] if len(elems) == 1 else elems)
    )


@modes
def test_a_function_sees_every_slice(compiled: bool) -> None:
    found = run(lambda x: tf.tensordot(x, x, 1), [tf.constant([[1.0, 2.0], [3.0, 4.0]])], compiled)

    assert [5.0, 25.0] == found.numpy().tolist()


@modes
def test_a_first_size_of_one_goes_with_every_slice(compiled: bool) -> None:
    found = run(lambda x: x[0] + x[1], [tf.range(3), tf.constant([10])], compiled)

    assert [10, 11, 12] == found.numpy().tolist()


@modes
def test_structures_numbers_and_none_are_results(compiled: bool) -> None:
    found = run(lambda x: {"a": (x, 1), "b": None}, [tf.range(2)], compiled)

    assert [0, 1] == found["a"][0].numpy().tolist()
    assert [1, 1] == found["a"][1].numpy().tolist()
    assert found["b"] is None


@modes
def test_rows_of_ragged_tensors_are_slices(compiled: bool) -> None:
    rows = tf.ragged.constant([[1, 2], [3, 4]])

    assert [3, 7] == run(tf.reduce_sum, [rows], compiled).numpy().tolist()
    assert [[2, 3], [4, 5]] == run(lambda row: row + 1, [rows], compiled).to_list()


@modes
def test_no_slices_give_no_results(compiled: bool) -> None:
    assert (0, 2) == run(lambda x: x + 1, [tf.zeros((0, 2))], compiled).shape


def test_gradients_go_through() -> None:
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.function(lambda x: tf.vectorized_map(lambda row: tf.reduce_prod(row), x))(x)

    assert [[2.0, 1.0], [4.0, 3.0]] == tape.gradient(y, x).numpy().tolist()


def test_scalars_have_no_slices() -> None:
    with pytest.raises(ValueError, match="at least one axis"):
        tf.vectorized_map(lambda x: x, tf.constant(1.0))


def test_unlike_first_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="not compatible"):
        tf.vectorized_map(lambda x: x[0], (tf.range(3), tf.range(2)))

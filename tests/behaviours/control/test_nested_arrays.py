"""Arrays within loops within loops, in structures, in branches, changing places: C22, C28."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, differs, tf
from tests.behaviours.modes import both


def lists(values: Any) -> Any:
    return tf.nest.map_structure(lambda one: np.asarray(one).tolist(), values)


@behaviour("C28")
@both
def test_rows_of_an_array_are_filled_by_arrays_of_an_inner_loop(mode: Any):
    def triangle(n: Any) -> Any:
        outer = tf.TensorArray(tf.int32, n, infer_shape=False, element_shape=[None])
        for i in tf.range(n):
            inner = tf.TensorArray(tf.int32, 0, dynamic_size=True)
            for j in tf.range(i + 1):
                inner = inner.write(j, i * j)
            outer = outer.write(i, inner.stack())
        return outer.concat()

    expected = [i * j for i in range(4) for j in range(i + 1)]
    assert lists(mode(triangle)(tf.constant(4))) == expected


@behaviour("C28")
@both
def test_gradients_go_through_arrays_of_inner_loops(mode: Any):
    def f(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            rows = tf.TensorArray(tf.float32, 3)
            for i in tf.range(3):
                row = tf.TensorArray(tf.float32, 2)
                for j in tf.range(2):
                    row = row.write(j, x[j] * tf.cast(i + 1, tf.float32) * x[j])
                rows = rows.write(i, row.stack())
            y = tf.reduce_sum(rows.stack())
        return tape.gradient(y, x)

    assert lists(mode(f)(tf.constant([1.0, 2.0]))) == [12.0, 24.0]


@behaviour("C28")
@both
def test_lists_and_dicts_of_arrays_go_through_loops(mode: Any):
    def f(n: Any) -> Any:
        arrays = [tf.TensorArray(tf.int32, n) for _ in range(2)]
        named = {"k": tf.TensorArray(tf.int32, n)}
        for i in tf.range(n):
            arrays = [one.write(i, i * (k + 1)) for k, one in enumerate(arrays)]
            named = {"k": named["k"].write(i, -i)}
        return [one.stack() for one in arrays], named["k"].stack()

    assert lists(mode(f)(tf.constant(3))) == ([[0, 1, 2], [0, 2, 4]], [0, -1, -2])


@behaviour("C28")
@pytest.mark.parametrize(("x", "expected"), [(0, [7, 8]), (1, [10, 11]), (2, [10, 20])])
def test_arrays_are_written_in_nested_branches(x: int, expected: Any):
    @tf.function
    def f(x: Any) -> Any:
        one = tf.TensorArray(tf.int32, 2).unstack([1, 2])
        if x > 0:
            one = one.write(0, 10)
            if x > 1:
                one = one.write(1, 20)
            else:
                one = one.write(1, one.read(0) + 1)
        else:
            one = tf.TensorArray(tf.int32, 2).unstack([7, 8])
        return one.stack()

    assert lists(f(tf.constant(x))) == expected


@behaviour("C22")
def test_two_arrays_change_places_in_a_loop():
    @tf.function
    def f(n: Any) -> Any:
        a = tf.TensorArray(tf.int32, 3).unstack([1, 2, 3])
        b = tf.TensorArray(tf.int32, 3).unstack([4, 5, 6])
        for i in tf.range(n):
            a, b = b, a.write(i, b.read(i) * 10)
        return a.stack(), b.stack()

    assert lists(f(tf.constant(1))) == ([4, 5, 6], [40, 2, 3])
    assert lists(f(tf.constant(2))) == ([40, 2, 3], [4, 20, 6])


@behaviour("C22")
def test_three_arrays_go_round_in_a_loop_with_branches():
    @tf.function
    def f(n: Any) -> Any:
        a, b, c = (tf.TensorArray(tf.int32, 2).unstack([k, k + 1]) for k in (1, 3, 5))
        for i in tf.range(n):
            if i % 2 == 0:
                a, b, c = b, c, a
            else:
                a, b, c = c, a.write(0, i), b
        return a.stack(), b.stack(), c.stack()

    assert lists(f(tf.constant(1))) == ([3, 4], [5, 6], [1, 2])
    assert lists(f(tf.constant(2))) == ([1, 2], [1, 4], [5, 6])
    assert lists(f(tf.constant(4))) == ([1, 2], [3, 4], [5, 6])


@behaviour("C13")
def test_strings_and_sizes_change_places_in_a_loop():
    @tf.function
    def f(n: Any, x: Any, y: Any) -> Any:
        a, b, c = tf.constant("a"), tf.constant("b"), tf.constant("c")
        for _ in tf.range(n):
            tf.autograph.experimental.set_loop_options(
                shape_invariants=[(x, tf.TensorShape([None])), (y, tf.TensorShape([None]))]
            )
            a, b, c = b, c, a
            x, y = tf.concat([y, y], 0), x
        return a, b, c, x, y

    found = lists(f(tf.constant(2), tf.constant([1]), tf.constant([2, 3])))
    assert found == (b"c", b"a", b"b", [1, 1], [2, 3, 2, 3])


@behaviour("C27")
def test_arrays_of_strings_change_places_in_a_loop_too():
    @tf.function
    def f(n: Any) -> Any:
        a = tf.TensorArray(tf.string, 2).unstack(["x", "y"])
        b = tf.TensorArray(tf.string, 2).scatter([1, 0], ["w", "z"])
        for i in tf.range(n):
            a, b = b, a.write(i, tf.strings.join([b.read(i), "!"]))
        return a.stack(), b.gather([1, 0]), a.size()

    assert lists(f(tf.constant(2))) == ([b"z!", b"y"], [b"y!", b"z"], 2)


@behaviour("C27")
@both
@pytest.mark.parametrize(
    ("use", "expected"),
    [
        (lambda a: a.unstack([["a"], ["b"]]).concat(), [b"a", b"b"]),
        (lambda a: a.split(["a", "b", "c"], [1, 2]).read(1), [b"b", b"c"]),
        (lambda a: a.write(0, "y").write(1, "z").stack(), [b"y", b"z"]),
    ],
)
def test_arrays_hold_strings(use: Any, expected: Any, mode: Any):
    f = mode(lambda: use(tf.TensorArray(tf.string, 2, infer_shape=False)))
    assert lists(f()) == expected


@behaviour("C19")
@both
def test_maps_nest(mode: Any):
    f = mode(lambda x: tf.map_fn(lambda row: tf.map_fn(lambda one: one * 2, row), x))
    assert lists(f(tf.constant([[1, 2], [3, 4]]))) == [[2, 4], [6, 8]]


@behaviour("C19")
@both
def test_maps_to_ragged_rows_nest(mode: Any):
    inner = tf.RaggedTensorSpec([None], tf.int32, ragged_rank=0)
    outer = tf.RaggedTensorSpec([2, None], tf.int32, ragged_rank=1)

    def rows(x: Any) -> Any:
        return tf.map_fn(tf.range, x, fn_output_signature=inner)

    f = mode(lambda x: tf.map_fn(rows, x, fn_output_signature=outer))
    assert f(tf.constant([[1, 2], [3, 0]])).to_list() == [[[0], [0, 1]], [[0, 1, 2], []]]


@behaviour("C22", "C26")
@differs
def test_eagerly_an_array_that_was_read_may_change_places():
    a = tf.TensorArray(tf.int32, 2).unstack([1, 2])
    b = tf.TensorArray(tf.int32, 2).unstack([4, 5])
    for i in range(2):
        a, b = b, a.write(i, b.read(i) * 10)
    assert lists((a.stack(), b.stack())) == ([40, 2], [4, 20])

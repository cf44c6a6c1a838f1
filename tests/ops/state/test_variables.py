"""Changes of variables: eager, evaluated from a graph and compiled, they are the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill import backends
from tensormill.errors import InvalidArgumentError, ShapeMismatchError

V = tf.Variable


def slices(values: Any, indices: Any) -> Any:
    return tf.IndexedSlices(tf.constant(values), tf.constant(indices))


CHANGES: dict[str, Callable[[Any], Any]] = {
    "assign": lambda v: v.assign(v * 2.0),
    "assign_add": lambda v: v.assign_add(v),
    "assign_sub": lambda v: v.assign_sub([1.0, 1.0, 1.0]),
    "scatter_update": lambda v: v.scatter_update(slices([9.0], [0])),
    "scatter_add twice in one row": lambda v: v.scatter_add(slices([1.0, 1.0], [1, 1])),
    "scatter_sub": lambda v: v.scatter_sub(slices([1.0, 1.0], [1, 2])),
    "scatter_mul": lambda v: v.scatter_mul(slices([2.0, 3.0], [1, 1])),
    "scatter_div": lambda v: v.scatter_div(slices([2.0], [1])),
    "scatter_max": lambda v: v.scatter_max(slices([2.5], [1])),
    "scatter_min": lambda v: v.scatter_min(slices([0.5], [1])),
    "scatter_nd_update": lambda v: v.scatter_nd_update([[0], [2]], [5.0, 6.0]),
    "scatter_nd_add": lambda v: v.scatter_nd_add([[0], [0]], [5.0, 6.0]),
    "scatter_nd_sub": lambda v: v.scatter_nd_sub([[0], [0]], [5.0, 6.0]),
    "scatter_nd_max": lambda v: v.scatter_nd_max([[0], [0]], [5.0, 6.0]),
    "scatter_nd_min": lambda v: v.scatter_nd_min([[0], [0]], [-5.0, 6.0]),
    "an element": lambda v: v[0].assign(7.0),
    "an element that run time names": lambda v: v[tf.cast(v[0], tf.int32)].assign(9.0),
    "a slice": lambda v: v[1:].assign([7.0, 8.0]),
    "a slice backwards": lambda v: v[::-2].assign([7.0, 8.0]),
    "adding to a slice": lambda v: v[:2].assign_add(1.0),
    "one value for all": lambda v: v[:].assign(4.0),
    "reading rows": lambda v: v.assign(v.sparse_read([2, 0, 1])),
    "reading elements": lambda v: v.assign_add(v.gather_nd([[1], [0], [2]])),
    "two changes": lambda v: (v.assign_add(v), v.assign_sub(v[::-1])),
}


@pytest.mark.sampled
@pytest.mark.parametrize("backend", ["reference", "cpu"])
@pytest.mark.parametrize("shape", [None, [None]], ids=["static", "dynamic"])
@pytest.mark.parametrize("name", CHANGES)
def test_a_traced_change_is_the_eager_one(name: str, shape: Any, backend: str) -> None:
    change = CHANGES[name]
    eager, traced = (V([1.0, 2.0, 3.0], shape=shape) for _ in range(2))

    @tf.function
    def changed() -> Any:
        change(traced)

    change(eager)
    before = traced.read_value()
    with backends.using(backend):
        changed()

    np.testing.assert_array_equal(eager.numpy(), traced.numpy())
    assert [1, 2, 3] == before.numpy().tolist()


@pytest.mark.parametrize("backend", ["reference", "cpu"])
def test_rows_of_a_matrix_are_changed_in_place(backend: str) -> None:
    v = V(np.zeros((3, 2), np.float32))

    @tf.function
    def changed(rows: Any) -> None:
        v.scatter_add(tf.IndexedSlices(rows, tf.constant([2, 0])))
        v[1, 1:].assign([5.0])
        v.scatter_nd_add([[1, 0]], [1.0])

    with backends.using(backend):
        changed(tf.constant([[1.0, 2.0], [3.0, 4.0]]))

    assert [[3, 4], [1, 5], [1, 2]] == v.numpy().tolist()


@pytest.mark.parametrize("backend", ["reference", "cpu"])
def test_each_result_is_the_value_right_after_its_change(backend: str) -> None:
    v = V(1.0)

    @tf.function
    def changed() -> Any:
        return v.assign_add(1.0), v.assign_add(1.0), v.assign(10.0)

    with backends.using(backend):
        assert [2, 3, 10] == [float(x) for x in changed()]


@pytest.mark.parametrize("backend", ["reference", "cpu"])
@pytest.mark.parametrize(
    ("words", "change"),
    [
        (
            r"indices\[1\] = 5 is not in \[0, 3\)",
            lambda v: v.scatter_add(slices([1.0, 1.0], [0, 5])),
        ),
        (r"indices\[0\] = -1 is not in \[0, 3\)", lambda v: v.sparse_read([-1])),
        (r"indices\[0\] = \[7\] does not index into", lambda v: v.scatter_nd_add([[7]], [1.0])),
        (r"slice index 5 of dimension 0", lambda v: v[tf.cast(v[2], tf.int32) + 2].assign(1.0)),
    ],
)
def test_a_bad_place_is_an_error_at_run_time(words: str, change: Any, backend: str) -> None:
    v = V([1.0, 2.0, 3.0])
    with backends.using(backend), pytest.raises(InvalidArgumentError, match=words):
        tf.function(lambda: change(v))()


@pytest.mark.parametrize(
    ("words", "change"),
    [
        (r"variable 'Variable:0'", lambda v: v.assign([1.0])),
        (r"shape \[3\] using a Tensor with shape \[2\]", lambda v: v.assign_add([1.0, 1.0])),
        ("updates.shape", lambda v: v.scatter_add(slices([1.0, 1.0], [0]))),
        (r"shape \[3\] to a slice of shape \[2\]", lambda v: v[:2].assign([1.0, 2.0, 3.0])),
    ],
)
def test_a_bad_shape_is_an_error_while_tracing(words: str, change: Any) -> None:
    v = V([1.0, 2.0, 3.0])
    with pytest.raises(ShapeMismatchError, match=words):
        tf.function(lambda: change(v))()


def test_gradients_reach_the_variable_through_reads() -> None:
    v = V([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape(persistent=True) as tape:
        whole = tf.reduce_sum(v * v)
        rows = tf.reduce_sum(v.sparse_read([1, 1]) * 2.0)

    assert [[2, 4], [6, 8]] == tape.gradient(whole, v).numpy().tolist()
    gradient = tape.gradient(rows, v)
    assert isinstance(gradient, tf.IndexedSlices)
    assert [[0, 0], [4, 4]] == tf.convert_to_tensor(gradient).numpy().tolist()

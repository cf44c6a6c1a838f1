"""What traced functions may return."""

from __future__ import annotations

import collections
from typing import Any

import numpy as np
import pytest

import tensormill as tf


@pytest.mark.parametrize(
    ("value", "dtype"),
    [(1, tf.int32), (1.5, tf.float32), (True, tf.bool), ("a", tf.string), (b"a", tf.string),
     (np.int64(3), tf.int64), (np.ones(2), tf.float64)],
)  # fmt: skip
def test_python_values_become_tensors(value: Any, dtype: Any) -> None:
    result = tf.function(lambda: value)()

    assert isinstance(result, tf.Tensor)
    assert result.dtype == dtype


def test_containers_keep_their_types() -> None:
    Point = collections.namedtuple("Point", "x y")

    @tf.function
    def nest(x: Any) -> Any:
        return [x, (x, None)], collections.OrderedDict(b=x, a=x), Point(x, 2), {"z": None}

    first, second, third, fourth = nest(tf.constant(1))

    assert isinstance(first, list)
    assert first[1][1] is None
    assert list(second) == ["b", "a"]
    assert type(second) is collections.OrderedDict
    assert (type(third), third.y.numpy()) == (Point, 2)
    assert fourth == {"z": None}


def test_a_range_becomes_a_list_of_scalars() -> None:
    assert tf.function(lambda: range(3))() == [0, 1, 2]
    assert tf.function(lambda: (True, range(3)))()[1] == [0, 1, 2]


def test_a_shape_becomes_a_vector() -> None:
    assert tf.function(lambda x: x.shape)(tf.ones([2, 3])).numpy().tolist() == [2, 3]


def test_indexed_slices_pass_through() -> None:
    @tf.function
    def f(x: Any) -> Any:
        return tf.IndexedSlices(x, tf.constant([0]), tf.constant([5, 1]))

    result = f(tf.ones([1, 1]))

    assert isinstance(result, tf.IndexedSlices)
    assert result.indices.numpy().tolist() == [0]


def test_indexed_slices_are_arguments_by_spec() -> None:
    f = tf.function(lambda s: s.values * 2.0)
    for index in (0, 1):
        f(tf.IndexedSlices(tf.ones([1, 1]), tf.constant([index]), tf.constant([5, 1])))

    assert f.experimental_get_tracing_count() == 1


def test_a_returned_variable_is_a_tensor_of_its_final_value() -> None:
    v = tf.Variable(1.0)

    @tf.function
    def f() -> Any:
        result = {"v": v}
        v.assign_add(1.0)
        return result

    result = f()["v"]

    assert isinstance(result, tf.Tensor)
    assert result.numpy() == 2.0


def test_a_returned_argument_is_another_object() -> None:
    x = tf.constant(1.0)

    assert tf.function(lambda x: x)(x) is not x


@pytest.mark.parametrize(
    "value", [object(), len, {1, 2}, (n for n in ()), tf.float32, ValueError("x"), 2**70]
)
def test_other_things_cannot_be_returned(value: Any) -> None:
    with pytest.raises(TypeError, match="must return zero or more Tensors"):
        tf.function(lambda: value)()


def test_a_generator_function_cannot_be_traced() -> None:
    def numbers() -> Any:
        yield 1

    with pytest.raises(TypeError, match="found return value of type generator"):
        tf.function(numbers)()


def test_assignments_give_the_value_right_after() -> None:
    v = tf.Variable(0.0)

    @tf.function
    def f() -> Any:
        return v.assign_add(1.0), v.assign_add(1.0)

    assert [x.numpy() for x in f()] == [1.0, 2.0]

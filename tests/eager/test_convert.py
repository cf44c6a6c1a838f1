"""Anything as a tensor: `constant` and `convert_to_tensor`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.errors import DTypeMismatchError


class Wrapped:
    """Says itself how it becomes a tensor."""

    def __init__(self, result: Any) -> None:
        self.result = result

    def __tf_tensor__(self, dtype: Any = None, name: str | None = None) -> Any:
        return self.result


def test_a_tensor_converts_to_itself() -> None:
    tensor = tf.constant(1)

    assert tf.convert_to_tensor(tensor) is tensor
    assert tf.constant(tensor) is tensor
    assert tf.convert_to_tensor(tensor, dtype_hint=tf.float32) is tensor


def test_a_tensor_of_another_dtype_is_refused() -> None:
    with pytest.raises(
        ValueError, match="conversion requested dtype float32 for Tensor with dtype"
    ):
        tf.convert_to_tensor(tf.constant(1), tf.float32)
    with pytest.raises(TypeError, match="Expected tensor"):
        tf.constant(tf.constant(1), tf.float32)


@pytest.mark.parametrize("dtype", ["float32", float, np.float32, tf.float32])
def test_dtypes_have_many_names(dtype: Any) -> None:
    assert tf.float32 == tf.constant(1, dtype).dtype


def test_an_unknown_dtype_is_refused() -> None:
    with pytest.raises(TypeError, match="Cannot convert the argument `type_value`"):
        tf.constant(1, "foo")


@pytest.mark.parametrize("make", [tf.constant, tf.convert_to_tensor])
def test_lists_may_mix_tensors_and_numbers(make: Any) -> None:
    mixed = make([[tf.constant(1.0), 2], [3, 4]])

    assert tf.float32 == mixed.dtype
    assert [[1, 2], [3, 4]] == mixed.numpy().tolist()


def test_lists_of_tensors_need_one_dtype() -> None:
    with pytest.raises(DTypeMismatchError, match="cannot compute Pack"):
        tf.convert_to_tensor([tf.constant(1.0), tf.constant(2)])
    with pytest.raises(TypeError, match=r"Cannot convert 2\.5"):
        tf.convert_to_tensor([tf.constant(1), 2.5])


def test_objects_may_say_how_they_become_tensors() -> None:
    assert 3 == int(tf.convert_to_tensor(Wrapped(tf.constant(3))))
    assert 4 == int(tf.constant(1) + Wrapped(tf.constant(3)))
    with pytest.raises(ValueError, match="requested dtype float32"):
        tf.convert_to_tensor(Wrapped(tf.constant(3)), tf.float32)
    with pytest.raises(TypeError, match="returned 3: no tensor"):
        tf.convert_to_tensor(Wrapped(3))


def test_what_numpy_does_later_is_not_seen() -> None:
    array = np.zeros(2)
    tensor = tf.constant(array)
    array[0] = 1

    assert [0, 0] == tensor.numpy().tolist()


@pytest.mark.parametrize(
    ("expected", "value", "shape"),
    [
        ([[0, 0], [0, 0]], 0, [2, 2]),
        ([1, 1, 1], [1], 3),
        ([[1, 2], [3, 4]], [1, 2, 3, 4], [2, 2]),
        (5, [5], []),
        ([], [], [0, 2]),
        ([[1, 2]], tf.constant([1, 2]), [1, 2]),
        ([1, 1], tf.constant(1), [2]),
    ],
)
def test_constants_take_a_shape(expected: Any, value: Any, shape: Any) -> None:
    assert expected == tf.constant(value, shape=shape).numpy().tolist()


def test_elements_must_fill_the_shape() -> None:
    with pytest.raises(TypeError, match=r"has 2 elements, but got `shape` \(3,\)"):
        tf.constant([1, 2], shape=[3])


@pytest.mark.parametrize(
    "made",
    [
        lambda: tf.constant(b"a\0", shape=[2]),
        lambda: tf.fill([2], b"a\0"),
        lambda: tf.pad(tf.zeros([0], tf.string), [[1, 1]], constant_values=b"a\0"),
        lambda: tf.repeat([b"a\0"], 2),
        lambda: tf.broadcast_to(b"a\0", [2]),
    ],
)
def test_strings_end_in_zero_bytes_where_they_are_copied(made: Any) -> None:
    assert [b"a\0"] * 2 == made().numpy().tolist()
    assert {bytes} == {type(one) for one in made().numpy().tolist()}
    assert [b"a\0"] * 2 == tf.function(made)().numpy().tolist()

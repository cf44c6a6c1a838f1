"""`tf.make_tensor_proto` and `tf.make_ndarray`. The texts are TensorFlow's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf


def squeezed(proto: Any) -> str:
    return " ".join(str(proto).split())


TWO = r'dtype: DT_HALF tensor_shape { dim { size: 2 } } tensor_content: "\000<\000@"'
SIX = "tensor_shape { dim { size: 2 } dim { size: 3 } }"


@pytest.mark.parametrize(
    ("values", "options", "expected"),
    [
        (1.5, {}, "dtype: DT_FLOAT tensor_shape { } float_val: 1.5"),
        (True, {}, "dtype: DT_BOOL tensor_shape { } bool_val: true"),
        (2**40, {}, "dtype: DT_INT64 tensor_shape { } int64_val: 1099511627776"),
        (1 + 2j, {}, "dtype: DT_COMPLEX128 tensor_shape { } dcomplex_val: 1 dcomplex_val: 2"),
        (["a", "b"], {}, 'dtype: DT_STRING tensor_shape { dim { size: 2 } } string_val: "a" '
         'string_val: "b"'),
        (np.array([1, 2], np.float16), {}, TWO),
        ([], {}, "dtype: DT_FLOAT tensor_shape { dim { } }"),
        (1, {"shape": [2, 3]}, f"dtype: DT_INT32 {SIX} int_val: 1"),
        ([1, 2], {"shape": [2, 3]}, f"dtype: DT_INT32 {SIX} int_val: 1 int_val: 2"),
        ([7], {"shape": [2, 3], "allow_broadcast": True}, f"dtype: DT_INT32 {SIX} int_val: 7"),
    ],
)  # fmt: skip
def test_protos_read_as_those_of_tensorflow(
    values: Any, options: dict[str, Any], expected: str
) -> None:
    assert expected == squeezed(tf.make_tensor_proto(values, **options))


@pytest.mark.parametrize(
    ("values", "options", "error"),
    [
        ([1, 2], {"shape": [3], "verify_shape": True}, TypeError),
        ([1, 2, 3], {"shape": [2, 3], "allow_broadcast": True}, TypeError),
        ([1, 2, 3], {"shape": [2]}, ValueError),
        (1.5, {"dtype": tf.int32}, TypeError),
        (None, {}, ValueError),
        (1, {"shape": [], "verify_shape": True, "allow_broadcast": True}, ValueError),
    ],
)
def test_what_does_not_fit_is_refused(values: Any, options: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        tf.make_tensor_proto(values, **options)


@pytest.mark.parametrize(
    "array",
    [np.arange(6.0).reshape(2, 3), np.bool_([True, False]), np.array([b"a", b""], object)],
    ids=["floats", "bools", "texts"],
)
def test_arrays_come_back(array: Any) -> None:
    back = tf.make_ndarray(tf.make_tensor_proto(array))

    assert array.dtype == back.dtype
    assert array.tolist() == back.tolist()
    back[0] = array[1]  # it is the caller's own


def test_the_last_value_stands_for_all_that_are_left() -> None:
    assert [[1, 2, 2], [2, 2, 2]] == tf.make_ndarray(
        tf.make_tensor_proto([1, 2], None, [2, 3])
    ).tolist()


def test_a_proto_is_its_own_proto() -> None:
    proto = tf.make_tensor_proto(1)

    assert proto is tf.make_tensor_proto(proto)


@pytest.mark.parametrize("sizes", [None, [], [2, None]])
def test_a_shape_is_made_of_its_message(sizes: Any) -> None:
    shape = tf.TensorShape(sizes)

    assert repr(shape) == repr(tf.TensorShape(shape.as_proto()))
    assert repr(shape) == repr(tf.TensorSpec(shape.as_proto()).shape)

"""Python and NumPy values as arrays: which dtype they get, and what is refused."""

from __future__ import annotations

import pickle
from decimal import Decimal
from enum import IntEnum
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tensormill.core import dtypes
from tensormill.core.shapes import TensorShape
from tensormill.eager.arrays import dtype_of, to_array
from tensormill.errors import DTypeMismatchError


class Color(IntEnum):
    RED = 1


@pytest.mark.parametrize(
    ("dtype", "shape", "value"),
    [
        ("int32", (), 1),
        ("int64", (), 2**40),
        ("int32", (), -(2**31)),
        ("int64", (), -(2**31) - 1),
        ("float32", (), 1.5),
        ("bool", (), True),
        ("complex128", (), 1j),
        ("string", (), "a"),
        ("string", (2,), ["a", b"b"]),
        ("float32", (0,), []),
        ("float32", (2, 0), [[], []]),
        ("int32", (2, 2), [[1, 2], (3, 4)]),
        ("float32", (2,), [1, 2.5]),
        ("int32", (2,), [1, True]),
        ("int32", (2,), [True, 1]),
        ("float32", (2,), [True, 1.0]),
        ("complex128", (2,), [1, 1j]),
        ("int64", (2,), [1, 2**40]),
        ("int32", (3,), range(3)),
        ("int32", (2,), bytearray(b"ab")),
        ("int32", (2,), TensorShape([1, 2])),
        ("int32", (0,), TensorShape([])),
        ("complex128", (1,), [np.complex64(1)]),
        ("complex128", (1, 1), [np.array([1], np.complex64)]),
        ("float32", (1, 0), [np.zeros([0, 2], np.int8)]),
        ("float32", (1, 2, 0), [np.zeros([2, 0], str)]),
        ("int32", (2, 1), [np.array([-1]), np.array([1], np.uint64)]),
        ("int32", (), Color.RED),
        ("int64", (2,), np.array([1, 2])),
        ("float64", (), np.float64(1)),
        ("float16", (), np.float16(1)),
        ("bfloat16", (1,), np.array([1], ml_dtypes.bfloat16)),
        ("int32", (2,), [np.int64(1), 2]),
        ("float64", (2,), [np.float64(1), 2]),
        ("float32", (2,), [2, np.float32(1)]),
        ("int32", (2, 2), [np.array([1, 2]), np.array([3, 4])]),
        ("float64", (2, 2), [np.array([1.0, 2.0]), [3, 4]]),
        ("string", (2,), np.array(["a", "b"])),
        ("string", (1,), np.array(["a"], object)),
        ("int32", (1,), np.array([1], ">i4")),
    ],
)
def test_values_have_a_natural_dtype(dtype: str, shape: tuple[int, ...], value: Any) -> None:
    array = to_array(value)

    assert (dtype, shape) == (dtype_of(array).name, array.shape)


PICKLED = pickle.loads(pickle.dumps(np.zeros(2, np.float32)))


@pytest.mark.parametrize(
    "value",
    [
        np.arange(6).reshape(2, 3).T,
        np.array([1], ">f8"),
        np.zeros(2, np.longlong),
        PICKLED,
        [PICKLED, PICKLED],
        [[1, 2], [3, 4]],
        "a",
        1,
    ],
    ids=str,
)
def test_arrays_are_canonical(value: Any) -> None:
    array = to_array(value)

    assert array.flags.carray
    assert dtype_of(array).storage is array.dtype


def test_an_array_is_copied() -> None:
    given_array = np.zeros(2)
    array = to_array(given_array)
    given_array[0] = 1

    assert [0, 0] == array.tolist()


def test_text_is_utf8() -> None:
    assert b"\xc3\xa9" == to_array("é").item()


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("unsupported type .*NoneType", None),
        ("unsupported type .*NoneType", [None]),
        ("unsupported type .*dict", {1: 2}),
        ("unsupported type", object()),
        ("unsupported type .*list_iterator", iter([1])),
        ("unsupported type .*Decimal", Decimal(1)),
        ("unsupported type .*NoneType", TensorShape([1, None])),
        ("non-rectangular.* stand 2 and 1 elements", [[1, 2], [3]]),
        ("non-rectangular.* stand lists and single values", [1, [2]]),
        (r"non-rectangular.* shape \(2,\) and \(3,\)", [np.zeros(2), np.zeros(3)]),
        ("mixed types", [1, "a"]),
        ("out-of-range integer", 2**70),
        ("out of range", 1e40),
        ("out of range", [1.0, -1e40]),
        ("Unsupported object type int", np.array([1, "a"], object)),
        ("Unsupported numpy type", np.datetime64("2020-01-01")),
        ("Unsupported numpy type", np.longdouble(1)),
    ],
)
def test_what_no_tensor_can_hold_is_a_value_error(words: str, value: Any) -> None:
    with pytest.raises(ValueError, match=words):
        to_array(value)


@pytest.mark.parametrize(
    ("expected", "value", "dtype"),
    [
        (1, True, "int32"),
        (1.0, True, "float32"),
        (1.0, 1, "bfloat16"),
        (1 + 0j, 1, "complex64"),
        (2**64 - 1, 2**64 - 1, "uint64"),
        (2, np.float32(2.0), "int32"),
        (float("inf"), 70000, "float16"),
        (float("inf"), 1e300, "float32"),
        (True, np.array(2), "bool"),
    ],
)
def test_a_dtype_may_be_asked_for(expected: Any, value: Any, dtype: str) -> None:
    assert expected == to_array(value, dtypes.as_dtype(dtype)).item()


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (1.5, "int32"),
        (1.0, "int32"),
        ([1.5], "int32"),
        (float("nan"), "int32"),
        ("1", "int32"),
        (1, "bool"),
        (1, "string"),
        ([1], "string"),
        (1j, "float32"),
        (300, "uint8"),
        (-1, "uint8"),
        ([300], "uint8"),
        (2**40, "int32"),
        (np.array([1.5]), "int32"),
        (np.array([np.nan]), "int32"),
        (np.array([300]), "uint8"),
        (np.array([1j]), "float32"),
        (np.array(["a"]), "int32"),
        (np.array([1]), "string"),
    ],
)
def test_nothing_is_lost_in_silence(value: Any, dtype: str) -> None:
    with pytest.raises(DTypeMismatchError, match=f"Cannot convert .* of dtype {dtype}"):
        to_array(value, dtypes.as_dtype(dtype))


def test_a_hint_is_no_demand() -> None:
    assert dtypes.float32 is dtype_of(to_array(1, preferred=dtypes.float32))
    assert dtypes.float32 is dtype_of(to_array(1.5, preferred=dtypes.int32))
    assert dtypes.string is dtype_of(to_array("a", preferred=dtypes.int32))


@settings(max_examples=40, deadline=None)
@given(
    hnp.arrays(
        st.sampled_from([np.int32, np.float32, np.bool_]),
        hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3),
    )
)
def test_nested_lists_say_what_arrays_say(array: np.ndarray[Any, Any]) -> None:
    from_list = to_array(array.tolist(), dtype_of(array))

    if array.size:
        np.testing.assert_array_equal(array, from_list)
    np.testing.assert_array_equal(array, to_array(array))

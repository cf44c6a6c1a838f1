"""Element types: names, NumPy's storage, limits."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tensormill.core import dtypes
from tensormill.core.dtypes import ALL, BY_NUMPY_NUMBER, DType, _similar, as_dtype


@pytest.mark.parametrize(
    ("expected", "value"),
    [
        (dtypes.float32, "float32"),
        (dtypes.float32, "float"),
        (dtypes.float64, "double"),
        (dtypes.float16, "half"),
        (dtypes.float32, float),
        (dtypes.bool_, bool),
        (dtypes.string, str),
        (dtypes.string, object),
        (dtypes.string, np.dtype("S3")),
        (dtypes.string, np.dtype("U3")),
        (dtypes.int64, np.int64),
        (dtypes.int64, np.dtype(np.longlong)),
        (dtypes.int32, np.dtype(">i4")),
        (dtypes.bfloat16, ml_dtypes.bfloat16),
        (dtypes.float32, 1),
        (dtypes.complex128, complex),
    ],
)
def test_many_things_name_a_dtype(expected: DType, value: Any) -> None:
    assert expected is as_dtype(value)


@pytest.mark.parametrize(
    "value", [int, None, "foo", "int", "str", ">f4", 99, 3.5, [], np.dtype("M8[s]")]
)
def test_other_things_do_not(value: Any) -> None:
    for name, nearest in (("int", "int32"), ("flaot64", "float64")):
        with pytest.raises(TypeError, match=f"Did you mean '{nearest}'"):
            as_dtype(name)
    with pytest.raises(TypeError, match="Cannot convert the argument `type_value`"):
        as_dtype(value)


def test_a_dtype_equals_what_names_it() -> None:
    assert "float32" == dtypes.float32
    assert np.float32 == dtypes.float32
    assert np.dtype("float32") == dtypes.float32
    assert dtypes.float32 != dtypes.int32
    assert dtypes.float32 != "foo"
    assert dtypes.float32 != None  # noqa: E711
    assert hash(dtypes.float32) == hash(as_dtype("float32"))


def test_repr_and_str_are_tensorflows() -> None:
    assert ("tf.float32", "<dtype: 'float32'>") == (repr(dtypes.float32), str(dtypes.float32))


@pytest.mark.parametrize("dtype", ALL, ids=str)
def test_there_is_one_object_per_dtype(dtype: DType) -> None:
    assert as_dtype(dtype.name) is dtype
    assert as_dtype(dtype.as_datatype_enum) is as_dtype(int(dtype)) is dtype
    assert pickle.loads(pickle.dumps(dtype)) is dtype
    assert copy.deepcopy(dtype) is dtype
    if dtype.is_numpy_compatible and not dtype.is_quantized:
        assert BY_NUMPY_NUMBER[np.zeros(1, dtype.storage).dtype.num] is dtype
        assert np.zeros(1, dtype.storage).dtype is dtype.storage


@pytest.mark.parametrize(
    ("smallest", "largest", "dtype"),
    [
        (-128, 127, dtypes.int8),
        (0, 255, dtypes.uint8),
        (0, 2**64 - 1, dtypes.uint64),
        (False, True, dtypes.bool_),
        (-65504.0, 65504.0, dtypes.float16),
    ],
)
def test_numbers_have_limits(smallest: Any, largest: Any, dtype: DType) -> None:
    assert (smallest, largest) == (dtype.min, dtype.max)


@pytest.mark.parametrize(
    ("dtype", "largest"),
    [(dtypes.float32, 1), (dtypes.uint8, 255), (dtypes.int16, 2**15 - 1), (dtypes.bool_, True)],
)
def test_images_lie_between_zero_and_a_limit(dtype: DType, largest: Any) -> None:
    assert (0, largest) == dtype.limits


@pytest.mark.parametrize("dtype", [dtypes.float16, dtypes.complex64, dtypes.string])
def test_images_are_of_few_dtypes(dtype: DType) -> None:
    with pytest.raises(ValueError, match="does not have defined limits"):
        dtype.limits  # noqa: B018


def test_strings_and_complex_numbers_have_none() -> None:
    for dtype in (dtypes.string, dtypes.complex64):
        with pytest.raises(TypeError, match="Cannot find minimum value"):
            dtype.min  # noqa: B018


def test_a_dtype_does_not_look_like_a_tensor() -> None:
    assert not hasattr(dtypes.float32, "numpy")


def test_kinds_can_be_told_apart() -> None:
    wide = [d for d in ALL if not d.is_narrow]
    assert [d.name for d in wide if d.is_floating] == ["float32", "float64", "bfloat16", "float16"]
    assert [d.name for d in ALL if d.is_complex] == ["complex64", "complex128"]
    assert [d.name for d in wide if d.is_unsigned] == ["uint8", "uint16", "uint32", "uint64"]
    assert [d.name for d in ALL if not d.is_numpy_compatible] == ["resource", "variant"]
    assert (dtypes.float32, dtypes.float32) == (
        dtypes.complex64.real_dtype,
        dtypes.float32.real_dtype,
    )
    assert dtypes.bool_.is_bool
    assert not dtypes.bool_.is_integer
    assert dtypes.resource.is_differentiable
    assert not dtypes.int32.is_differentiable
    assert (4, 0, 2) == (dtypes.float32.size, dtypes.string.size, dtypes.bfloat16.size)


def test_a_name_that_is_asked_for_again_and_again_is_compared_once() -> None:
    for _ in range(3):
        with pytest.raises(TypeError, match="Did you mean 'float16'"):
            as_dtype("float1x6")

    assert _similar.cache_info().hits >= 2


def test_a_dtype_is_a_trace_type_without_values() -> None:
    assert dtypes.float32.is_subtype_of(dtypes.float32)
    assert not dtypes.float32.is_subtype_of(dtypes.int32)
    assert dtypes.float32 is dtypes.float32.most_specific_common_supertype([dtypes.float32])
    assert None is dtypes.float32.most_specific_common_supertype([dtypes.int32])
    assert [] == dtypes.float32.flatten() == dtypes.float32.to_tensors(1.0)
    with pytest.raises(AssertionError):
        dtypes.float32.cast(1, None)


@pytest.mark.parametrize("dtype", dtypes.NARROW, ids=str)
def test_narrow_dtypes_are_numbers_that_are_only_kept(dtype: DType) -> None:
    assert 1 == dtype.size
    assert dtype.is_floating != dtype.is_integer
    assert not dtype.is_differentiable
    assert not dtype.stays_in_python
    assert "u8" == dtype.kept_as
    assert dtype.min <= 0 < dtype.max
    assert not dtype.is_numeric
    with pytest.raises(ValueError, match="does not have defined limits"):
        dtype.limits  # noqa: B018


@pytest.mark.parametrize("dtype", dtypes.QUANTIZED, ids=str)
def test_quantized_dtypes_are_names(dtype: DType) -> None:
    assert dtype.is_quantized
    assert dtype.is_numeric
    assert dtype in dtypes.QUANTIZED_DTYPES
    assert dtype is as_dtype(dtype.as_numpy_dtype)

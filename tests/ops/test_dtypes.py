"""Elementwise operations in every dtype that they take."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import tensormill as tf
from tensormill.core.dtypes import ALL
from tensormill.core.specs import Known, TensorSpec
from tensormill.errors import DTypeMismatchError
from tensormill.graph.serialized import operations as operations
from tensormill.ops import catalogue as catalogue
from tensormill.ops.bind import bind
from tensormill.ops.conversion import as_tensors
from tensormill.ops.families import Elementwise
from tensormill.ops.op import REGISTRY, Op, specs_of

NARROW = (tf.float16, tf.bfloat16)
ELEMENTWISE = [name for name, op in REGISTRY.items() if issubclass(op, Elementwise)]


def taken(op: type[Op]) -> list[Any]:
    """The dtypes of the first operand, in a fixed order."""
    field = op.inputs[0]
    allowed = getattr(op, field.dtype, None)
    return [d for d in ALL if d is field.fixed_dtype or (allowed is not None and d in allowed)]


def values(dtype: Any, number: int) -> Any:
    """Small positive numbers, where most functions are at home."""
    if dtype.family == "string":
        texts = np.empty(3, object)
        texts[:] = [b"a", b"", b"bc"]
        return texts
    steps = np.array([0.25, 0.5, 0.75]) + 0.125 * number
    return (steps * (4 if dtype.is_integer else 1) + dtype.is_integer).astype(dtype.storage)


def attributes(op: type[Op], dtype: Any) -> dict[str, Any]:
    names = {field.name for field in op.attrs}
    if "Tout" not in names:
        return {}
    if op.name == "Complex":
        return {"Tout": tf.complex64 if dtype is tf.float32 else tf.complex128}
    return {"Tout": dtype.real_dtype}


@pytest.mark.parametrize("name", ELEMENTWISE)
def test_every_dtype_gives_what_inference_says(name: str) -> None:
    op = REGISTRY[name]
    assert taken(op)
    for dtype in taken(op):
        arrays = [values(dtype, number) for number in range(len(op.inputs))]
        known = tuple(Known(TensorSpec(array.shape, dtype)) for array in arrays)
        (spec,) = specs_of(op, known, attributes(op, dtype))
        result = bind(op, *map(tf.constant, arrays), **attributes(op, dtype))

        assert (result.dtype, result.shape) == (spec.dtype, spec.shape)


@pytest.mark.parametrize(
    ("name", "dtype"),
    [(name, d) for name in ELEMENTWISE for d in taken(REGISTRY[name]) if d in NARROW],
)
def test_narrow_floats_are_rounded_wide_ones(name: str, dtype: tf.DType) -> None:
    op = REGISTRY[name]
    arrays = [values(dtype, number) for number in range(len(op.inputs))]
    narrow = bind(op, *map(tf.constant, arrays)).numpy()
    wide = bind(op, *(tf.constant(array.astype(np.float64)) for array in arrays)).numpy()

    if narrow.dtype == np.bool_:
        assert np.array_equal(narrow, wide)
    else:
        epsilon = float(ml_dtypes.finfo(narrow.dtype).eps)
        np.testing.assert_allclose(narrow.astype(np.float64), wide, rtol=2 * epsilon)


@pytest.mark.parametrize("name", ["Sqrt", "Neg", "AddV2", "Less", "BitwiseAnd"])
def test_other_dtypes_are_refused_with_the_list_of_allowed_ones(name: str) -> None:
    op = REGISTRY[name]
    refused = {"Sqrt": 1, "Neg": np.uint8(1), "AddV2": True, "Less": "a", "BitwiseAnd": 1.5}[name]

    with pytest.raises(DTypeMismatchError, match=f"{name}: .* not in the list of allowed values"):
        bind(op, *[tf.constant(refused)] * len(op.inputs))


def test_operands_of_two_dtypes_are_refused() -> None:
    message = r"input #1.* expected to be a int32 .* is a float tensor"
    with pytest.raises(DTypeMismatchError, match=message):
        bind(REGISTRY["AddV2"], tf.constant(1), tf.constant(1.0))


@pytest.mark.parametrize(
    ("expected", "values"),
    [
        (tf.float32, [0.5, 1]),
        (tf.float64, [1, tf.constant(0.5, tf.float64)]),
        (tf.int64, [tf.constant(2, tf.int64), 1, 3]),
    ],
)
def test_values_take_the_dtype_of_the_first_tensor_or_else_of_the_first(
    expected: Any, values: list[Any]
) -> None:
    assert {expected} == {one.dtype for one in as_tensors(*values)}


def test_large_floats_become_unsigned_integers_of_their_size() -> None:
    numbers = np.array([2.0**63, 1.5 * 2.0**63, 2.0**64 - 2048, 2.0**62, 5.5])
    for cast in (tf.cast, tf.function(tf.cast)):
        assert [int(one) for one in numbers] == cast(numbers, tf.uint64).numpy().tolist()


@pytest.mark.parametrize("source", ["float16", "float32", "float64"])
@pytest.mark.parametrize("target", ["int8", "uint8", "int32", "uint32", "int64", "uint64"])
def test_a_float_becomes_the_same_integer_alone_and_beside_others(source: str, target: str) -> None:
    """Beside NaN each is looked at; alone, it is C that cuts most of them."""
    numbers = [0.0, -0.5, 1.9, -1.9, 255.7, -300.0, 2.0**31, -(2.0**31) - 0.5, 2.0**63, np.nan]
    with np.errstate(over="ignore"):
        floats = np.array(numbers).astype(source)
    together = tf.cast(floats, target).numpy()

    assert together.tolist() == [tf.cast(one, target).numpy().item() for one in floats]

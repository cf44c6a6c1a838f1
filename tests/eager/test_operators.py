"""Operators on tensors, and that the quick ones agree with the slow."""

from __future__ import annotations

import operator
from itertools import product
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.core import context
from tensormill.eager.fast_operators import OPERATORS
from tensormill.eager.operators import Operators
from tensormill.errors import DTypeMismatchError, InvalidArgumentError, ShapeMismatchError

T = tf.constant
LIST = [1, 2]


@pytest.mark.parametrize(
    ("expected", "dtype", "result"),
    [
        ([2, 3], "int32", T([1, 2]) + 1),
        ([2, 4], "int32", 2 ** T([1, 2])),
        ([2, 3], "int32", T([1, 2]) + True),
        ([0.5, 1], "float64", T([1, 2]) / 2),
        (0.5, "float32", T(1, tf.uint8) / 2),
        ([-2, 1], "int32", T([-3, 3]) // 2),
        ([1, 1], "int32", T([-3, 3]) % 2),
        ([2, 4], "int32", LIST + T([1, 2])),
        (2.5, "float32", T(1.5) + np.float64(1)),
        (2, "int32", np.int64(1) + T(1)),
        (2, "int32", T(1) + np.array(1.0)),
        (b"ab", "string", T("a") + "b"),
        (b"ba", "string", "b" + T("a")),
        ([-2, -3], "int32", ~T([1, 2])),
        (False, "bool", ~T(True)),
        (True, "bool", T(True) & T(True)),
        (3, "int32", T(1) | 2),
        (True, "bool", T(True) ^ False),
        (4, "int32", T(1) << 2),
        (1, "int32", T(4) >> 2),
        ([[7, 10], [15, 22]], "int32", T([[1, 2], [3, 4]]) @ T([[1, 2], [3, 4]])),
        (1, "int32", abs(T(-1))),
        (2.0, "float32", round(T(1.5))),
        (1.5, "float32", +T(1.5)),
        (4, "uint8", T(250, tf.uint8) + T(10, tf.uint8)),
        (True, "bool", T(1) == 1),
        (False, "bool", T([1, 2]) == T([1, 2, 3])),
        (True, "bool", T([1, 2]) != T([1, 2, 3])),
    ],
)
def test_operators_are_operations(expected: Any, dtype: str, result: Any) -> None:
    assert (expected, dtype) == (
        result.numpy().tolist() if dtype != "string" else result.numpy(),
        result.dtype.name,
    )


def test_divmod_gives_both() -> None:
    quotient, rest = divmod(T(-7), 2)

    assert (-4, 1) == (int(quotient), int(rest))


def test_nothing_equals_none() -> None:
    assert (T(1) == None) is False  # noqa: E711
    assert (T(1) != None) is True  # noqa: E711


@pytest.mark.parametrize(
    "call",
    [
        lambda: T([1]) + T(1.0),
        lambda: T([1]) + T(1, tf.int64),
        lambda: T(1) + 1.5,
        lambda: 1.5 + T(1),
        lambda: T(1) < 1.5,
        lambda: T(1) == "a",
        lambda: T(1) + np.array([1.5]),
        lambda: T(1) + 2**40,
        lambda: T(1, tf.uint8) + 300,
        lambda: T("a") + 1,
    ],
)
def test_operands_share_a_dtype(call: Any) -> None:
    with pytest.raises(TypeError) as caught:
        call()
    assert isinstance(caught.value, InvalidArgumentError)
    assert isinstance(caught.value, DTypeMismatchError)


@pytest.mark.parametrize(
    "call",
    [
        lambda: T(True) + T(True),
        lambda: -T(1, tf.uint8),
        lambda: -T(True),
        lambda: T(1.0) & T(1.0),
        lambda: T("a") < T("b"),
    ],
)
def test_not_every_dtype_has_every_operation(call: Any) -> None:
    with pytest.raises(InvalidArgumentError, match="not in the list of allowed values"):
        call()


def test_shapes_must_broadcast() -> None:
    with pytest.raises(ShapeMismatchError, match=r"Incompatible shapes: \[2\] vs. \[3\]"):
        T([1, 2]) + T([1, 2, 3])


@pytest.mark.parametrize("apply", [operator.floordiv, operator.mod])
def test_integers_are_not_divided_by_zero(apply: Any) -> None:
    with pytest.raises(InvalidArgumentError, match="Integer division by zero"):
        apply(T(1), 0)


@pytest.mark.parametrize("other", [None, object()])
def test_what_is_no_tensor_is_refused(other: Any) -> None:
    with pytest.raises(ValueError, match="unsupported type"):
        T(1) + other


def test_another_class_may_take_over() -> None:
    class Taker:
        def __radd__(self, other: Any) -> str:
            return "taken"

    assert "taken" == T(1) + Taker()


CORNERS = [0.0, -0.0, 1.0, -1.5, np.inf, -np.inf, np.nan, 3e38, 1e-45]


OF_PAIRS = [name for name in OPERATORS if name not in ("__neg__", "__matmul__")]
DTYPES = ["float32", "float64", "float16", "bfloat16", "int32", "uint8"]


@pytest.mark.parametrize(
    ("name", "dtype"),
    [one for one in product(OF_PAIRS, DTYPES) if one[1] != "uint8" or "pow" not in one[0]],
)
def test_quick_operators_agree_with_slow_ones(name: str, dtype: str) -> None:
    storage = tf.as_dtype(dtype).as_numpy_dtype
    is_float = not dtype.endswith(("32", "8")) or dtype == "float32"
    with np.errstate(all="ignore"):
        values = np.array(CORNERS if is_float else [0, 1, 2, 7, 100, 3, 5, 6, 9]).astype(storage)
    pairs = [(T(values), T(values[::-1])), (T(values[3]), T(values[2])), (T(values), T(values[2]))]
    for x, y in [*pairs, (T(values), 2)]:
        quick, slow = OPERATORS[name](x, y), getattr(Operators, name)(x, y)
        assert (slow.dtype, slow.shape) == (quick.dtype, quick.shape)
        np.testing.assert_array_equal(
            slow.numpy().astype(np.float64), quick.numpy().astype(np.float64)
        )
        assert quick._array.dtype is quick.dtype.storage


@pytest.mark.parametrize("name", OF_PAIRS)
def test_variables_have_quick_operators_too(name: str) -> None:
    x, y = tf.Variable([1.0, 2.0]), tf.Variable([2.0, 2.0])
    expected = getattr(Operators, name)(x, y).numpy().tolist()

    for left, right in [(x, y), (x, y.value()), (x.value(), y)]:
        assert expected == getattr(left, name)(right).numpy().tolist()


def test_quick_operators_leave_recording_to_the_slow_ones() -> None:
    class Recorder:
        def __init__(self) -> None:
            self.seen: list[str] = []

        def record(self, application: Any) -> None:
            self.seen.append(application.name)

    recorder = Recorder()
    with context.entered(context.top().replace(recorders=(recorder,))):
        T(1.0) * T(2.0) + 1.0

    assert ["Mul", "AddV2"] == recorder.seen


def test_overflow_says_nothing() -> None:
    assert np.isinf((T(3e38) * T(10.0)).numpy())
    assert np.isnan((T(0.0) / T(0.0)).numpy())

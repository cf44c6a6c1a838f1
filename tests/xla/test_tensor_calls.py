"""Native code calls a program with tensors that are on the device, and gives such."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

import tensormill as tf
from tensormill import backends
from tensormill.compiler.calling import object_layouts
from tensormill.compiler.device_calls import TensorCall, calling_with_tensors
from tensormill.eager.tensor import EagerTensor, wrap_away
from tensormill.xla.execution.operand_kinds import kind_with

KIND = kind_with((2,), np.dtype(np.float32))
CAPTURED = jnp.full(2, 100.0)


def away(*values: float, kind: Any = KIND) -> Any:
    return wrap_away(kind, jnp.asarray(values))


def added(first: Any, captured: Any, second: Any) -> list[Any]:
    return [first, first + captured, second - first]


def otherwise(*operands: Any) -> str:
    return f"{len(operands)} operands"


def calling(call: Callable[..., Any] = added) -> Callable[..., Any]:
    """A program of two operands, of which it is given the second one first."""
    of = TensorCall([KIND, KIND], [1, CAPTURED, 0], [(2, KIND), (1, KIND)])
    return calling_with_tensors(call, of, otherwise)


def test_a_program_gets_arrays_in_its_order_and_gives_tensors_in_ours() -> None:
    found = calling()(away(1.0, 2.0), away(10.0, 20.0))

    assert [type(one) for one in found] == [EagerTensor] * 2
    assert [one._away[0] is KIND for one in found] == [True] * 2
    assert [one.numpy().tolist() for one in found] == [[-9.0, -18.0], [110.0, 120.0]]


def test_what_a_program_gave_is_taken_again() -> None:
    call, x = calling(), away(1.0, 2.0)

    assert call(*call(x, x))[0].numpy().tolist() == [-101.0, -102.0]


OTHERS: dict[str, list[Any]] = {
    "none": [],
    "too few": [away(1.0, 2.0)],
    "too many": [away(1.0, 2.0)] * 3,
    "no tensor": [away(1.0, 2.0), 1.0],
    "a variable": [tf.Variable([1.0, 2.0]), away(1.0, 2.0)],
    "elsewhere": [away(1.0, 2.0), tf.constant([1.0, 2.0])],
    "given once": [away(1.0, 2.0), wrap_away(KIND, None)],
    "of another shape": [away(1.0, kind=kind_with((1,), np.dtype(np.float32))), away(1.0, 2.0)],
    "equal": [away(1.0, 2.0, kind=((2,), np.dtype(np.float32))), away(1.0, 2.0)],
}


@pytest.mark.parametrize("operands", OTHERS.values(), ids=OTHERS)
def test_other_operands_are_left_to_others(operands: list[Any]) -> None:
    assert calling()(*operands) == f"{len(operands)} operands"


def test_where_there_is_nothing_the_call_is_refused() -> None:
    call = calling(lambda *_: None)

    assert call(away(1.0, 2.0), away(1.0, 2.0)) is NotImplemented


def failing(*_: Any) -> Any:
    raise ValueError("no")


def test_what_a_program_raises_is_raised() -> None:
    for _ in range(2):
        with pytest.raises(ValueError, match=r"^no$"):
            calling(failing)(away(1.0, 2.0), away(1.0, 2.0))


def test_a_list_that_is_too_short_is_an_error() -> None:
    with pytest.raises(IndexError):
        calling(lambda first, *_: [first])(away(1.0, 2.0), away(1.0, 2.0))


@pytest.mark.parametrize("program", [added, failing, lambda *_: None, lambda first, *_: [first]])
def test_native_code_keeps_no_references(program: Callable[..., Any]) -> None:
    call, operands = calling(program), (away(1.0, 2.0), away(3.0, 4.0))
    array = operands[1]._away[1]

    def counts() -> list[int]:
        gc.collect()
        held = (call, program, array, CAPTURED, KIND, *operands, *[x._away for x in operands])
        return [sys.getrefcount(one) for one in held]

    def many_calls() -> None:
        for _ in range(10):
            try:
                call(*operands)
            except (ValueError, IndexError):
                pass

    many_calls()
    before = counts()
    many_calls()

    assert counts() == before


def test_where_objects_are_unknown_nothing_is_native(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(object_layouts, "are_known", lambda: False)

    assert calling() is otherwise


# ---------------------------------------------------------------- as functions use it


@pytest.fixture
def _on_xla() -> Iterator[None]:
    with backends.using("xla"):
        yield


def entry_of(function: Any) -> Any:
    return function._state.quick[0]


@pytest.mark.usefixtures("_on_xla")
def test_functions_are_entered_by_native_code() -> None:
    double = tf.function(lambda x: (x * 2.0, x + 1.0))
    x = tf.constant([1.0, 2.0])
    for _ in range(4):
        x = double(x)[0]

    entry = entry_of(double)
    assert type(entry) is type(len)
    assert [one.numpy().tolist() for one in entry(x)] == [[32.0, 64.0], [17.0, 33.0]]


@pytest.mark.usefixtures("_on_xla")
def test_the_error_of_a_call_says_in_which_function() -> None:
    v, after = tf.Variable([1.0, 2.0]), tf.function(lambda x: x + 1)

    @tf.function
    def step(x: Any) -> Any:
        return v.assign_add(tf.gather([[0.0, 0.0], [1.0, 1.0]], x))

    one = two = tf.constant(1)
    for _ in range(4):
        step(one)
        two = after(one)

    assert type(entry_of(step)) is type(len)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Op:__inference_step_\d"):
        step(two)
    assert v.numpy().tolist() == [5.0, 6.0]

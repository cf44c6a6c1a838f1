"""The shortest path of a call gives what the long one gives."""

from __future__ import annotations

import re
from collections import OrderedDict
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tensormill as tf
from tensormill.function.call_pattern import reader_of
from tensormill.function.signature.parameters import parameters_of
from tensormill.function.traces.trace_type import Encoder

X, Y = tf.constant(3.0), tf.constant(4.0)


@tf.function
def combined(x: Any, y: Any = 2.0, mode: Any = "sub") -> Any:
    return x - y if mode == "sub" else x + y


CALLS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((X,), {}),
    ((X, 2.0), {}),
    ((X, 5.0), {}),
    ((X, Y), {}),
    ((X, Y, "add"), {}),
    ((X, Y, "sub"), {}),
    ((X,), {"mode": "add"}),
    ((tf.constant([1.0, 2.0]), Y), {}),
    ((tf.constant(1, tf.int32), 1), {}),
    ((tf.constant(1, tf.int32), 2), {}),
    ((np.float32(1.0), Y), {}),
    ((X, 0.0), {}),
    ((X, -0.0), {}),
    ((tf.Variable(1.0), Y), {}),
]


@pytest.mark.sampled
@pytest.mark.parametrize("before", range(0, len(CALLS), 3))
@pytest.mark.parametrize("call", range(len(CALLS)))
def test_a_call_does_not_depend_on_the_call_before(before: int, call: int) -> None:
    args, kwargs = CALLS[call]
    wanted = combined.python_function(*args, **kwargs)
    combined(*CALLS[before][0], **CALLS[before][1])
    for _ in range(2):
        result = combined(*args, **kwargs)

        assert result.dtype == wanted.dtype
        assert result.numpy().tolist() == wanted.numpy().tolist()


def reader_of_call(*args: Any, **kwargs: Any) -> Any:
    return reader_of(PARAMETERS, args, kwargs, leaves_of_call(args, kwargs)[1])


def leaves_of_call(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, list[Any]]:
    """The slow twin: what tracing makes of a call, tensors being all alike."""
    encoder = Encoder()
    key = [encoder.encode(value) for value in PARAMETERS.bind(args, kwargs)]
    return repr(key), encoder.leaves


def anything(first: Any, second: Any = 1, *rest: Any, flag: Any = None, **named: Any) -> None:
    del first, second, rest, flag, named


PARAMETERS = parameters_of(anything)


def test_a_reader_compares_values_by_type_too() -> None:
    reader = reader_of_call(X, 1, "a", None)

    assert reader(Y, 1, "a", None) == (Y,)
    assert reader(Y, True, "a", None) is None
    assert reader(Y, 1, "b", None) is None
    assert reader(Y, 1) is None
    assert reader(Y, 1, "a", None, flag=X) is None


def test_a_reader_of_a_dict_wants_its_keys_in_their_order() -> None:
    reader = reader_of_call({"b": X, "a": [Y, 2]}, flag=X)

    (a, b, flag) = reader({"b": Y, "a": [X, 2]}, flag=Y)
    assert (a is X, b is Y, flag is Y) == (True, True, True)
    assert reader({"a": [X, 2], "b": Y}, flag=Y) is None
    assert reader({"b": Y, "a": [X, 2], "c": X}, flag=Y) is None
    assert reader(OrderedDict(b=Y, a=[X, 2]), flag=Y) is None
    assert reader({"b": Y, "a": (X, 2)}, flag=Y) is None


@pytest.mark.parametrize("arg", [{1.5: X}, 0.0, float("nan"), object(), np.float32(1)])
def test_other_arguments_have_no_reader(arg: Any) -> None:
    with pytest.raises(LookupError):
        reader_of_call(X, arg)


class Pair(NamedTuple):
    one: Any
    other: Any


LEAVES = st.sampled_from([X, Y, np.ones(2, np.float32), 1, 2, True, "a", "b", None, 1.5, b"a"])
STRUCTURES = st.recursive(
    LEAVES,
    lambda parts: (
        st.lists(parts, max_size=3)
        | st.lists(parts, max_size=3).map(tuple)
        | st.dictionaries(st.sampled_from("abc"), parts, max_size=3)
        | st.builds(Pair, parts, parts)
    ),
    max_leaves=6,
)
ARGUMENTS = st.lists(STRUCTURES, min_size=1, max_size=4).map(tuple)
KEYWORDS = st.dictionaries(st.sampled_from(["flag", "zeta", "alpha"]), STRUCTURES, max_size=2)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(ARGUMENTS, KEYWORDS, st.data())
def test_a_reader_finds_what_tracing_finds(args: Any, kwargs: Any, data: Any) -> None:
    key, leaves = leaves_of_call(args, kwargs)
    reader = reader_of(PARAMETERS, args, kwargs, leaves)
    place = data.draw(st.integers(0, len(args) - 1))
    others = (*args[:place], data.draw(STRUCTURES), *args[place + 1 :])

    for given_args in (args, others):
        other_key, other_leaves = leaves_of_call(given_args, kwargs)
        found = reader(*given_args, **kwargs)
        if found is None or not all(tf.is_tensor(one) for one in found):  # entries refuse these
            assert other_key != key
        else:
            assert TENSOR.sub("tensor", other_key) == TENSOR.sub("tensor", key)
            assert [one.numpy().tolist() for one in found] == [
                one.numpy().tolist() for one in other_leaves
            ]


TENSOR = re.compile(r"TensorKey\(.*?\)\)")


def test_results_are_built_as_they_were_returned() -> None:
    @tf.function
    def built(x: Any) -> Any:
        return {"b": x, "a": [x + 1.0, None, (x + 2.0, {})], "c": Pair(x, ())}, ()

    for _ in range(4):
        numbers = tf.nest.map_structure(lambda one: one and float(one), built(X))
        assert numbers == ({"b": 3.0, "a": [4.0, None, (5.0, {})], "c": Pair(3.0, ())}, ())
    assert list(built(X)[0]) == ["b", "a", "c"]


def test_quick_calls_are_taken() -> None:
    doubled = tf.function(lambda x: x * 2.0)
    doubled(X)
    doubled(X)
    doubled(Y)

    assert doubled.traces.detector.counter.tolist() == [2]


def test_calls_with_structures_and_keywords_are_quick_from_the_third_on() -> None:
    summed = tf.function(lambda state, training=False: state["x"] + state["y"][0])
    quick: list[bool] = []
    for value in (X, Y, X, Y):
        quick.append(summed.traces.quick is not None)
        result = summed({"x": value, "y": [X, "unused"]}, training=True)
        assert float(result) == float(value) + 3.0

    assert quick == [False, False, True, True]


def test_running_eagerly_switches_the_quick_path_off() -> None:
    calls = []

    @tf.function
    def f(x: Any) -> Any:
        calls.append(None)
        return x * 2.0

    f(X)
    f(X)
    tf.config.run_functions_eagerly(True)
    try:
        f(X)
    finally:
        tf.config.run_functions_eagerly(False)

    assert len(calls) == 2


def test_failures_on_the_quick_path_are_told_like_others() -> None:
    divide = tf.function(lambda x, y: x // y)
    messages = []
    for _ in range(2):
        with pytest.raises(tf.errors.InvalidArgumentError, match="division by zero") as failure:
            divide(tf.constant(1), tf.constant(0))
        messages.append(str(failure.value))
        divide(tf.constant(1), tf.constant(1))
        divide(tf.constant(1), tf.constant(1))

    assert divide.traces.detector.counter[0] > 0
    assert messages[0] == messages[1]

"""What a function's body can find besides its arguments."""

from __future__ import annotations

import functools
from typing import Any

import pytest

import tensormill as tf
from tensormill.function.traces.reachable_variables import within_reach

MENTIONED = tf.Variable(0.0)
HOLDERS = {"deep": [{"here": [MENTIONED]}]}


class Holder:
    def __init__(self, held: Any) -> None:
        self.held = held

    def method(self) -> None: ...


def in_a_closure(wanted: Any) -> Any:
    return lambda: wanted


def mentions() -> Any:
    return MENTIONED


def mentions_a_holder() -> Any:
    return HOLDERS


def default(held: Any = MENTIONED) -> Any:
    return held


def keyword(*, held: Any = MENTIONED) -> Any:
    return held


def nothing() -> Any:
    """It stands next to `MENTIONED`, and does not mention it."""


@pytest.mark.parametrize(
    "function",
    [
        in_a_closure(MENTIONED),
        in_a_closure(in_a_closure([MENTIONED])),
        mentions,
        mentions_a_holder,
        default,
        keyword,
        Holder(Holder((MENTIONED,))).method,
        functools.partial(default, MENTIONED),
    ],
)
def test_holders_around_the_function_are_found(function: Any) -> None:
    assert within_reach(function, [], [MENTIONED]) == {id(MENTIONED)}


def test_holders_among_the_arguments_are_found() -> None:
    other = tf.Variable(1.0)
    found = within_reach(nothing, [MENTIONED, Holder([MENTIONED])], [MENTIONED, other])

    assert found == {id(MENTIONED)}


def test_an_argument_alone_is_not_in_reach() -> None:
    assert within_reach(nothing, [MENTIONED], [MENTIONED]) == set()


def test_a_search_ends_where_there_is_too_much() -> None:
    deep: list[Any] = [MENTIONED]
    for _ in range(20_000):
        deep = [deep]
    many = [[[]] for _ in range(20_000)]
    wide = [*many, [MENTIONED], *many]

    assert within_reach(nothing, [deep], [MENTIONED]) == set()
    assert within_reach(nothing, [wide], [MENTIONED]) == set()


def test_a_trace_around_another_traces_tensor_serves_only_there() -> None:
    box: dict[str, Any] = {}
    inner = tf.function(lambda: box["x"] * 2.0)

    @tf.function(autograph=False)
    def outer(x: Any) -> Any:
        box["x"] = x
        return inner()

    assert outer(tf.constant(1.0)).numpy() == 2.0
    assert outer(tf.constant([1.0, 3.0])).numpy().tolist() == [2.0, 6.0]
    box["x"] = tf.constant(5.0)
    assert inner().numpy() == 10.0

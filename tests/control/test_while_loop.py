"""tf.while_loop."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np
import pytest

import tensormill as tf
from tests.autodiff.modes import MODES, STAGED

MODE_NAMES = sorted(MODES)
STAGED_NAMES = sorted(STAGED)


class Pair(NamedTuple):
    count: Any
    value: Any


def traced(function: Any, *arguments: Any) -> Any:
    return tf.function(function).get_concrete_function(*arguments)


@pytest.mark.parametrize("mode", MODE_NAMES)
def test_a_loop(mode: str) -> None:
    def function(x: Any) -> Any:
        return tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * x), [0, 1.0])

    assert [3, 8.0] == MODES[mode](function, np.float32(2.0))


@pytest.mark.parametrize("mode", MODE_NAMES)
@pytest.mark.parametrize(
    "variables",
    [
        [0],
        (0, [1.0, {"a": 2.0}]),
        [0, (1.0, [2.0])],
        Pair(0, 1.0),
    ],
)
def test_the_result_is_built_like_the_variables(variables: Any, mode: str) -> None:
    found: list[Any] = []

    def function() -> Any:
        result = tf.while_loop(lambda i, *_: i < 2, lambda i, *rest: (i + 1, *rest), variables)
        found.append(result)
        return result

    results = MODES[mode](function)
    assert results[0] == 2
    tf.nest.assert_same_structure(variables, found[0])


@pytest.mark.parametrize("mode", MODE_NAMES)
def test_a_single_variable_may_be_returned_bare(mode: str) -> None:
    def function() -> Any:
        bare = tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0])
        listed = tf.while_loop(lambda v: v[0] < 3, lambda v: [v[0] + 1, v[1]], ([0, 1],))
        return bare, listed

    assert [3, 3, 1] == MODES[mode](function)


@pytest.mark.parametrize("mode", MODE_NAMES)
@pytest.mark.parametrize(("limit", "expected"), [(0, 0), (2, 2), (100, 5)])
def test_the_number_of_iterations_can_be_limited(limit: int, expected: int, mode: str) -> None:
    def function(limit: Any) -> Any:
        return [
            tf.while_loop(lambda i: i < 5, lambda i: (i + 1,), (0,), maximum_iterations=most)[0]
            for most in (limit, int(expected))
        ]

    assert [expected, expected] == MODES[mode](function, np.int64(limit))


@pytest.mark.parametrize("mode", MODE_NAMES)
def test_a_condition_that_is_false_from_the_start(mode: str) -> None:
    def function() -> Any:
        return tf.while_loop(lambda i: False, lambda i: (i + 1,), (7,))

    assert [7] == MODES[mode](function)


@pytest.mark.parametrize("mode", MODE_NAMES)
def test_a_condition_of_which_a_part_is_known(mode: str) -> None:
    def function() -> Any:
        unlimited = tf.while_loop(lambda i: True, lambda i: (i + 1,), (0,), maximum_iterations=4)
        both = tf.while_loop(lambda i: tf.logical_and(True, i < 3), lambda i: (i + 1,), (0,))
        either = tf.while_loop(lambda i: tf.logical_or(i < 2, False), lambda i: (i + 1,), (0,))
        never = tf.while_loop(lambda i: tf.logical_and(i < 2, False), lambda i: (i + 1,), (7,))
        return [loop[0] for loop in (unlimited, both, either, never)]

    assert [4, 3, 2, 7] == MODES[mode](function)


@pytest.mark.parametrize(
    ("arguments", "options", "error", "words"),
    [
        ((bool, bool, []), {}, ValueError, "'loop_vars' must be provided"),
        ((bool, bool, [None]), {}, ValueError, "None values not supported"),
    ],
)
def test_arguments_are_checked(arguments: Any, options: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        tf.while_loop(*arguments, **options)


@pytest.mark.parametrize(
    ("body", "error", "words"),
    [
        (lambda i, x: (i + 1,), ValueError, "don't have the same nested structure"),
        (lambda i, x: (i + 1, [x]), ValueError, "don't have the same nested structure"),
        (
            lambda i, x: (i + 1, tf.cast(x, tf.int32)),
            TypeError,
            "enters the loop with type tf.float",
        ),
        (
            lambda i, x: (i + 1, tf.concat([x, x], 0)),
            ValueError,
            r"enters the loop with shape \(1,\), but has shape \(2,\) after one iteration",
        ),
        (lambda i, x: (i + 1, None), ValueError, "None values not supported"),
    ],
)
def test_a_body_must_give_what_it_takes(body: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        traced(lambda: tf.while_loop(lambda i, x: i < 3, body, [0, tf.ones([1])]))


def doubled(i: Any, x: Any) -> Any:
    return i + 1, tf.concat([x, x], 0)


def test_the_error_of_a_shape_names_the_variable_and_an_invariant_that_works() -> None:
    def loop(**options: Any) -> Any:
        variables = [tf.constant(0), tf.ones([1])]
        return tf.while_loop(lambda i, x: i < 3, doubled, variables, **options)

    with pytest.raises(ValueError, match=r"loop_vars\[1\] enters the loop") as failure:
        traced(loop)
    said = re.search(r"shape_invariants=(\[.*\])", str(failure.value))
    assert said is not None

    invariants = eval(said[1], {"tf": tf})
    for given in (invariants, tuple(invariants)):  # loop_vars are a list
        assert traced(lambda given=given: loop(shape_invariants=given)[1])().shape == [8]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (
            lambda d: {"a": [d["a"][0], 2.5]},
            r"loop_vars\[0\]\['a'\]\[1\] enters the loop with type",
        ),
        (
            lambda d: {"a": [tf.concat([d["a"][0], d["a"][0]], 0), d["a"][1]]},
            r"loop_vars\[0\]\['a'\]\[0\] .* tf.TensorShape\(\[None\]\) in its place",
        ),
        (
            lambda d: d["a"],
            r"\[{'a': \[float32 \(3,\), 1\]}\], but its body returned \[\[float",
        ),
    ],
)
def test_a_variable_within_a_structure_is_named_by_its_place(body: Any, words: str) -> None:
    with pytest.raises((TypeError, ValueError), match=words):
        traced(lambda: tf.while_loop(lambda d: d["a"][1] < 3, body, [{"a": [tf.zeros([3]), 1]}]))


@pytest.mark.parametrize("mode", STAGED_NAMES)
def test_a_shape_may_vary_where_an_invariant_says_so(mode: str) -> None:
    shapes: list[Any] = []

    def function(x: Any) -> Any:
        invariants = [tf.TensorShape([]), tf.TensorShape([None])]
        _, y = tf.while_loop(
            lambda i, x: i < 3, lambda i, x: (i + 1, tf.concat([x, x], 0)), [0, x], invariants
        )
        shapes.append(y.shape)
        return y

    assert STAGED[mode](function, np.ones(1, np.float32))[0].shape == (8,)
    assert shapes[0] == [None]


@pytest.mark.parametrize(
    ("invariants", "words"),
    [
        ([[], [2]], "is not compatible with the initial shape"),
        ([[]], "same sequence length"),
    ],
)
def test_invariants_are_checked(invariants: Any, words: str) -> None:
    shapes = [tf.TensorShape(one) for one in invariants]
    with pytest.raises(ValueError, match=words):
        traced(lambda: tf.while_loop(lambda i, x: i < 3, Pair, [0, tf.ones([1])], shapes))


def test_names_and_kinds_of_operations() -> None:
    v = tf.Variable(0.0)
    graph = traced(lambda: tf.while_loop(lambda i: i < 3, lambda i: (i + 1,), [0])).graph
    kinds = {op.name: op.type for op in graph.get_operations()}
    assert kinds["while"] == "StatelessWhile"
    assert kinds["while/loop_counter"] == kinds["while/maximum_iterations"] == "Const"

    def body(i: Any) -> Any:
        v.assign_add(1.0)
        return i + 1

    graph = traced(lambda: tf.while_loop(lambda i: i < 3, body, [0])).graph
    assert {op.name: op.type for op in graph.get_operations()}["while"] == "While"


def test_effects_happen_in_every_iteration() -> None:
    v = tf.Variable(0.0)

    @tf.function
    def function() -> Any:
        def body(i: Any) -> Any:
            v.assign_add(1.0)
            return i + 1

        tf.while_loop(lambda i: i < 3, body, [0])
        return v.read_value()

    assert [3.0, 6.0] == [function().numpy() for _ in range(2)]


def test_a_condition_may_read_what_the_body_changes() -> None:
    v = tf.Variable(0.0)

    @tf.function
    def function() -> Any:
        return tf.while_loop(
            lambda i: v < 4.0, lambda i: (i + tf.cast(v.assign_add(1.0), i.dtype),), [0]
        )

    assert function()[0].numpy() == 10


@pytest.mark.parametrize("mode", MODE_NAMES)
def test_loops_in_loops(mode: str) -> None:
    def function(n: Any) -> Any:
        def row(i: Any, total: Any) -> Any:
            inner = tf.while_loop(lambda j, _: j < i, lambda j, t: (j + 1, t + j), [0, total])
            return i + 1, inner[1]

        return tf.while_loop(lambda i, _: i < n, row, [0, 0])[1]

    assert [sum(j for i in range(5) for j in range(i))] == MODES[mode](function, np.int32(5))

"""tf.cond, tf.switch_case, tf.case."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tests.autodiff.modes import MODES, STAGED

MODE_NAMES = sorted(MODES)
STAGED_NAMES = sorted(STAGED)


def traced(function: Any, *arguments: Any) -> Any:
    return tf.function(function).get_concrete_function(*arguments)


@pytest.mark.parametrize("mode", MODE_NAMES)
@pytest.mark.parametrize(("x", "expected"), [(3.0, 9.0), (-3.0, -15.0)])
def test_one_of_two_functions(x: float, expected: float, mode: str) -> None:
    def function(x: Any) -> Any:
        return tf.cond(x > 0.0, lambda: x * x, lambda: 5.0 * x)

    assert [expected] == MODES[mode](function, np.float32(x))


def test_a_predicate_of_one_element_will_do() -> None:
    function = tf.function(lambda p: tf.cond(p, lambda: 1.0, lambda: 2.0))
    assert function(tf.constant([True])).numpy() == 1.0
    with pytest.raises(ValueError, match="must be a scalar"):
        function(tf.constant([True, False]))


def test_names_of_operations() -> None:
    graph = traced(lambda p: tf.cond(p, lambda: 1.0, lambda: 2.0), tf.constant(True)).graph
    kinds = {op.name: op.type for op in graph.get_operations()}
    assert kinds["cond"] == "StatelessIf"
    assert kinds["cond/Identity"] == "Identity"


@pytest.mark.parametrize(
    ("first", "second", "error", "words"),
    [
        (lambda: [1.0, None], lambda: [1.0, 2.0], ValueError, r"at \[1\] true_fn returns None"),
        (lambda: object(), lambda: object(), TypeError, "found return value of type object"),
    ],
)
def test_branches_must_return_alike(first: Any, second: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        traced(lambda p: tf.cond(p, first, second), tf.constant(True))


@pytest.mark.parametrize("mode", STAGED_NAMES)
def test_shapes_may_differ(mode: str) -> None:
    shapes: list[Any] = []

    def function(x: Any) -> Any:
        joined = tf.cond(x > 0.0, lambda: tf.ones([1, 3]), lambda: tf.zeros([2, 3]))
        ranks = tf.cond(x > 0.0, lambda: tf.ones([1]), lambda: tf.ones([]))
        shapes.append((joined.shape, ranks.shape.rank))
        return joined

    assert STAGED[mode](function, np.float32(-1.0))[0].shape == (2, 3)
    assert shapes[0] == ([None, 3], None)


@pytest.mark.parametrize("mode", MODE_NAMES)
@pytest.mark.parametrize(("index", "expected"), [(0, 10.0), (1, 20.0), (7, 20.0), (-1, 20.0)])
def test_one_of_several(index: int, expected: float, mode: str) -> None:
    def function(index: Any) -> Any:
        return tf.switch_case(index, [(1, lambda: 20.0), (0, lambda: 10.0)]) * 1.0

    for dtype in (np.int32, np.int64):
        assert [expected] == MODES[mode](function, dtype(index))


@pytest.mark.parametrize("mode", MODE_NAMES)
def test_an_index_too_large_for_int32_is_no_branch(mode: str) -> None:
    def function(index: Any) -> Any:
        return tf.switch_case(index, {0: lambda: 1.0}, default=lambda: 2.0) * 1.0

    assert [2.0] == MODES[mode](function, np.int64(2**32))


@pytest.mark.parametrize("mode", MODE_NAMES)
@pytest.mark.parametrize(("x", "expected"), [(1.0, 1.0), (5.0, 2.0), (50.0, 3.0)])
def test_the_first_true_predicate_wins(x: float, expected: float, mode: str) -> None:
    def function(x: Any) -> Any:
        pairs = [(x < 3.0, lambda: 1.0), (x < 10.0, lambda: 2.0)]
        return tf.case(pairs, default=lambda: 3.0) * 1.0

    assert [expected] == MODES[mode](function, np.float32(x))


@pytest.mark.parametrize("mode", MODE_NAMES)
def test_no_case_and_no_default(mode: str) -> None:
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="None of conditions evaluated as True"
    ):
        MODES[mode](lambda x: tf.case([(x < 3.0, lambda: 1.0)]) * 1.0, np.float32(5.0))


@pytest.mark.parametrize("mode", MODE_NAMES)
def test_exclusive_cases(mode: str) -> None:
    def function(x: Any) -> Any:
        return tf.case([(x < 3.0, lambda: 1.0), (x < 5.0, lambda: 2.0)], exclusive=True) * 1.0

    assert [2.0] == MODES[mode](function, np.float32(4.0))
    with pytest.raises(tf.errors.InvalidArgumentError, match="More than one condition"):
        MODES[mode](function, np.float32(2.0))


@pytest.mark.parametrize(
    ("pairs", "error", "words"),
    [
        ([(tf.constant(True), 1)], TypeError, "must be callable"),
        ([tf.constant(True)], TypeError, "must be a 2-tuple"),
    ],
)
def test_case_checks_its_arguments(pairs: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        tf.case(pairs)


def as_float() -> Any:
    return tf.constant(1.0)


def as_int() -> Any:
    return tf.constant(1)


def as_pair() -> Any:
    return tf.constant(1), [2.0]


@pytest.mark.parametrize(
    ("choose", "names"),
    [
        (lambda p, a, b: tf.cond(p, a, b), ("true_fn", "false_fn")),
        (
            lambda p, a, b: tf.switch_case(tf.cast(p, tf.int32), [a, b]),
            (r"branches[0]", r"branches[1]"),
        ),
    ],
    ids=["cond", "switch_case"],
)
@pytest.mark.parametrize(
    ("other", "words"),
    [
        (as_int, "returns int32 (); use tf.cast in one of them"),
        (as_pair, "returns (int32 (), [float32 ()])"),
    ],
)
def test_branches_that_differ_are_shown_with_their_lines(
    choose: Any, names: Any, other: Any, words: str
) -> None:
    with pytest.raises(TypeError, match="returns float32") as failure:
        tf.function(choose, autograph=False)(tf.constant(True), as_float, other)
    text = str(failure.value)

    assert words in text
    for name, function in zip(names, (as_float, other), strict=True):
        line = function.__code__.co_firstlineno
        assert f"  {name}: {__file__}:{line}  def {function.__name__}() -> Any:" in text

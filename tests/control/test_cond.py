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


def test_eagerly_the_raw_result_of_the_chosen_one_is_returned() -> None:
    ran: list[str] = []
    result = tf.cond(tf.constant(1), lambda: ["a", None, 3], lambda: ran.append("false"))
    assert ["a", None, 3] == result
    assert ran == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((True, 1, lambda: 1), "'true_fn' must be callable"),
        ((True, lambda: 1, 1), "'false_fn' must be callable"),
        ((True,), "'true_fn' argument required"),
        ((True, lambda: 1), "'false_fn' argument required"),
    ],
)
def test_both_functions_are_wanted(arguments: Any, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        tf.cond(*arguments)


def test_a_python_bool_is_refused_in_a_trace() -> None:
    with pytest.raises(TypeError, match="pred must not be a Python bool"):
        traced(lambda: tf.cond(True, lambda: 1.0, lambda: 2.0))


@pytest.mark.parametrize("predicate", [tf.constant(1), tf.constant("yes")])
def test_the_dtype_of_the_predicate_is_checked_while_tracing(predicate: Any) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="expected bool"):
        traced(lambda: tf.cond(predicate, lambda: 1.0, lambda: 2.0))


def test_a_predicate_of_one_element_will_do() -> None:
    function = tf.function(lambda p: tf.cond(p, lambda: 1.0, lambda: 2.0))
    assert function(tf.constant([True])).numpy() == 1.0
    with pytest.raises(ValueError, match="must be a scalar"):
        function(tf.constant([True, False]))


def test_true_is_traced_before_false_and_each_once() -> None:
    traces: list[str] = []

    @tf.function
    def function(p: Any) -> Any:
        return tf.cond(p, lambda: traces.append("true") or 1.0, lambda: traces.append("no") or 2.0)

    assert [1.0, 2.0] == [function(tf.constant(p)).numpy() for p in (True, False)]
    assert traces == ["true", "no"]


def test_only_the_branch_that_is_taken_has_effects() -> None:
    v = tf.Variable(0.0)

    @tf.function
    def function(p: Any) -> Any:
        return tf.cond(p, lambda: v.assign_add(1.0), lambda: v.assign_sub(10.0))

    assert [1.0, -9.0] == [float(function(tf.constant(p))) for p in (True, False)]


def test_names_of_operations() -> None:
    graph = traced(lambda p: tf.cond(p, lambda: 1.0, lambda: 2.0), tf.constant(True)).graph
    kinds = {op.name: op.type for op in graph.get_operations()}
    assert kinds["cond"] == "StatelessIf"
    assert kinds["cond/Identity"] == "Identity"


@pytest.mark.parametrize(
    ("first", "second", "error", "words"),
    [
        (lambda: 1, lambda: 2.0, TypeError, "true_fn returns int32 .*false_fn returns float32"),
        (lambda: [1.0], lambda: (1.0,), TypeError, "same number, type, and overall structure"),
        (lambda: [1.0], lambda: 1.0, TypeError, "same number, type, and overall structure"),
        (lambda: {"a": 1.0}, lambda: {"b": 1.0}, TypeError, "same number, type, and overall"),
        (lambda: [1.0], lambda: [1.0, 2.0], TypeError, "same number, type, and overall"),
        (lambda: None, lambda: 1.0, ValueError, "Lengths of branch outputs of cond must match"),
        (lambda: [1.0, None], lambda: [1.0, 2.0], ValueError, r"at \[1\] true_fn returns None"),
        (
            lambda: tf.IndexedSlices(tf.ones([1, 2]), tf.constant([0])),
            lambda: tf.ones([1, 2]),
            TypeError,
            "Cannot reconcile tf.cond 0-th outputs",
        ),
        (lambda: object(), lambda: object(), TypeError, "found return value of type object"),
    ],
)
def test_branches_must_return_alike(first: Any, second: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        traced(lambda p: tf.cond(p, first, second), tf.constant(True))


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (lambda: None, lambda: None, None),
        (lambda: [], lambda: [], []),
        (lambda: {"a": None, "b": 1.0}, lambda: {"a": None, "b": 2.0}, {"a": None, "b": 1.0}),
    ],
)
def test_what_both_leave_out(first: Any, second: Any, expected: Any) -> None:
    result = tf.function(lambda p: tf.cond(p, first, second))(tf.constant(True))
    assert expected == tf.nest.map_structure(lambda x: None if x is None else float(x), result)


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


def test_composites_come_through() -> None:
    @tf.function
    def function(p: Any) -> Any:
        def slices(factor: float) -> Any:
            return tf.IndexedSlices(tf.ones([1, 2]) * factor, tf.constant([0]), tf.constant([3, 2]))

        array = tf.TensorArray(tf.float32, size=1)
        chosen = tf.cond(p, lambda: slices(1.0), lambda: slices(2.0))
        written = tf.cond(p, lambda: array.write(0, 5.0), lambda: array.write(0, 6.0))
        return tf.convert_to_tensor(chosen), written.stack()

    dense, stacked = function(tf.constant(False))
    np.testing.assert_array_equal([[2, 2], [0, 0], [0, 0]], dense)
    np.testing.assert_array_equal([6.0], stacked)


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


@pytest.mark.parametrize(
    ("index", "branches", "error", "words"),
    [
        (
            tf.constant(0),
            {0: float, 2: float},
            ValueError,
            r"must form contiguous range of \[0 to 2",
        ),
        (tf.constant(0), [], ValueError, "at least one item"),
        (0, [float], TypeError, "must be a Tensor"),
        (tf.constant(0.0), [float], TypeError, "must be an integer Tensor"),
        (tf.constant(0), [1, 2], TypeError, "must be a 2-tuple"),
    ],
)
def test_switch_case_checks_its_arguments(
    index: Any, branches: Any, error: Any, words: str
) -> None:
    with pytest.raises(error, match=words):
        tf.switch_case(index, branches)


def test_branches_of_switch_case_must_return_alike() -> None:
    with pytest.raises(TypeError, match=r"branches\[0\] and branches\[1\] arguments to tf.switch"):
        traced(lambda i: tf.switch_case(i, [lambda: 1, lambda: 2.0]), tf.constant(0))


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
        ([(1, float)], TypeError, "pred must be a Tensor"),
        ([], ValueError, "nothing to unpack"),
        ([(tf.constant(True), 1)], TypeError, "must be callable"),
        ([tf.constant(True)], TypeError, "must be a 2-tuple"),
    ],
)
def test_case_checks_its_arguments(pairs: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        tf.case(pairs)

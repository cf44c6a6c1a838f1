"""Variables are changed in place, and nobody sees it who should not."""

from __future__ import annotations

from typing import Any

import pytest

import tensormill as tf


@pytest.fixture
def variable() -> Any:
    return tf.Variable([1.0, 2.0, 3.0])


def test_the_old_value_survives_an_assignment(variable: Any) -> None:
    @tf.function
    def fn() -> Any:
        old = variable.read_value()
        variable.assign(old * 10.0)
        return old, variable.read_value()

    old, new = fn()

    assert old.numpy().tolist() == [1.0, 2.0, 3.0]
    assert new.numpy().tolist() == [10.0, 20.0, 30.0]


def test_a_variable_may_be_reversed_in_place(variable: Any) -> None:
    @tf.function
    def fn() -> None:
        variable.assign(tf.reverse(variable, [0]))

    fn()

    assert variable.numpy().tolist() == [3.0, 2.0, 1.0]


def test_two_variables_may_be_swapped(variable: Any) -> None:
    other = tf.Variable([4.0, 5.0, 6.0])

    @tf.function
    def fn() -> None:
        old = variable.read_value()
        variable.assign(other)
        other.assign(old)

    fn()

    assert variable.numpy().tolist() == [4.0, 5.0, 6.0]
    assert other.numpy().tolist() == [1.0, 2.0, 3.0]


def test_a_tensor_that_python_holds_never_changes(variable: Any) -> None:
    @tf.function
    def fn() -> None:
        variable.assign_add([1.0, 1.0, 1.0])

    held = variable.read_value()
    fn()
    again = variable.value()
    fn()

    assert held.numpy().tolist() == [1.0, 2.0, 3.0]
    assert again.numpy().tolist() == [2.0, 3.0, 4.0]
    assert variable.numpy().tolist() == [3.0, 4.0, 5.0]


def test_the_buffer_of_a_variable_stays_where_it_is(variable: Any) -> None:
    @tf.function
    def fn() -> None:
        variable.assign(variable * 2.0)

    fn()
    before = variable.handle._array.array.ctypes.data
    fn()

    assert variable.handle._array.array.ctypes.data == before


def test_a_scatter_reads_updates_of_the_same_variable_first(variable: Any) -> None:
    @tf.function
    def fn() -> Any:
        old = variable * 1.0
        variable.scatter_update(tf.IndexedSlices(tf.constant([9.0]), tf.constant([1])))
        return old

    assert fn().numpy().tolist() == [1.0, 2.0, 3.0]
    assert variable.numpy().tolist() == [1.0, 9.0, 3.0]


def test_assignments_of_another_size_are_refused() -> None:
    variable = tf.Variable([1.0, 2.0])

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def fn(x: Any) -> None:
        variable.assign(x)

    fn(tf.constant([3.0, 4.0]))
    with pytest.raises(ValueError, match="Shape mismatch"):
        fn(tf.constant([1.0, 2.0, 3.0]))

    assert variable.numpy().tolist() == [3.0, 4.0]


def test_a_scatter_of_the_variable_into_itself_reads_the_old_elements(variable: Any) -> None:
    @tf.function
    def fn() -> None:
        variable.scatter_nd_add([[0], [1], [2]], tf.reverse(variable.read_value(), [0]))

    fn()

    assert variable.numpy().tolist() == [4.0, 4.0, 4.0]


def chosen(first: Any, second: Any, is_python: bool) -> Any:
    """The value of the one of two variables whose handle a branch returns, and a number."""

    def branch(x: Any, variable: Any) -> Any:
        return tf.strings.to_number(tf.strings.as_string(x)) if is_python else x, variable.handle

    def function(x: Any) -> Any:
        x, handle = tf.cond(x > 0.0, lambda: branch(x, first), lambda: branch(-x, second))
        return x, tf.raw_ops.ReadVariableOp(resource=handle, dtype=tf.float32)

    return tf.function(function)


@pytest.mark.parametrize("is_python", [False, True])
def test_branches_may_hand_on_the_variable_that_they_were_given(is_python: bool) -> None:
    other, v = tf.Variable(5.0), tf.Variable(3.0)
    function = chosen(v, v, is_python)

    assert [(2.0, 3.0), (4.0, 3.0)] == [function(tf.constant(x)) for x in (2.0, -4.0)]
    assert 5.0 == other.numpy()


@pytest.mark.parametrize("is_python", [False, True])
def test_branches_may_not_choose_a_variable(is_python: bool) -> None:
    function = chosen(tf.Variable(3.0), tf.Variable(4.0), is_python)

    with pytest.raises(tf.errors.UnimplementedError, match="different variables: let each branch"):
        function(tf.constant(2.0))

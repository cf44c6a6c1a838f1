"""Variables that a traced function creates, reads and changes."""

from __future__ import annotations

from typing import Any

import pytest

import tensormill as tf
from tensormill.graph.lifting import UnliftableError


class Holder:
    v: Any = None


def test_a_variable_may_be_created_on_the_first_call() -> None:
    holder, runs = Holder(), []

    @tf.function(autograph=False)
    def f(x: Any) -> Any:
        runs.append(x)
        if holder.v is None:
            holder.v = tf.Variable(1.0)
        return holder.v.assign_add(x)

    results = [f(tf.constant(2.0)).numpy(), f(tf.constant(2.0)).numpy()]

    assert results == [3.0, 5.0]
    assert len(runs) == 2
    assert f.experimental_get_tracing_count() == 1


def test_a_variable_on_every_call_is_refused_each_time() -> None:
    @tf.function
    def f(x: Any) -> Any:
        v = tf.Variable(1.0)
        return v.assign_add(x)

    for _ in range(2):
        with pytest.raises(ValueError, match=r"singleton tf\.Variables created on the first call"):
            f(tf.constant(2.0))


def test_a_later_trace_may_not_create() -> None:
    made: list[Any] = []

    @tf.function(autograph=False)
    def f(x: Any) -> Any:
        if x.dtype == tf.float32 and not made:
            made.append(tf.Variable(1.0))
        return x

    f(tf.constant(1))
    with pytest.raises(ValueError, match="Creating variables on a non-first call"):
        f(tf.constant(1.0))


def test_an_initial_value_without_arguments_is_lifted() -> None:
    holder = Holder()

    @tf.function(autograph=False)
    def f() -> Any:
        if holder.v is None:
            holder.v = tf.Variable(tf.constant([1.0, 2.0]) * 3.0)
        return holder.v + 0.0

    cf = f.get_concrete_function()

    assert holder.v.numpy().tolist() == [3.0, 6.0]
    assert cf().numpy().tolist() == [3.0, 6.0]


def test_an_initial_value_from_the_arguments_is_that_of_the_first_call() -> None:
    holder = Holder()

    @tf.function(autograph=False)
    def f(x: Any) -> Any:
        if holder.v is None:
            holder.v = tf.Variable(x * 2.0)
        return holder.v + 0.0

    assert [f(tf.constant(1.0)).numpy(), f(tf.constant(50.0)).numpy()] == [2.0, 2.0]


def test_an_initial_value_from_a_spec_cannot_be_lifted() -> None:
    holder = Holder()

    @tf.function(autograph=False)
    def f(x: Any) -> Any:
        if holder.v is None:
            holder.v = tf.Variable(x * 2.0)
        return holder.v

    with pytest.raises(UnliftableError, match="Unable to lift tensor"):
        f.get_concrete_function(tf.TensorSpec([]))


def test_nested_functions_may_create_on_the_first_call() -> None:
    holder = Holder()

    @tf.function(autograph=False)
    def inner(x: Any) -> Any:
        if holder.v is None:
            holder.v = tf.Variable(1.0)
        return holder.v * x

    outer = tf.function(lambda x: inner(x) + 1.0)

    assert outer(tf.constant(2.0)).numpy() == 3.0


def test_creation_in_init_scope_is_eager() -> None:
    holder = Holder()

    @tf.function(autograph=False)
    def f(x: Any) -> Any:
        if holder.v is None:
            with tf.init_scope():
                assert tf.executing_eagerly()
                holder.v = tf.Variable(1.0)
        assert not tf.executing_eagerly()
        return holder.v * x

    assert f(tf.constant(2.0)).numpy() == 2.0
    assert f.experimental_get_tracing_count() == 1


def test_state_changes_in_program_order() -> None:
    v = tf.Variable(0.0)

    @tf.function
    def f(x: Any) -> Any:
        v.assign(x)
        a = v.read_value()
        v.assign_add(10.0)
        b = v * 1.0
        v.assign(0.0)
        return a, b, v.read_value()

    assert [t.numpy() for t in f(tf.constant(5.0))] == [5.0, 15.0, 0.0]


def test_what_python_holds_of_a_variable_does_not_change() -> None:
    v = tf.Variable([1.0, 2.0])
    step = tf.function(lambda: v.assign_add([1.0, 1.0]))
    step()
    before = v.read_value()
    step()

    assert before.numpy().tolist() == [2.0, 3.0]
    assert v.numpy().tolist() == [3.0, 4.0]


def test_rebinding_a_closed_over_name_is_not_seen() -> None:
    factor = tf.constant(2.0)

    @tf.function
    def f(x: Any) -> Any:
        return x * factor

    first = f(tf.constant(3.0)).numpy()
    factor = tf.constant(100.0)

    assert (first, f(tf.constant(3.0)).numpy()) == (6.0, 6.0)


def test_effects_of_python_happen_once_per_trace() -> None:
    seen = []

    @tf.function
    def f(x: Any) -> Any:
        seen.append(str(x))
        return x

    f(tf.constant(1.0))
    f(tf.constant(2.0))

    assert seen == ['Tensor("x:0", shape=(), dtype=float32)']

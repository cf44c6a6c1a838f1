"""Variables of functions that run as programs of XLA: on the device, and right wherever read."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill import backends
from tensormill.eager.storage import Away


@pytest.fixture
def on_xla() -> Any:
    with backends.using("xla"):
        yield


def storage_of(variable: Any) -> Any:
    return variable._storage


@pytest.mark.usefixtures("on_xla")
def test_a_variable_stays_on_the_device_between_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    v = tf.Variable([1.0, 2.0])
    step = tf.function(lambda x: v.assign_add(x) * 2.0)
    copies: list[Any] = []

    with monkeypatch.context() as patch:
        patch.setattr(Away, "read", lambda self, _: copies.append(self))
        for _ in range(3):
            step(tf.constant([1.0, 1.0]))
            assert type(storage_of(v).array) is Away

    assert copies == []
    assert v.numpy().tolist() == [4.0, 5.0]


@pytest.mark.usefixtures("on_xla")
def test_what_was_read_does_not_change_with_the_variable() -> None:
    v = tf.Variable([1.0, 2.0])

    @tf.function
    def step(x: Any) -> Any:
        before = v.read_value()
        v.assign_add(x)
        return before, v.read_value()

    read = [v.value(), *step(tf.constant([1.0, 1.0])), v.value()]
    step(tf.constant([5.0, 5.0]))

    assert [one.numpy().tolist() for one in read] == [[1, 2], [1, 2], [2, 3], [2, 3]]
    assert v.numpy().tolist() == [7.0, 8.0]


@pytest.mark.usefixtures("on_xla")
def test_the_same_variable_twice_is_one() -> None:
    v = tf.Variable(1.0)

    @tf.function
    def both(first: Any, second: Any) -> Any:
        first.assign_add(1.0)
        second.assign(second * 10.0)
        return first.read_value()

    w = tf.Variable(3.0)
    assert both(v, w).numpy() == 2.0
    assert both(v, v).numpy() == 30.0
    assert w.numpy() == 30.0


def test_eager_code_and_both_back_ends_take_turns() -> None:
    v = tf.Variable([1.0, 2.0])
    with backends.using("xla"):
        by_xla = tf.function(lambda: v.assign(v * 2.0).read_value())
        by_xla()
    by_cpu = tf.function(lambda: v.assign_add([1.0, 1.0]).read_value())

    by_cpu()
    v.assign_add([1.0, 0.0])
    assert by_xla().numpy().tolist() == [8.0, 10.0]
    assert by_cpu().numpy().tolist() == [9.0, 11.0]
    assert v[0].assign(0.0).numpy().tolist() == [0.0, 11.0]
    assert by_xla().numpy().tolist() == [0.0, 22.0]


@pytest.mark.usefixtures("on_xla")
def test_64_bits_are_64_bits_and_nobody_elses_jax_is_changed() -> None:
    import jax.numpy as jnp

    v = tf.Variable(np.float64(1 / 3))
    step = tf.function(lambda n: (v.assign_add(tf.constant(1e-12, tf.float64)) * 1.0, n + 2**40))
    third, large = step(tf.constant(1, tf.int64))

    assert third.numpy() == 1 / 3 + 1e-12
    assert large.numpy() == 2**40 + 1
    assert jnp.asarray(np.float64(1.0)).dtype == np.float32


@pytest.mark.usefixtures("on_xla")
def test_a_variable_gets_its_first_value_in_a_program() -> None:
    v = tf.Variable.uninitialized(tf.TensorSpec([2], tf.float32), name="later")
    read = tf.function(lambda: v.read_value())

    with pytest.raises(tf.errors.FailedPreconditionError, match="later"):
        read()
    tf.function(lambda x: v.assign(x + 1.0))(tf.constant([1.0, 2.0]))

    assert read().numpy().tolist() == [2.0, 3.0]


@pytest.mark.usefixtures("on_xla")
def test_variables_change_in_branches_and_loops() -> None:
    v = tf.Variable(0.0)

    @tf.function
    def add(n: Any) -> Any:
        i = 0.0
        while i < n:
            if i > 2.0:
                v.assign_add(i)
            else:
                v.assign_sub(1.0)
            i += 1.0
        return i

    assert add(tf.constant(5.0)).numpy() == 5.0
    assert v.numpy() == 4.0
    assert not add.report().callbacks


@pytest.mark.usefixtures("on_xla")
def test_bfloat16_goes_into_programs_and_out_of_them() -> None:
    v = tf.Variable(tf.cast([1.0, 2.0], tf.bfloat16))
    step = tf.function(lambda x: v.assign_add(x) * x)

    step(tf.cast([3.0, 4.0], tf.bfloat16))
    found = step(tf.cast([3.0, 4.0], tf.bfloat16))  # by the quick way

    assert (found.dtype, tf.cast(found, tf.float32).numpy().tolist()) == (tf.bfloat16, [21.0, 40.0])
    assert tf.cast(v, tf.float32).numpy().tolist() == [7.0, 10.0]
    assert not step.report().callbacks

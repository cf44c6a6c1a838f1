"""Results stay in the memory of the device until somebody looks at them."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest

import tensormill as tf
from tensormill import backends


@pytest.fixture
def _on_xla() -> Any:
    with backends.using("xla"):
        yield


def is_here(tensor: Any) -> bool:
    """Whether NumPy has the tensor."""
    try:
        type(tensor).__dict__["_array"].__get__(tensor)
    except AttributeError:
        return False
    return True


@tf.function
def native_sum(*tensors: Any) -> Any:
    return tf.add_n(tensors)


def made_on_device(values: Any) -> Any:
    """A tensor that a program of XLA gave, for the second time: by its quick way."""
    double = tf.function(lambda x: x * 2.0)
    with backends.using("xla"):
        double(tf.constant(values))
        return double(tf.constant(values))


def test_a_result_is_fetched_when_somebody_looks_and_then_stays() -> None:
    made = made_on_device([1.0, 2.0])

    assert not is_here(made)
    assert (made.dtype, made.shape) == (tf.float32, [2])
    assert made.numpy().tolist() == [2.0, 4.0]
    assert is_here(made)
    assert not made._array.flags.writeable


@pytest.mark.usefixtures("_on_xla")
def test_the_next_program_takes_a_result_where_it_is() -> None:
    half = tf.function(lambda x: x / 2.0)
    half(made_on_device([1.0, 2.0]))
    second = made_on_device([4.0, 2.0])

    assert half(second).numpy().tolist() == [4.0, 2.0]
    assert half(half(made_on_device([[8.0]]))).numpy().tolist() == [[4.0]]
    assert not is_here(second)


@pytest.mark.usefixtures("_on_xla")
def test_what_is_given_again_is_kept_on_the_device_as_long_as_the_tensor() -> None:
    double, x = tf.function(lambda x: x * 2.0), tf.constant([1.0, 2.0])

    found = [double(x).numpy().tolist() for _ in range(4)]

    assert found == [[2.0, 4.0]] * 4
    kind, kept = x._away
    assert kind == ((2,), np.dtype(np.float32))
    assert isinstance(kept, jax.Array)


@pytest.mark.parametrize("count", [1, 9])  # of many arguments a table is checked
def test_native_code_leaves_what_it_does_not_have_to_python(count: int) -> None:
    tensors = [tf.constant([float(k), 1.0]) for k in range(count - 1)]
    native_sum(*tensors, tf.constant([3.0, 1.0]))  # compiled for such

    found = native_sum(*tensors, made_on_device([1.0, 2.0]))

    assert found.numpy().tolist() == [sum(range(count - 1)) + 2.0, count - 1 + 4.0]


@pytest.mark.usefixtures("_on_xla")
def test_a_variable_that_was_read_changes_without_its_reader() -> None:
    v = tf.Variable([1.0, 2.0])
    read, add = tf.function(lambda: v.read_value()), tf.function(lambda: v.assign_add([1.0, 1.0]))

    seen = [read() for _ in range(3)]
    changed = [add() for _ in range(3)]

    assert [one.numpy().tolist() for one in seen] == [[1.0, 2.0]] * 3
    assert [one.numpy().tolist() for one in changed] == [[2.0, 3.0], [3.0, 4.0], [4.0, 5.0]]


@tf.function
def sum_of_many(x: Any) -> Any:
    """More than any address space has, for which XLA asks when it runs."""
    return tf.reduce_sum(tf.sort(tf.broadcast_to(x[:, None, None], [2048, 1 << 20, 1 << 20])))


@pytest.mark.usefixtures("_on_xla")
def test_that_there_is_no_memory_is_told_where_the_result_is_looked_at() -> None:
    x = tf.ones([2048])
    v = tf.Variable(0.0)
    assign = tf.function(lambda x: v.assign(sum_of_many(x)))

    for _ in range(3):
        with pytest.raises(tf.errors.ResourceExhaustedError, match="Out of memory"):
            print(sum_of_many(x).numpy())
    for look in (lambda: assign(x), v.numpy):
        with pytest.raises(tf.errors.ResourceExhaustedError, match="Out of memory"):
            look()
    assert v.assign(2.0).numpy() == 2.0


@pytest.mark.usefixtures("_on_xla")
def test_a_variable_whose_program_failed_says_so_and_that_its_value_is_lost() -> None:
    v = tf.Variable(1.0, name="weights")
    assign, add = tf.function(lambda x: v.assign(sum_of_many(x))), tf.function(lambda: v + 1.0)
    no_memory = tf.errors.ResourceExhaustedError

    with pytest.raises(no_memory):
        print(assign(tf.ones([2048])).numpy())
    with pytest.raises(no_memory, match=r"weights:0: .*Out of memory.* lost, assign a value first"):
        print(v.numpy())
    for _ in range(3):  # whoever goes on is told the first cause
        with pytest.raises(no_memory, match="device: Out of memory"):
            print(add().numpy())


@pytest.mark.usefixtures("_on_xla")
def test_that_there_is_no_memory_is_told_where_checks_are_looked_at() -> None:
    @tf.function
    def checked(x: Any) -> Any:
        total = sum_of_many(x)
        tf.debugging.assert_positive(total)
        return total

    for _ in range(3):
        with pytest.raises(tf.errors.ResourceExhaustedError, match="Out of memory"):
            checked(tf.ones([2048]))

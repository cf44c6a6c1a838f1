"""Long chains, many branches, huge and impossible sizes, constants that only look alike."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf

HUGE = 2**32  # its square does not fit into 64 bits


def test_the_length_of_a_chain_of_operations_does_not_matter() -> None:
    @tf.function
    def fn(x: Any) -> Any:
        total = x
        for _ in range(1000):
            total = tf.reverse(total + x, [0])
        return total

    assert fn(tf.constant([1, 2], tf.int64)).numpy().tolist() == [1501, 1502]


@pytest.mark.sampled
@pytest.mark.parametrize("count", [33, 520])
@pytest.mark.parametrize(
    "join",
    [tf.add_n, lambda rows: tf.concat(rows, 0), lambda rows: tf.stack(rows, 1)],
    ids=["add_n", "concat", "stack"],
)
def test_as_many_tensors_are_joined_as_there_are(join: Any, count: int) -> None:
    def fn(x: Any) -> Any:
        return join([x * float(k % 7 + 1) for k in range(count)])

    x = tf.constant([0.1, 0.2])

    assert np.array_equal(tf.function(fn, autograph=False)(x), fn(x))


def test_a_variable_that_is_used_many_times_has_one_gradient() -> None:
    w = tf.Variable([2.0, 3.0])

    @tf.function(autograph=False)
    def slope(x: Any) -> Any:
        with tf.GradientTape() as tape:
            total = tf.add_n([w * x * float(k) for k in range(700)])
        return tape.gradient(total, w)

    assert slope(tf.constant([1.0, 2.0])).numpy().tolist() == [244650.0, 489300.0]


def test_integers_that_are_used_twice_are_computed_once() -> None:
    @tf.function
    def fn(x: Any) -> Any:
        for _ in range(60):
            x = x + x
        return x

    assert fn(tf.constant([1], tf.int64)).numpy().tolist() == [2**60]


@pytest.mark.sampled
@pytest.mark.parametrize("index", [0, 1, 298, 299, 300, -1])
def test_one_of_many_branches_runs(index: int) -> None:
    @tf.function
    def fn(index: Any) -> Any:
        return tf.switch_case(index, [(lambda k=k: tf.constant(k)) for k in range(300)])

    assert fn(tf.constant(index)).numpy() == (index if 0 <= index < 300 else 299)


@pytest.mark.parametrize("index", [3, -1])
def test_constant_indices_out_of_bounds_fail_when_they_run(index: int) -> None:
    @tf.function
    def fn() -> Any:
        return tf.gather(tf.constant([1, 2, 3]), tf.constant([index]))

    with pytest.raises(tf.errors.InvalidArgumentError):
        fn()


def test_a_constant_keeps_the_signs_of_its_zeros() -> None:
    @tf.function
    def fn(x: Any) -> Any:
        return x / tf.constant([[0.0, -0.0]])

    assert fn(tf.constant(1.0)).numpy().tolist() == [[np.inf, -np.inf]]


@pytest.mark.parametrize("size", [2**40, 2**61, 2**62])
def test_tensors_larger_than_memory_raise(size: int) -> None:
    @tf.function
    def fn(size: Any) -> Any:
        return tf.zeros([size])

    with pytest.raises(tf.errors.ResourceExhaustedError):
        fn(tf.constant(size, tf.int64))


@pytest.mark.parametrize("size", [HUGE, HUGE // 2])
def test_sizes_whose_product_overflows_raise(size: int) -> None:
    @tf.function
    def fn(size: Any) -> Any:
        def body(x: Any) -> Any:
            return (tf.concat([x, x], 0),)

        (x,) = tf.while_loop(
            lambda x: tf.shape(x)[0] < 0, body, [tf.zeros([size, size])],
            shape_invariants=[tf.TensorShape([None, None])],
        )  # fmt: skip
        return x[0, 0]

    with pytest.raises((tf.errors.InvalidArgumentError, tf.errors.ResourceExhaustedError)):
        fn(tf.constant(size, tf.int64))


@pytest.mark.parametrize("shape", [[HUGE, HUGE], [-2, -3], [-1, -1], [2, 5]])
def test_impossible_shapes_are_refused_by_reshape(shape: list[int]) -> None:
    @tf.function(input_signature=[tf.TensorSpec([None]), tf.TensorSpec([2], tf.int64)])
    def fn(x: Any, shape: Any) -> Any:
        return tf.reduce_sum(tf.reshape(x, shape)[:5, :5])

    count = 0 if shape[0] == HUGE else 6
    with pytest.raises(tf.errors.InvalidArgumentError):
        fn(tf.zeros([count]), tf.constant(shape, tf.int64))


def test_known_numbers_take_a_size_of_the_program_if_it_is_theirs() -> None:
    @tf.function(input_signature=[tf.TensorSpec([None])])
    def fn(x: Any) -> Any:
        return tf.reshape(tf.constant([5, 7]), tf.shape(x))

    assert fn(tf.constant([1.0, 2.0])).numpy().tolist() == [5, 7]
    with pytest.raises(tf.errors.InvalidArgumentError, match="2 values"):
        fn(tf.zeros([3]))


@pytest.mark.parametrize("shape", [[-1, 3], [2, -1], [6, -1]])
def test_a_size_that_is_left_open_at_run_time_is_found(shape: list[int]) -> None:
    @tf.function(input_signature=[tf.TensorSpec([None]), tf.TensorSpec([2], tf.int64)])
    def fn(x: Any, shape: Any) -> Any:
        return tf.reshape(x, shape)

    expected = np.zeros(6).reshape(shape).shape
    assert fn(tf.zeros([6]), tf.constant(shape, tf.int64)).shape == expected


@pytest.mark.sampled
@pytest.mark.parametrize("shape", [[0, 3], [2, 3], [0, 0], [4, 0]])
@pytest.mark.parametrize("first", [0, 1, 2])
def test_what_is_left_for_an_open_size_is_the_same_everywhere(shape: list[int], first: int) -> None:
    def fn(x: Any) -> Any:
        return tf.reshape(x, [tf.shape(x)[0] * first // 2, -1, 1])

    def result(fn: Any) -> Any:
        try:
            return fn(tf.zeros(shape)).shape
        except tf.errors.InvalidArgumentError:
            return None

    expected = result(fn)

    assert result(tf.function(fn)) == expected
    assert result(tf.function(fn, input_signature=[tf.TensorSpec([None, None])])) == expected


def test_the_largest_of_nothing_is_an_error_where_it_is_looked_for() -> None:
    @tf.function
    def fn(x: Any) -> Any:
        if tf.size(x) > 0:
            return tf.argmax(x, 0)
        return tf.constant(-1, tf.int64)

    assert fn(tf.zeros([0])).numpy() == -1
    with pytest.raises(tf.errors.InvalidArgumentError, match="Reduction axis 0 is empty"):
        tf.function(lambda x: tf.argmax(x, 0))(tf.zeros([0]))

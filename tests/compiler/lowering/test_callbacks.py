"""Steps in Python inside of compiled functions: what they are given, and what they may change."""

from __future__ import annotations

import signal
import tracemalloc
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.compiler.calling import general


def test_native_code_sees_what_a_python_function_assigns() -> None:
    variable = tf.Variable([1.0, 2.0])

    def change() -> None:
        variable.assign(variable * 10.0)

    @tf.function
    def fn() -> Any:
        before = variable * 1.0
        variable.assign_add([1.0, 1.0])
        tf.py_function(change, [], [])
        variable.assign_add([1.0, 1.0])
        return before, variable.read_value()

    before, after = fn()

    assert before.numpy().tolist() == [1.0, 2.0]
    assert after.numpy().tolist() == [21.0, 31.0]
    assert variable.numpy().tolist() == [21.0, 31.0]


def test_what_a_python_function_keeps_never_changes() -> None:
    variable = tf.Variable([1.0, 2.0])
    kept: list[Any] = []

    @tf.function
    def fn() -> None:
        tf.py_function(lambda: kept.append(variable.read_value()), [], [])
        variable.assign_add([1.0, 1.0])

    fn()

    assert kept[0].numpy().tolist() == [1.0, 2.0]
    assert variable.numpy().tolist() == [2.0, 3.0]


def test_a_function_may_call_itself_through_python() -> None:
    variable = tf.Variable(0.0)

    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def fn(depth: Any) -> Any:
        variable.assign_add(1.0)

        def again(depth: Any) -> Any:
            return fn(depth - 1.0) if depth > 0.0 else depth

        tf.py_function(again, [depth], tf.float32)
        variable.assign_add(1.0)
        return variable.read_value()

    assert fn(tf.constant(3.0)).numpy() == 8.0


def test_arrays_of_many_axes_go_in_and_out() -> None:
    @tf.function(input_signature=[tf.TensorSpec([None] * 10)])
    def fn(x: Any) -> Any:
        y, z = tf.py_function(lambda a: (a + 1.0, a * 2.0), [x], [tf.float32, tf.float32])
        y.set_shape([None] * 10)
        z.set_shape([None] * 10)
        return y + x, z + x

    y, z = fn(tf.ones([1, 1, 1, 1, 1, 1, 1, 2, 3, 2]))

    assert y.shape == z.shape == (1, 1, 1, 1, 1, 1, 1, 2, 3, 2)
    assert tf.reduce_sum(y).numpy() == tf.reduce_sum(z).numpy() == 36.0


def test_a_list_that_went_through_python_may_grow() -> None:
    @tf.function
    def fn(x: Any) -> Any:
        array = tf.TensorArray(tf.string, size=0, dynamic_size=True)
        numbers = tf.TensorArray(tf.float32, size=1, dynamic_size=True, element_shape=[2])
        numbers = numbers.scatter([0], x[tf.newaxis])
        for k in tf.range(100):
            array = array.write(k, "x")
            numbers = numbers.write(k, x)
        return numbers.stack(), array.size()

    stacked, count = fn(tf.ones([2]))

    assert stacked.shape == (100, 2)
    assert count.numpy() == 100


def test_exceptions_leave_native_loops() -> None:
    def step(x: Any) -> Any:
        if x > 3.0:
            raise KeyError("far enough")
        return x + 1.0

    @tf.function
    def fn(x: Any) -> Any:
        while x < 100.0:
            x = tf.py_function(step, [x], tf.float32)
            x.set_shape([])
        return x

    with pytest.raises(tf.errors.OpError, match="far enough"):
        fn(tf.constant(1.0))
    assert fn(tf.constant(100.0)).numpy() == 100.0


def test_an_interrupt_leaves_native_loops() -> None:
    def interrupted_once(a: Any) -> Any:
        if float(a) == 5.0:
            signal.raise_signal(signal.SIGINT)
        return a + 1.0

    @tf.function
    def fn(x: Any) -> Any:
        while x < 1000.0:
            x = tf.py_function(interrupted_once, [x], tf.float32)
            x.set_shape([])
        return x

    # A process in the background ignores SIGINT, and so would its Python.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            fn(tf.constant(1.0))
    finally:
        signal.signal(signal.SIGINT, before)
    assert fn(tf.constant(6.0)).numpy() == 1000.0


def test_a_loop_with_a_string_beside_it_is_native() -> None:
    @tf.function
    def fn(count: Any) -> Any:
        label, total = tf.constant("so far"), tf.constant(0.0)
        for _ in tf.range(count):
            label = tf.strings.regex_replace(label, "$", "!")
            total += 1.0
        return label, total

    label, total = fn(tf.constant(3))

    assert (label.numpy(), total.numpy()) == (b"so far!!!", 3.0)
    assert {step.operation.op.name for step in fn.report().callbacks} == {"StaticRegexReplace"}


def loop_that_calls_python(value: Any) -> Any:
    for _ in tf.range(3):
        tf.numpy_function(lambda x: x, [value], tf.float32)
        value += 1.0
    return value


def branch_that_calls_python(value: Any) -> Any:
    if value > 0.0:
        tf.numpy_function(lambda x: x, [value], tf.float32)
        value += 1.0
    return value


@pytest.mark.parametrize("block", [loop_that_calls_python, branch_that_calls_python])
@pytest.mark.parametrize("start", [1.0, -9.0])
def test_what_was_read_before_a_block_is_known_after_it(block: Any, start: float) -> None:
    variable = tf.Variable(tf.range(5.0))

    def fn(value: Any) -> Any:
        before = variable.read_value()
        return block(value) + before, before * 2.0

    native, eager = tf.function(fn)(tf.constant(start)), fn(tf.constant(start))

    for found, expected in zip(native, eager, strict=True):
        assert found.numpy().tolist() == expected.numpy().tolist()


def test_a_callback_in_a_loop_may_assign_what_was_read_before_it() -> None:
    variable = tf.Variable([1.0, 2.0])

    def change() -> None:
        variable.assign_add([1.0, 1.0])

    @tf.function
    def fn() -> Any:
        before = variable.read_value()
        for _ in tf.range(3):
            tf.py_function(change, [], [])
        return before, variable.read_value()

    before, after = fn()

    assert before.numpy().tolist() == [1.0, 2.0]
    assert after.numpy().tolist() == [4.0, 5.0]


def test_gradients_go_through_a_loop_that_calls_python() -> None:
    weights, mixture = tf.Variable([1.0, 2.0]), tf.Variable([[1.0, 2.0], [3.0, 4.0]])

    @tf.function
    def slopes(state: Any) -> Any:
        total = 0.0
        with tf.GradientTape() as tape:
            for _ in tf.range(2):
                out = tf.linalg.matvec(mixture, state * weights)
                total += out[0]
                state = tf.ensure_shape(
                    tf.numpy_function(lambda x: np.ones_like(x), [out], tf.float32), [2]
                )
        return tape.gradient(total, [weights, mixture])

    by_weights, by_mixture = slopes(tf.constant([0.5, 0.25]))

    assert by_weights.numpy().tolist() == [1.5, 2.5]
    assert by_mixture.numpy().tolist() == [[1.5, 2.5], [0.0, 0.0]]


def test_strings_that_a_loop_left_behind_are_let_go() -> None:
    @tf.function
    def longest(turns: Any) -> Any:
        text = tf.constant("")
        for i in tf.range(turns):
            text = tf.strings.join([tf.strings.as_string(i), tf.constant("x" * 10_000)])
        return tf.strings.length(text)

    longest(tf.constant(2))
    tracemalloc.start()
    try:
        assert longest(tf.constant(1000)) == 10_003
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak < 4_000_000


@pytest.mark.parametrize("room", [1, 64])
def test_strings_that_a_loop_carries_are_kept(room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(general, "ROOM", room)

    def carry(turns: Any) -> Any:
        first, second, third = tf.constant("a"), tf.constant("b"), tf.constant("c")
        best = outer = tf.constant("")
        for i in tf.range(turns):
            text = tf.strings.as_string(i)
            first, second, third = second, third, tf.strings.join([first, text], "-")
            if tf.strings.length(third) > 20:
                best, third = third, tf.strings.substr(third, 0, 1)
            inner = text
            for _ in tf.range(i % 3):
                inner = tf.strings.join([inner, second])
            if i % 7 == 0:
                outer = inner
            elif i % 11 == 0:
                outer, best = best, outer
        return tf.stack([first, second, third, best, outer])

    compiled, turns = tf.function(carry), tf.constant(150)

    assert compiled(turns).numpy().tolist() == carry(turns).numpy().tolist()


def test_a_python_function_may_use_the_memory_of_its_result_again() -> None:
    memory = np.zeros(3, np.float32)

    def filled(value: Any) -> Any:
        memory[:] = value
        return memory

    @tf.function
    def fn(x: Any) -> Any:
        first = tf.numpy_function(filled, [x], tf.float32)
        first.set_shape([3])
        second = tf.numpy_function(filled, [x + 1.0], tf.float32)
        second.set_shape([3])
        return first * 10.0 + second, first

    total, first = fn(tf.constant(1.0))

    assert total.numpy().tolist() == [12.0] * 3
    assert first.numpy().tolist() == [1.0] * 3
    memory[:] = 7.0
    assert first.numpy().tolist() == [1.0] * 3


def test_what_a_python_function_read_stays_after_another_assigned() -> None:
    variable = tf.Variable([1.0, 2.0])

    def change() -> None:
        variable.assign([5.0, 5.0])

    @tf.function
    def fn() -> Any:
        read = tf.py_function(lambda: variable.value(), [], tf.float32)
        tf.py_function(change, [], [])
        variable.assign_add([1.0, 1.0])
        return tf.ensure_shape(read, [2]) * 1.0

    for expected in ([1.0, 2.0], [6.0, 6.0]):
        assert fn().numpy().tolist() == expected


def test_results_of_a_loop_and_of_branches_are_those_of_their_turn() -> None:
    @tf.function
    def fn(count: Any) -> Any:
        first = tf.ensure_shape(tf.numpy_function(lambda k: np.full(2, k), [count], tf.int32), [2])
        last, total = first, first
        for k in tf.range(count):
            own = tf.numpy_function(lambda k: np.full(2, k), [k], tf.int32)
            last, total = tf.ensure_shape(own, [2]), total + last
        return first, last, total

    got = [one.numpy().tolist() for one in fn(tf.constant(4))]

    assert got == [[4, 4], [3, 3], [4 + 4 + 0 + 1 + 2] * 2]


PICTURE = np.arange(48, dtype=np.uint8).reshape(4, 4, 3)


def test_what_a_kernel_gave_is_returned_without_a_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    copied: list[Any] = []
    copy_from = general.copy_from
    monkeypatch.setattr(
        general, "copy_from", lambda *given: copied.append(given) or copy_from(*given)
    )

    @tf.function
    def fn(file: Any) -> Any:
        picture = tf.io.decode_png(file, 3)
        return picture, tf.identity(picture), picture + 1

    picture, again, more = fn(tf.io.encode_png(PICTURE))

    assert len(copied) == 1  # the sums
    np.testing.assert_array_equal(PICTURE, picture)
    np.testing.assert_array_equal(PICTURE, again)
    np.testing.assert_array_equal(PICTURE + 1, more)


def test_what_a_kernel_gave_stays_as_it_is_when_parts_of_it_are_replaced() -> None:
    @tf.function
    def fn(file: Any) -> Any:
        picture = tf.io.decode_png(file, 3)
        row = tf.zeros([1, 4, 3], tf.uint8)
        changed = tf.tensor_scatter_nd_update(picture, [[1]], row)
        for _ in tf.range(2):
            changed = changed + 1
        return picture, changed, tf.cond(picture[0, 0, 0] > 0, lambda: changed, lambda: picture)

    picture, changed, chosen = fn(tf.io.encode_png(PICTURE))

    expected = PICTURE.copy()
    expected[1] = 0
    np.testing.assert_array_equal(PICTURE, picture)
    np.testing.assert_array_equal(expected + 2, changed)
    np.testing.assert_array_equal(PICTURE, chosen)


def test_what_a_users_function_gave_is_a_copy() -> None:
    own = np.zeros(3)

    @tf.function
    def fn() -> Any:
        given = tf.numpy_function(lambda: own, [], tf.float64)
        given.set_shape([3])
        return given

    given = fn()
    own[:] = 5.0

    assert [0.0, 0.0, 0.0] == given.numpy().tolist()

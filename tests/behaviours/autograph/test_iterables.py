"""What loops over tensors go through and collect, and when they are unrolled: B26 to B35."""

from __future__ import annotations

# ruff: noqa: B007, E741
# pyright: reportAttributeAccessIssue=false, reportPossiblyUnboundVariable=false
import itertools
import logging
from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, differs, tf
from tests.behaviours.running import is_staged, run


class Box:
    s: Any = None


# ---- B26, B27, B28, B29: what a loop goes over


def summed(items: Any) -> Any:
    total = 0
    for item in items:
        total += tf.reduce_sum(item)
    return total


@behaviour("B26")
@pytest.mark.parametrize(
    ("items", "expected"),
    [
        (lambda n: tf.ones([3, 2], tf.int32) * n, 24),
        (lambda n: tf.range(n), 6),
        (lambda n: tf.range(n, -n, -3), 4 + 1 - 2),
        (lambda n: tf.RaggedTensor.from_row_lengths(tf.range(n), [1, 3]), 6),
    ],
)
def test_a_loop_over_tensors_is_staged(items: Any, expected: Any) -> None:
    def f(n: Any) -> Any:
        return summed(items(n))

    assert run(f, 4) == expected
    assert is_staged(f, 4)


@behaviour("B26")
def test_a_loop_over_a_float_range_is_staged() -> None:
    def f(n: Any) -> Any:
        total = 0.0
        for x in tf.range(0.0, n, 0.5):
            total += x
        return total

    assert run(f, 2.0) == 3.0


@behaviour("B26")
def test_range_of_a_tensor_is_staged_and_has_its_dtype() -> None:
    dtypes = []

    def f(n: Any) -> Any:
        for i in range(n):
            dtypes.append(i.dtype)  # pyrefly: ignore[missing-attribute]
        return n

    tf.function(f)(tf.constant(2))
    tf.function(f)(tf.constant(2, tf.int64))
    assert {dtypes[0], dtypes[-1]} == {tf.int32, tf.int64}
    assert is_staged(f, 2)


@behaviour("B26")
def test_a_loop_over_a_dataset_or_an_iterator_is_staged() -> None:
    calls = []
    dataset = tf.data.Dataset.range(4)

    @tf.function
    def of_dataset() -> Any:
        total = tf.constant(0, tf.int64)
        for x in dataset:
            calls.append(1)
            total += x
        return total

    @tf.function
    def of_iterator(iterator: Any) -> Any:
        total = tf.constant(0, tf.int64)
        for x in iterator:
            calls.append(1)
            total += x
        return total

    @tf.function
    def of_new_iterator() -> Any:
        total = tf.constant(0, tf.int64)
        for x in iter(dataset):
            calls.append(1)
            total += x
        return total

    results = [of_dataset(), of_iterator(iter(dataset)), of_new_iterator()]
    assert [one.numpy() for one in results] == [6, 6, 6]
    assert len(calls) < 3 * 4


@behaviour("B26")
@pytest.mark.parametrize(
    "items", [lambda x: [x, x], lambda x: (x, x), lambda x: {x.dtype: 1, "b": 2}, lambda x: "ab"]
)
def test_a_loop_over_a_python_collection_is_unrolled(items: Any) -> None:
    calls = []

    def f(x: Any) -> Any:
        for item in items(x):
            calls.append(item)
        for i in range(2):
            calls.append(i)
        return x

    run(f, 1)
    assert len(calls) == 4


@behaviour("B27")
def test_a_scalar_has_no_rows() -> None:
    with pytest.raises(ValueError, match="len requires a non-scalar tensor"):
        run(summed, 1)


@behaviour("B27")
def test_a_scalar_of_unknown_rank_fails_when_the_graph_runs() -> None:
    f = tf.function(summed, input_signature=[tf.TensorSpec(None, tf.int32)])

    assert f(tf.constant([1, 2])).numpy() == 3
    # Two operations of TensorFlow's graph refuse it: the one that runs first has its say.
    says = "len requires non-zero rank, got 0|must be at least a vector"
    with pytest.raises(tf.errors.InvalidArgumentError, match=says):
        f(tf.constant(1))


@behaviour("B27")
def test_a_tensor_array_cannot_be_iterated_over() -> None:
    def f(x: Any) -> Any:
        for one in tf.TensorArray(tf.int32, size=2):
            x += one
        return x

    with pytest.raises(TypeError, match="not iterable"):
        run(f, 1)


@behaviour("B28")
def test_enumerate_of_a_dataset_is_staged_and_rows_are_unpacked() -> None:
    def f() -> Any:
        total = tf.constant(0, tf.int64)
        dataset = tf.data.Dataset.range(3)
        for i, x in enumerate(dataset):
            total += i * x
        for a, b in tf.data.Dataset.zip((dataset, dataset)):
            total += 10 * a * b
        return total

    assert run(f) == 55


@behaviour("B28")
def test_enumerate_and_zip_of_lists_are_pythons() -> None:
    def f(x: Any) -> Any:
        total = 0
        for i, (a, b) in enumerate(zip([x, x], [1, 2], strict=True)):
            total += (i + 1) * a * b
        return total

    assert run(f, 3) == 15


@behaviour("B28")
@differs
def test_enumerate_and_zip_of_tensors_are_staged() -> None:
    def f(xs: Any, ys: Any) -> Any:
        total = 0
        for i, x in enumerate(xs):
            total += i * x
        for x, y in zip(xs, ys, strict=False):
            total += x * y
        for i, (x, y) in enumerate(zip(xs, ys, strict=False)):
            total += 100 * (i + x - y)
        return total, list(enumerate(xs))[1][1]

    assert run(f, [1, 2], [3, 4]) == (2 + 11 - 300, 2)


@behaviour("B29")
def test_the_loops_variable_keeps_its_last_value() -> None:
    def f(xs: Any) -> Any:
        for x in xs:
            pass
        return x

    assert run(f, [3, 5]) == 5


@behaviour("B29")
def test_the_variable_of_an_empty_loop_has_no_value() -> None:
    def f(xs: Any) -> Any:
        for x in xs:
            pass
        return x

    def g(y: Any) -> Any:
        for x in []:
            y += x
        return x

    with pytest.raises(tf.errors.InvalidArgumentError, match="at least once to initialize x"):
        run(f, np.zeros([0], np.int32))
    with pytest.raises(UnboundLocalError, match="x"):
        run(g, 1)


# ---- B30, B31, B32: lists, state, variables


@behaviour("B30")
def test_a_list_grows_in_a_python_loop() -> None:
    def f(x: Any) -> Any:
        l = []
        for i in range(3):
            l.append(x * i)
        return l, len(l)

    @tf.function
    def g(x: Any) -> Any:
        l = f(x)[0]
        return l

    assert [one.numpy() for one in g(tf.constant(2))] == [0, 2, 4]


@behaviour("B30")
@differs
def test_a_list_grows_in_a_staged_loop() -> None:
    @tf.function
    def f(xs: Any) -> Any:
        l = []
        for x in xs:
            l.append(x * x)
        return l, tf.stack(l), l[-1], len(l)

    l, stacked, last, length = f(tf.constant([1, 2, 3]))
    assert [one.numpy() for one in l] == [1, 4, 9]
    assert stacked.numpy().tolist() == [1, 4, 9]
    assert [int(last), int(length)] == [9, 3]


@behaviour("B30")
def test_a_tensor_array_collects_what_a_loop_writes() -> None:
    def f(xs: Any) -> Any:
        ta = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
        i = 0
        for x in xs:
            ta = ta.write(i, x * x)
            i += 1
        return ta.stack()

    assert run(f, [1, 2, 3]) == [1, 4, 9]


@behaviour("B30")
@differs
def test_a_dropped_write_in_a_loop_is_an_error() -> None:
    def f(xs: Any) -> Any:
        ta = tf.TensorArray(tf.int32, size=3)
        for i in tf.range(3):
            ta.write(i, xs[i])
        return ta.stack()

    with pytest.raises(ValueError, match=r"ta = ta\.write"):
        run(f, [1, 2, 3])


@behaviour("B31")
def test_items_attributes_and_tuples_are_state() -> None:
    def f(n: Any) -> Any:
        d, o, l, t = {"s": 0}, Box(), [0], (0, 1)
        o.s = 0
        for i in tf.range(n):
            d["s"] += i
            o.s += 2 * i
            l[0] += 3 * i
            t = (t[1], t[0] + t[1])
            d["new"] = i
        return d["s"], o.s, l[0], t, d["new"]

    assert run(f, 4) == (6, 12, 18, (3, 5), 3)


@behaviour("B31")
def test_texts_accumulate() -> None:
    def f(n: Any) -> Any:
        text = "a"
        for _ in tf.range(n):
            text = text + "b"
        return text

    assert run(f, 2) == b"abb"


@behaviour("B32")
def test_variables_change_in_each_iteration_in_order() -> None:
    v = tf.Variable(1)

    @tf.function
    def f(n: Any) -> Any:
        for i in tf.range(n):
            v.assign(v * 2)
            v.assign_add(i)
        return v.read_value()

    assert f(tf.constant(3)).numpy() == 12
    assert v.numpy() == 12


# ---- B33, B34, B35


@behaviour("B33")
def test_a_loop_of_known_length_is_not_unrolled() -> None:
    calls = []

    def f(xs: Any) -> Any:
        total = 0
        for x in xs:
            calls.append(1)
            total += x
        return total

    assert is_staged(f, [1, 2, 3, 4, 5, 6])
    assert len(calls) < 6


@behaviour("B34")
@differs
def test_a_raise_in_a_staged_loop_fails_in_its_iteration() -> None:
    class Negative(ValueError):
        pass

    v = tf.Variable(0)

    @tf.function
    def f(xs: Any) -> Any:
        for x in xs:
            if x < 0:
                raise Negative("a negative number")
            v.assign_add(x)
        return v.read_value()

    assert f(tf.constant([1, 2])).numpy() == 3
    with pytest.raises(Negative, match="a negative number"):
        f(tf.constant([1, -2]))
    assert v.numpy() == 4


@behaviour("B35")
def test_three_thousand_unrolled_iterations_are_silent(caplog: pytest.LogCaptureFixture) -> None:
    def f(x: Any) -> Any:
        for i in range(3_000):
            if i % 1000 == 0:
                x = x + 1
        return x

    with caplog.at_level(logging.WARNING):
        assert run(f, 0) == 3
    assert not caplog.records


@behaviour("B35")
def test_the_loop_of_a_python_iterator_is_unrolled_as_far_as_python_goes() -> None:
    def f(x: Any) -> Any:
        for i in itertools.count():
            x = x + 1
            if i == 4:
                break
        return x

    assert run(f, 0) == 5

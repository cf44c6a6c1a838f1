"""Sizes that loops keep are known to be equal; those that they change are not taken for equal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensormill as tf
from tensormill.compiler.loops.text import text
from tensormill.compiler.lowering.graphs import lower_graph
from tensormill.core.specs import TensorSpec
from tensormill.graph.builder import trace_graph
from tensormill.graph.passes.order import simplify

ROWS = TensorSpec([None, 3], tf.float32)


def loops_of(fn: Callable[..., Any], *specs: TensorSpec) -> str:
    """The loops that `fn` is lowered to."""
    program = lower_graph(simplify(trace_graph(fn, specs, "fn").graph)).program
    assert program is not None
    return text(program)


def states(x: Any) -> Any:
    """A loop over rows of zeros that a list keeps, as a recurrent layer has one."""
    start = tf.zeros([tf.shape(x)[0], 3])
    kept = tf.TensorArray(tf.float32, 0, dynamic_size=True, element_shape=[None, 3])

    def step(k: Any, state: Any, kept: Any) -> Any:
        new = tf.tanh(state + x)
        return k + 1, new, kept.write(k, new)

    _, last, kept = tf.while_loop(
        lambda k, *_: k < 3, step, [0, start, kept], [tf.TensorShape([]), start.shape, None]
    )
    return last + kept.read(1) + x


def test_a_loop_that_keeps_its_sizes_need_not_compare_them() -> None:
    lines = loops_of(states, ROWS)

    assert "set size =" not in lines  # the first one, which is not used, has a type
    assert "== 1" not in lines  # broadcasting would ask


def test_it_computes_what_eager_code_does() -> None:
    native = tf.function(states, input_signature=[ROWS])
    for count in (0, 1, 4):
        x = tf.reshape(tf.range(3.0 * count), [count, 3]) / 10.0
        assert abs(native(x).numpy() - states(x).numpy()).max(initial=0.0) < 1e-6


def test_sizes_may_trade_places() -> None:
    def fn(x: Any, y: Any) -> Any:
        free = tf.TensorShape([None, 3])
        _, a, b = tf.while_loop(
            lambda k, *_: k < 3,
            lambda k, a, b: (k + 1, b + 1.0, a * 2.0),
            [0, x, y],
            [tf.TensorShape([]), free, free],
        )
        return tf.concat([a, b], 0)

    native = tf.function(fn, input_signature=[ROWS, ROWS])
    x, y = tf.ones([2, 3]), tf.zeros([5, 3])
    assert native(x, y).numpy().tolist() == fn(x, y).numpy().tolist()


def test_a_loop_may_change_some_sizes_and_keep_others() -> None:
    def fn(x: Any) -> Any:
        free = tf.TensorShape([None, 3])
        _, a, b = tf.while_loop(
            lambda k, *_: k < 3,
            lambda k, a, b: (k + 1, tf.concat([a, b], 0), b + 1.0),
            [0, x, x],
            [tf.TensorShape([]), free, free],
        )
        return a, b

    native = tf.function(fn, input_signature=[ROWS])
    x = tf.ones([2, 3])
    for found, expected in zip(native(x), fn(x), strict=True):
        assert found.numpy().tolist() == expected.numpy().tolist()


def test_sizes_that_are_known_before_a_loop_may_change_in_it() -> None:
    def fn(x: Any) -> Any:
        free = [tf.TensorShape([]), tf.TensorShape([None])]
        return tf.while_loop(
            lambda k, _: k < 3, lambda k, x: (k + 1, tf.concat([x, x], 0)), [0, x], free
        )[1]

    assert tf.function(fn)(tf.ones([1])).shape == [8]


def test_a_list_in_a_loop_may_get_elements_of_other_sizes() -> None:
    def fn(x: Any) -> Any:
        items = tf.TensorArray(
            tf.float32, 4, infer_shape=False, element_shape=[None, 3], clear_after_read=False
        )
        items = items.write(0, x)

        def step(k: Any, total: Any, items: Any) -> Any:
            items = items.write(k, x).write(k, x[1:])
            return k + 1, total + tf.reduce_sum(items.read(k - 1)), items

        _, total, items = tf.while_loop(lambda k, *_: k < 4, step, [1, tf.constant(0.0), items])
        return total, items.concat()

    x = tf.reshape(tf.range(9.0), [3, 3])
    for found, expected in zip(tf.function(fn, input_signature=[ROWS])(x), fn(x), strict=True):
        assert found.numpy().tolist() == expected.numpy().tolist()


def test_a_complex_number_is_no_size() -> None:
    native = tf.function(lambda z: -0.5 * tf.complex(z, z))

    assert native(tf.constant(2.0)).numpy() == -1.0 - 1.0j

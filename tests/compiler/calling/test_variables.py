"""Programs over few variables, each with a guard of its own, and over many, which a loop guards."""

from __future__ import annotations

import sys
import threading
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.compiler.program import BoundExecutable, NativeExecutable
from tensormill.core.specs import TensorSpec
from tensormill.graph.builder import trace_graph

COUNTS = [2, 4, 5, 9]
SHAPES = [[], [3], [2, 3], [1, 2, 0], [4]]
DTYPES = [tf.float32, tf.int32, tf.float64]


def variables(count: int) -> list[Any]:
    """Every second one will be written."""
    return [
        tf.Variable(tf.fill(SHAPES[k % len(SHAPES)], tf.constant(k, DTYPES[k % len(DTYPES)])))
        for k in range(count)
    ]


def step(among: list[Any], turns: int = 1) -> BoundExecutable:
    """Adds one to every second variable, and returns the sum of all and of the argument."""

    def run(x: Any) -> Any:
        for one in among[::2]:
            one.assign_add(tf.ones_like(one))
        total = tf.while_loop(
            lambda k, _: k < turns, lambda k, s: (k + 1, s + x), (tf.constant(0), x * 0.0)
        )[1]
        return total + sum(tf.cast(tf.reduce_sum(one), tf.float32) for one in among)

    trace = trace_graph(run, [TensorSpec([], tf.float32)], "run")
    call = NativeExecutable(trace.graph).bind(trace.captured)
    call(tf.constant(0.0))
    return call


def values(among: list[Any]) -> list[Any]:
    return [one.numpy().tolist() for one in among]


@pytest.mark.parametrize("count", COUNTS)
def test_the_entry_reads_and_writes_them_all(count: int) -> None:
    among = variables(count)
    call = step(among)
    before = values(among)

    (total,) = call.entry(tf.constant(0.5))

    one_more = [np.array(x) + 1 if k % 2 == 0 else np.array(x) for k, x in enumerate(before)]
    assert values(among) == [one.tolist() for one in one_more]
    assert total.numpy() == 0.5 + sum(float(one.sum()) for one in one_more)


@pytest.mark.parametrize("count", COUNTS)
def test_the_entry_refuses_to_change_what_somebody_else_holds(count: int) -> None:
    among = variables(count)
    call = step(among)

    for one in among[::2]:
        held = one.handle._array.array
        before = held.tolist()
        assert call.entry(tf.constant(0.0)) is NotImplemented
        call(tf.constant(0.0))
        assert held.tolist() == before
        del held
    assert call.entry(tf.constant(0.0)) is not NotImplemented
    read_only = [one.handle._array.array for one in among[1::2]]
    assert call.entry(tf.constant(0.0)) is not NotImplemented
    assert len(read_only) == count // 2


@pytest.mark.parametrize("count", COUNTS)
def test_the_entry_refuses_arrays_that_it_was_not_made_for(count: int) -> None:
    among = variables(count)
    call = step(among)

    for one in among:
        storage = one.handle._array
        good = storage.array
        for bad in (
            None,
            np.zeros([*good.shape, 1], good.dtype),
            np.zeros([size + 1 for size in good.shape], good.dtype) if good.ndim else None,
            np.zeros(good.shape, np.int8),
        ):
            storage.array = bad
            del bad
            assert call.entry(tf.constant(0.0)) is NotImplemented
        storage.array = good
        del good
        assert call.entry(tf.constant(0.0)) is not NotImplemented


@pytest.mark.parametrize("count", COUNTS)
def test_long_programs_give_back_what_they_borrowed(count: int) -> None:
    among = variables(count)
    call = step(among, turns=1 << 20)
    arrays = [one.handle._array.array for one in among[1::2]]
    references = [sys.getrefcount(one) for one in arrays]
    start = values(among)
    seen: list[Any] = []
    reader = threading.Thread(target=lambda: seen.append(values(among)))

    reader.start()
    for _ in range(3):
        call(tf.constant(1.0))
    reader.join()

    assert [sys.getrefcount(one) for one in arrays] == references
    assert [np.sum(x) for x in values(among)[::2]] == [
        np.sum(x) + 3 * np.size(x) for x in start[::2]
    ]
    written = [one.handle._array for one in among[::2]]
    assert [sys.getrefcount(one.array) for one in written] == [2] * len(written)
    assert len(seen) == 1

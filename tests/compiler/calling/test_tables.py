"""Programs of few arguments and outputs, each with code of its own, and of many, in loops."""

from __future__ import annotations

import gc
import sys
from functools import cache
from types import BuiltinFunctionType
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.compiler.program import BoundExecutable, NativeExecutable
from tensormill.core.specs import TensorSpec
from tensormill.graph.builder import trace_graph

COUNTS = [4, 9]
SHAPES: list[list[int | None]] = [[], [3], [None, 3], [2, None, None], [None]]
SIZES = [[], [3], [2, 3], [2, 0, 5], [4]]
DTYPES = [tf.float32, tf.int32, tf.float64]
is_long = pytest.mark.parametrize("turns", [1, 1 << 20], ids=["short", "long"])
counts = pytest.mark.parametrize("count", COUNTS)


@cache
def program(count: int, turns: int) -> BoundExecutable:
    """Adds the turns to all arguments but one, gives one as it is; the first one must be 0."""
    specs = [TensorSpec(SHAPES[k % 5], DTYPES[k % 3]) for k in range(count)]

    def run(*given: Any) -> list[Any]:
        turned = tf.while_loop(
            lambda k, _: k < turns, lambda k, s: (k + 1, s + 1), (tf.constant(0), 0)
        )[1]
        nothing = tf.gather(tf.constant([0]), tf.cast(given[0], tf.int32))
        added = turned + nothing
        return [*[one + tf.cast(added, one.dtype) for one in given[:-1]], given[1]]

    trace = trace_graph(run, specs, "run")
    call = NativeExecutable(trace.graph).bind(trace.captured)
    call(*arguments(count))
    assert isinstance(call.entry, BuiltinFunctionType)
    return call


def arguments(count: int) -> list[Any]:
    return [
        tf.cast(tf.reshape(tf.range(np.prod(SIZES[k % 5])), SIZES[k % 5]), DTYPES[k % 3])
        for k in range(count)
    ]


@counts
@is_long
def test_the_entry_takes_and_makes_them_all(count: int, turns: int) -> None:
    call, given = program(count, turns), arguments(count)
    references = [sys.getrefcount(one._array) for one in given]

    results = call.entry(*given)

    for one, result in zip(given[:-1], results, strict=False):
        np.testing.assert_array_equal(one.numpy() + turns, result.numpy())
        assert result.dtype == one.dtype
    np.testing.assert_array_equal(given[1].numpy(), results[-1].numpy())
    assert len(results) == count
    del results
    assert [sys.getrefcount(one._array) for one in given] == references


@counts
def test_the_entry_refuses_what_it_was_not_made_for(count: int) -> None:
    call, given = program(count, 1), arguments(count)

    for k, one in enumerate(given):
        values, sizes = one.numpy(), SHAPES[k % 5]
        others = [values, tf.Variable(one), tf.cast(one, tf.int8), one[None], None]
        others += [tf.zeros([7, *sizes[1:]], one.dtype)] if sizes[:1] == [3] else []
        for other in others:
            assert call.entry(*given[:k], other, *given[k + 1 :]) is NotImplemented
    assert call.entry(*given[1:]) is NotImplemented
    assert call.entry(*given) is not NotImplemented


@counts
@is_long
def test_a_failed_check_gives_up_what_was_made(count: int, turns: int) -> None:
    call, given = program(count, turns), arguments(count)
    references = [sys.getrefcount(one._array) for one in given]

    with pytest.raises(tf.errors.InvalidArgumentError):
        call.entry(tf.constant(-1.0), *given[1:])
    gc.collect()  # the error, which refers to itself

    assert [sys.getrefcount(one._array) for one in given] == references

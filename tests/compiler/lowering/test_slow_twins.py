"""Programs, evaluated with all the run-time support that they call, are what they are native."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.compiler.loops.evaluate import evaluate
from tensormill.compiler.loops.ir import Buffer, Program
from tensormill.compiler.loops.memory import Memory
from tensormill.compiler.loops.passes.order import optimise
from tensormill.compiler.lowering.graphs import lower_graph
from tensormill.compiler.native import library
from tensormill.core.specs import TensorSpec
from tensormill.graph.builder import trace_graph
from tensormill.graph.passes.order import simplify

Array = np.ndarray[Any, Any]
SPECS = TensorSpec([None, 2], tf.float32), TensorSpec([2, 2], tf.float32)


def recurrent(x: Any, w: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(w)
        state = tf.zeros([2])
        kept = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
        for k in tf.range(tf.shape(x)[0]):
            state = tf.tanh(x[k] + tf.linalg.matvec(w, state))
            kept = kept.write(k, state)
        loss = tf.reduce_sum(kept.stack() ** 2)
    return loss, tape.gradient(loss, w)


def ragged(x: Any, w: Any) -> Any:
    kept = tf.TensorArray(
        tf.float32, size=0, dynamic_size=True, infer_shape=False, element_shape=[None]
    )
    total = w[0, 0]
    for k in tf.range(tf.shape(x)[0]):
        kept = kept.write(k, x[k, : k % 3])
        total += tf.reduce_sum(kept.read(k // 2))
    return total, kept.concat(), kept.size()


def lists_within(x: Any, w: Any) -> Any:
    last = tf.TensorArray(tf.float32, size=2, element_shape=[2], clear_after_read=False)
    total = tf.reduce_sum(w)
    for k in tf.range(tf.shape(x)[0]):
        fresh = tf.TensorArray(tf.float32, size=2, element_shape=[2], clear_after_read=False)
        fresh = fresh.write(0, x[k]).write(1, x[k] * last.read(0)[0])
        if k % 2 == 0:
            last = fresh
        total += tf.reduce_sum(fresh.stack())
    return total, last.stack()


def temporaries(x: Any, w: Any) -> Any:
    total = tf.reduce_sum(w)
    for k in tf.range(tf.shape(x)[0]):
        total += tf.reduce_sum(tf.cumsum(tf.sort(x[:k, 0])) ** 2)
    return total


def convolved(x: Any, w: Any) -> Any:
    image, filters = tf.reshape(x, [1, -1, 2, 1]), tf.reshape(w, [2, 2, 1, 1])
    with tf.GradientTape() as tape:
        tape.watch([image, filters])
        loss = tf.reduce_sum(tf.nn.conv2d(image, filters, 1, "SAME") ** 2)
    return tape.gradient(loss, [image, filters])


@pytest.mark.sampled
@pytest.mark.parametrize("fn", [recurrent, ragged, lists_within, temporaries, convolved])
def test_programs_do_evaluated_what_they_do_native(fn: Callable[..., Any]):
    random, native = np.random.default_rng(0), tf.function(fn, input_signature=SPECS)
    for count in (0, 1, 5):
        x = random.normal(size=(count, 2)).astype(np.float32)
        w = random.normal(size=(2, 2)).astype(np.float32)

        for mine, expected in zip(evaluated(fn, x, w), tf.nest.flatten(native(x, w)), strict=True):
            np.testing.assert_allclose(mine, expected, rtol=1e-4, atol=1e-5)


def evaluated(fn: Callable[..., Any], x: Array, w: Array) -> list[Array]:
    """What the loops of a function mean where the number of rows is not known."""
    traced = trace_graph(tf.autograph.to_graph(fn), SPECS, "fn")
    lowered = lower_graph(simplify(traced.graph))
    assert lowered.program is not None
    program, memory, outputs = optimise(lowered.program), Memory(), dict[int, Array]()

    def output(number: int, spec: Any) -> Callable[..., int]:
        def make(_frame: int, *sizes: int) -> int:
            outputs[number] = np.zeros(sizes, spec.dtype.as_numpy_dtype)
            return memory.address(outputs[number])

        return make

    made = {f"tm_output_{k}": output(k, spec) for k, spec in enumerate(lowered.outputs)}
    support = {name: library.function(name) for name in library.names()}
    known = {**support, **memory.functions(), **made}
    assert evaluate(program, frame_of(program, [x, w]), known, memory) is None
    return [outputs[number] for number in sorted(outputs)]


def frame_of(program: Program, arrays: list[Array]) -> list[Any]:
    """Arrays, and their sizes where the program is told them."""
    given, sizes = dict[Any, Any](), dict[Any, int]()
    buffers = [entry for entry in program.frame if isinstance(entry, Buffer)]
    for buffer, array in zip(buffers, arrays, strict=True):
        given[buffer] = array
        sizes.update(zip(buffer.shape, array.shape, strict=True))
    return [given[one] if one in given else sizes.get(one, 0) for one in program.frame]

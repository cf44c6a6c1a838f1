"""Graphs made by hypothesis: every kind of operand, attribute, spec and nested graph."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

import tensormill as tf
from tensormill.core import dtypes
from tensormill.graph.builder import FuncGraph, trace_graph
from tensormill.graph.ir import Graph
from tensormill.ops.bind import bind
from tensormill.ops.control.functional import PartitionedCall

NUMERIC = [
    dtypes.float32, dtypes.float64, dtypes.bfloat16, dtypes.int32, dtypes.uint8, dtypes.complex64
]  # fmt: skip

dims = st.none() | st.lists(st.none() | st.integers(0, 3), max_size=3)
specs = st.builds(lambda d, t: tf.TensorSpec(d, t), dims, st.sampled_from(NUMERIC))


@st.composite
def arrays(draw: Any) -> np.ndarray[Any, Any]:
    dtype = draw(st.sampled_from([*NUMERIC, dtypes.bool_, dtypes.string]))
    shape = draw(st.lists(st.integers(0, 9), max_size=2))
    count = int(np.prod(shape))
    if dtype.family == "string":
        array = np.empty(shape, object)
        array.reshape(-1)[:] = draw(st.lists(st.binary(), min_size=count, max_size=count))
        return array
    numbers = np.arange(count) if dtype.family in ("uint", "int") else np.linspace(-1e3, 1e9, count)
    return numbers.reshape(shape).astype(dtype.storage)


def grow(draw: Any, graph: FuncGraph, tensors: list[Any]) -> None:
    """Add one operation of a random kind on random operands."""
    kind = draw(st.sampled_from(["constant", "unary", "stack", "split", "cast", "call", "shape"]))
    x = draw(st.sampled_from(tensors)) if tensors else graph.constant(draw(arrays()))
    match kind:
        case "constant":
            tensors.append(
                graph.constant(draw(arrays()), draw(st.sampled_from([None, "c", "a/b"])))
            )
        case "stack":
            tensors.append(tf.stack([x] * draw(st.integers(1, 3))))
        case "split" if x.shape.rank and x.shape[0] in (None, 2):
            tensors.extend(tf.split(x, 2))
        case "cast" if x.dtype.is_numeric:
            tensors.append(tf.cast(x, draw(st.sampled_from(NUMERIC))))
        case "call":
            inner = trace_graph(
                tf.identity, [x._known.spec], draw(st.sampled_from(["inner", "other"]))
            )
            tensors.extend(bind(PartitionedCall, [x], f=inner.graph))
        case "shape":
            tensors.append(tf.shape(x))
        case _:
            tensors.append(tf.identity(x))


@st.composite
def graphs(draw: Any) -> Graph:
    """A graph with parameters, a captured variable, and some operations."""
    graph = FuncGraph(draw(st.sampled_from(["f", "step", "a.b"])))
    with graph.as_default():
        count = draw(st.integers(0, 2))
        tensors: list[Any] = [graph.placeholder(draw(specs)) for _ in range(count)]
        if draw(st.booleans()):
            variable = tf.Variable([0.0, 0.0], trainable=draw(st.booleans()))
            variable.assign_add(tf.ones([2]))
            tensors.append(variable.read_value())
        for _ in range(draw(st.integers(0, 6))):
            grow(draw, graph, tensors)
    return graph.finish(tensors[-3:])

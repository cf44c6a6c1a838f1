"""Three ways to run a function of tensors on arrays: eagerly, evaluated as a graph, compiled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import tensormill as tf
from tensormill.core.dtypes import as_dtype
from tensormill.graph.builder import trace_graph
from tensormill.graph.evaluate import evaluate
from tensormill.graph.payload import payload_of
from tests.autodiff.finite_differences import assert_gradients, gradients_of

Function = Callable[..., Any]


def eagerly(function: Function, *arrays: Any) -> list[Any]:
    return arrays_in(function(*(tf.constant(array) for array in arrays)))


def evaluated(function: Function, *arrays: Any) -> list[Any]:
    """Traced for the shapes of the arrays, and run by the reference evaluator."""
    given = [np.asarray(array) for array in arrays]
    specs = [tf.TensorSpec(array.shape, as_dtype(array.dtype)) for array in given]
    trace = trace_graph(function, specs, "traced")
    return evaluate(trace.graph, [*given, *map(payload_of, trace.captured)])


def compiled(function: Function, *arrays: Any) -> list[Any]:
    return arrays_in(tf.function(function)(*(tf.constant(array) for array in arrays)))


def of_unknown_size(function: Function, *arrays: Any) -> list[Any]:
    """Compiled for any sizes of the axes."""
    given = [np.asarray(array) for array in arrays]
    specs = [tf.TensorSpec([None] * array.ndim, as_dtype(array.dtype)) for array in given]
    staged = tf.function(function, input_signature=specs)
    return arrays_in(staged(*(tf.constant(array) for array in given)))


MODES = {"eager": eagerly, "evaluated": evaluated, "compiled": compiled}
STAGED = {"evaluated": evaluated, "compiled": compiled, "any size": of_unknown_size}


def arrays_in(result: Any) -> list[Any]:
    return [np.asarray(leaf) for leaf in tf.nest.flatten(result)]


def assert_differentiates(function: Function, *arrays: Any, orders: Sequence[int] = (1, 2)) -> None:
    """The gradients of `function` agree with finite differences, in every mode."""
    current = function
    for order in range(1, max(orders) + 1):
        derivatives = gradients_of(current)
        modes = [*MODES.values(), of_unknown_size] if order == 1 else list(MODES.values())
        for mode in modes if order in orders else ():
            assert_gradients(
                lambda *xs, current=current: eagerly(current, *xs)[0],
                lambda *xs, mode=mode, derivatives=derivatives: mode(derivatives, *xs),
                *arrays,
            )
        current = first_of(derivatives)


def first_of(function: Function) -> Function:
    """One number made of all results: a function that can be differentiated again."""

    def summed(*arguments: Any) -> Any:
        results = function(*arguments)
        return tf.add_n([tf.reduce_sum(result * (k + 1.0)) for k, result in enumerate(results)])

    return summed

"""Gradients of what a graph already contains: `tf.gradients` and `tf.hessians`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core import context, tree
from ..graph.builder import FuncGraph, current_graph
from ..graph.operation import Operation
from ..ops.control.functional import effects_of
from ..ops.effects import Writes, only_reads
from ..ops.op import RecordedOperation
from . import backward
from .functional import apply
from .graphs.computations import Computation, computation_of
from .jacobian import jacobian
from .recording import RecordedCall, Recording
from .sources import in_trace
from .tape import (
    UnconnectedGradients,
    as_operand,
    as_unconnected,
    gradient_of_source,
    packed_as,
    parts_of,
    seeds_for,
)
from .users.overridden import is_overridden, overridden


class AggregationMethod:
    """How several gradients of one tensor are added up, for `tf.gradients`: here always at once."""

    ADD_N = 0
    DEFAULT = ADD_N
    EXPERIMENTAL_TREE = 1
    EXPERIMENTAL_ACCUMULATE_N = 2


def gradients(
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    name: str = "gradients",
    gate_gradients: bool = False,
    aggregation_method: Any = None,
    stop_gradients: Any = None,
    unconnected_gradients: Any = UnconnectedGradients.NONE,
) -> list[Any]:
    """The gradients of the sum of `ys` by each of `xs`, as a list; only while tracing.

    Each has the shape and dtype of its x, and is None (or zeros, as `unconnected_gradients` says)
    where `ys` do not depend on it. `grad_ys`, as many as `ys`, stand for ones as what comes in;
    `stop_gradients` are tensors that count as constants.

    >>> slope = tf.function(lambda x: tf.gradients(x * x, x)[0])
    >>> slope(tf.constant([1.0, 2.0])).numpy()
    array([2., 4.], dtype=float32)

    Raises:
        RuntimeError: nothing is being traced.
        TypeError: something is neither a tensor nor a variable.
    """
    graph = graph_here("tf.gradients")
    targets = [in_trace(as_operand(one, "target")) for one in parts_of(ys)]
    sources = parts_of(xs)
    operands = [in_trace(as_operand(one, "source")) for one in sources]
    stopped = [in_trace(as_operand(one, "source")) for one in tree.flatten(stop_gradients or [])]
    recording = recorded_graph(graph, operands, stopped)
    with named(name):
        found = backward.from_ones(recording, targets, seeds_for(targets, grad_ys), operands)
        unconnected = as_unconnected(unconnected_gradients)
        if graph.is_provisional:  # stand-ins know not what they depend on
            unconnected = UnconnectedGradients.ZERO
        pairs = zip(found, sources, strict=True)
        answers = [gradient_of_source(*pair, unconnected) for pair in pairs]
        return tree.flatten(packed_as(xs, answers))


def hessians(
    ys: Any,
    xs: Any,
    gate_gradients: bool = False,
    aggregation_method: Any = None,
    name: str = "hessians",
) -> list[Any]:
    """For each of `xs` the second derivatives of the sum of `ys`, of shape x.shape + x.shape.

    Only while tracing.

    >>> curvature = tf.function(lambda x: tf.hessians(tf.reduce_sum(x * x * x), x)[0])
    >>> curvature(tf.constant([1.0, 2.0])).numpy()
    array([[ 6.,  0.],
           [ 0., 12.]], dtype=float32)

    Raises:
        RuntimeError: nothing is being traced.
        ValueError: there are none by one of `xs`.
    """
    graph = graph_here("tf.hessians")
    sources = tree.flatten(xs)
    found = gradients(ys, sources, name=name)
    results: list[Any] = []
    for gradient, source in zip(found, sources, strict=True):
        if gradient is None:
            raise ValueError(_NO_HESSIAN.format("the gradient does", source))
        operand = in_trace(as_operand(source, "source"))
        recording = recorded_graph(graph, [operand], [])
        with named(name):
            (curvature,) = jacobian(recording, gradient, [operand])
        if curvature is None:
            raise ValueError(_NO_HESSIAN.format("second derivatives do", source))
        results.append(curvature)
    return results


_NO_HESSIAN = "tf.hessians: {} not exist by {}; leave it out of `xs`, or look at tf.gradients first"


def named(name: str) -> Any:
    here = context.top()
    return context.entered(here.replace(name_scope=f"{here.name_scope}{name}/"))


def graph_here(what: str) -> FuncGraph:
    graph = current_graph()
    if graph is None:
        raise RuntimeError(
            f"{what} is not supported when eager execution is enabled. Use tf.GradientTape instead."
        )
    return graph


def recorded_graph(graph: FuncGraph, sources: Sequence[Any], constants: Sequence[Any]) -> Recording:
    """What `graph` computes from `sources`, as if a recording had watched.

    A source that is computed from others is watched once that was recorded: what is watched before
    counts as known, and the others' gradients would miss what flows through it.
    """
    recording = Recording()
    ignored = {id(one) for one in constants}
    nodes = [node for node in graph.get_operations() if node.kind is not None]
    computed = {id(one) for node in nodes for one in node.outputs}
    later = {id(source) for source in sources} & computed
    for source in sources:
        if id(source) not in later:
            recording.watch(source)
    for node in nodes:
        if not ignored.intersection(map(id, node.outputs)):
            recording.record(_recorded_node(graph, node))
        for output in node.outputs:
            if id(output) in later:
                recording.watch(output)
    recording.active = False
    return recording


def _recorded_node(graph: FuncGraph, node: Operation) -> Any:
    assert node.kind is not None
    if is_overridden(node):
        return overridden(node, node.gradient_type)
    computation = computation_of(node.kind, node.attrs)
    if computation is not None:
        return _computed_again(graph, node, computation)
    return RecordedOperation(node.kind, node.grouped(node.inputs), node.attrs, tuple(node.outputs))


def _computed_again(graph: FuncGraph, node: Operation, computation: Computation) -> RecordedCall:
    """A branch, loop or call in the graph, which must run so that it tells what its gradient needs.

    What can be told again is run once more; all else runs in the place of the node.
    """
    known: list[tuple[Recording, tuple[Any, ...]]] = []

    def back(arrived: Sequence[Any]) -> list[Any]:
        if not known:
            known.append(_watched(graph, node, computation))
        watch, results = known[0]
        found = backward.reverse_pass(watch, results, arrived, inputs)
        return backward.once_each(inputs, found)

    inputs = node.inputs
    return RecordedCall(inputs, node.outputs, back, of_users=False)


def _watched(
    graph: FuncGraph, node: Operation, computation: Computation
) -> tuple[Recording, tuple[Any, ...]]:
    """The results of the computation once more, and what was recorded of it."""
    watch = Recording()
    for operand in node.inputs:
        if operand.dtype.is_differentiable:
            watch.watch(operand)
    here, before = context.top(), len(graph.get_operations())
    with context.entered(here.replace(recorders=(*here.recorders, watch))):
        results = apply(computation, node.inputs)
    watch.active = False
    if not _is_repeatable(graph, computation):
        graph.take_over(node, before, results)
    return watch, results


def _is_repeatable(graph: FuncGraph, computation: Computation) -> bool:
    """Whether it gives the same wherever it stands: it changes and reads no state that changes."""
    effects = [
        effect
        for part in computation.graphs
        for step in part.operations
        for effect in effects_of(step.op, step.attrs)
    ]
    return not effects or (only_reads(effects) and not _changes_variables(graph))


def _changes_variables(graph: FuncGraph) -> bool:
    return any(
        isinstance(effect, Writes)
        for node in graph.get_operations()
        if node.kind is not None
        for effect in effects_of(node.kind, node.attrs)
    )

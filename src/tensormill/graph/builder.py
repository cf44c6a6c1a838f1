"""Tracing: running a Python function on symbolic tensors to get its graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..core import context, tree
from ..core.process.named_tuples import NamedTuple
from ..core.specs import ValueSpec
from . import ir
from .func_graph import Capture as Capture
from .func_graph import FuncGraph as FuncGraph
from .symbolic import SymbolicTensor as SymbolicTensor


class Trace(NamedTuple):
    """A traced function: its graph, what it captured (one tensor for each of the graph's
    captures) and what it returned, with tensors of the graph at the leaves.
    """

    graph: ir.Graph
    captured: tuple[Any, ...]
    structure: Any


def current_graph() -> FuncGraph | None:
    """The graph that is being traced here, or None in eager execution."""
    interpreter = context.top().interpreter
    return interpreter if isinstance(interpreter, FuncGraph) else None


def part_of_operation(name: str, operation: str) -> FuncGraph:
    """A graph for a branch or body of the operation that will be called `operation` here; names in
    it begin with that of the operation, as TensorFlow's do.
    """
    outer = current_graph()
    part = FuncGraph(name, outer, is_part=True)
    if outer is not None:
        part.own_scope = f"{outer.unique_name(operation, mark_as_used=False)}/"
    return part


def trace_graph(fn: Callable[..., Any], specs: Sequence[ValueSpec], name: str = "graph") -> Trace:
    """Trace `fn` on one symbolic tensor for each spec; tensors outside of it are captured.

    The leaves of what `fn` returns become tensors, but None stays None.

    Raises:
        TypeError: `fn` returned something that is no tensor and cannot become one.
    """
    func_graph = FuncGraph(name, current_graph(), is_part=True)
    with func_graph.as_default():
        parameters = [func_graph.placeholder(spec) for spec in specs]
        structure = as_results(func_graph, fn(*parameters))
    outputs = [leaf for leaf in tree.flatten(structure) if leaf is not None]
    captured = tuple(capture.external for capture in func_graph.passed_captures())
    return Trace(func_graph.finish(outputs), captured, structure)


def as_results(graph: FuncGraph, structure: Any) -> Any:
    """What a traced function returned, with its leaves as tensors of `graph`."""

    def as_result(leaf: Any) -> SymbolicTensor | None:
        return None if leaf is None else graph.convert(leaf, None, None)

    return tree.map_structure(as_result, structure)


def share_operands(traces: Sequence[Trace]) -> tuple[list[ir.Graph], list[Any]]:
    """Graphs that all take the same operands, and those operands: whatever any of them captured.

    The parameters of each trace stay first; they must be alike in number and kind. What was a
    capture becomes a parameter; a branch that does not use one ignores it.
    """
    operands = list({id(one): one for trace in traces for one in trace.captured}.values())
    return [_with_operands(trace, operands) for trace in traces], operands


def _with_operands(trace: Trace, operands: Sequence[Any]) -> ir.Graph:
    graph = trace.graph
    own = {id(one): value for one, value in zip(trace.captured, graph.captures, strict=True)}
    taken = {value.name for value in graph.inputs}
    extra: list[ir.Value] = []
    for position, operand in enumerate(operands):
        found = own.get(id(operand))
        if found is None:
            found = ir.Value(_free(f"unused_{position}", taken), _spec_of(operand))
        extra.append(found)
    return ir.Graph(
        graph.name, (*graph.parameters, *extra), (), graph.operations, graph.returns, graph.attrs
    )


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _spec_of(tensor: Any) -> ValueSpec:
    if tensor.symbolic:
        return tensor._known.spec
    from .payload import payload_of, spec_of_payload

    return spec_of_payload(payload_of(tensor))

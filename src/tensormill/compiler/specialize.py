"""What a graph leaves open until it is called: unknown ranks, and variables passed twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..core.process.named_tuples import NamedTuple
from ..core.shapes import TensorShape
from ..core.specs import ResourceSpec, TensorSpec, ValueSpec
from ..eager.storage import Storage
from ..errors import OpError
from ..graph.builder import trace_graph
from ..graph.evaluate import run
from ..graph.ir import Application, Graph
from ..ops.control.functional import Functional, Loop


class VariantKey(NamedTuple):
    """`ranks[k]`: the rank of input k where the graph does not know it. `same[k]`: the first
    input that is the same variable as input k.
    """

    ranks: tuple[int | None, ...]
    same: tuple[int, ...]


def variant_key(graph: Graph, payloads: Sequence[Any]) -> VariantKey:
    return VariantKey(_open_ranks(graph, payloads), _same_variables(payloads))


def has_one_variant(graph: Graph) -> bool:
    """Whether the key is the same for all operands: captures do not change."""
    return not any(_has_open_rank(value.spec) for value in graph.inputs) and not any(
        isinstance(value.spec, ResourceSpec) for value in graph.parameters
    )


def _has_open_rank(spec: ValueSpec) -> bool:
    if not isinstance(spec, TensorSpec):
        return False
    return spec.shape.entries is None and not spec.dtype.stays_in_python


def _open_ranks(graph: Graph, payloads: Sequence[Any]) -> tuple[int | None, ...]:
    return tuple(
        payload.ndim if _has_open_rank(value.spec) else None
        for value, payload in zip(graph.inputs, payloads, strict=True)
    )


def _same_variables(payloads: Sequence[Any]) -> tuple[int, ...]:
    first: dict[int, int] = {}
    return tuple(
        first.setdefault(id(payload), k) if isinstance(payload, Storage) else k
        for k, payload in enumerate(payloads)
    )


Known = dict[tuple[Graph, VariantKey], Graph]


def specialize(graph: Graph, key: VariantKey) -> Graph:
    """`graph` with these ranks known and these variables joined; itself where nothing is open."""
    return _specialized(graph, key, {})


def _specialized(graph: Graph, key: VariantKey, known: Known) -> Graph:
    plain = all(rank is None for rank in key.ranks)
    if plain and key.same == tuple(range(len(key.same))):
        return graph
    if (graph, key) not in known:
        known[graph, key] = _traced(graph, key, known)
    return known[graph, key]


def _traced(graph: Graph, key: VariantKey, known: Known) -> Graph:
    def body(*operands: Any) -> Any:
        return _evaluated(graph, [operands[k] for k in key.same], known)

    specs = [
        value.spec if rank is None else TensorSpec(TensorShape((None,) * rank), value.spec.dtype)
        for value, rank in zip(graph.inputs, key.ranks, strict=True)
    ]
    traced = trace_graph(body, specs, graph.name).graph
    count = len(graph.parameters)
    parameters, captures = traced.parameters[:count], traced.parameters[count:]
    return Graph(graph.name, parameters, captures, traced.operations, traced.returns, graph.attrs)


def _evaluated(graph: Graph, operands: Sequence[Any], known: Known) -> list[Any]:
    """What `graph` returns, where the graphs that it runs know the ranks that it knows."""
    values: dict[Any, Any] = dict(zip(graph.inputs, operands, strict=True))
    for operation in graph.operations:
        arguments = tuple([values[operand] for operand in operation.operands])
        results = run(_narrowed(operation, arguments, known), arguments)
        values.update(zip(operation.results, results, strict=True))
    return [values[value] for value in graph.returns]


def _narrowed(operation: Application, arguments: tuple[Any, ...], known: Known) -> Application:
    op = operation.op
    if not issubclass(op, Functional):
        return operation
    fields = [field.name for field in op.inputs]
    operands = operation.grouped(arguments)[fields.index(op.operand_field)]
    attrs = dict(operation.attrs)
    for name in op.graph_attrs:
        many = isinstance(attrs[name], (tuple, list))
        graphs: list[Any] = [*attrs[name]] if many else [attrs[name]]
        narrowed = [_with_ranks(one, operands, known) for one in graphs]
        attrs[name] = narrowed if many else narrowed[0]
    if issubclass(op, Loop) and not _keeps_ranks(attrs["body"]):
        return operation
    return replace(operation, attrs=attrs)


def _with_ranks(graph: Any, operands: Sequence[Any], known: Known) -> Any:
    ranks = [
        operand.shape.rank if _has_open_rank(value.spec) else None
        for value, operand in zip(graph.inputs, operands, strict=True)
    ]
    try:
        return _specialized(graph, VariantKey(tuple(ranks), tuple(range(len(ranks)))), known)
    except OpError:  # it fails if it runs, which it may not: then its kernel says so
        return graph


def _keeps_ranks(body: Any) -> bool:
    """Whether a loop's variables have the same ranks after an iteration as before."""
    pairs = zip(body.parameters, body.returns, strict=True)
    return all(
        _has_open_rank(taken.spec) or taken.spec.shape.rank == returned.spec.shape.rank
        for taken, returned in pairs
        if isinstance(taken.spec, TensorSpec)
    )

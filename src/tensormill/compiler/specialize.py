"""What a graph leaves open until it is called: unknown ranks, and variables passed twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..core.shapes import TensorShape
from ..core.specs import TensorSpec
from ..eager.storage import Storage
from ..graph.builder import trace_graph
from ..graph.evaluate import evaluate_tensors
from ..graph.ir import Graph


class VariantKey(NamedTuple):
    """`ranks[k]`: the rank of input k where the graph does not know it. `same[k]`: the first
    input that is the same variable as input k.
    """

    ranks: tuple[int | None, ...]
    same: tuple[int, ...]


def variant_key(graph: Graph, payloads: Sequence[Any]) -> VariantKey:
    return VariantKey(_open_ranks(graph, payloads), _same_variables(payloads))


def _open_ranks(graph: Graph, payloads: Sequence[Any]) -> tuple[int | None, ...]:
    return tuple(
        payload.ndim
        if isinstance(value.spec, TensorSpec)
        and value.spec.shape.dims is None
        and value.spec.dtype.kind != "string"
        else None
        for value, payload in zip(graph.inputs, payloads, strict=True)
    )


def _same_variables(payloads: Sequence[Any]) -> tuple[int, ...]:
    first: dict[int, int] = {}
    return tuple(
        first.setdefault(id(payload), k) if isinstance(payload, Storage) else k
        for k, payload in enumerate(payloads)
    )


def specialize(graph: Graph, key: VariantKey) -> Graph:
    """`graph` with these ranks known and these variables joined; itself where nothing is open."""
    plain = all(rank is None for rank in key.ranks)
    if plain and key.same == tuple(range(len(key.same))):
        return graph

    def body(*operands: Any) -> Any:
        return evaluate_tensors(graph, [operands[k] for k in key.same])

    specs = [
        value.spec if rank is None else TensorSpec(TensorShape((None,) * rank), value.spec.dtype)
        for value, rank in zip(graph.inputs, key.ranks, strict=True)
    ]
    traced = trace_graph(body, specs, graph.name).graph
    count = len(graph.parameters)
    parameters, captures = traced.parameters[:count], traced.parameters[count:]
    return Graph(graph.name, parameters, captures, traced.operations, traced.returns, graph.attrs)

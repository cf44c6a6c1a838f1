"""What a graph leaves open until it is called: unknown ranks, and variables passed twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..core.shapes import TensorShape
from ..core.specs import ResourceSpec, TensorSpec, ValueSpec
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


def has_one_variant(graph: Graph) -> bool:
    """Whether the key is the same for all operands: captures do not change."""
    return not any(_has_open_rank(value.spec) for value in graph.inputs) and not any(
        isinstance(value.spec, ResourceSpec) for value in graph.parameters
    )


def _has_open_rank(spec: ValueSpec) -> bool:
    return isinstance(spec, TensorSpec) and spec.shape.dims is None and spec.dtype.kind != "string"


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

"""Datasets that functions captured: in what is saved, functions make them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..core import context
from ..core.specs import ObjectSpec
from ..function.callee import captures_as_parameters
from ..graph import ir
from ..graph.evaluate import evaluate_tensors
from ..graph.func_graph import FuncGraph


def with_own_datasets(graph: ir.Graph, captured: Sequence[Any]) -> tuple[ir.Graph, Sequence[Any]]:
    """The graph, in which it makes the datasets that are among its last parameters, and what it
    captures then: where it cannot make them, both as they are.
    """
    own = len(graph.parameters) - len(captured)
    datasets = [_is_dataset(one) for one in captured]
    if not any(datasets):
        return graph, captured
    from ..data.graphs.tracing import traced
    from ..data.graphs.writing import UnwritableDatasetError

    made = FuncGraph(graph.name)
    with context.interpreting(made):
        try:
            operands = [
                traced(captured[place - own]._array)
                if place >= own and datasets[place - own]
                else made.placeholder(parameter.spec, parameter.name)
                for place, parameter in enumerate(graph.parameters)
            ]
        except UnwritableDatasetError:
            return graph, captured
        outputs = evaluate_tensors(graph, operands)
    finished = captures_as_parameters(made.finish(outputs))
    rest = [one for one, gone in zip(captured, datasets, strict=True) if not gone]
    new = [capture.external for capture in made.passed_captures()]
    return replace(finished, name=graph.name, attrs=graph.attrs), [*rest, *new]


def _is_dataset(tensor: Any) -> bool:
    spec = getattr(tensor._array, "spec", None)
    return isinstance(spec, ObjectSpec) and spec.kind == "dataset"

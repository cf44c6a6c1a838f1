"""Operations that compute the same."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, cast

import numpy as np

from ...ops.control.functional import Functional, effects_of
from ..ir import Application, Graph, Value
from .substitution import Substitution


def share_equal_operations(graph: Graph) -> Graph:
    """Use one result where two operations without effects are alike.

    Before:
        graph f(x: f32[2]) -> f32[2]:
          a: f32[2] = Exp(x)
          b: f32[2] = Exp(x)
          c: f32[2] = AddV2(a, b)
          return c
    After:
        graph f(x: f32[2]) -> f32[2]:
          a: f32[2] = Exp(x)
          c: f32[2] = AddV2(a, a)
          return c
    """
    chosen = Substitution()
    seen: dict[Hashable, Application] = {}
    kept: list[Application] = []
    for operation in graph.operations:
        operation = chosen.operation(operation)
        key = _key(operation)
        if key is not None and (first := seen.setdefault(key, operation)) is not operation:
            for old, new in zip(operation.results, first.results, strict=True):
                chosen.put(old, new)
            continue
        kept.append(operation)
    return chosen.graph(graph, kept)


def _key(operation: Application) -> Hashable | None:
    """Equal keys, equal results; None where the operation must stay its own."""
    if issubclass(operation.op, Functional) or effects_of(operation.op, operation.attrs):
        return None
    specs = tuple(value.spec.short for value in operation.results)
    attrs = tuple((name, _frozen(value)) for name, value in sorted(operation.attrs.items()))
    try:
        hash(attrs)
    except TypeError:
        return None
    operands: tuple[Value, ...] = operation.operands
    return operation.op.name, operands, operation.counts, attrs, specs


def _frozen(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return _frozen_array(value)  # pyright: ignore[reportUnknownArgumentType]
    if isinstance(value, list):
        return tuple(_frozen(one) for one in cast("list[Any]", value))
    if isinstance(value, float):
        return value.hex()  # so that -0.0 is not 0.0
    if isinstance(value, (bool, int)):
        return type(value).__name__, value
    return value


def _frozen_array(value: np.ndarray[Any, Any]) -> Any:
    if value.dtype.kind == "O":
        return id(value)
    return value.shape, value.dtype.str, value.tobytes()

"""Operations that compute the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from typing import Any, cast, final

import numpy as np

from ...core.dtypes import DType
from ...core.specs import ResourceSpec
from ...ops.control.functional import Functional, effects_of, variable_of
from ...ops.effects import Effect, Reads, World, Writes
from ..ir import Application, Graph, Value
from .substitution import Substitution


def share_equal_operations(graph: Graph) -> Graph:
    """Use one result where two operations are alike that have no effects, or read what nobody
    has written in between.

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
    states = _States()
    kept: list[Application] = []
    for operation in graph.operations:
        operation = chosen.operation(operation)
        key = _key(operation, states)
        if key is not None and (first := seen.setdefault(key, operation)) is not operation:
            for old, new in zip(operation.results, first.results, strict=True):
                chosen.put(old, new)
            continue
        kept.append(operation)
    return chosen.graph(graph, kept)


@final
class _States:
    """How often the variables of a dtype may have been written: two handles may be of one."""

    def __init__(self) -> None:
        self._written: Counter[DType | None] = Counter()  # None: any variable

    def seen_by(self, operation: Application) -> Hashable | None:
        """What an operation finds that only reads. None where it does more, and is noted."""
        effects = effects_of(operation.op, operation.attrs)
        if not effects:
            return ()
        dtypes = [dtype_behind(operation, effect) for effect in effects]
        if None not in dtypes and all(isinstance(effect, Reads) for effect in effects):
            return tuple([(self._written[one], self._written[None]) for one in dtypes])
        written = [_may_write(effect) for effect in effects]
        self._written.update(
            one for one, is_written in zip(dtypes, written, strict=True) if is_written
        )
        return None


def dtype_behind(operation: Application, effect: Effect) -> DType | None:
    """The dtype of the variable that an effect is about; None where it is something else."""
    if isinstance(effect, World):
        return None
    spec = getattr(variable_of(operation, effect), "spec", None)
    return spec.state.dtype if isinstance(spec, ResourceSpec) else None


def _may_write(effect: Effect) -> bool:
    return isinstance(effect, Writes) or effect in (World.PYTHON, World.MEETS, World.FILES)


def _key(operation: Application, states: _States) -> Hashable | None:
    """Equal keys, equal results; None where the operation must stay its own."""
    states_seen = states.seen_by(operation)
    if issubclass(operation.op, Functional) or states_seen is None:
        return None
    specs = tuple(value.spec.short for value in operation.results)
    attrs = tuple((name, _frozen(value)) for name, value in sorted(operation.attrs.items()))
    try:
        hash(attrs)
    except TypeError:
        return None
    operands: tuple[Value, ...] = operation.operands
    place = operation.device, operation.replica  # replicas do the same work on devices of their own
    return operation.op.name, operands, operation.counts, attrs, specs, states_seen, place


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

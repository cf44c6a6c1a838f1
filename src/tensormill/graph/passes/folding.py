"""Operations whose operands are constants."""

from __future__ import annotations

from typing import Any, Final, cast

import numpy as np

from ...core import context
from ...core.specs import TensorSpec
from ...errors import OpError
from ...ops.array.fill import Range
from ...ops.array.shapes import Rank, Shape, Size
from ...ops.constant import Const
from ...ops.control.functional import Functional, effects_of
from ..evaluate import run
from ..ir import Application, Graph, Value
from ..payload import payload_of, wrap_payload

# What these say of a tensor depends on its shape alone.
OF_SHAPES: Final = (Shape, Size, Rank)
# Results above this size stay computed: a constant costs memory and time to hash.
LARGEST: Final = 16_384


def fold_constants(graph: Graph) -> Graph:
    """Run operations on constants now.

    Before:
        graph f() -> i32[]:
          a: i32[] = Const(value=2)
          b: i32[] = AddV2(a, a)
          return b
    After:
        graph f() -> i32[]:
          a: i32[] = Const(value=2)
          b: i32[] = Const(value=4)
          return b
    """
    known: dict[Value, Any] = {}
    operations: list[Application] = []
    for operation in graph.operations:
        if operation.op is Const:
            known[operation.results[0]] = operation.attrs["value"]
        folded = _fold(operation, known)
        operations.extend(folded or (operation,))
    return Graph(
        graph.name, graph.parameters, graph.captures, tuple(operations), graph.returns, graph.attrs
    )


def _fold(operation: Application, known: dict[Value, Any]) -> list[Application] | None:
    """Constants in place of `operation`, or None where it must run."""
    op = operation.op
    if op in OF_SHAPES and _is_told_by_shape(operation):
        return [_constant(operation, operation.results[0], _about_shape(operation), known)]
    if not operation.operands or not all(value in known for value in operation.operands):
        return None
    if effects_of(op, operation.attrs) or issubclass(op, Functional):
        return None
    if not _small(operation, known):
        return None
    operands = tuple(wrap_payload(known[value]) for value in operation.operands)
    try:
        with context.entered(context.base):
            results = [payload_of(tensor) for tensor in run(operation, operands)]
    except OpError:
        return None  # it fails when it runs, and says where
    if not all(_as_promised(v, r) for v, r in zip(operation.results, results, strict=True)):
        return None
    return [
        _constant(operation, value, result, known)
        for value, result in zip(operation.results, results, strict=True)
    ]


def _is_told_by_shape(operation: Application) -> bool:
    shape = operation.operands[0].spec.shape
    return shape.rank is not None if operation.op is Rank else shape.is_fully_defined()


def _about_shape(operation: Application) -> np.ndarray[Any, Any]:
    shape = operation.operands[0].spec.shape
    dtype = operation.results[0].spec.dtype.storage
    if operation.op is Shape:
        return np.asarray(shape.as_list(), dtype)
    value = shape.rank if operation.op is Rank else shape.num_elements()
    return np.asarray(value, dtype)


def _small(operation: Application, known: dict[Value, Any]) -> bool:
    for value in operation.results:
        count = value.spec.shape.num_elements()
        if operation.op is Range:
            start, limit, step = (known[operand].item() for operand in operation.operands)
            count = abs((limit - start) / step) if step else None
        if not isinstance(value.spec, TensorSpec) or count is None or count > LARGEST:
            return False
    return True


def _as_promised(value: Value, result: Any) -> bool:
    return isinstance(result, np.ndarray) and value.spec.shape == np.shape(cast("Any", result))


def _constant(
    operation: Application, value: Value, result: Any, known: dict[Value, Any]
) -> Application:
    known[value] = result
    attrs = {"value": result, "dtype": value.spec.dtype}
    name = f"{operation.name}/folded"
    return Application(Const, name, (), (), attrs, (value,), (), operation.source)

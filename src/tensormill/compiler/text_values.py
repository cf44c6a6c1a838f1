"""Which values are strings, or tables: looked at before what knows about spans is loaded."""

from __future__ import annotations

from ..core import dtypes
from ..core.specs import FIXED_TABLE, ObjectSpec, TensorSpec
from ..graph.ir import Application, Graph, Value
from ..graph.nested_graphs import every_operation


def has_strings(graph: Graph) -> bool:
    """Whether there is an operation that is native where strings are spans, and tables arrays."""
    return any(
        is_on_spans(one) and any(map(_is_spelled, (*one.operands, *one.results)))
        for one in every_operation(graph)
    )


def is_on_spans(operation: Application) -> bool:
    """Whether an operation has a rule for strings that are spans."""
    knows = operation.op.knows_spans
    return operation.op.on_spans is not None and (knows is None or knows(operation.attrs))


def _is_spelled(value: Value) -> bool:
    return may_be_text(value) or is_fixed_table(value)


def is_fixed_table(value: Value) -> bool:
    """Whether a value is the handle of a table that never changes once it is filled."""
    return isinstance(value.spec, ObjectSpec) and value.spec.kind == FIXED_TABLE


def may_be_spans(value: Value) -> bool:
    """Whether a value is a tensor of strings whose rank is known."""
    spec = value.spec
    is_text = isinstance(spec, TensorSpec) and spec.dtype is dtypes.string
    return is_text and spec.shape.entries is not None


def may_be_text(value: Value) -> bool:
    """Whether a value is a tensor of strings."""
    return isinstance(value.spec, TensorSpec) and value.spec.dtype is dtypes.string

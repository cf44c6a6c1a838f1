"""The attributes of an operation as TensorFlow counts them: dtypes and list lengths included."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ...core.specs import ValueSpec
from ...ops.control.functional import Branching, Loop
from ...ops.op import Field, Op, counts_of_outputs
from .. import ir
from ..operation import Operation
from ..symbolic_parts import known_of

# Where a NodeDef says what its gradient is registered under.
GRADIENT_TYPE: Final = "_gradient_op_type"
PLACED_WITH: Final = "_class"  # the operations that one is on one device with


def attributes_of(operation: Operation | ir.Application) -> dict[str, Any]:
    """Every attribute by name: Python values, DTypes, TensorShapes, arrays and graphs."""
    if isinstance(operation, ir.Application):
        kind = operation.op
        operands = [value.spec for value in operation.operands]
        results = [value.spec for value in operation.results]
    elif operation.kind is None:
        return dict(operation.attrs)
    else:
        kind = operation.kind
        operands = [known_of(tensor).spec for tensor in operation.inputs]
        results = [known_of(tensor).spec for tensor in operation.outputs]
    found = attributes(kind, operation.counts, operands, results, operation.attrs)
    if operation.gradient_type:
        found[GRADIENT_TYPE] = operation.gradient_type
    if isinstance(operation, Operation) and operation.beside:
        found[PLACED_WITH] = list(operation.beside)
    return found


def within_scope(groups: Sequence[bytes], name: str, told: str) -> tuple[bytes, ...]:
    """Names of operations (`loc:@name`), where that one which is `told` is called `name`."""
    scope = name.removesuffix(told).encode()
    return tuple(one.replace(b"loc:@", b"loc:@" + scope, 1) for one in groups)


def attributes(
    op: type[Op],
    counts: Sequence[int | None],
    operands: Sequence[ValueSpec],
    results: Sequence[ValueSpec],
    attrs: Mapping[str, Any],
) -> dict[str, Any]:
    """`attrs` and what the operands and results imply: `T`, `N`, `Tin`, `output_shapes`."""
    public = {field.name: field.public for field in op.attrs}
    found = {public.get(name, name): value for name, value in attrs.items()}
    rest = list(operands)
    for field, count in zip(op.inputs, counts, strict=True):
        taken = rest[: 1 if count is None else count]
        del rest[: len(taken)]
        found.update(_of_field(field, taken, attrs))
    found.update(_of_outputs(op, results, found))
    if issubclass(op, (Branching, Loop)):
        found["output_shapes"] = [spec.shape for spec in results]
    return found


def _of_field(
    field: Field, specs: Sequence[ValueSpec], attrs: Mapping[str, Any]
) -> Iterator[tuple[str, Any]]:
    if field.mixed:
        if field.dtype not in attrs:
            yield field.dtype, [spec.dtype for spec in specs]
        return
    if field.number_attr is not None:
        yield field.number_attr, len(specs)
    if field.fixed_dtype is None and field.dtype not in attrs and specs:
        yield field.dtype, specs[0].dtype


def _of_outputs(
    op: type[Op], results: Sequence[ValueSpec], found: Mapping[str, Any]
) -> Iterator[tuple[str, Any]]:
    """Dtypes that only results tell."""
    rest = list(results)
    counts = counts_of_outputs(op, found, len(rest))
    for field, count in zip(op.outputs, counts, strict=True):
        taken = rest[:count]
        del rest[:count]
        yield from (
            (name, value) for name, value in _of_field(field, taken, found) if name not in found
        )

"""Computing a traced value at once, outside of its trace: initial values of variables.

What tracing knows already is not computed. Each other operation runs once in a trace, however many
variables start at something that depends on it: their graphs remember the results.
"""

from __future__ import annotations

from typing import Any

from ..core import context
from ..core.random_state import Streams, drawing_from
from ..ops.effects import Reads, Writes
from .operation import Operation
from .payload import wrap_payload
from .symbolic import SymbolicTensor
from .write_order import handles


class UnliftableError(ValueError):
    """A traced value cannot be computed yet: it depends on arguments that have no value."""


def lift(tensor: SymbolicTensor) -> Any:
    """The eager tensor that `tensor` will be in the call that is being traced.

    Raises:
        UnliftableError: it depends on a placeholder without a value.
    """
    pending = [tensor]
    with context.entered(context.base):
        while pending:
            missing = [] if _is_lifted(pending[-1]) else _missing(pending[-1].op)
            if missing:
                pending.extend(missing)
            else:
                _remember(pending.pop())
    return _lifted(tensor)


def depends_on_arguments(tensor: Any) -> bool:
    """Whether another call may have another value: something that is not captured leads to it."""
    pending, seen = [tensor], set[Any]()
    while pending:
        one = pending.pop()
        if not one.symbolic or one.op in seen:
            continue
        seen.add(one.op)
        if one.op.kind is not None:
            pending.extend(one.op.inputs)
        elif (outside := one.op.graph.captured_as(one.op.outputs[0])) is not None:
            pending.append(outside)
        else:
            return True
    return False


def _is_lifted(tensor: Any) -> bool:
    """Whether there is a value: the tensor's own, the one that tracing knows, or a result."""
    return (
        not tensor.symbolic
        or tensor.op in tensor.op.graph.lifted
        or tensor._known.value is not None
    )


def _lifted(tensor: Any) -> Any:
    if not tensor.symbolic:
        return tensor
    results = tensor.op.graph.lifted.get(tensor.op)
    return wrap_payload(tensor._known.value) if results is None else results[tensor.value_index]


def _missing(operation: Operation) -> list[Any]:
    """What an operation depends on and what has no value yet."""
    sources = [_outside(operation)] if operation.kind is None else operation.inputs
    return [one for one in sources if not _is_lifted(one)]


def _remember(tensor: SymbolicTensor) -> None:
    if not _is_lifted(tensor):
        tensor.op.graph.lifted[tensor.op] = _results(tensor.op)


def _results(operation: Operation) -> tuple[Any, ...]:
    if operation.kind is None:
        return (_lifted(_outside(operation)),)
    _check_order(operation)
    operands = tuple(_lifted(one) for one in operation.inputs)
    with drawing_from(Streams()):  # as in a graph, where each operation begins its own stream
        return context.base.interpreter.apply(
            operation.kind, operation.grouped(operands), dict(operation.attrs), None
        )


def _check_order(operation: Operation) -> None:
    """Refuse to read now what the trace changes before: it has not been changed yet.

    Raises:
        UnliftableError: a variable would be read too early, or changed an additional time.
    """
    written = next(handles(operation, Writes), None)
    if written is not None or any(_is_changed(h, operation) for h in handles(operation, Reads)):
        raise UnliftableError(
            "the initial value of a variable depends on another variable that the function "
            "changes before: initial values are computed while the function is traced, when "
            "nothing has been changed. Make the new variable outside of the function, or start "
            "it at a constant and assign to it"
        )


def _is_changed(handle: Any, reader: Operation) -> bool:
    """Whether an operation in front of `reader` writes the variable, in the graphs around too."""
    before: Operation | None = reader
    while handle is not None and handle.symbolic:
        graph = handle.op.graph
        if graph.is_written(handle, before):
            return True
        handle, before = graph.outside_of(handle), None
    return False


def _outside(placeholder: Operation) -> Any:
    """What a placeholder stands for: an argument of the call, or a tensor of the graph around."""
    found = placeholder.graph.outside_of(placeholder.outputs[0])
    if found is not None:
        return found
    raise UnliftableError(
        f"Unable to lift tensor {placeholder.outputs[0]!r} because it depends transitively on "
        f"placeholder '{placeholder.name}': the initial value of a variable must be known when "
        "the function is traced; call the function with values, or compute the initial value "
        "outside"
    )

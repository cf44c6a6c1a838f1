"""Computing a traced value at once, outside of its trace: initial values of variables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..core import context
from ..core.random_state import Streams, drawing_from
from .operation import Operation
from .symbolic import SymbolicTensor


class UnliftableError(ValueError):
    """A traced value cannot be computed yet: it depends on arguments that have no value."""


def lift(tensor: SymbolicTensor, arguments: Mapping[int, Any]) -> Any:
    """The eager tensor that `tensor` will be.

    `arguments` maps the ids of placeholders to eager tensors.

    Raises:
        UnliftableError: it depends on a placeholder without a value.
    """
    with context.entered(context.base):
        return _Lifting(arguments).value(tensor)


class _Lifting:
    """Evaluates what a tensor depends on, each operation once, through captures outwards."""

    def __init__(self, arguments: Mapping[int, Any]) -> None:
        self._arguments = arguments
        self._done: dict[Operation, tuple[Any, ...]] = {}

    def value(self, tensor: Any) -> Any:
        if not tensor.symbolic:
            return tensor
        pending = [tensor.op]
        while pending:
            operation = pending[-1]
            missing = [one.op for one in operation.inputs if one.op not in self._done]
            if operation in self._done or not missing:
                self._done.setdefault(operation, self._results(operation))
                pending.pop()
            else:
                pending.extend(missing)
        return self._done[tensor.op][tensor.value_index]

    def _results(self, operation: Operation) -> tuple[Any, ...]:
        if operation in self._done:
            return self._done[operation]
        if operation.kind is None:
            return (self._placeholder(operation),)
        operands = tuple(self._done[one.op][one.value_index] for one in operation.inputs)
        with drawing_from(Streams()):  # as in a graph, where each operation begins its own stream
            return context.base.interpreter.apply(
                operation.kind, operation.grouped(operands), dict(operation.attrs), None
            )

    def _placeholder(self, operation: Operation) -> Any:
        tensor = operation.outputs[0]
        if id(tensor) in self._arguments:
            return self._arguments[id(tensor)]
        for capture in operation.graph.captures:
            if capture.internal is tensor:
                return self.value(capture.external)
        raise UnliftableError(
            f"Unable to lift tensor {tensor!r} because it depends transitively on placeholder "
            f"'{operation.name}': the initial value of a variable must be known when the function "
            "is traced; call the function with values, or compute the initial value outside"
        )

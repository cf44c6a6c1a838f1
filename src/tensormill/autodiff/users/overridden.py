"""Operations whose gradients `Graph.gradient_override_map` says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...graph import ir
from ...graph.operation import Operation
from ...ops.control.functional import Call
from ...ops.op import REGISTRY, REQUIRED, Op, RecordedOperation
from ..backward import or_zeros, rule_of_its_own
from ..recording import RecordedCall
from ..registry import gradients_of_type, is_registered


def is_overridden(operation: Operation | ir.Application) -> bool:
    """Whether a function under another name says its gradient; nobody does that of a call."""
    if not operation.gradient_type:
        return False
    kind = operation.op if isinstance(operation, ir.Application) else operation.kind
    return kind is not None and not issubclass(kind, Call)


def overridden(node: Operation, gradient_type: str) -> RecordedCall:
    """An operation of a graph, as recorders are to know it: by a gradient of that name."""

    def back(arrived: Sequence[Any]) -> Sequence[Any]:
        given = [or_zeros(*pair) for pair in zip(arrived, node.outputs, strict=True)]
        kind = REGISTRY.get(gradient_type)
        if kind is None or is_registered(gradient_type):
            return gradients_of_type(gradient_type, node, given)
        return _gradients_as(kind, node, given)

    return RecordedCall(node.inputs, node.outputs, back)


def _gradients_as(kind: type[Op], node: Operation, arrived: list[Any]) -> list[Any]:
    """What another kind of operation would make of the gradients.

    Raises:
        ValueError: it takes or gives other numbers of tensors, or wants to know more.
    """
    names = {field.name for field in kind.attrs}
    attrs = {name: value for name, value in node.attrs.items() if name in names}
    lists = kind.takes_lists or any(one.listed for one in kind.outputs)
    lacks = any(one.default is REQUIRED and one.name not in attrs for one in kind.attrs)
    sizes = len(kind.inputs), len(kind.outputs)
    if lists or lacks or sizes != (len(node.inputs), len(node.outputs)):
        raise ValueError(
            f"the gradient of {kind.name} cannot be that of '{node.name}' (op type: {node.type}): "
            f"{kind.name} takes and gives other tensors or has other attributes"
        )
    made = RecordedOperation(kind, node.inputs, attrs, tuple(node.outputs)).application
    found = rule_of_its_own(made, arrived, {id(one) for one in node.inputs})
    return [one() if callable(one) else one for one in found]

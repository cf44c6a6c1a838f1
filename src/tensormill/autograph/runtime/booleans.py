"""`and`, `or`, `not`, and chains of comparisons."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

from . import tensors

Lazy = Callable[[], Any]


def and_(first: Any, *rest: Lazy, bound: FunctionType | None = None) -> Any:
    """`first and rest[0]() and …`; operands behind a tensor are evaluated in the graph.

    `bound` are the variables that `:=` in these binds.
    """
    value = _operand(first)
    for index, operand in enumerate(rest):
        if tensors.decides_in_graph(value):
            from .staged import booleans

            others = rest[index:]
            return booleans.and_(value, _left(and_, others, bound), bound, others)
        if not value:
            return value
        value = _operand(operand())
    return value


def or_(first: Any, *rest: Lazy, bound: FunctionType | None = None) -> Any:
    """`first or rest[0]() or …`."""
    value = _operand(first)
    for index, operand in enumerate(rest):
        if tensors.decides_in_graph(value):
            from .staged import booleans

            others = rest[index:]
            return booleans.or_(value, _left(or_, others, bound), bound, others)
        if value:
            return value
        value = _operand(operand())
    return value


def _operand(value: Any) -> Any:
    """An operand; a number that Python counts, too, is one of Python's: `count or 1`."""
    is_number = tensors.is_twofold(value) and not value.dtype.is_bool
    return tensors.in_python(value) if is_number else value


def _left(join: Callable[..., Any], operands: Sequence[Lazy], bound: FunctionType | None) -> Lazy:
    """The value of the operands that have not been evaluated."""
    return lambda: join(operands[0](), *operands[1:], bound=bound)


def not_(operand: Any) -> Any:
    if tensors.decides_in_graph(operand):
        from .staged import booleans

        return booleans.not_(operand)
    return not operand


def contains(item: Any, container: Any) -> Any:
    """`item in container`."""
    if not tensors.building_graph():
        return item in container
    from . import membership

    return membership.contains(item, container)


def not_in(item: Any, container: Any) -> Any:
    """`item not in container`."""
    return not_(contains(item, container))


OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "is": operator.is_,
    "is not": operator.is_not,
    "in": contains,
    "not in": not_in,
}


def compared(left: Any, sign: str, right: Lazy, *links: Any) -> Any:
    """`left sign right() …`: each operand is evaluated once, and only while the chain holds."""
    value = right()
    result = OPERATORS[sign](left, value)
    if not links:
        return result
    return and_(result, lambda: compared(value, *links))

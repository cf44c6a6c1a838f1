"""How large an index may get, where that can be read off the loops around it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from .ir import Apply, Expression, Literal, Load, Local

Extents: TypeAlias = Mapping[Local, Expression]
Interval: TypeAlias = tuple[int, int]
Known: TypeAlias = dict[Expression, Interval | None]
_FAR: Final = 2**62
# More iterations than fit in any memory.
_ENDLESS: Final = 2**40


def count(shape: tuple[Expression, ...]) -> Expression:
    """The product of sizes, written in one way only, so that equal products look alike."""
    known = 1
    product: Expression | None = None
    for size in shape:
        if isinstance(size, Literal):
            known *= int(size.value)
        else:
            product = size if product is None else Apply("mul", (product, size), "i64")
    if product is None:
        return Literal(known, "i64")
    if known == 1:
        return product
    return Apply("mul", (product, Literal(known, "i64")), "i64")


def is_inside(load: Load, extents: Extents) -> bool:
    """Whether an access can be seen to be within its buffer, in loops of these extents."""
    sizes = load.buffer.shape
    if len(load.indices) != len(sizes):
        sizes = (count(sizes),)
    return all(
        _below(index, size, extents) for index, size in zip(load.indices, sizes, strict=True)
    )


def _below(index: Expression, size: Expression, extents: Extents) -> bool:
    if isinstance(index, Local) and (extent := extents.get(index)) is not None:
        if extent is size:
            return True
    bounds = interval(index, extents)
    if bounds is None or not isinstance(size, Literal):
        return False
    return bounds[0] >= 0 and bounds[1] < size.value


def interval(index: Expression, extents: Extents) -> Interval | None:
    """The least and the greatest value of an i64 expression; None if they are not known."""
    return _interval(index, extents, {})


def _interval(index: Expression, extents: Extents, known: Known) -> Interval | None:
    """`known`: what was found of parts, which expressions may share many times over."""
    match index:
        case Literal(value):
            return (value, value) if isinstance(value, int) else None
        case Local():
            extent = extents.get(index)
            if isinstance(extent, Literal):
                return (0, extent.value - 1) if extent.value > 0 else None
            return None if extent is None else (0, _ENDLESS)
        case Apply(function, arguments):
            if index not in known:
                known[index] = _of_function(function, arguments, extents, known)
            return known[index]
        case _:
            return None


def _of_function(
    function: str, arguments: tuple[Expression, ...], extents: Extents, known: Known
) -> Interval | None:
    bounds = [_interval(one, extents, known) for one in arguments]
    if function == "where":
        return _union(bounds[1], bounds[2])
    if len(bounds) != 2 or bounds[1] is None:
        return None
    low, high = bounds[1]
    if function == "floor_modulo" and low > 0:
        return 0, high - 1
    if bounds[0] is None:
        return None
    return _of_two(function, bounds[0], (low, high))


def _of_two(function: str, a: Interval, b: Interval) -> Interval | None:
    match function:
        case "add":
            found = a[0] + b[0], a[1] + b[1]
        case "sub":
            found = a[0] - b[1], a[1] - b[0]
        case "mul":
            corners = [x * y for x in a for y in b]
            found = min(corners), max(corners)
        case "floor_divide" if b[0] > 0:
            corners = [x // y for x in a for y in b]
            found = min(corners), max(corners)
        case "min" | "minimum":
            found = min(a[0], b[0]), min(a[1], b[1])
        case "max" | "maximum":
            found = max(a[0], b[0]), max(a[1], b[1])
        case _:
            return None
    return found if -_FAR < found[0] and found[1] < _FAR else None


def _union(a: Interval | None, b: Interval | None) -> Interval | None:
    if a is None or b is None:
        return None
    return min(a[0], b[0]), max(a[1], b[1])


def narrow(node: Expression, extents: Extents) -> Expression:
    """An i64 function whose result the ranges of its arguments tell, or one of its arguments."""
    if not isinstance(node, Apply) or len(node.arguments) != 2:
        return node
    left, right = node.arguments
    if left.type != "i64":
        return node
    a, b = interval(left, extents), interval(right, extents)
    match node.function:
        case "min" | "minimum":
            return _least_of(node, a, b, extents)
        case "max" | "maximum":
            return _greatest_of(node, a, b)
        case "lt" | "le" | "gt" | "ge":
            return _compared(node, a, b)
        case _:
            return node


def _least_of(apply: Apply, a: Interval | None, b: Interval | None, extents: Extents) -> Expression:
    left, right = apply.arguments
    if isinstance(left, Local) and (extent := extents.get(left)) is not None:
        if right is Apply("add", (extent, Literal(-1, "i64")), "i64"):
            return left
    if a is None or b is None:
        return apply
    if a[1] <= b[0]:
        return left
    return right if b[1] <= a[0] else apply


def _greatest_of(apply: Apply, a: Interval | None, b: Interval | None) -> Expression:
    if a is None or b is None:
        return apply
    if a[0] >= b[1]:
        return apply.arguments[0]
    return apply.arguments[1] if b[0] >= a[1] else apply


def _compared(apply: Apply, a: Interval | None, b: Interval | None) -> Expression:
    if a is None or b is None:
        return apply
    if apply.function in ("gt", "le"):  # a > b is b < a; a <= b is not b < a
        a, b = b, a
    less = True if a[1] < b[0] else False if a[0] >= b[1] else None
    if less is None:
        return apply
    return Literal(less if apply.function in ("lt", "gt") else not less, "bool")

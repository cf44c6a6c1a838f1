"""Items of lists where a tensor says which, and values taken apart by an assignment."""

from __future__ import annotations

import operator
from collections.abc import Callable
from types import FunctionType
from typing import Any

from . import tensors
from .places.state import variables

Lazy = Callable[[], Any]

_UPDATES: dict[str, Callable[[Any, Any], Any]] = {
    "+=": operator.iadd,
    "-=": operator.isub,
    "*=": operator.imul,
    "/=": operator.itruediv,
    "//=": operator.ifloordiv,
    "%=": operator.imod,
    "**=": operator.ipow,
    "@=": operator.imatmul,
    "&=": operator.iand,
    "|=": operator.ior,
    "^=": operator.ixor,
}


def get_item(owner: Any, index: Any) -> Any:
    """`owner[index]`."""
    if (type(owner) is list or type(owner) is tuple) and tensors.is_staged(index):
        from .staged import items as staged_items

        return staged_items.item(owner, index)
    return owner[index]


def get_slice(owner: Any, first: Any, last: Any, step: Any) -> Any:
    """`owner[first:last:step]`."""
    parts = (first, last, step)
    if type(owner) is list:
        parts = tuple(map(tensors.in_python, parts))
    bounds = slice(*parts)
    if type(owner) is list and any(map(tensors.is_staged, parts)):
        from .staged import items as staged_items

        return staged_items.listed(owner, "the list")[bounds]
    return owner[bounds]


def set_items(value: Any, *places: tuple[FunctionType, Lazy]) -> None:
    """`l[i] = value`, or `l[i], m[j] = value`: a place is (lambda: l, lambda: i)."""
    values = (value,) if len(places) == 1 else tuple(unpacked(value, len(places)))
    _check_count(len(places), len(values))
    for (variable, index), one in zip(places, values, strict=True):
        _set_item(variable, index(), one)


def _check_count(wanted: int, got: int) -> None:
    if got > wanted:
        raise ValueError(f"too many values to unpack (expected {wanted})")
    if got < wanted:
        raise ValueError(f"not enough values to unpack (expected {wanted}, got {got})")


def _set_item(variable: FunctionType, index: Any, value: Any) -> None:
    if tensors.is_staged(index) and type(variable()) is list:
        from .staged import items as staged_items

        staged_items.set_item(variables(variable)[0], index, value)
        return
    variable()[index] = value


def update_item(sign: str, variable: FunctionType, index: Any, value: Lazy) -> None:
    """`l[index] += value()`, where `variable` is `lambda: l`."""
    _set_item(variable, index, _UPDATES[sign](get_item(variable(), index), value()))


def spread(*parts: Any) -> Any:
    """`[*a, b, *c]`, of the parts a, [b] and c."""
    if not any(map(tensors.decides_in_graph, parts)):
        return [one for part in parts for one in part]
    from .staged import items as staged_items

    return staged_items.spread(parts)


def unpacked(value: Any, count: int, *behind: int) -> Any:
    """What `a, b = value` (count 2) and `a, *b, c = value` (1 in front, 1 behind) go through."""
    if tensors.decides_in_graph(value):
        from .staged import items as staged_items

        return staged_items.unpacked(value, count, *behind)
    return _starred(value, count, *behind) if behind else value


def _starred(value: Any, before: int, behind: int) -> list[Any]:
    items = list(value)
    if len(items) < before + behind:
        raise ValueError(
            f"not enough values to unpack (expected at least {before + behind}, got {len(items)})"
        )
    end = len(items) - behind
    return [*items[:before], items[before:end], *items[end:]]

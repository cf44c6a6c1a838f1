"""Functions of some axes, of tensors whose rank only a run knows: all other axes are folded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..math.reduce import reduce_prod
from .concatenation import concat
from .fill import zeros
from .shapes import rank, reshape, shape_of


def around(x: Any, axis: int, function: Callable[[Any], Any]) -> Any:
    """`function` of [outer, n, inner] in place of `axis`, which is n long.

    What it returns, or each of a tuple, begins and ends with these axes, too; those between them
    take the place of `axis`.
    """
    sizes = shape_of(x)
    place = axis if axis >= 0 else rank(x) + axis
    before, after = sizes[:place], sizes[place:][1:]
    found = function(reshape(x, [reduce_prod(before), sizes[place], reduce_prod(after)]))
    return _unfolded(found, lambda one: [before, shape_of(one)[1:-1], after])


def innermost(x: Any, count: int, function: Callable[[Any], Any]) -> Any:
    """`function` of [outer, ...], whose other axes are the last `count` ones of `x`."""
    sizes = shape_of(x)
    before = sizes[:-count]
    found = function(reshape(x, [reduce_prod(before), *(sizes[k] for k in range(-count, 0))]))
    return _unfolded(found, lambda one: [before, shape_of(one)[1:]])


def _unfolded(found: Any, sizes: Callable[[Any], list[Any]]) -> Any:
    if isinstance(found, tuple):
        return tuple(_unfolded(one, sizes) for one in found)
    return reshape(found, concat(sizes(found), 0))


def with_axes(x: Any, count: Any) -> Any:
    """`x` with `count` axes of size 1 more, after its own."""
    ones = zeros([count], shape_of(x).dtype) + 1
    return reshape(x, concat([shape_of(x), ones], 0))

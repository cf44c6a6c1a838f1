"""Neighbouring axes of ragged tensors as one."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.values import RaggedBase
from ..array.concatenation import concat
from ..array.gather import gather
from ..array.shapes import reshape
from ..array.shapes import shape as sizes_of
from ..math.reduce import reduce_prod


def merged_axes(ragged: Any, outer: int, inner: int) -> Any:
    """`ragged` with the axes from `outer` to `inner` as one: a tensor where none is ragged then."""
    values: Any = ragged.values
    merge = merged_axes if isinstance(values, RaggedBase) else flat_axes
    if outer == 0:
        if inner == 1:
            return values
        return merge(values, 0, inner - 1)
    if outer > 1:
        return ragged.with_values(merge(values, outer - 1, inner - 1))
    if not isinstance(values, RaggedBase):
        count = reduce_prod(sizes_of(values, ragged.row_splits.dtype)[1:inner])
        return type(ragged)(flat_axes(values, 0, inner - 1), ragged.row_splits * count)
    inside: Any = values
    joined = type(ragged)(inside.values, gather(inside.row_splits, ragged.row_splits))
    return joined if inner == 2 else merged_axes(joined, 1, inner - 1)


def flat_axes(values: Any, outer: int, inner: int) -> Any:
    """A tensor with the axes from `outer` to `inner` as one."""
    sizes = sizes_of(values, dtypes.int64)
    one = reduce_prod(sizes[outer : inner + 1], keepdims=True)  # no -1: other axes may be empty
    return reshape(values, concat([sizes[:outer], one, sizes[inner + 1 :]], 0))

"""Ragged tensors as tensors: rows of one length, and as many of them as are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.shapes import TensorShape, as_shape
from ..core.values import TensorLike
from ..errors import ShapeMismatchError
from .broadcasting import broadcast_to
from .concatenation import concat, stack, unstack
from .conversion import as_tensor, static_value
from .fill import range as numbers_from
from .fill import zeros
from .gather import gather
from .ragged_tensor import RaggedTensor
from .reduce import reduce_max
from .scatter import tensor_scatter_nd_update
from .select import boolean_mask, where
from .shapes import shape as sizes_of

# A size that is asked for: None for as many as there are.
Size = Any


def to_tensor(ragged: RaggedTensor, default: Any, shape: Any) -> Any:
    """The rows, filled up with `default` (zeros), or cut, to `shape`.

    Raises:
        ShapeMismatchError (an InvalidArgumentError and a ValueError): `shape` has another number of
            axes, or other sizes than the values have.
    """
    sizes = _asked(shape, ragged)
    values = ragged.flat_values
    value = zeros((), values.dtype) if default is None else as_tensor(default, values.dtype)
    return _filled(ragged, value, sizes)


def _filled(ragged: RaggedTensor, default: Any, sizes: Sequence[Size]) -> Any:
    count, width, *inner = sizes
    values, kind = ragged.values, ragged.row_splits.dtype
    if isinstance(values, RaggedTensor):
        values = _filled(values, default, [None, *inner])
    longest = reduce_max(concat([[0], ragged.row_lengths()], 0))
    rows, columns = _size(count, ragged.nrows(), kind), _size(width, longest, kind)
    row = ragged.value_rowids()
    column = numbers_from(sizes_of(values, kind)[0]) - gather(ragged.row_splits, row)
    if count is not None or width is not None:
        kept = (row < rows) & (column < columns)
        row, column, values = (boolean_mask(one, kept) for one in (row, column, values))
    size = concat([stack([rows, columns]), sizes_of(values, kind)[1:]], 0)
    target = broadcast_to(default, size)
    return tensor_scatter_nd_update(target, stack([row, column], 1), values)


def _size(asked: Size, found: Any, kind: Any) -> Any:
    """The size that is asked for; one that only a run knows is negative for the size found."""
    if asked is None:
        return found
    size = as_tensor(asked, kind)
    return size if static_value(size) is not None else where(size < 0, found, size)


def _asked(shape: Any, ragged: RaggedTensor) -> list[Size]:
    own = ragged.shape.dims
    if shape is None or (isinstance(shape, TensorShape) and shape.dims is None):
        return [None] * (ragged.ragged_rank + 1)
    if own is None:
        raise ValueError("to_tensor with a shape needs values of known rank")
    sizes = (
        _of_tensor(shape, ragged) if isinstance(shape, TensorLike) else as_shape(shape).as_list()
    )
    uniform = own[ragged.ragged_rank + 1 :]
    pairs = zip(uniform, sizes[ragged.ragged_rank + 1 :], strict=False)
    differs = any(
        isinstance(size, int) and size != mine for mine, size in pairs if mine is not None
    )
    if len(sizes) != len(own) or differs:
        raise ShapeMismatchError(
            f"to_tensor: a ragged tensor of shape {ragged.shape} cannot become a tensor of shape "
            f"{sizes}"
        )
    return sizes


def _of_tensor(shape: Any, ragged: RaggedTensor) -> list[Size]:
    known = static_value(shape)
    if known is not None:
        return [None if size < 0 else int(size) for size in known]
    from .cast import cast

    return unstack(cast(shape, ragged.row_splits.dtype), len(ragged.shape))

"""`tensor[key]` by NumPy's rules, where arrays of places or of bools are in the key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.values import TensorLike
from ..eager.arrays import is_sequence
from ..eager.indexing import is_mask, slice_operands, strided_slice
from ..ops.array.broadcasting import broadcast_dynamic_shape, broadcast_to
from ..ops.array.concatenation import stack
from ..ops.array.fill import zeros_like
from ..ops.array.gather import gather_densely, gather_nd
from ..ops.array.rearrangement import transpose
from ..ops.array.select import where
from ..ops.array.shapes import shape_of
from ..ops.conversion import as_tensor
from ..ops.math.cast import cast
from ..ops.math.comparison import less
from .axes import moveaxis
from .promotion import as_array
from .selection import nonzero
from .sizes import rank_of

BASIC = (slice, type(...), type(None))


def get_item(tensor: Any, key: Any) -> Any:
    """The part of `tensor` that `key` names; NotImplemented where no array is in the key.

    Arrays of places broadcast. Their axes stand where the first of them stood, if they stand beside
    each other, else in front. An array of bools stands for the places where it is True.

    Raises:
        IndexError: something in the key is no index.
        ValueError: a single bool, which is no mask.
    """
    parts = [_checked(one) for one in (key if isinstance(key, tuple) else (key,))]
    arrays = [one for one in parts if isinstance(one, TensorLike) and one.shape.rank != 0]
    if not arrays or is_mask(key):
        return NotImplemented  # what basic indexing does, or a mask alone
    return _of_arrays(as_tensor(tensor), parts)


def _checked(part: Any) -> Any:
    """An index as it is; what is an array to NumPy, as a tensor."""
    if isinstance(part, BASIC) or (isinstance(part, (int, np.integer)) and type(part) is not bool):
        return part
    if isinstance(part, (bool, np.bool_)):
        raise ValueError("mask cannot be scalar")
    if not (is_sequence(part) or isinstance(part, (TensorLike, np.ndarray))):
        raise _no_index(part)
    is_empty = isinstance(part, (list, tuple)) and not part
    array = as_array(np.zeros(0, np.int64) if is_empty else part)
    if array.dtype.is_bool and array.shape.rank == 0:
        raise ValueError("mask cannot be scalar")
    if not (array.dtype.is_integer or array.dtype.is_bool):
        raise _no_index(part)
    return array


def _no_index(part: Any) -> IndexError:
    return IndexError(
        f"only integers, slices (`:`), ellipsis (`...`), newaxis (`None`) and arrays of integers "
        f"or bools are indices, got {part!r}"
    )


def _of_arrays(tensor: Any, parts: Sequence[Any]) -> Any:
    """First the slices, then the places along the axes that are left for them."""
    places: list[Any] = []
    basic: list[Any] = []
    axes: list[int] = []  # of what the slices leave
    for part in _for_each_axis(parts, rank_of(tensor, "a key with arrays")):
        if not isinstance(part, BASIC):
            axes.append(len(basic))
            places.append(cast(as_tensor(part), dtypes.int64))
            part = slice(None)
        basic.append(part)
    sliced = strided_slice(tensor, slice_operands(tuple(basic)))
    others = [axis for axis in range(len(basic)) if axis not in axes]
    found = _gathered(transpose(sliced, [*axes, *others]), places)
    if axes[-1] - axes[0] >= len(axes):
        return found
    count = len(basic) - len(axes)
    new = found.shape.rank - count
    return moveaxis(found, [*range(new)], [*range(axes[0], axes[0] + new)])


def _for_each_axis(parts: Sequence[Any], rank: int) -> list[Any]:
    """A part for each axis, and None for new ones: `...` and what is left out are slices.

    Bools become the places where they are True.
    """
    whole: list[Any] = []
    for part in parts:
        is_mask = isinstance(part, TensorLike) and part.dtype.is_bool
        whole += nonzero(part) if is_mask else [part]
    named = sum(part is not None and part is not ... for part in whole)
    if named > rank:
        raise IndexError(f"too many indices: {named} for a tensor of rank {rank}")
    rest = [slice(None)] * (rank - named)
    where_rest = next((k for k, part in enumerate(whole) if part is ...), len(whole))
    return [*whole[:where_rest], *rest, *whole[where_rest + 1 :]]


def _gathered(tensor: Any, places: Sequence[Any]) -> Any:
    """The slices of `tensor` at places along its first axes; negative ones count from the end."""
    sizes = cast(shape_of(tensor), dtypes.int64)
    counted = [
        where(less(one, zeros_like(one)), one + sizes[axis], one) for axis, one in enumerate(places)
    ]
    if len(counted) == 1:
        return gather_densely(tensor, counted[0])
    shape = shape_of(counted[0])
    for one in counted[1:]:
        shape = broadcast_dynamic_shape(shape, shape_of(one))
    return gather_nd(tensor, stack([broadcast_to(one, shape) for one in counted], -1))

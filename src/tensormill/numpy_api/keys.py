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
from ..ops.array.shapes import reshape, shape_of
from ..ops.conversion import as_tensor, known_rank
from ..ops.math.cast import cast
from ..ops.math.comparison import less
from .axes import moveaxis
from .promotion import as_array
from .selection import nonzero
from .weak_promotion import is_weak, without_weak

BASIC = (slice, type(...), type(None))


def get_item(tensor: Any, key: Any) -> Any:
    """The part of `tensor` that `key` names; NotImplemented where no array is in the key.

    Arrays of places broadcast. Their axes stand where the first of them stood, if they stand beside
    each other once single places have taken their axes away, else in front, as in TensorFlow. An
    array of bools stands for the places where it is True.

    Raises:
        IndexError: something in the key is no index.
        ValueError: a single bool, which is no mask.
    """
    given = key if isinstance(key, tuple) else (key,)
    parts = [_checked(without_weak(one)) for one in given]
    arrays = [one for one in parts if isinstance(one, TensorLike) and one.shape.rank != 0]
    if not arrays or is_mask(key):
        if any(is_weak(one) for one in given):
            return strided_slice(tensor, slice_operands(tuple(parts)))
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
    """First slices and single places, then the arrays of places along the axes that are left.

    To NumPy a single place beside arrays is one of them, which may part them from each other.
    """
    places: list[Any] = []
    basic: list[Any] = []
    axes: list[int] = []  # of what the slices leave
    count = 0
    for part in _for_each_axis(parts, tensor):
        is_basic = isinstance(part, BASIC)
        is_single = not is_basic and as_tensor(part).shape.rank == 0
        if not is_basic and not is_single:
            axes.append(count)
            places.append(cast(as_tensor(part), dtypes.int64))
        basic.append(part if is_basic or is_single else slice(None))
        count += not is_single
    sliced = strided_slice(tensor, slice_operands(tuple(basic)))
    others = [axis for axis in range(count) if axis not in axes]
    found = _gathered(transpose(sliced, [*axes, *others]), places)
    if axes[-1] - axes[0] >= len(axes):
        return found
    new = found.shape.rank - len(others)
    return moveaxis(found, [*range(new)], [*range(axes[0], axes[0] + new)])


def _for_each_axis(parts: Sequence[Any], tensor: Any) -> list[Any]:
    """A part for each axis, and None for new ones: `...` and what is left out are slices.

    Bools become the places where they are True.
    """
    rank, named = known_rank(tensor, "a key with arrays"), sum(map(_axes_of, parts))
    if named > rank:
        raise IndexError(f"too many indices: {named} for a tensor of rank {rank}")
    rest = [slice(None)] * (rank - named)
    dots = next((k for k, part in enumerate(parts) if part is ...), len(parts))
    whole: list[Any] = []
    axis = 0
    for part in [*parts[:dots], *rest, *parts[dots + 1 :]]:
        whole += nonzero(_fitting(part, tensor, axis)) if _is_mask(part) else [part]
        axis += _axes_of(part)
    return whole


def _is_mask(part: Any) -> bool:
    return isinstance(part, TensorLike) and part.dtype.is_bool


def _axes_of(part: Any) -> int:
    """Of how many axes of the tensor a part speaks."""
    if part is None or part is ...:
        return 0
    return known_rank(part, "a mask in a key") if _is_mask(part) else 1


def _fitting(mask: Any, tensor: Any, axis: int) -> Any:
    """A mask that has a bool for each place.

    Raises:
        IndexError: the axes have other sizes (InvalidArgumentError where run time finds out).
    """
    end = axis + mask.shape.rank
    if not mask.shape.is_compatible_with(tensor.shape[axis:end]):
        raise IndexError(
            f"a mask of shape {mask.shape} has not a bool for each place of the axes from {axis} "
            f"on, of sizes {tensor.shape[axis:end]}"
        )
    known = tensor.shape[axis:end].is_fully_defined() and mask.shape.is_fully_defined()
    return mask if known else reshape(mask, shape_of(tensor)[axis:end])


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

"""`tensor[key]`: what Python gives as a key, as the operands of a strided slice."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..core import dtypes
from ..core.numpy_behavior import changes
from ..core.process.named_tuples import NamedTuple
from ..core.process.tracebacks import hide_frames
from ..core.values import TensorLike
from ..errors import OpError
from ..ops.array.select import boolean_mask as select
from ..ops.array.slicing import StridedSlice
from ..ops.bind import bind
from ..ops.conversion import as_tensor
from ..ops.dispatch.meanings import dispatchable
from ..ops.math.cast import cast

newaxis: Final = None


@dispatchable
def get_item(tensor: Any, key: Any) -> Any:
    """The part of `tensor` that `key` names, as NumPy's basic indexing has it.

    `key` holds ints, slices, `...`, None and scalar integer tensors, or is one boolean mask. A list
    is the same as a tuple.

    Raises:
        TypeError: anything else is in the key.
        InvalidArgumentError: an index is out of range, or there are too many.
    """
    try:
        if changes.get_item is not None:
            found = changes.get_item(tensor, key)
            if found is not NotImplemented:
                return found
        if is_mask(key):
            return boolean_mask(tensor, key)
        if isinstance(key, (tuple, list)) and not key:
            return as_tensor(tensor)
        return strided_slice(tensor, slice_operands(key))
    except (TypeError, ValueError, OpError) as error:
        hide_frames(error)
        raise


def is_mask(key: Any) -> bool:
    if isinstance(key, (bool, np.bool_)):
        return True
    if isinstance(key, TensorLike):
        return key.dtype.is_bool
    return isinstance(key, np.ndarray) and key.dtype.kind == "b"


def boolean_mask(tensor: Any, mask: Any) -> Any:
    if isinstance(mask, (bool, np.bool_)):
        raise ValueError("mask cannot be scalar")
    return select(tensor, mask)


class SliceOperands(NamedTuple):
    """What the strided-slice operations take beside their input."""

    begin: Any
    end: Any
    strides: Any
    masks: dict[str, int]


def slice_operands(key: Any) -> SliceOperands:
    """A key as `begin`, `end`, `strides` (one number or scalar tensor per part) and bit masks.

    Raises:
        TypeError: something in the key is no index.
    """
    parts = tuple(key) if isinstance(key, (tuple, list)) else (key,)
    begin: list[Any] = []
    end: list[Any] = []
    strides: list[Any] = []
    masks: dict[str, int] = dict.fromkeys(
        ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"), 0
    )
    for position, part in enumerate(parts):
        bit = 1 << position
        start: Any = 0
        stop: Any = 0
        step: Any = 1
        if isinstance(part, slice):
            start, masks["begin_mask"] = _bound(part.start, masks["begin_mask"], bit)
            stop, masks["end_mask"] = _bound(part.stop, masks["end_mask"], bit)
            step = 1 if part.step is None else as_index(part.step)
        elif part is ...:
            masks["ellipsis_mask"] |= bit
        elif part is None:
            masks["new_axis_mask"] |= bit
        else:
            start = as_index(part)
            stop = start + 1
            masks["shrink_axis_mask"] |= bit
        begin.append(start)
        end.append(stop)
        strides.append(step)
    vectors = _as_vectors(begin, end, strides)
    return SliceOperands(vectors[0], vectors[1], vectors[2], masks)


def _bound(bound: Any, mask: int, bit: int) -> tuple[Any, int]:
    return (0, mask | bit) if bound is None else (as_index(bound), mask)


def as_index(part: Any) -> Any:
    """An int, or a scalar integer tensor whose value only run time knows.

    Raises:
        TypeError: `part` is neither.
    """
    if isinstance(part, TensorLike) and part.dtype.is_integer and part.shape.rank in (0, None):
        if getattr(part, "symbolic", False):
            return part
        tensor = as_tensor(part)
        return tensor if tensor.symbolic else int(tensor)
    if not isinstance(part, (bool, TensorLike, np.ndarray)) or isinstance(part, np.integer):
        try:
            return part.__index__()
        except (AttributeError, TypeError):
            pass
    if isinstance(part, np.ndarray) and part.ndim == 0 and part.dtype.kind in "iu":
        return int(part)
    raise TypeError(
        f"Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar "
        f"tf.int32/tf.int64 tensors are valid indices, got {part!r}; use tf.gather for several "
        f"indices along an axis, tf.gather_nd for several elements"
    )


def _as_vectors(*lists: list[Any]) -> list[Any]:
    wide = any(
        part.dtype is dtypes.int64 if isinstance(part, TensorLike) else not -(2**31) <= part < 2**31
        for items in lists
        for part in items
    )
    dtype = dtypes.int64 if wide else dtypes.int32
    return [_as_vector(items, dtype) for items in lists]


def _as_vector(items: list[Any], dtype: dtypes.DType) -> Any:
    if not any(isinstance(item, TensorLike) for item in items):
        return np.array(items, dtype.storage)
    return as_tensor([cast(x, dtype) if isinstance(x, TensorLike) else x for x in items], dtype)


def strided_slice(tensor: Any, operands: SliceOperands) -> Any:
    begin, end, strides, masks = operands
    return bind(StridedSlice, tensor, begin, end, strides, name="strided_slice", **masks)

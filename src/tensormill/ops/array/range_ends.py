"""The dtype of ranges: the widest of what they begin with, end before and step by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core import dtypes
from ...core.dtypes import DType, as_dtype
from ...core.values import TensorLike
from ..conversion import as_tensor

# From the narrowest to the widest.
_RANGE_ORDER = (
    dtypes.int32, dtypes.int64, dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64,
)  # fmt: skip


def of_one_dtype(ends: Sequence[Any], dtype: Any) -> list[Any]:
    """Starts, limits and steps of ranges as tensors of `dtype`, or of the widest of theirs.

    Raises:
        ValueError: theirs differ, and one of them has no place in the order of dtypes.
    """
    from ..math.cast import cast  # which imports arrays

    target = None if dtype is None else as_dtype(dtype)
    operands = [as_tensor(x, None if isinstance(x, TensorLike) else target) for x in ends]
    if target is None:
        used = [x.dtype for x in operands]
        target = used[0] if len(set(used)) == 1 else max(used, key=_range_rank)
    return [cast(x, target) for x in operands]


def _range_rank(dtype: DType) -> int:
    if dtype not in _RANGE_ORDER:
        names = ", ".join(one.name for one in _RANGE_ORDER)
        raise ValueError(f"Operands of tf.range with different dtypes must be of {names}")
    return _RANGE_ORDER.index(dtype)

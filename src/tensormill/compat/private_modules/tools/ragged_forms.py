"""Ragged tensors from others, and others from them: `ops.ragged.ragged_conversion_ops`."""

from __future__ import annotations

from typing import Any

from ....core import dtypes
from ....ops.ragged.ragged_tensor import RaggedTensor


def from_tensor(
    tensor: Any, lengths: Any = None, padding: Any = None, ragged_rank: int = 1,
    row_splits_dtype: Any = dtypes.int64, name: str | None = None,
) -> RaggedTensor:  # fmt: skip
    """RaggedTensor.from_tensor, or the tensor itself where it is ragged."""
    if isinstance(tensor, RaggedTensor):
        return tensor
    return RaggedTensor.from_tensor(tensor, lengths, padding, ragged_rank, name, row_splits_dtype)


def from_sparse(st_input: Any, name: str | None = None) -> RaggedTensor:
    """RaggedTensor.from_sparse."""
    return RaggedTensor.from_sparse(st_input, name)


def to_tensor(rt_input: Any, default_value: Any = None, name: str | None = None) -> Any:
    """The tensor of a ragged one; another tensor itself."""
    if not isinstance(rt_input, RaggedTensor):
        return rt_input
    return rt_input.to_tensor(default_value, name)


def ragged_to_dense(
    rt_input: RaggedTensor, default_value: Any = None, shape: Any = None, name: str | None = None
) -> Any:
    """The tensor of a ragged one, of this shape."""
    return rt_input.to_tensor(default_value, name, shape)


def to_sparse(rt_input: RaggedTensor, name: str | None = None) -> Any:
    """The sparse tensor of a ragged one."""
    return rt_input.to_sparse(name)


def auto_cast_partition_dtype() -> bool:
    """Whether row splits of different dtypes are cast where they meet: not in TensorFlow 2."""
    return False

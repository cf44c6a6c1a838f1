"""Questions that programs ask of values: is it sparse, is it ragged?"""

from __future__ import annotations

from typing import Any

from ....core.dtypes import as_dtype
from ....eager.convert import convert_to_tensor
from ....ops.ragged.ragged_tensor import RaggedTensor
from ....ops.ragged.ragged_value import RaggedTensorValue
from ....ops.sparse.sparse_tensor import SparseTensor, SparseTensorValue


def is_sparse(x: Any) -> bool:
    """Whether it is a sparse tensor, or the value of one."""
    return isinstance(x, (SparseTensor, SparseTensorValue))


def is_ragged(value: Any) -> bool:
    """Whether it is a ragged tensor, or the value of one."""
    return isinstance(value, (RaggedTensor, RaggedTensorValue))


def convert_to_tensor_or_ragged_tensor(
    value: Any, dtype: Any = None, preferred_dtype: Any = None, name: str | None = None
) -> Any:
    """A ragged tensor as it is, its value as one, all else as a tensor.

    Raises:
        ValueError: a ragged tensor has another dtype.
    """
    if isinstance(value, RaggedTensorValue):
        splits = value.nested_row_splits
        value = RaggedTensor.from_nested_row_splits(value.flat_values, splits)
    if not isinstance(value, RaggedTensor):
        return convert_to_tensor(value, dtype, name=name, dtype_hint=preferred_dtype)
    if dtype is not None and not as_dtype(dtype).is_compatible_with(value.dtype):
        raise ValueError(
            f"Tensor conversion requested dtype {as_dtype(dtype).name} for RaggedTensor with dtype "
            f"{value.dtype.name}: {value!r}"
        )
    return value

"""Specs of several values, and of one of several: ragged, sparse, and types made of tensors."""

from __future__ import annotations

from typing import Any

from ..core import tree
from ..core.shapes import TensorShape
from ..core.specs import TensorSpec
from ..ops.extension_type import own_encoder_of
from ..ops.ragged.ragged_tensor import RaggedTensorSpec
from ..ops.sparse.sparse_tensor import SparseTensorSpec


def batched_leaf(leaf: Any, size: int | None) -> Any:
    """The spec of several values that `leaf` describes; None where there is none."""
    if isinstance(leaf, RaggedTensorSpec):
        shape = TensorShape((size,)).concatenate(leaf.shape)
        return RaggedTensorSpec(shape, leaf.dtype, leaf.ragged_rank + 1, leaf.row_splits_dtype)
    if isinstance(leaf, SparseTensorSpec):
        return SparseTensorSpec(TensorShape((size,)).concatenate(leaf.shape), leaf.dtype)
    return _in_fields(leaf, lambda inner: _batched_field(inner, size))


def unbatched_leaf(leaf: Any) -> Any:
    """The spec of one of the values that `leaf` describes; None where there is none."""
    if isinstance(leaf, RaggedTensorSpec):
        if not leaf.ragged_rank:  # its values are tensors
            return TensorSpec(_rest(leaf.shape), leaf.dtype)
        rank = leaf.ragged_rank - 1
        return RaggedTensorSpec(_rest(leaf.shape), leaf.dtype, rank, leaf.row_splits_dtype)
    if isinstance(leaf, SparseTensorSpec):
        return SparseTensorSpec(_rest(leaf.shape), leaf.dtype)
    return _in_fields(leaf, _unbatched_field)


def _rest(shape: TensorShape) -> TensorShape:
    if shape.rank == 0:
        raise ValueError("Unbatching a dataset is only supported for rank >= 1")
    return TensorShape(None) if shape.rank is None else shape[1:]


def _in_fields(leaf: Any, change: Any) -> Any:
    if not getattr(leaf, "is_batchable", False):
        return None
    if own_encoder_of(leaf) is not None:
        raise TypeError(
            f"{leaf!r} has a __batch_encoder__ of its own: only `batch`, `unbatch`, "
            "`from_tensor_slices`, tf.map_fn and tf.vectorized_map know it, for whole elements"
        )
    return type(leaf).of_fields(
        {name: tree.map_structure(change, value) for name, value in leaf.described_fields.items()}
    )


def _batched_field(field: Any, size: int | None) -> Any:
    if isinstance(field, TensorShape):
        return TensorShape((size,)).concatenate(field)
    if isinstance(field, TensorSpec):
        return TensorSpec(TensorShape((size,)).concatenate(field.shape), field.dtype)
    return batched_leaf(field, size) or field


def _unbatched_field(field: Any) -> Any:
    if isinstance(field, TensorShape):
        return _rest(field)
    if isinstance(field, TensorSpec):
        return TensorSpec(_rest(field.shape), field.dtype)
    return unbatched_leaf(field) or field

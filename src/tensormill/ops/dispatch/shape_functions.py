"""Functions of the shape, for sparse and ragged tensors alike."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import context, dtypes
from ...core.dtypes import as_dtype
from ...core.tree import Composite
from ..array import fill, shapes
from ..conversion import as_tensor
from ..math.cast import cast
from ..math.reduce import reduce_prod
from ..ragged.ragged_shape import DynamicRaggedShape
from ..ragged.ragged_tensor import RaggedTensor
from ..sparse.sparse_tensor import SparseTensor, SparseTensorValue, as_sparse
from .meanings import means_for


@means_for(shapes.shape, RaggedTensor)
def ragged_shape(input: RaggedTensor, out_type: Any, name: str | None) -> DynamicRaggedShape:
    return DynamicRaggedShape.from_tensor(input, out_type or dtypes.int32)


@means_for(shapes.shape, SparseTensor, SparseTensorValue)
def dense_shape(input: Any, out_type: Any, name: str | None) -> Any:
    return cast(as_sparse(input).dense_shape, _size_dtype(out_type))


@means_for(shapes.size, RaggedTensor)
def size_of_rows(input: RaggedTensor, out_type: Any, name: str | None) -> Any:
    """The number of the elements that are there."""
    return shapes.size(input.flat_values, _size_dtype(out_type))


@means_for(shapes.size, SparseTensor, SparseTensorValue)
def dense_size(input: Any, out_type: Any, name: str | None) -> Any:
    """The number of all elements, those included that are not there."""
    return cast(reduce_prod(as_sparse(input).dense_shape), _size_dtype(out_type))


def _size_dtype(out_type: Any) -> dtypes.DType:
    return dtypes.int32 if out_type is None else as_dtype(out_type)


@means_for(fill.zeros_like, SparseTensor)
def dense_zeros(input: SparseTensor, dtype: Any, name: str | None, layout: Any) -> Any:
    return _filled_like(fill.zeros, input, dtype, name)


@means_for(fill.ones_like, SparseTensor)
def dense_ones(input: SparseTensor, dtype: Any, name: str | None, layout: Any) -> Any:
    return _filled_like(fill.ones, input, dtype, name)


def _filled_like(make: Any, input: SparseTensor, dtype: Any, name: str | None) -> Any:
    """A dense tensor, where TensorFlow gives one: where the shape or the dtype alone counts."""
    wanted = input.dtype if dtype is None else as_dtype(dtype)
    if context.building_graph() and input.shape.is_fully_defined():
        return make(input.shape, wanted, name)
    if wanted is input.dtype:
        return NotImplemented
    return make(input.dense_shape, wanted, name)


@means_for(shapes.rank, SparseTensorValue)
def rank_of_arrays(input: SparseTensorValue, name: str | None) -> Any:
    return rank(as_sparse(input), name)


@means_for(shapes.rank, Composite)
def rank(input: Any, name: str | None) -> Any:
    known = getattr(input, "shape", None)
    if isinstance(input, SparseTensor) and input.shape.rank is None:
        return shapes.size(input.dense_shape)
    if known is None or known.rank is None or hasattr(input, "__tf_tensor__"):
        return NotImplemented
    return as_tensor(np.array(known.rank, np.int32))

"""Functions of the shape, for sparse and ragged tensors alike."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import dtypes
from ...core.dtypes import as_dtype
from ..array.fill import ones_like as dense_ones_like
from ..array.fill import zeros_like as dense_zeros_like
from ..array.shapes import size as dense_size
from ..composites import is_opaque
from ..conversion import as_tensor
from ..math import signs
from ..math.cast import cast
from ..math.reduce import reduce_prod
from ..ragged.ragged_shape import DynamicRaggedShape
from ..ragged.ragged_tensor import RaggedTensor
from ..sparse.sparse_tensor import SparseTensor


def abs(x: Any, name: str | None = None) -> Any:
    return x.with_values(signs.abs(x.values)) if _is_sparse(x) else _on_flat(signs.abs, x)


def _is_sparse(value: Any) -> bool:
    return isinstance(value, SparseTensor)


def _on_flat(function: Any, x: Any) -> Any:
    if not hasattr(x, "flat_values"):
        return NotImplemented
    return x.with_flat_values(function(x.flat_values))


def shape(input: Any, out_type: Any = None, name: str | None = None) -> Any:
    """Of a sparse tensor, the dense shape; of a ragged one, a DynamicRaggedShape."""
    if _is_sparse(input):
        return cast(input.dense_shape, dtypes.int32 if out_type is None else as_dtype(out_type))
    if isinstance(input, RaggedTensor):
        return DynamicRaggedShape.from_tensor(input, out_type or dtypes.int32)
    return NotImplemented


def size(input: Any, out_type: Any = None, name: str | None = None) -> Any:
    """Of a sparse tensor, the number of all elements; of a ragged one, of those that are there."""
    target = dtypes.int32 if out_type is None else as_dtype(out_type)
    if _is_sparse(input):
        return cast(reduce_prod(input.dense_shape), target)
    return (
        dense_size(input.flat_values, target) if hasattr(input, "flat_values") else NotImplemented
    )


def rank(input: Any, name: str | None = None) -> Any:
    known = getattr(input, "shape", None)
    if not is_opaque(input) or known is None or known.rank is None:
        return NotImplemented
    return as_tensor(np.array(known.rank, np.int32))


def zeros_like(input: Any, dtype: Any = None, name: str | None = None, layout: Any = None) -> Any:
    return _on_flat(lambda flat: dense_zeros_like(flat, dtype), input)


def ones_like(input: Any, dtype: Any = None, name: str | None = None, layout: Any = None) -> Any:
    return _on_flat(lambda flat: dense_ones_like(flat, dtype), input)

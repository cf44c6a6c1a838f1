"""Elements of sparse tensors times, divided by or plus those of a tensor at the same places."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any

from ...core.native_operations import FEW
from ..array.broadcasting import broadcast_to
from ..array.gather import gather_nd
from ..bind import bind
from ..conversion import as_tensor
from ..dispatch.in_one_piece import in_one_piece
from ..families import Rephrased
from ..math import arithmetic
from ..math.arithmetic import multiply
from ..math.division import RealDiv, TruncateDiv
from ..math.division import truediv as divide
from ..op import NUMBERS, In, Out
from .linear_indices import LAST
from .sparse_tensor import SparseTensor, SparseTensorValue


def times_dense(sparse: SparseTensor, dense: Any) -> SparseTensor:
    """At every place that is there: times what `dense`, broadcast, has there."""
    return _with_dense(sparse, dense, multiply)


def divided_by_dense(sparse: SparseTensor, dense: Any) -> SparseTensor:
    """At every place that is there: divided by what `dense`, broadcast, has there."""
    return _with_dense(sparse, dense, divide)


def _with_dense(
    sparse: SparseTensor, dense: Any, operation: Callable[[Any, Any], Any]
) -> SparseTensor:
    if isinstance(dense, (SparseTensor, SparseTensorValue)):
        raise ValueError(
            f"Attempt to convert a value ({dense}) with an unsupported type "
            f"({type(dense)}) to a Tensor."
        )
    factor = as_tensor(dense, sparse.dtype)
    parts = sparse.indices, sparse.values, sparse.dense_shape
    op = SparseDenseCwiseMul if operation is multiply else SparseDenseCwiseDiv
    keeps_dtype = operation is multiply or not sparse.dtype.is_integer
    found = in_one_piece(op, *parts, factor) if keeps_dtype else None
    if found is not None:
        return sparse.with_values(*found)
    if factor.shape.rank != 0:
        factor = gather_nd(broadcast_to(factor, sparse.dense_shape), sparse.indices)
    return sparse.with_values(operation(sparse.values, factor))


class CwiseWithDense(Rephrased, abstract=True):
    """Elements that are there, and those of a tensor that broadcasts at the same places."""

    sp_indices = In("i64 n r")
    sp_values = In("T n")
    sp_shape = In("i64 r")
    dense = In("T ...")
    output = Out("T n")
    T = NUMBERS

    def beside(self) -> Any:
        """The tensor's elements."""
        return gather_nd(broadcast_to(self.dense, self.sp_shape), self.sp_indices)


class SparseDenseCwiseAdd(CwiseWithDense):
    """Elements that are there, plus those of a tensor."""

    def expand(self) -> Any:
        return arithmetic.add(self.sp_values, self.beside())


class SparseDenseCwiseMul(CwiseWithDense):
    """Elements that are there, times those of a tensor."""

    native_from = FEW
    native_axes = MappingProxyType({"sp_indices": LAST})

    def expand(self) -> Any:
        return multiply(self.sp_values, self.beside())


class SparseDenseCwiseDiv(CwiseWithDense):
    """Elements that are there, divided by those of a tensor."""

    native_from = FEW
    native_axes = MappingProxyType({"sp_indices": LAST})

    def expand(self) -> Any:
        return bind(
            TruncateDiv if self.sp_values.dtype.is_integer else RealDiv,
            self.sp_values,
            self.beside(),
        )

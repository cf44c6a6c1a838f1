"""Operations on the components of sparse tensors, as TensorFlow's files have them."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.specs import TensorSpec
from ..array.scatter import tensor_scatter_nd_add
from ..families import Rephrased
from ..linalg.matmul import matmul
from ..math.cast import cast
from ..op import ANY, INDEX, NUMBERS, REALS, Attr, In, Out, types, usually
from . import arithmetic, layout
from .linear_indices import parts_of
from .sparse_tensor import SparseTensor

# ---------------------------------------------------------------- order and shape


class SparseConcat(Rephrased):
    """Sparse tensors one after the other along an axis."""

    indices = In("N * i64 ...")
    values = In("N * T ...")
    shapes = In("N * i64 ...")
    output_indices = Out("i64 n r")
    output_values = Out("T n")
    output_shape = Out("i64 r")
    concat_dim = Attr(int)
    T = ANY

    def expand(self) -> tuple[Any, ...]:
        listed = list(map(SparseTensor, self.indices, self.values, self.shapes))
        return parts_of(layout.concat(self.concat_dim, listed))


# ---------------------------------------------------------------- reductions


class SparseReduction(Rephrased, abstract=True):
    """A reduction of the elements that are there, along some axes."""

    input_indices: Any
    input_values: Any
    input_shape: Any
    reduction_axes: Any
    keep_dims: Any

    def reduced(self, combine: Any, is_sparse: bool) -> Any:
        sparse = SparseTensor.of_parts(self.input_indices, self.input_values, self.input_shape)
        axes = self.reduction_axes
        return combine(sparse, axes, self.keep_dims, output_is_sparse=is_sparse)


class SparseReduceSum(SparseReduction):
    """Sums of the elements that are there."""

    input_indices = In("i64 n r")
    input_values = In("T n")
    input_shape = In("i64 r")
    reduction_axes = In("i32 ...")
    output = Out("T ...")
    keep_dims = Attr(False)
    T = NUMBERS

    def expand(self) -> Any:
        return self.reduced(arithmetic.reduce_sum, False)


class SparseReduceSumSparse(SparseReduction):
    """The same as a sparse tensor."""

    input_indices = In("i64 n r")
    input_values = In("T n")
    input_shape = In("i64 r")
    reduction_axes = In("i32 ...")
    output_indices = Out("i64 ...")
    output_values = Out("T ...")
    output_shape = Out("i64 ...")
    keep_dims = Attr(False)
    T = NUMBERS

    def expand(self) -> Any:
        return parts_of(self.reduced(arithmetic.reduce_sum, True))


class SparseReduceMax(SparseReduction):
    """The largest of the elements that are there."""

    input_indices = In("i64 n r")
    input_values = In("T n")
    input_shape = In("i64 r")
    reduction_axes = In("i32 ...")
    output = Out("T ...")
    keep_dims = Attr(False)
    T = REALS

    def expand(self) -> Any:
        return self.reduced(arithmetic.reduce_max, False)


class SparseReduceMaxSparse(SparseReduction):
    """The same as a sparse tensor."""

    input_indices = In("i64 n r")
    input_values = In("T n")
    input_shape = In("i64 r")
    reduction_axes = In("i32 ...")
    output_indices = Out("i64 ...")
    output_values = Out("T ...")
    output_shape = Out("i64 ...")
    keep_dims = Attr(False)
    T = REALS

    def expand(self) -> Any:
        return parts_of(self.reduced(arithmetic.reduce_max, True))


class SparseSoftmax(Rephrased):
    """exp(x) divided by its sum over the elements that are in the same row."""

    sp_indices = In("i64 n r")
    sp_values = In("T n")
    sp_shape = In("i64 r")
    output = Out("T n")
    T = types("f16 f32 f64")

    def expand(self) -> Any:
        sparse = SparseTensor.of_parts(self.sp_indices, self.sp_values, self.sp_shape)
        return arithmetic.softmax(sparse).values


# ---------------------------------------------------------------- two operands


class SparseTensorDenseAdd(Rephrased):
    """A tensor with the elements of a sparse one added."""

    a_indices = In("Tindices n r")
    a_values = In("T n")
    a_shape = In("Tindices r")
    b = In("T ...")
    output = Out("T ...")
    T = NUMBERS
    Tindices = INDEX

    def expand(self) -> Any:
        return tensor_scatter_nd_add(self.b, self.a_indices, self.a_values)


class SparseMatMul(Rephrased):
    """The product of two matrices, of which TensorFlow looks for the zeros."""

    a = In("Ta m k")
    b = In("Tb n l")
    product = Out("f32 ...")
    transpose_a = Attr(False)
    transpose_b = Attr(False)
    a_is_sparse = Attr(False)
    b_is_sparse = Attr(False)
    Ta = types("f32 bf16")
    Tb = types("f32 bf16")
    usual = usually(Ta="f32", Tb="f32")

    def infer(self) -> TensorSpec:
        return TensorSpec((None, None), dtypes.float32)

    def expand(self) -> Any:
        a, b = (cast(one, dtypes.float32) for one in (self.a, self.b))
        return matmul(a, b, self.transpose_a, self.transpose_b)

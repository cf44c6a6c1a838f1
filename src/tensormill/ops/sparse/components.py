"""Operations on the components of sparse tensors, as TensorFlow's files have them."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.specs import TensorSpec
from ...errors import KernelMissingError
from ..array.broadcasting import broadcast_to
from ..array.gather import gather_nd
from ..array.scatter import tensor_scatter_nd_add
from ..array.shapes import reshape
from ..array.shapes import shape as shape_of
from ..array.sorting import argsort
from ..bind import bind
from ..conversion import static_int
from ..families import Rephrased
from ..linalg.matmul import matmul
from ..math.arithmetic import add, multiply
from ..math.cast import cast
from ..math.division import RealDiv, TruncateDiv
from ..math.reduce import reduce_sum
from ..op import ANY, INDEX, NUMBERS, REALS, Attr, In, Out, types, usually
from . import arithmetic, layout
from .linear_indices import in_order, wide
from .sparse_tensor import SparseTensor


def parts_of(sparse: SparseTensor) -> tuple[Any, Any, Any]:
    return sparse.indices, sparse.values, sparse.dense_shape


# ---------------------------------------------------------------- order and shape


class SparseReorder(Rephrased):
    """The elements in row-major order."""

    input_indices = In("i64 n r")
    input_values = In("T n")
    input_shape = In("i64 r")
    output_indices = Out("i64 n r")
    output_values = Out("T n")
    T = ANY

    def expand(self) -> tuple[Any, Any]:
        sparse = SparseTensor.of_parts(self.input_indices, self.input_values, self.input_shape)
        return parts_of(in_order(sparse))[:2]


class SparseReshape(Rephrased):
    """Indices in another shape, of which one size may be -1; and that shape."""

    input_indices = In("i64 n r")
    input_shape = In("i64 r")
    new_shape = In("i64 s")
    output_indices = Out("i64 n s")
    output_shape = Out("i64 s")
    differentiable = False

    def expand(self) -> tuple[Any, Any]:
        numbers = reduce_sum(self.input_indices, 1)  # any: nobody reads them
        sparse = SparseTensor.of_parts(self.input_indices, numbers, self.input_shape)
        indices, _, shape = parts_of(layout.reshape(sparse, self.new_shape))
        return indices, shape


class SparseSlice(Rephrased):
    """The elements in a part of the whole."""

    indices = In("i64 n r")
    values = In("T n")
    shape = In("i64 r")
    start = In("i64 r")
    size = In("i64 r")
    output_indices = Out("i64 m r")
    output_values = Out("T m")
    output_shape = Out("i64 r")
    T = ANY

    def expand(self) -> tuple[Any, ...]:
        sparse = SparseTensor.of_parts(self.indices, self.values, self.shape)
        return parts_of(layout.slice(sparse, self.start, self.size))


class SparseSplit(Rephrased):
    """Parts of about one length along an axis: their indices, their values, their shapes."""

    split_dim = In("i64")
    indices = In("i64 n r")
    values = In("T n")
    shape = In("i64 r")
    output_indices = Out("num_split * i64 ...")
    output_values = Out("num_split * T ...")
    output_shape = Out("num_split * i64 ...")
    num_split = Attr(int)
    T = ANY

    def infer(self) -> tuple[Any, ...]:
        rank = self.indices.shape.entries[1] if self.indices.shape.entries else None
        kinds = (
            TensorSpec((None, rank), dtypes.int64), TensorSpec((None,), self.values.dtype),
            TensorSpec((rank,), dtypes.int64),
        )  # fmt: skip
        return tuple([kind for kind in kinds for _ in range(self.num_split)])

    def expand(self) -> tuple[Any, ...]:
        axis = static_int(self.split_dim)
        axis = reshape(self.split_dim, []) if axis is None else axis
        sparse = SparseTensor.of_parts(self.indices, self.values, self.shape)
        parts = map(parts_of, layout.split(sparse, self.num_split, axis))
        return tuple([one for kind in zip(*parts, strict=True) for one in kind])


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


class SparseFillEmptyRows(Rephrased):
    """With a default in each row that is empty; which these are, and where each element is now."""

    indices = In("i64 n r")
    values = In("T n")
    dense_shape = In("i64 r")
    default_value = In("T")
    output_indices = Out("i64 m r")
    output_values = Out("T m")
    empty_row_indicator = Out("bool rows")
    reverse_index_map = Out("i64 n")
    T = ANY

    def expand(self) -> tuple[Any, ...]:
        sparse = SparseTensor.of_parts(self.indices, self.values, self.dense_shape)
        made, empty, order = layout.filled_rows(sparse, self.default_value)
        places = wide(argsort(order))[: shape_of(self.indices)[0]]
        return made.indices, made.values, empty, places


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


class SparseAdd(Rephrased):
    """The sum of two sparse tensors, without what is smaller than a threshold."""

    a_indices = In("i64 n r")
    a_values = In("T n")
    a_shape = In("i64 r")
    b_indices = In("i64 m r")
    b_values = In("T m")
    b_shape = In("i64 r")
    thresh = In("Treal")
    sum_indices = Out("i64 k r")
    sum_values = Out("T k")
    sum_shape = Out("i64 r")
    T = NUMBERS
    Treal = REALS

    def expand(self) -> tuple[Any, ...]:
        a = SparseTensor.of_parts(self.a_indices, self.a_values, self.a_shape)
        b = SparseTensor.of_parts(self.b_indices, self.b_values, self.b_shape)
        return parts_of(arithmetic.add(a, b, self.thresh))


class SparseSparseMaximum(Rephrased):
    """The larger of two sparse tensors' elements; what is not there is zero."""

    a_indices = In("i64 n r")
    a_values = In("T n")
    a_shape = In("i64 r")
    b_indices = In("i64 m r")
    b_values = In("T m")
    b_shape = In("i64 r")
    output_indices = Out("i64 k r")
    output_values = Out("T k")
    T = REALS

    def expand(self) -> tuple[Any, ...]:
        a = SparseTensor.of_parts(self.a_indices, self.a_values, self.a_shape)
        b = SparseTensor.of_parts(self.b_indices, self.b_values, self.b_shape)
        return parts_of(arithmetic.maximum(a, b))[:2]


class SparseSparseMinimum(Rephrased):
    """The smaller of two sparse tensors' elements; what is not there is zero."""

    a_indices = In("i64 n r")
    a_values = In("T n")
    a_shape = In("i64 r")
    b_indices = In("i64 m r")
    b_values = In("T m")
    b_shape = In("i64 r")
    output_indices = Out("i64 k r")
    output_values = Out("T k")
    T = REALS

    def expand(self) -> tuple[Any, ...]:
        a = SparseTensor.of_parts(self.a_indices, self.a_values, self.a_shape)
        b = SparseTensor.of_parts(self.b_indices, self.b_values, self.b_shape)
        return parts_of(arithmetic.minimum(a, b))[:2]


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


class SparseTensorDenseMatMul(Rephrased):
    """The product of a sparse and a dense matrix."""

    a_indices = In("Tindices n two")
    a_values = In("T n")
    a_shape = In("i64 two")
    b = In("T k m")
    product = Out("T ...")
    adjoint_a = Attr(False)
    adjoint_b = Attr(False)
    T = NUMBERS
    refusal = KernelMissingError
    Tindices = INDEX

    def expand(self) -> Any:
        sparse = SparseTensor.of_parts(wide(self.a_indices), self.a_values, self.a_shape)
        return arithmetic.sparse_dense_matmul(sparse, self.b, self.adjoint_a, self.adjoint_b)


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


class CwiseWithDense(Rephrased, abstract=True):
    """Elements that are there, and those of a tensor that broadcasts at the same places."""

    sp_indices: Any
    sp_values: Any
    sp_shape: Any
    dense: Any

    def beside(self) -> Any:
        """The tensor's elements."""
        return gather_nd(broadcast_to(self.dense, self.sp_shape), self.sp_indices)


class SparseDenseCwiseAdd(CwiseWithDense):
    """Elements that are there, plus those of a tensor."""

    sp_indices = In("i64 n r")
    sp_values = In("T n")
    sp_shape = In("i64 r")
    dense = In("T ...")
    output = Out("T n")
    T = NUMBERS

    def expand(self) -> Any:
        return add(self.sp_values, self.beside())


class SparseDenseCwiseMul(CwiseWithDense):
    """Elements that are there, times those of a tensor."""

    sp_indices = In("i64 n r")
    sp_values = In("T n")
    sp_shape = In("i64 r")
    dense = In("T ...")
    output = Out("T n")
    T = NUMBERS

    def expand(self) -> Any:
        return multiply(self.sp_values, self.beside())


class SparseDenseCwiseDiv(CwiseWithDense):
    """Elements that are there, divided by those of a tensor."""

    sp_indices = In("i64 n r")
    sp_values = In("T n")
    sp_shape = In("i64 r")
    dense = In("T ...")
    output = Out("T n")
    T = NUMBERS

    def expand(self) -> Any:
        return bind(
            TruncateDiv if self.sp_values.dtype.is_integer else RealDiv,
            self.sp_values,
            self.beside(),
        )

"""Operations on the components of sparse tensors, as TensorFlow's files have them."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.specs import TensorSpec
from ..array.scatter import tensor_scatter_nd_add
from ..families import Rephrased
from ..linalg.matmul import matmul
from ..math.cast import cast
from ..op import ANY, INDEX, NUMBERS, Attr, In, Out, types, usually
from . import layout
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

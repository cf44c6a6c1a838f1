"""Operations of matrices under older names, as TensorFlow's files have them."""

from __future__ import annotations

from typing import Any

from ..bind import bind
from ..conversion import as_tensor
from ..families import Rephrased
from ..math.cast import cast
from ..op import ANY, NUMBERS, Attr, In, Out, types
from .diagonals import MatrixDiagPartV3, MatrixDiagV3, MatrixSetDiagV3
from .matmul import BatchMatMulV2

LEFT = "LEFT_LEFT"


class MatrixDiag(Rephrased):
    """Matrices with the given diagonals, and zeros elsewhere."""

    diagonal = In("T ...")
    output = Out("T ...")
    T = ANY

    def expand(self) -> Any:
        nothing = as_tensor(False if self.diagonal.dtype.is_bool else 0, self.diagonal.dtype)
        return bind(MatrixDiagV3, self.diagonal, 0, -1, -1, nothing)


class MatrixDiagV2(Rephrased):
    """Matrices with the given diagonals, shorter ones from the left."""

    diagonal = In("T ...")
    k = In("i32 ...")
    num_rows = In("i32")
    num_cols = In("i32")
    padding_value = In("T")
    output = Out("T ...")
    T = ANY

    def expand(self) -> Any:
        operands = (self.diagonal, self.k, self.num_rows, self.num_cols, self.padding_value)
        return bind(MatrixDiagV3, *operands, align=LEFT)


class MatrixDiagPart(Rephrased):
    """The diagonals of matrices."""

    input = In("T ...")
    diagonal = Out("T ...")
    T = ANY

    def expand(self) -> Any:
        nothing = as_tensor(False if self.input.dtype.is_bool else 0, self.input.dtype)
        return bind(MatrixDiagPartV3, self.input, 0, nothing)


class MatrixDiagPartV2(Rephrased):
    """The diagonals of matrices, shorter ones from the left."""

    input = In("T ...")
    k = In("i32 ...")
    padding_value = In("T")
    diagonal = Out("T ...")
    T = ANY

    def expand(self) -> Any:
        return bind(MatrixDiagPartV3, self.input, self.k, self.padding_value, align=LEFT)


class MatrixSetDiag(Rephrased):
    """Matrices with other diagonals."""

    input = In("T ...")
    diagonal = In("T ...")
    output = Out("T ...")
    T = ANY

    def expand(self) -> Any:
        return bind(MatrixSetDiagV3, self.input, self.diagonal, 0)


class MatrixSetDiagV2(Rephrased):
    """Matrices with other diagonals, shorter ones from the left."""

    input = In("T ...")
    diagonal = In("T ...")
    k = In("i32 ...")
    output = Out("T ...")
    T = ANY

    def expand(self) -> Any:
        return bind(MatrixSetDiagV3, self.input, self.diagonal, self.k, align=LEFT)


class BatchMatMul(Rephrased):
    """Products of matrices."""

    x = In("T ...")
    y = In("T ...")
    output = Out("T ...")
    adj_x = Attr(False)
    adj_y = Attr(False)
    grad_x = Attr(False)
    grad_y = Attr(False)
    T = types("bf16 f16 f32 f64 i32 i64 c64 c128")

    def expand(self) -> Any:
        return bind(BatchMatMulV2, self.x, self.y, adj_x=self.adj_x, adj_y=self.adj_y)


class BatchMatMulV3(Rephrased):
    """Products of matrices, in another dtype."""

    x = In("Ta ...")
    y = In("Tb ...")
    output = Out("Tout ...")
    Tout = Attr(allowed=types("bf16 c128 c64 f16 f32 f64 i16 i32 i64"))
    adj_x = Attr(False)
    adj_y = Attr(False)
    grad_x = Attr(False)
    grad_y = Attr(False)
    Ta = Tb = NUMBERS - types("u16 u32 u64")

    def expand(self) -> Any:
        x, y = (cast(one, self.Tout) for one in (self.x, self.y))
        return bind(BatchMatMulV2, x, y, adj_x=self.adj_x, adj_y=self.adj_y)

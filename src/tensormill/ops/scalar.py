"""The language of scalar rules, and its reading by NumPy.

A rule `scalar(s, x, y)` says what an elementwise operation does to one element. It uses Python's
operators (`+ - * / // % **`, comparisons, `& | ^ ~`, unary `-`) on its arguments and the methods
of `s` named below. Three readers exist: `NUMPY` here (whole arrays at once: eager execution), the
loop builder of the compiler (expressions that become LLVM instructions), and JAX's.

    abs sign sqrt rsqrt square reciprocal
    exp expm1 log log1p pow sigmoid tanh erf erfc lgamma digamma
    sin cos tan asin acos atan atan2 sinh cosh asinh acosh atanh
    floor ceil round(half to even) maximum minimum floor_divide floor_modulo truncate_divide
    is_nan is_inf is_finite logical_and logical_or logical_not
    where(condition, a, b)   cast(x, dtype)   constant(value, like=x)
    real imag conj complex angle
    left_shift right_shift

`/` on two scalars of one float type is their quotient. Integer `//` and `%` round down, and are
checked for a zero divisor by the operation, not here. Comparisons give bool.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.dtypes import DType


class NumpyScalars:
    """Reads scalar rules over whole NumPy arrays."""

    abs = np.abs
    sqrt = np.sqrt
    square = np.square
    exp = np.exp
    expm1 = np.expm1
    log = np.log
    log1p = np.log1p
    pow = np.power
    tanh = np.tanh
    sin = np.sin
    cos = np.cos
    tan = np.tan
    asin = np.arcsin
    acos = np.arccos
    atan = np.arctan
    atan2 = np.arctan2
    sinh = np.sinh
    cosh = np.cosh
    asinh = np.arcsinh
    acosh = np.arccosh
    atanh = np.arctanh
    floor = np.floor
    ceil = np.ceil
    round = np.rint
    maximum = np.maximum
    minimum = np.minimum
    floor_divide = np.floor_divide
    floor_modulo = np.mod
    is_nan = np.isnan
    is_inf = np.isinf
    is_finite = np.isfinite
    logical_and = np.logical_and
    logical_or = np.logical_or
    logical_not = np.logical_not
    where = np.where
    real = np.real
    imag = np.imag
    conj = np.conj
    angle = np.angle
    left_shift = np.left_shift
    right_shift = np.right_shift

    def sign(self, x: Any) -> Any:
        return np.sign(x)

    def rsqrt(self, x: Any) -> Any:
        return self.reciprocal(np.sqrt(x))

    def reciprocal(self, x: Any) -> Any:
        return np.true_divide(np.ones((), np.asarray(x).dtype), x)

    def sigmoid(self, x: Any) -> Any:
        """1 / (1 + exp(-x)), without overflow on either side."""
        small = np.exp(-np.abs(x))
        one = np.ones((), small.dtype)
        return np.where(x >= 0, one, small) / (one + small)

    def truncate_divide(self, x: Any, y: Any) -> Any:
        return np.trunc(np.true_divide(x, y)).astype(np.asarray(x).dtype)

    def complex(self, real: Any, imag: Any) -> Any:
        wide = np.complex64 if np.asarray(real).dtype == np.float32 else np.complex128
        out = np.empty(np.broadcast_shapes(np.shape(real), np.shape(imag)), wide)
        out.real, out.imag = real, imag
        return out

    def erf(self, x: Any) -> Any:
        return _special("erf", x)

    def erfc(self, x: Any) -> Any:
        return _special("erfc", x)

    def lgamma(self, x: Any) -> Any:
        return _special("gammaln", x)

    def digamma(self, x: Any) -> Any:
        return _special("digamma", x)

    def cast(self, x: Any, dtype: DType) -> Any:
        return np.asarray(x).astype(dtype.numpy)

    def constant(self, value: Any, like: Any) -> Any:
        return np.asarray(value, np.asarray(like).dtype)


def _special(name: str, x: Any) -> Any:
    """SciPy is imported only when one of its functions is needed."""
    from scipy import special

    x = np.asarray(x)
    wide = x if x.dtype.itemsize >= 4 else x.astype(np.float32)
    return getattr(special, name)(wide).astype(x.dtype)


NUMPY = NumpyScalars()

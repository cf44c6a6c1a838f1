# Written by `make stubs` from the table beside it.

"""`tf.math.special`: rare functions of one number."""

from ..eager.tensor import Tensor as _Tensor
from typing import Any as _Any

__all__ = ['bessel_i0', 'bessel_i0e', 'bessel_i1', 'bessel_i1e', 'bessel_j0', 'bessel_j1', 'bessel_k0', 'bessel_k0e', 'bessel_k1', 'bessel_k1e', 'bessel_y0', 'bessel_y1', 'dawsn', 'expint', 'fresnel_cos', 'fresnel_sin', 'spence']

def bessel_i0(x: _Any, name: _Any = None) -> _Tensor:
    """The modified Bessel function of the first kind, of order 0.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.bessel_i0([0.0, 1.0, 2.0]).numpy().round(3)
    array([1.   , 1.266, 2.28 ], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype."""

def bessel_i0e(x: _Any, name: _Any = None) -> _Tensor:
    """exp(-|x|) times the modified Bessel function of the first kind, of order 0.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.bessel_i0e([0.0, 1.0, 2.0]).numpy().round(3)
    array([1.   , 0.466, 0.309], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype."""

def bessel_i1(x: _Any, name: _Any = None) -> _Tensor:
    """The modified Bessel function of the first kind, of order 1.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.bessel_i1([0.0, 1.0, 2.0]).numpy().round(3)
    array([0.   , 0.565, 1.591], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype."""

def bessel_i1e(x: _Any, name: _Any = None) -> _Tensor:
    """exp(-|x|) times the modified Bessel function of the first kind, of order 1.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.bessel_i1e([0.0, 1.0, 2.0]).numpy().round(3)
    array([0.   , 0.208, 0.215], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype."""

def bessel_j0(x: _Any, name: _Any = None) -> _Tensor:
    """The Bessel function of the first kind, of order 0.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.special.bessel_j0([0.0, 1.0, 2.0]).numpy().round(3)
    array([1.   , 0.765, 0.224], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype."""

def bessel_j1(x: _Any, name: _Any = None) -> _Tensor:
    """The Bessel function of the first kind, of order 1.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.special.bessel_j1([0.0, 1.0, 2.0]).numpy().round(3)
    array([0.   , 0.44 , 0.577], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype."""

def bessel_k0(x: _Any, name: _Any = None) -> _Tensor:
    """The modified Bessel function of the second kind, of order 0: inf at 0, NaN below.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.special.bessel_k0([0.0, 1.0, 2.0]).numpy().round(3)
    array([  inf, 0.421, 0.114], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype."""

def bessel_k0e(x: _Any, name: _Any = None) -> _Tensor:
    """exp(x) times the modified Bessel function of the second kind, of order 0.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.special.bessel_k0e([0.0, 1.0, 2.0]).numpy().round(3)
    array([  inf, 1.144, 0.842], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype."""

def bessel_k1(x: _Any, name: _Any = None) -> _Tensor:
    """The modified Bessel function of the second kind, of order 1: inf at 0, NaN below.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.special.bessel_k1([0.0, 1.0, 2.0]).numpy().round(3)
    array([  inf, 0.602, 0.14 ], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype."""

def bessel_k1e(x: _Any, name: _Any = None) -> _Tensor:
    """exp(x) times the modified Bessel function of the second kind, of order 1.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.special.bessel_k1e([0.0, 1.0, 2.0]).numpy().round(3)
    array([  inf, 1.636, 1.033], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype."""

def bessel_y0(x: _Any, name: _Any = None) -> _Tensor:
    """The Bessel function of the second kind, of order 0: -inf at 0, NaN below.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.special.bessel_y0([0.0, 1.0, 2.0]).numpy().round(3)
    array([ -inf, 0.088, 0.51 ], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype."""

def bessel_y1(x: _Any, name: _Any = None) -> _Tensor:
    """The Bessel function of the second kind, of order 1: -inf at 0, NaN below.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.special.bessel_y1([0.0, 1.0, 2.0]).numpy().round(3)
    array([  -inf, -0.781, -0.107], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype."""

def dawsn(x: _Any, name: _Any = None) -> _Tensor:
    """Dawson's integral: that of exp(t^2 - x^2) over t, from 0 to x.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.special.dawsn([0.0, 1.0, 2.0]).numpy().round(3)
    array([0.   , 0.538, 0.301], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype."""

def expint(x: _Any, name: _Any = None) -> _Tensor:
    """The exponential integral Ei: that of exp(t) / t from -inf to x; -inf at 0, NaN below.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.special.expint([-1.0, 0.0, 1.0]).numpy().round(3)
    array([  nan,  -inf, 1.895], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype."""

def fresnel_cos(x: _Any, name: _Any = None) -> _Tensor:
    """The integral of cos(pi t^2 / 2) from 0 to x.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.special.fresnel_cos([0.0, 1.0, 2.0]).numpy().round(3)
    array([0.   , 0.78 , 0.488], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype."""

def fresnel_sin(x: _Any, name: _Any = None) -> _Tensor:
    """The integral of sin(pi t^2 / 2) from 0 to x.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.special.fresnel_sin([0.0, 1.0, 2.0]).numpy().round(3)
    array([0.   , 0.438, 0.343], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype."""

def spence(x: _Any, name: _Any = None) -> _Tensor:
    """The dilogarithm of 1 - x: the integral of log(t) / (1 - t) from 1 to x; NaN below 0.

    x: floats of any shape; the result has its shape and dtype.

    >>> tf.math.special.spence([0.0, 1.0, 2.0]).numpy().round(3)
    array([ 1.645,  0.   , -0.822], dtype=float32)

    Raises:
        DTypeMismatchError: a tensor of another dtype."""

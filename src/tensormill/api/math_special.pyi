# Written by `make stubs` from the table beside it.

"""`tf.math.special`: rare functions of one number."""

from typing import Any as _Any

__all__ = ['bessel_i0', 'bessel_i0e', 'bessel_i1', 'bessel_i1e', 'bessel_j0', 'bessel_j1', 'bessel_k0', 'bessel_k0e', 'bessel_k1', 'bessel_k1e', 'bessel_y0', 'bessel_y1', 'dawsn', 'expint', 'fresnel_cos', 'fresnel_sin', 'spence']

def bessel_i0(x: _Any, name: _Any = None) -> _Any:
    """The modified Bessel function of the first kind, of order 0."""

def bessel_i0e(x: _Any, name: _Any = None) -> _Any:
    """exp(-|x|) times the modified Bessel function of the first kind, of order 0."""

def bessel_i1(x: _Any, name: _Any = None) -> _Any:
    """The modified Bessel function of the first kind, of order 1."""

def bessel_i1e(x: _Any, name: _Any = None) -> _Any:
    """exp(-|x|) times the modified Bessel function of the first kind, of order 1."""

def bessel_j0(x: _Any, name: _Any = None) -> _Any:
    """The Bessel function of the first kind, of order 0."""

def bessel_j1(x: _Any, name: _Any = None) -> _Any:
    """The Bessel function of the first kind, of order 1."""

def bessel_k0(x: _Any, name: _Any = None) -> _Any:
    """The modified Bessel function of the second kind, of order 0."""

def bessel_k0e(x: _Any, name: _Any = None) -> _Any:
    """exp(x) times the modified Bessel function of the second kind, of order 0."""

def bessel_k1(x: _Any, name: _Any = None) -> _Any:
    """The modified Bessel function of the second kind, of order 1."""

def bessel_k1e(x: _Any, name: _Any = None) -> _Any:
    """exp(x) times the modified Bessel function of the second kind, of order 1."""

def bessel_y0(x: _Any, name: _Any = None) -> _Any:
    """The Bessel function of the second kind, of order 0."""

def bessel_y1(x: _Any, name: _Any = None) -> _Any:
    """The Bessel function of the second kind, of order 1."""

def dawsn(x: _Any, name: _Any = None) -> _Any:
    """Dawson's integral: that of exp(t^2 - x^2) over t, from 0 to x."""

def expint(x: _Any, name: _Any = None) -> _Any:
    """The exponential integral Ei."""

def fresnel_cos(x: _Any, name: _Any = None) -> _Any:
    """The integral of cos(pi t^2 / 2) from 0 to x."""

def fresnel_sin(x: _Any, name: _Any = None) -> _Any:
    """The integral of sin(pi t^2 / 2) from 0 to x."""

def spence(x: _Any, name: _Any = None) -> _Any:
    """The dilogarithm of 1 - x."""

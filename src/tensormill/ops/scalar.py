"""The language of scalar rules, and its reading by NumPy.

A rule `scalar(s, x, y)` says what an elementwise operation does to one element. It uses Python's
operators (`+ - * / // % **`, comparisons, `& | ^ ~`, unary `-`) on its arguments and the methods
of `s` named below. Three readers exist: `NUMPY` here (whole arrays at once: eager execution), the
loop builder of the compiler (expressions that become LLVM instructions), and JAX's.

    abs sign sqrt rsqrt square reciprocal
    exp expm1 log log1p pow sigmoid tanh erf erfc lgamma digamma
    bessel_ i0 i1 i0e i1e j0 j1 y0 y1 k0 k1 k0e k1e, dawsn expint fresnel_sin fresnel_cos spence
    zeta(x, q) of q >= 0
    sin cos tan asin acos atan atan2 sinh cosh asinh acosh atanh
    floor ceil round(half to even) maximum minimum
    floor_divide floor_modulo truncate_divide truncate_modulo
    is_nan is_inf is_finite logical_and logical_or logical_not
    where(condition, a, b)   cast(x, dtype)   constant(value, like=x)
    real imag conj complex angle
    left_shift right_shift

`/` on two scalars of one float type is their quotient. Integer `//` and `%` round down, and are
checked for a zero divisor by the operation, not here; `floor_divide` of floats is floor(x / y).
`truncate_divide` and `truncate_modulo` round towards zero. Comparisons give bool.
`maximum` and `minimum` are NaN where either operand is; of zeros they give the second, of half
floats the first, as TensorFlow does for many elements. The `sign` of a zero has none.

`cast` of a float to an integer drops the fraction. Beyond the range of int32 (for 8, 16 bits and
int32) or int64 (for int64, uint32) and for NaN the machine's answer is the smallest integer, of
which narrow types keep the low bits; uint64 takes 0 .. 2**64 and gives 2**63 beyond.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ..core import dtypes
from ..core.dtypes import DType, shown
from ..core.narrow_numbers import rounded_to_odd


def _of_scipy(name: str, above: float | None = None, below: float | None = None) -> Any:
    """A method: the function of scipy.special with this name, and its limits at both infinities
    where SciPy says NaN.
    """

    def of_element(self: Any, x: Any) -> Any:
        found = by_scipy(name, x)
        for end, limit in ((np.inf, above), (-np.inf, below)):
            if limit is not None:
                found = np.where(np.equal(x, end), limit, found).astype(found.dtype)
        return found

    return of_element


def far_waves(name: str, x: Any, found: Any) -> Any:
    """What SciPy found for x, with what is right far away: Hankel's expansion (Abramowitz and
    Stegun 9.2.5), of which the terms beyond the first are below a unit in the last place.
    """
    is_far = np.isfinite(x) & (np.abs(x) > FAR)
    if name[0] == "y":
        is_far &= x > 0
    if not is_far.any():
        return found
    t = np.abs(np.where(is_far, x, 1.0)).astype(np.float64)
    order = int(name[1])
    cosine, sine = (np.cos(t) + np.sin(t)), (np.sin(t) - np.cos(t))  # of t - pi/4, by sqrt(2)
    if order == 1:
        cosine, sine = sine, -cosine
    fraction = (4 * order**2 - 1) / (8 * t)
    wave = cosine - fraction * sine if name[0] == "j" else sine + fraction * cosine
    wave = wave / np.sqrt(np.pi * t)
    if name == "j1":
        wave = np.where(x < 0, -wave, wave)
    return np.where(is_far, wave, found).astype(found.dtype)


# SciPy takes x - pi/4 in the format of x; NumPy's sin and cos of x itself are exact.
FAR: Final = 1e8


def _wave(name: str, above: float, below: float | None = None) -> Any:
    """`_of_scipy`, right for large numbers as well."""
    near = _of_scipy(name, above, below)

    def of_element(self: Any, x: Any) -> Any:
        return far_waves(name, np.asarray(x), near(self, x))

    return of_element


def _with_small_numbers(larger: Any, small: Any) -> Any:
    """What `small` says of the least numbers, whose halves and inverses SciPy loses."""

    def of_element(self: Any, x: Any) -> Any:
        x = np.asarray(x)
        least = (x > 0) & (x < _LEAST)
        if x.dtype != np.float64 or not least.any():
            return larger(self, x)
        with np.errstate(over="ignore"):
            return np.where(least, small(np.where(least, x, 1.0)), larger(self, x))

    return of_element


def _k0_small(x: Any) -> Any:
    """The first term (Abramowitz and Stegun 9.6.13); the next one is below x²."""
    return -np.log(x) + (math.log(2.0) - np.euler_gamma)


_LEAST = 2.0**-1000


def power_of(x: Any, y: Any) -> Any:
    """x to the power y, as C's pow says it: NumPy takes the root where all of y is one half, which
    is NaN of minus infinity and -0 of -0.
    """
    if np.asarray(x).dtype.kind == "f" and np.any(is_half := np.equal(y, 0.5)):
        x = np.where(is_half & (np.isneginf(x) | np.equal(x, 0)), np.abs(x), x)
    return np.power(x, y)


def _is_bfloat16(x: Any) -> bool:
    return getattr(x, "dtype", None) is _BFLOAT16


def _first_of_equals(function: np.ufunc) -> Callable[..., Any]:
    """Of equal half floats the first, which zeros are told by; ml_dtypes takes the second."""

    def of_elements(x: Any, y: Any) -> Any:
        return function(y, x) if _is_bfloat16(x) else function(x, y)

    return of_elements


_BFLOAT16: Final = dtypes.bfloat16.storage
_ZERO: Final = np.zeros((), _BFLOAT16)


class NumpyScalars:
    """Reads scalar rules over whole NumPy arrays."""

    abs = np.abs
    sqrt = np.sqrt
    square = np.square
    exp = np.exp
    expm1 = np.expm1
    log = np.log
    log1p = np.log1p
    pow = staticmethod(power_of)
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
    maximum = staticmethod(_first_of_equals(np.maximum))
    minimum = staticmethod(_first_of_equals(np.minimum))
    floor_modulo = np.mod
    is_nan = np.isnan
    is_inf = np.isinf
    is_finite = np.isfinite
    logical_and = np.logical_and
    logical_or = np.logical_or
    logical_not = np.logical_not
    where = staticmethod(np.where)
    real = staticmethod(np.real)
    imag = staticmethod(np.imag)
    conj = np.conj
    angle = staticmethod(np.angle)
    left_shift = np.left_shift
    right_shift = np.right_shift

    def sign(self, x: Any) -> Any:
        found = np.sign(x)
        return found + _ZERO if _is_bfloat16(x) else found  # ml_dtypes keeps the sign of zeros

    def rsqrt(self, x: Any) -> Any:
        wide = _steps_in(x)
        return self.reciprocal(np.sqrt(wide)).astype(x.dtype, copy=False)

    def reciprocal(self, x: Any) -> Any:
        return np.true_divide(np.ones((), np.asarray(x).dtype), x)

    def sigmoid(self, x: Any) -> Any:
        """1 / (1 + exp(-x)), without overflow on either side."""
        if np.iscomplexobj(x):
            return self.reciprocal(1 + np.exp(-x))
        small = np.exp(-np.abs(_steps_in(x)))
        one = np.ones((), small.dtype)
        return (np.where(x >= 0, one, small) / (one + small)).astype(x.dtype, copy=False)

    def floor_divide(self, x: Any, y: Any) -> Any:
        if np.asarray(x).dtype.kind in "iu":
            return np.floor_divide(x, y)
        return np.floor(x / y)

    def truncate_divide(self, x: Any, y: Any) -> Any:
        if np.asarray(x).dtype.kind not in "iu":
            return np.trunc(x / y)
        down = np.floor_divide(x, y)
        return down + ((down * y != x) & ((x < 0) != (y < 0)))

    def truncate_modulo(self, x: Any, y: Any) -> Any:
        return np.fmod(x, y)

    def complex(self, real: Any, imag: Any) -> Any:
        wide = np.complex64 if np.asarray(real).dtype == np.float32 else np.complex128
        out = np.empty(np.broadcast_shapes(np.shape(real), np.shape(imag)), wide)
        out.real, out.imag = real, imag
        return out

    def erf(self, x: Any) -> Any:
        return by_scipy("erf", x)

    def erfc(self, x: Any) -> Any:
        found = by_scipy("erfc", x)
        return found * (1.0 - _error_of_square(x)) if found.dtype == np.float64 else found

    def lgamma(self, x: Any) -> Any:
        # lgamma(-inf) is inf (C, TensorFlow); SciPy says otherwise.
        found = by_scipy("gammaln", np.where(np.isneginf(x), -x, x))
        if found.dtype != np.float64:
            return found
        # SciPy takes the poles of the least numbers for theirs.
        least = (np.abs(x) < _LEAST) & (x != 0)
        found = np.where(least, -np.log(np.abs(np.where(least, x, 1.0))), found)
        from .math.lgamma_near_roots import corrected

        return corrected(np.asarray(x), found)

    def digamma(self, x: Any) -> Any:
        # At zero, too, a pole has no sign (TensorFlow; SciPy says minus infinity).
        x = np.where(np.equal(x, 0), np.nan, x).astype(np.asarray(x).dtype)
        found = by_scipy("digamma", x)
        # SciPy takes the cotangent of a rounded multiple of π.
        r = x - np.rint(x)
        beside = (x < -0.5) & (r != 0)
        if found.dtype == np.float64 and beside.any():
            reflected = by_scipy("digamma", 1 - x) - np.pi / np.tan(np.pi * r + ~beside)
            found = np.where(beside, reflected, found)
        return found

    bessel_i0 = _of_scipy("i0", above=np.inf, below=np.inf)
    bessel_i1 = _of_scipy("i1", above=np.inf, below=-np.inf)
    bessel_i0e, bessel_i1e = _of_scipy("i0e"), _of_scipy("i1e")
    bessel_j0, bessel_j1 = (_wave(one, above=0.0, below=0.0) for one in ("j0", "j1"))
    bessel_k0, bessel_k0e = (
        _with_small_numbers(_of_scipy(one), _k0_small) for one in ("k0", "k0e")
    )
    bessel_k1, bessel_k1e = (
        _with_small_numbers(_of_scipy(one), np.reciprocal) for one in ("k1", "k1e")
    )
    bessel_y0 = _wave("y0", above=0.0)
    bessel_y1 = _with_small_numbers(_wave("y1", above=0.0), lambda x: -2.0 / np.pi / x)
    spence = _of_scipy("spence", above=-np.inf)

    def expint(self, x: Any) -> Any:
        """SciPy's is off by 200 units in the last place from 40 on, where it ends the series at
        infinity early (Abramowitz and Stegun 5.1.51).
        """
        x, found = np.asarray(x), by_scipy("expi", x)
        is_far = (x >= 40.0) & np.isfinite(x)
        if x.dtype != np.float64 or not is_far.any():
            return found
        inverse = 1.0 / np.where(is_far, x, 40.0)
        with np.errstate(over="ignore"):
            half = np.exp(np.where(is_far, x, 40.0) * 0.5)
            far = half * (inverse * np.polynomial.polynomial.polyval(inverse, _EXPINT_FAR)) * half
        return np.where(is_far, far, found)

    def dawsn(self, x: Any) -> Any:
        """SciPy's is off by 30 units in the last place where Taylor's series is short, and by 13
        where the one at infinity is (Abramowitz and Stegun 7.1.23).
        """
        dtype, x = np.asarray(x).dtype, np.asarray(x, np.float64)
        polynomial = np.polynomial.polynomial.polyval
        small, large = np.clip(x, -0.1, 0.1), np.where(np.abs(x) < 10.0, 10.0, x)
        near = small * polynomial(np.square(small), _DAWSN)
        inverse = 1.0 / large
        far = 0.5 * inverse * polynomial(np.square(inverse) * 0.5, _DAWSN_FAR)
        found = np.where(np.abs(x) < 10.0, by_scipy("dawsn", x), far)
        return np.where(np.abs(x) < 0.1, near, found).astype(dtype)

    def zeta(self, x: Any, q: Any) -> Any:
        found = by_scipy("zeta", x, q)
        # From 1e13 on SciPy says NaN of what becomes 0; the first term alone counts there.
        with np.errstate(all="ignore"):
            found = np.where((x > 1e12) & (q >= 0), np.power(np.abs(q), -x), found)
        return zeta_with_poles(self, found, x, q).astype(np.asarray(x).dtype)

    def fresnel_sin(self, x: Any) -> Any:
        return by_scipy("fresnel", _within(x, 1e100))[0]

    def fresnel_cos(self, x: Any) -> Any:
        return by_scipy("fresnel", _within(x, 1e100))[1]

    def cast(self, x: Any, dtype: DType) -> Any:
        x, storage = shown(np.asarray(x)), dtype.plain
        if x.dtype.kind == "c" and storage.kind not in "cb":
            x = x.real
        if dtype.is_narrow:
            x = _for_narrow(x, dtype)
        if storage.kind not in "iu" or x.dtype.kind in "iub":
            with np.errstate(all="ignore"):
                return x.astype(storage)
        return _integers(x, storage)

    def bitcast(self, x: Any, dtype: DType) -> Any:
        return np.asarray(x).view(dtype.storage)

    def constant(self, value: Any, like: Any) -> Any:
        return np.asarray(value, np.asarray(like).dtype)


def _steps_in(x: Any) -> Any:
    """16 bits as float32: what compiled code computes in one step is rounded to them once."""
    return x.astype(np.float32) if x.dtype.itemsize == 2 else x


def _for_narrow(x: Any, dtype: DType) -> Any:
    """What ml_dtypes casts to a narrow type as TensorFlow does: not a float64, of which it would
    round a float32, and no other narrow number.
    """
    if x.dtype.kind == "V":
        x = x.astype(np.float32)
    if dtype.is_integer:
        return x if x.dtype.kind in "iub" else _integers(x, np.dtype(np.int32))
    return rounded_to_odd(NUMPY, x) if x.dtype == np.float64 else x


def _integers(x: np.ndarray[Any, Any], storage: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """Floats without their fractions. C leaves open what NaN and large ones give; this does not."""
    if x.dtype.itemsize < 4:
        x = x.astype(np.float32)
    bits = 32 if storage.itemsize < 8 and storage != np.uint32 else 64
    limit = 2.0 ** (bits - 1)
    signed = np.int64 if bits == 64 else np.int32
    if x.size and -limit < x.min() and x.max() < limit:  # mostly all are: C does what is wanted
        return x.astype(signed).astype(storage, copy=False)
    x = np.trunc(x)
    if storage == np.uint64:
        above = x >= 2.0**63
        low = np.where((x >= -(2.0**63)) & ~above, x, -(2.0**63)).astype(np.int64).astype(storage)
        high = np.where(above & (x < 2.0**64), x, 2.0**63).astype(storage)
        return np.where(above, high, low)
    inside = np.where((x >= -limit) & (x < limit), x, -limit)
    return inside.astype(signed).astype(storage)


def _error_of_square(x: Any) -> Any:
    """x² less the float that it is rounded to, which SciPy's erfc takes for it: in the tail that
    is 250 units in the last place of e**(-x²). 0 elsewhere.
    """
    x = np.where((x > 1.0) & (x < 30.0), x, 0.0)
    square, high = x * x, x * 134217729.0  # Veltkamp's splitting, Dekker's product
    high = high - (high - x)
    low = x - high
    return ((high * high - square) + 2.0 * high * low) + low * low


# The coefficients (-2)**k / (2k+1)!! of dawsn(x) / x in x².
_DAWSN = np.cumprod([1.0, *(-2.0 / (2 * k + 1) for k in range(1, 8))])
# The coefficients k! of x e**-x Ei(x) in 1/x, of which the last is the least at 40.
_EXPINT_FAR = np.cumprod([1.0, *map(float, range(1, 40))])
# The coefficients (2k-1)!! of 2x dawsn(x) in 1/2x².
_DAWSN_FAR = np.cumprod([1.0, *(2.0 * k - 1.0 for k in range(1, 15))])


def _within(x: Any, most: float) -> Any:
    """Larger numbers as `most`, of float64 only; infinities and NaN as they are."""
    x = np.asarray(x)
    if x.dtype != np.float64:
        return x
    return np.where(np.isfinite(x), np.clip(x, -most, most), x)


def zeta_with_poles(s: Any, found: Any, x: Any, q: Any) -> Any:
    """zeta(x, q) where `found` is right for no pole: at 0, -1, ... and -inf it is inf for even x;
    for others the limits of both sides differ, and there is none.
    """
    inf, nan = s.constant(np.inf, x), s.constant(np.nan, x)
    is_even = s.floor(x / s.constant(2, x)) * s.constant(2, x) == x
    is_pole = (q <= s.constant(0, q)) & (s.floor(q) == q)
    found = s.where(is_pole, s.where(is_even, inf, nan), found)
    return s.where(x == 1, inf, s.where(x > 1, found, nan))


def scipy_ufunc(name: str) -> Any:
    """A ufunc of scipy.special; None where there is none of that name."""
    from scipy import special

    if name == "zeta":  # there it is a function, which also takes one operand
        return getattr(getattr(special, "_ufuncs", None), "_zeta", None)
    return getattr(special, name, None)


def by_scipy(name: str, *operands: Any) -> Any:
    """A function of scipy.special, which is imported only when one is needed."""
    from scipy import special

    arrays = [np.asarray(one) for one in operands]
    dtype = arrays[0].dtype
    wide = [one if one.dtype.itemsize >= 4 else one.astype(np.float32) for one in arrays]
    with np.errstate(all="ignore"):
        found = getattr(special, name)(*wide)
    if isinstance(found, tuple):
        return tuple(one.astype(dtype) for one in found)
    return np.asarray(found).astype(dtype)


NUMPY = NumpyScalars()

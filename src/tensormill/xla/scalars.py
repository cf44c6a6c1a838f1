"""The language of scalar rules (ops/scalar.py), read by JAX: whole arrays in programs."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.scipy import special

from ..core.dtypes import DType
from ..core.narrow_numbers import rounded_to_odd
from ..ops.scalar import zeta_with_poles
from .recipes import of_recipe


class JaxScalars:
    """Reads scalar rules over whole JAX arrays."""

    abs = staticmethod(jnp.abs)
    sign = staticmethod(jnp.sign)
    sqrt = staticmethod(jnp.sqrt)
    rsqrt = staticmethod(lax.rsqrt)
    square = staticmethod(jnp.square)
    exp = staticmethod(jnp.exp)
    expm1 = staticmethod(jnp.expm1)
    log = staticmethod(jnp.log)
    log1p = staticmethod(jnp.log1p)
    tanh = staticmethod(jnp.tanh)
    sin = staticmethod(jnp.sin)
    cos = staticmethod(jnp.cos)
    tan = staticmethod(jnp.tan)
    asin = staticmethod(jnp.arcsin)
    acos = staticmethod(jnp.arccos)
    atan = staticmethod(jnp.arctan)
    atan2 = staticmethod(jnp.arctan2)
    sinh = staticmethod(jnp.sinh)
    cosh = staticmethod(jnp.cosh)
    asinh = staticmethod(jnp.arcsinh)
    acosh = staticmethod(jnp.arccosh)
    atanh = staticmethod(jnp.arctanh)
    floor = staticmethod(jnp.floor)
    ceil = staticmethod(jnp.ceil)
    round = staticmethod(jnp.rint)
    maximum = staticmethod(jnp.maximum)
    minimum = staticmethod(jnp.minimum)
    floor_modulo = staticmethod(jnp.mod)
    truncate_modulo = staticmethod(jnp.fmod)
    is_nan = staticmethod(jnp.isnan)
    is_inf = staticmethod(jnp.isinf)
    is_finite = staticmethod(jnp.isfinite)
    logical_and = staticmethod(jnp.logical_and)
    logical_or = staticmethod(jnp.logical_or)
    logical_not = staticmethod(jnp.logical_not)
    where = staticmethod(jnp.where)
    real = staticmethod(jnp.real)
    imag = staticmethod(jnp.imag)
    conj = staticmethod(jnp.conj)
    angle = staticmethod(jnp.angle)
    left_shift = staticmethod(jnp.left_shift)
    right_shift = staticmethod(jnp.right_shift)
    erf = staticmethod(special.erf)
    erfc = staticmethod(special.erfc)
    bessel_i0, bessel_i1 = of_recipe("bessel_i0"), of_recipe("bessel_i1")
    bessel_i0e, bessel_i1e = of_recipe("bessel_i0e"), of_recipe("bessel_i1e")
    bessel_j0, bessel_j1 = of_recipe("bessel_j0"), of_recipe("bessel_j1")
    bessel_y0, bessel_y1 = of_recipe("bessel_y0"), of_recipe("bessel_y1")
    bessel_k0, bessel_k1 = of_recipe("bessel_k0"), of_recipe("bessel_k1")
    bessel_k0e, bessel_k1e = of_recipe("bessel_k0e"), of_recipe("bessel_k1e")
    dawsn, spence, expint = of_recipe("dawsn"), of_recipe("spence"), of_recipe("expint")
    fresnel_sin, fresnel_cos = of_recipe("fresnel_sin"), of_recipe("fresnel_cos")

    def reciprocal(self, x: Any) -> Any:
        return self.constant(1, x) / x

    def pow(self, x: Any, y: Any) -> Any:
        found = jnp.power(x, y)
        if not jnp.iscomplexobj(found):
            return found
        # Of 0: 1 where y is 0, 0 where it is more, NaN elsewhere.
        nan = self.constant(complex(np.nan, np.nan), found)
        of_zero = jnp.where(y.real > 0, 0, jnp.where(y == 0, 1, nan))
        return jnp.where(x == 0, of_zero, found)

    def complex(self, real: Any, imag: Any) -> Any:
        return lax.complex(*jnp.broadcast_arrays(real, imag))

    def sigmoid(self, x: Any) -> Any:
        """1 / (1 + exp(-x)), without overflow on either side."""
        one = self.constant(1, x)
        if jnp.iscomplexobj(x):
            return one / (one + jnp.exp(-x))
        return jax.nn.sigmoid(x)

    def divide(self, x: Any, y: Any) -> Any:
        """x / y, rounded once: as the processor divides.

        XLA makes a product with the reciprocal, which is rounded twice, of a division by what it
        sees to be the same for many elements. Of a divisor that depends on each element of `x` it
        does not: where that is NaN, so is the quotient, whatever it is divided by.
        """
        x, y = jnp.broadcast_arrays(x, y)
        return x / y if jnp.issubdtype(x.dtype, jnp.integer) else x / jnp.where(x != x, x, y)

    def floor_divide(self, x: Any, y: Any) -> Any:
        if jnp.issubdtype(x.dtype, jnp.integer):
            return jnp.floor_divide(x, y)
        return jnp.floor(self.divide(x, y))

    def truncate_divide(self, x: Any, y: Any) -> Any:
        if jnp.issubdtype(x.dtype, jnp.integer):
            return lax.div(*jnp.broadcast_arrays(x, y))
        return jnp.trunc(self.divide(x, y))

    def lgamma(self, x: Any) -> Any:
        # lgamma(-inf) is inf (C, TensorFlow).
        return special.gammaln(jnp.where(jnp.isneginf(x), -x, x))

    def digamma(self, x: Any) -> Any:
        # At zero, too, a pole has no sign (TensorFlow).
        return jnp.where(x == 0, self.constant(np.nan, x), special.digamma(x))

    def zeta(self, x: Any, q: Any) -> Any:
        return zeta_with_poles(self, special.zeta(x, q), x, q)

    def cast(self, x: Any, dtype: DType) -> Any:
        x, storage = jnp.asarray(x), dtype.storage
        if jnp.iscomplexobj(x) and storage.kind not in "cb":
            x = x.real
        if dtype.is_narrow and x.dtype == np.float64:
            x = rounded_to_odd(self, x)  # XLA would round twice
        if storage.kind not in "iu" or x.dtype.kind in "iub":
            return x.astype(storage)
        return _integers(x, storage)

    def bitcast(self, x: Any, dtype: DType) -> Any:
        return lax.bitcast_convert_type(x, dtype.storage)

    def constant(self, value: Any, like: Any) -> Any:
        return jnp.asarray(np.asarray(value, like.dtype))


def _integers(x: Any, storage: np.dtype[Any]) -> Any:
    """Floats without their fractions; what NaN and large ones give is what ops/scalar.py says."""
    if x.dtype.itemsize < 4:
        x = x.astype(jnp.float32)
    bits = 32 if storage.itemsize < 8 and storage != np.uint32 else 64
    signed, limit = jnp.int64 if bits == 64 else jnp.int32, 2.0 ** (bits - 1)
    x = jnp.trunc(x)
    if storage == np.uint64:
        above = x >= 2.0**63
        low = jnp.where((x >= -limit) & ~above, x, -limit).astype(signed).astype(storage)
        high = jnp.where(above & (x < 2.0**64), x, 2.0**63).astype(storage)
        return jnp.where(above, high, low)
    return jnp.where((x >= -limit) & (x < limit), x, -limit).astype(signed).astype(storage)

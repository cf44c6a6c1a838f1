"""`tf.math.special`: rare functions of one number."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "ops.math.special": (
        "bessel_i0 bessel_i0e bessel_i1 bessel_i1e bessel_j0 bessel_j1 bessel_k0 bessel_k0e "
        "bessel_k1 bessel_k1e bessel_y0 bessel_y1 dawsn expint fresnel_cos fresnel_sin spence"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.math.special")

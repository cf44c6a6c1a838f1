"""Fourier transforms of arrays along one axis, by NumPy's loops, in the precision of their numbers.

`numpy.fft` transforms 32-bit numbers forwards as 64-bit ones, which takes three to seven times as
long. Its loops of 32 bits are as exact as TensorFlow's: their tables of roots are right to the last
bit, and errors grow with the logarithm of the length.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def ufunc(name: str) -> Any:
    """NumPy's `fft`, `ifft`, `rfft_n_even`, `rfft_n_odd`, `irfft`; None where it has none."""
    return getattr(getattr(np.fft, "_pocketfft_umath", None), name, None)


def transformed(kind: str, x: Any, axis: int, points: int) -> Any:
    """The transform of `x` along an axis; what `x` has too much is left out, what it lacks is 0."""
    real = x.real.dtype
    wide = np.result_type(real, np.complex64)
    found = ufunc((f"rfft_n_{'odd' if points % 2 else 'even'}") if kind == "rfft" else kind)
    if found is None:
        run = getattr(np.fft, kind)
        return run(x, points, axis).astype(real if kind == "irfft" else wide, copy=False)
    shape = list(x.shape)
    shape[axis] = points // 2 + 1 if kind == "rfft" else points
    out = np.empty(shape, real if kind == "irfft" else wide)
    one = real.type(1)
    factor = one / real.type(points) if kind in ("ifft", "irfft") else one
    return found(x, factor, axes=[(axis,), (), (axis,)], out=out)

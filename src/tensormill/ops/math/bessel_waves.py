"""Bessel functions of numbers so large that SciPy's steps lose where in a wave they are."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
_FAR = 1e8  # SciPy takes x - pi/4 in the format of x; sin and cos of x itself are exact


def far_waves(name: str, x: Array, found: Array) -> Array:
    """What SciPy found for x, with what is right far away: Hankel's expansion (Abramowitz and
    Stegun 9.2.5), of which the terms beyond the first are below a unit in the last place.
    """
    is_far = np.isfinite(x) & (np.abs(x) > _FAR)
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

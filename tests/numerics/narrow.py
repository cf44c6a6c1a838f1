"""Numbers of 16 bits: all of them, against the same function in float64.

float64's own errors, which are in `measured.json` as well, are far below what 16 bits show.
"""

from __future__ import annotations

from typing import Any, Final

import ml_dtypes
import numpy as np

from .catalogue import FUNCTIONS
from .measure import short
from .operands import Array
from .sides import SIDES, eager

DTYPES: Final[dict[str, Any]] = {"float16": np.float16, "bfloat16": ml_dtypes.bfloat16}
NAMES: Final = [name for name, one in FUNCTIONS.items() if len(one.places[0]) == 1]


def measure(name: str) -> dict[str, Any]:
    """For each dtype and side [how many of a thousand are not the nearest number, largest error].

    Subnormal operands and values are left out, as is what is no number in float64.
    """
    figures: dict[str, Any] = {}
    for dtype, numbers in DTYPES.items():
        operand = _all(numbers)
        true = eager(name, "float64", [operand])
        limits = ml_dtypes.finfo(numbers)
        with np.errstate(all="ignore"):
            nearest = true.astype(numbers).astype(np.float64)
        normal = np.isfinite(nearest) & (np.abs(true) >= float(limits.tiny))
        figures[dtype] = {
            side: _figures(found[normal], true[normal], nearest[normal], limits)
            for side, run in SIDES.items()
            if (found := run(name, dtype, [operand])) is not None
        }
    return figures


def _all(numbers: Any) -> Array:
    """Every number of a dtype that is finite and not subnormal."""
    with np.errstate(invalid="ignore"):
        every = np.arange(1 << 16, dtype=np.uint16).view(numbers).astype(np.float64)
    return every[np.isfinite(every) & (np.abs(every) >= float(ml_dtypes.finfo(numbers).tiny))]


def _figures(found: Array, true: Array, nearest: Array, limits: Any) -> list[Any]:
    unit = np.exp2(np.floor(np.log2(np.abs(true)))) * float(limits.eps)
    with np.errstate(all="ignore"):
        errors = np.where(np.isfinite(found), np.abs(found - true) / unit, np.inf)
    return [short(1000 * float(np.mean(found != nearest))), short(float(errors.max()))]

"""Products of matrices by native code, for folders that may not know who compiles it.

NumPy's own OpenBLAS divides a product between threads that wait for each other in busy loops:
(50, 256) by (256, 1024) took thirty times the processor time of the same product in compiled code.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final

import numpy as np

Array = np.ndarray[Any, Any]
Product = Callable[[Array, Array], Array]

# Multiply-adds up to which OpenBLAS wakes no thread, and beyond which the detour costs little:
# where a factor is one row or column, else.
FEW_OF_VECTOR: Final = 9216
FEW: Final = 2**18
KINDS: Final = "fc"
_MOST: Final = 2**31 - 1  # a BLAS counts rows in 32 bits

_load: Callable[[], Product] | None = None


def provided_by(load: Callable[[], Product]) -> None:
    """Let `load`, called once, say what multiplies; the package does, which knows all folders."""
    global _load
    _load = load
    _native.cache_clear()


@cache
def _native() -> Product:
    return np.matmul if _load is None else _load()


def matmul(a: Array, b: Array) -> Array:
    """`np.matmul` of arrays of rank 2 at least and of one dtype, without threads that spin."""
    (rows, inner), columns = a.shape[-2:], b.shape[-1]
    few = FEW_OF_VECTOR if rows == 1 or columns == 1 else FEW
    if rows * inner * columns <= few or a.dtype.kind not in KINDS:
        return np.matmul(a, b)
    return np.matmul(a, b) if max(rows, inner, columns) > _MOST else _native()(a, b)

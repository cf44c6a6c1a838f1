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
DTYPES: Final = frozenset(map(np.dtype, ("f4", "f8", "c8", "c16")))
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
    """`np.matmul` of arrays of rank 2 at least, without threads that spin.

    Native code trusts what it is told: what is not of one dtype and of fitting sizes stays NumPy's,
    which says what is wrong with it.
    """
    (rows, inner), columns = a.shape[-2:], b.shape[-1]
    few = FEW_OF_VECTOR if rows == 1 or columns == 1 else FEW
    is_native = (
        rows * inner * columns > few
        and a.dtype == b.dtype
        and a.dtype in DTYPES
        and inner == b.shape[-2]
        and max(rows, inner, columns) <= _MOST
    )
    return _native()(a, b) if is_native else np.matmul(a, b)

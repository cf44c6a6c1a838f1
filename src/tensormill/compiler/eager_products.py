"""Products of NumPy's arrays by the native code that compiled functions call, for eager execution.

The same strips in the same order (native/products.py): results equal those of compiled code for all
products that it leaves to OpenBLAS, whatever the number of threads.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from math import prod
from typing import Final

import numpy as np

from ..core.native_products import Array, Product
from .machine.pages import refusal
from .native import shared
from .native.names import APART

_SHORT: Final = {np.dtype(np.float32): "f32", np.dtype(np.float64): "f64",
                 np.dtype(np.complex64): "c64", np.dtype(np.complex128): "c128"}  # fmt: skip
_TYPES: Final = (*[ctypes.c_void_p] * 3, *[ctypes.c_int64] * 7)


def multiplier() -> Product:
    """What multiplies here: NumPy where the system lets no native code be made."""
    return matmul if refusal() is None else np.matmul


def matmul(a: Array, b: Array) -> Array:
    """`np.matmul(a, b)` of arrays of rank 2 at least, floats or complex numbers of one dtype."""
    if b.ndim == 2 < a.ndim and a.flags.c_contiguous:  # the rows of all matrices are one matrix's
        rows = matmul(a.reshape(-1, a.shape[-1]), b)
        return rows.reshape(*a.shape[:-1], b.shape[-1])
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    left, turned_a = _laid_out(a, batch)
    right, turned_b = _laid_out(b, batch)
    out = np.empty((*batch, a.shape[-2], b.shape[-1]), a.dtype)
    addresses = [one.__array_interface__["data"][0] for one in (left, right, out)]
    sizes = (prod(batch), a.shape[-2], b.shape[-1], a.shape[-1])
    _function(_SHORT[a.dtype])(*addresses, *sizes, turned_a, turned_b, False)
    return out


def _laid_out(x: Array, batch: tuple[int, ...]) -> tuple[Array, bool]:
    """Dense matrices, one after another, with the elements of `x`; whether they are transposed."""
    x = x if x.shape[:-2] == batch else np.broadcast_to(x, (*batch, *x.shape[-2:]))
    if not x.flags.c_contiguous and x.mT.flags.c_contiguous:
        return x.mT, True
    return np.ascontiguousarray(x), False


@cache
def _function(short: str) -> Callable[..., None]:
    """`tm_gemm_<dtype>` of native/products.py; ctypes gives up Python's lock while it runs."""
    return ctypes.CFUNCTYPE(None, *_TYPES)(shared.address(f"{APART}{short}"))

"""Signatures of what level-2 code calls by names: its own functions, some of other libraries."""

from __future__ import annotations

from typing import Final

from .cblas import CBLAS_TYPES, cblas_product
from .functions import REAL_PART
from .ir import NativeFunction, Signature
from .lapack import LAPACK_SIGNATURES


def _cblas_signature(short: str) -> Signature:
    """Order, kinds of a and b, m, n, k, alpha, a, its row, b, its row, beta, out, its row."""
    factor = "ptr" if short in REAL_PART else short
    return Signature((*["i32"] * 6, factor, "ptr", "i32", "ptr", "i32", factor, "ptr", "i32"))


UFUNCS: Final = ("fft", "ifft", "rfft_n_even", "rfft_n_odd", "irfft")

# SciPy's, each with the number of its operands and of its results.
SPECIAL: Final = {
    **dict.fromkeys(
        ("erfinv", "ndtri", "gamma", "psi"),
        (1, 1),
    ),
    **dict.fromkeys(("gammainc", "gammaincc", "gamma_by_shape", "zeta"), (2, 1)),
    "betainc": (3, 1),
}

EXTERNALS: Final[dict[str, Signature]] = {
    "malloc": Signature(("i64",), "ptr"),
    "aligned_alloc": Signature(("i64", "i64"), "ptr"),
    "madvise": Signature(("ptr", "i64", "i32"), "i32"),
    "free": Signature(("ptr",)),
    "memcpy": Signature(("ptr", "ptr", "i64")),
    "memset": Signature(("ptr", "u8", "i64")),
    "PyBytes_FromStringAndSize": Signature(("ptr", "i64"), "ptr"),
    "PyType_GenericAlloc": Signature(("ptr", "i64"), "ptr"),
    "Py_IncRef": Signature(("ptr",)),
    "Py_DecRef": Signature(("ptr",)),
    "PyObject_Vectorcall": Signature(("ptr", "ptr", "i64", "ptr"), "ptr"),
    "PyObject_GetAttr": Signature(("ptr", "ptr"), "ptr"),
    "PyNumber_Add": Signature(("ptr", "ptr"), "ptr"),
    "PySequence_GetItem": Signature(("ptr", "i64"), "ptr"),
    "PyType_IsSubtype": Signature(("ptr", "ptr"), "i32"),
    "PyContextVar_Get": Signature(("ptr", "ptr", "ptr"), "i32"),
    "PyTuple_New": Signature(("i64",), "ptr"),
    "PyTuple_Size": Signature(("ptr",), "i64"),
    "PyList_GetItem": Signature(("ptr", "i64"), "ptr"),
    "PyLong_FromUnsignedLong": Signature(("i64",), "ptr"),
    "PyThread_get_thread_ident": Signature((), "i64"),
    "PyErr_NoMemory": Signature((), "ptr"),
    "PyErr_Fetch": Signature(("ptr",) * 3),
    "PyErr_NormalizeException": Signature(("ptr",) * 3),
    "PyErr_Restore": Signature(("ptr",) * 3),
    "PyException_GetTraceback": Signature(("ptr",), "ptr"),
    "PyException_SetTraceback": Signature(("ptr", "ptr"), "i32"),
    "tm_threads": Signature((), "i64"),
    "tm_lock_reserve": Signature((), "ptr"),
    "tm_unlock_reserve": Signature(()),
    **{cblas_product(short): _cblas_signature(short) for short in CBLAS_TYPES},
    **LAPACK_SIGNATURES,
    # Loops of NumPy's and SciPy's: arrays, sizes, steps (native/ufunc_loops.py).
    **{f"tm_loop_{one}": Signature(("ptr",) * 3) for one in (*UFUNCS, *SPECIAL)},
}


def signature_of(function: NativeFunction) -> Signature:
    """What callers must know of a function."""
    return Signature(tuple(one.type for one in function.parameters), function.result)

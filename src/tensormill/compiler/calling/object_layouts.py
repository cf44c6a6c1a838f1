"""Facts about CPython's and NumPy's objects in memory: the only module that knows any.

Native code reads these objects itself, so that a call converts nothing. Every offset is either
part of NumPy's stable ABI (`PyArrayObject_fields`) or found by looking at a live object, and
`check` refuses to go on where an assumption does not hold.

    PyObject       0 reference count   8 type
    PyArrayObject 16 data   24 rank (int32)   32 sizes   40 strides   48 base   56 dtype   64 flags
    PyTupleObject 24 items
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any, Final

import numpy as np

from ...core import dtypes
from ...core.specs import TensorSpec
from ...eager.storage import Storage
from ...eager.tensor import EagerHandle, EagerTensor, wrap, wrap_handle
from ...errors import InternalError

ARRAY_DATA: Final = 16
ARRAY_RANK: Final = 24
ARRAY_SIZES: Final = 32
ARRAY_DTYPE: Final = 56
TUPLE_ITEMS: Final = 24
# Position of `PyArray_New` in NumPy's table of C functions (numpy/_core/code_generators).
NUMPY_NEW_ARRAY: Final = 93


@cache
def tensor_slot() -> int:
    """Where an EagerTensor keeps its array."""
    array = np.zeros((), np.float32)
    return _slot_holding(wrap(array), array)


@cache
def storage_slot() -> int:
    """Where a Storage keeps its array."""
    array = np.zeros((), np.float32)
    return _slot_holding(Storage(array, TensorSpec((), dtypes.float32)), array)


@cache
def handle_slot() -> int:
    """Where an EagerHandle keeps its Storage."""
    storage = Storage(None, TensorSpec((), dtypes.float32))
    return _slot_holding(wrap_handle(storage, dtypes.resource), storage)


def _slot_holding(owner: Any, held: Any) -> int:
    size = type(owner).__basicsize__
    words = (ctypes.c_int64 * (size // 8)).from_address(id(owner))
    found = [8 * k for k, word in enumerate(words) if word == id(held)]
    if len(found) != 1:
        raise InternalError(f"{type(owner).__name__} does not keep its array in one slot")
    return found[0]


@cache
def new_array_function() -> int:
    """The address of NumPy's `PyArray_New`."""
    from numpy._core import multiarray

    capsule: Any = multiarray._ARRAY_API  # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue]
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    table = (ctypes.c_void_p * (NUMPY_NEW_ARRAY + 1)).from_address(get(capsule, None) or 0)
    return table[NUMPY_NEW_ARRAY] or 0


@cache
def check() -> None:
    """Refuse to run native code where an object does not look as this module says.

    Raises:
        InternalError: an unknown build of Python or NumPy.
    """
    array = np.zeros((3, 5), np.float32)
    words = (ctypes.c_int64 * 9).from_address(id(array))
    sizes = (ctypes.c_int64 * 2).from_address(words[ARRAY_SIZES // 8])
    pair = (array, array)
    item = ctypes.c_int64.from_address(id(pair) + TUPLE_ITEMS).value
    facts = (
        words[1] == id(np.ndarray),
        words[ARRAY_DATA // 8] == array.ctypes.data,
        words[ARRAY_RANK // 8] & 0xFFFFFFFF == 2,
        list(sizes) == [3, 5],
        words[ARRAY_DTYPE // 8] == id(array.dtype),
        item == id(array),
    )
    if not all(facts):
        raise InternalError("this build of Python or NumPy lays out its objects in an unknown way")


class MethodDefinition(ctypes.Structure):
    """CPython's `PyMethodDef`."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("documentation", ctypes.c_char_p),
    )


METH_FASTCALL: Final = 0x0080


def make_function(name: str, address: int, bound: Any) -> tuple[Any, MethodDefinition]:
    """A Python function made of native code; `bound` is its first argument.

    The definition must outlive the function.
    """
    definition = MethodDefinition(name.encode(), address, METH_FASTCALL, None)
    return _new_function()(ctypes.addressof(definition), bound, None), definition


@cache
def _new_function() -> Any:
    new = ctypes.pythonapi.PyCFunction_NewEx
    new.restype = ctypes.py_object
    new.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
    return new


def tensor_type() -> int:
    return id(EagerTensor)


def handle_type() -> int:
    return id(EagerHandle)


def storage_type() -> int:
    return id(Storage)

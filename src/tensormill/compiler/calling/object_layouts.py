"""Facts about CPython's and NumPy's objects in memory: the only module that knows any.

Native code reads these objects itself, so that a call converts nothing. Every offset is either
part of NumPy's stable ABI (`PyArrayObject_fields`) or found by looking at a live object:

    PyArrayObject  the record ARRAY, which begins as every object does
    PyTupleObject  its items are where a tuple without items ends: 24, from 3.14 on 32

All of them are FACTS, which are tried before the first call. Where one does not hold, native code
looks into no object: Python fills the frame (calling/general.py), more slowly, and what it needs to
know of an object it asks the object. An object's `id` is its address by CPython's documentation,
METH_FASTCALL and PyMethodDef are of its stable ABI.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any, Final

import numpy as np

from ...core import dtypes
from ...core.process import references
from ...core.process.logs import logger
from ...core.process.named_tuples import NamedTuple
from ...core.specs import TensorSpec
from ...eager.storage import Away, Storage
from ...eager.tensor import EagerHandle, EagerTensor, wrap, wrap_away, wrap_handle
from ...errors import InternalError
from ..loops.records import Record, record
from ..lowered import Lowered

# What any object begins with: the count of references is the lower half of a word.
OBJECT: Final = record("Object", references="i32", flags="i32", type="ptr")
ARRAY: Final = record(
    "Array",
    references="i32", flags="i32", type="ptr", data="ptr", rank="i32", gap="i32", sizes="ptr",
    strides="ptr", base="ptr", dtype="ptr",
)  # fmt: skip
TUPLE_ITEMS: Final = tuple.__basicsize__
# Where `PyArray_Type` and `PyArray_New` are in NumPy's table (numpy/_core/code_generators).
NUMPY_ARRAY_TYPE: Final = 2
NUMPY_NEW_ARRAY: Final = 93


@cache
def tensor_slot() -> int:
    """Where an EagerTensor keeps its array."""
    array = np.zeros((), np.float32)
    return slot_holding(wrap(array), array)


@cache
def tensor_away_slot() -> int:
    """Where an EagerTensor keeps what it has on a device."""
    away: Any = wrap_away(((), None), None)
    return slot_holding(away, away._away)


@cache
def storage_slot() -> int:
    """Where a Storage keeps its array."""
    array = np.zeros((), np.float32)
    return slot_holding(Storage(array, TensorSpec((), dtypes.float32)), array)


@cache
def handle_slot() -> int:
    """Where an EagerHandle keeps its Storage."""
    storage = Storage(None, TensorSpec((), dtypes.float32))
    return slot_holding(wrap_handle(storage, dtypes.resource), storage)


@cache
def away_slots() -> dict[str, int]:
    """Where an Away keeps what it has on a device, and what it says of that."""
    array, place, thread = object(), object(), 1 << 62
    away = Away(array, place)
    away.lent_to = thread
    held = {"array": array, "place": place, "lent": thread}
    return {f"{name}_slot": slot_holding(away, one) for name, one in held.items()}


def slot_holding(owner: Any, held: Any) -> int:
    """Where an object keeps what nothing else of it is."""
    size = type(owner).__basicsize__
    words = (ctypes.c_int64 * (size // 8)).from_address(id(owner))
    found = [8 * k for k, word in enumerate(words) if word == id(held)]
    if len(found) != 1:
        raise InternalError(f"{type(owner).__name__} does not keep it in one slot")
    return found[0]


@cache
def new_array_function() -> int:
    """The address of NumPy's `PyArray_New`."""
    return _numpy_functions()[NUMPY_NEW_ARRAY] or 0


def _numpy_functions() -> ctypes.Array[ctypes.c_void_p]:
    """NumPy's table of types and functions for C."""
    from numpy._core import multiarray

    capsule: Any = multiarray._ARRAY_API  # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue]
    get_type = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
    get = get_type(("PyCapsule_GetPointer", ctypes.pythonapi))
    return (ctypes.c_void_p * (NUMPY_NEW_ARRAY + 1)).from_address(get(capsule, None) or 0)


class MethodDefinition(ctypes.Structure):
    """CPython's `PyMethodDef`."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("documentation", ctypes.c_char_p),
    )


METH_KEYWORDS: Final = 0x0002
METH_FASTCALL: Final = 0x0080


def make_function(
    name: str, address: int, bound: Any, signature: str | None = None
) -> tuple[Any, MethodDefinition]:
    """A Python function made of native code; `bound` is its first argument.

    signature: of a function that takes keywords, for people to read.

    The definition must outlive the function.
    """
    flags, text = METH_FASTCALL, None
    if signature is not None:
        flags, text = flags | METH_KEYWORDS, f"{name}{signature}\n--\n\n".encode()
    definition = MethodDefinition(name.encode(), address, flags, text)
    return _new_function()(ctypes.addressof(definition), bound, None), definition


def make_method(function: Any) -> Any:
    """What a class has for a method that is called with its instance before other arguments."""
    new_type = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object)
    return new_type(("PyInstanceMethod_New", ctypes.pythonapi))(function)


@cache
def _new_function() -> Any:
    # A prototype of our own: types set on `pythonapi`'s function would hold for every library.
    new_type = ctypes.PYFUNCTYPE(
        ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p
    )
    return new_type(("PyCFunction_NewEx", ctypes.pythonapi))


@cache
def bytes_header() -> int | None:
    """How far from its address the bytes of a bytes object begin; None where that is not so.

    A PyBytesObject ends with them and a zero, of which its size counts one byte.
    """
    header, probe = bytes.__basicsize__ - 1, bytes(range(1, 100))
    return header if ctypes.string_at(id(probe) + header, len(probe)) == probe else None


@cache
def bytes_size_slot() -> int | None:
    """How far from its address a bytes object has its size; None where that is not so."""
    probe = bytes(99)
    words = (ctypes.c_int64 * (bytes.__basicsize__ // 8)).from_address(id(probe))
    found = [8 * k for k, word in enumerate(words) if word == len(probe)]
    return found[0] if len(found) == 1 else None


# ---- the facts


def _read(value: Any, beginning: Record) -> dict[str, Any]:
    """What an object begins with; no more than its class says that there is."""
    if beginning.bytes > type(value).__basicsize__:
        raise InternalError(f"{type(value).__name__} is smaller than it should be")
    return beginning.at(id(value))


def _counts_are_in_the_lower_half() -> bool:
    """The upper half belongs to the count up to 3.11, to overflows and flags from 3.14 on."""
    array = np.zeros((), np.float32)
    count = ctypes.c_int32.from_address(id(array))
    alone = count.value
    others = [array, array]
    shared = count.value
    others.clear()
    storage = Storage(array, TensorSpec((), dtypes.float32))
    del array
    return (alone, shared, count.value) == (1, 3, 1) and storage.sole_array() is not None


def _types_are_second() -> bool:
    array = np.zeros((), np.float32)
    return _read(array, OBJECT)["type"] == id(np.ndarray)


def _arrays_begin_alike() -> bool:
    array = np.zeros((3, 5), np.float32)
    found = _read(array, ARRAY)
    sizes = (ctypes.c_int64 * 2).from_address(found["sizes"])
    return (
        found["type"] == id(np.ndarray)
        and found["data"] == array.ctypes.data
        and found["rank"] == 2
        and list(sizes) == [3, 5]
        and found["dtype"] == id(array.dtype)
    )


def _tuples_hold_their_items() -> bool:
    first, second = object(), object()
    pair = (first, second)
    items = (ctypes.c_int64 * 2).from_address(id(pair) + TUPLE_ITEMS)
    return list(items) == [id(first), id(second)]


def _tensors_have_one_slot() -> bool:
    slots = tensor_slot(), tensor_away_slot(), storage_slot(), handle_slot()
    return min(*slots, *away_slots().values()) >= 16


def _numpy_makes_arrays() -> bool:
    if _numpy_functions()[NUMPY_ARRAY_TYPE] != id(np.ndarray):
        return False
    pointers = (ctypes.c_void_p,) * 2
    prototype = ctypes.PYFUNCTYPE(
        ctypes.py_object, ctypes.py_object, ctypes.c_int, ctypes.c_void_p, ctypes.c_int, *pointers,
        ctypes.c_int, ctypes.c_int, ctypes.c_void_p,
    )  # fmt: skip
    sizes = (ctypes.c_int64 * 2)(3, 5)
    kind = np.dtype(np.int16).num
    made = prototype(new_array_function())(np.ndarray, 2, sizes, kind, None, None, 0, 0, None)
    return type(made) is np.ndarray and made.shape == (3, 5) and made.dtype == np.int16


class Fact(NamedTuple):
    """What native code takes for granted, and whether it holds in this process."""

    text: str
    holds: Callable[[], bool]


FACTS: Final = (
    Fact("references are counted, by one each", lambda: references.ARE_COUNTED),
    Fact("a reference count is the lower half of the first word", _counts_are_in_the_lower_half),
    Fact("an object's type is its second word", _types_are_second),
    Fact("an array begins with data, rank, sizes and dtype", _arrays_begin_alike),
    Fact("a tuple's items begin where an empty one ends", _tuples_hold_their_items),
    Fact("tensors and variables keep what they hold in one slot", _tensors_have_one_slot),
    Fact("NumPy's table of functions has PyArray_New where it had", _numpy_makes_arrays),
)


@cache
def doubts() -> tuple[str, ...]:
    """Those facts that do not hold here; told once."""
    found = tuple(fact.text for fact in FACTS if not _holds(fact))
    if found:
        logger.warning(
            "This build of Python or NumPy is unknown, so compiled functions are called more "
            "slowly. Not so here: %s",
            "; ".join(found),
        )
    return found


def _holds(fact: Fact) -> bool:
    try:
        return fact.holds()
    except Exception:
        return False


def are_known() -> bool:
    """Whether native code may look into objects."""
    return not doubts()


_DATA: Final = ARRAY.fields["data"].offset
_word_at: Final = ctypes.c_int64.from_address


def data_of(array: Any) -> int:
    """The address of an array's memory: a fifth of the time of `array.ctypes.data`."""
    return _word_at(id(array) + _DATA).value if are_known() else array.ctypes.data


def has_entry(lowered: Lowered) -> bool:
    """Whether a program is called by a native entry."""
    return lowered.is_plain and are_known()


# ---- types, for entries


def tensor_type() -> int:
    return id(EagerTensor)


def handle_type() -> int:
    return id(EagerHandle)


def storage_type() -> int:
    return id(Storage)


def away_type() -> int:
    return id(Away)

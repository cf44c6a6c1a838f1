"""NumPy's and SciPy's own inner loops as addresses for native code.

A ufunc is a table of C functions, one for each combination of types, with what each is to be given
besides (NumPy's C API: `PyUFuncObject`). Its loops need no lock of Python's. Fourier transforms
are such functions, in a module that NumPy does not show, and so are SciPy's special functions:
where one is not as expected, there is no native code for it.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any, Final

from ...core.process.named_tuples import NamedTuple
from ...errors import InternalError
from ...ops.scalar import scipy_ufunc
from ...ops.signal import pocketfft
from ..loops.externals import UFUNCS

_HEAD: Final = 16  # bytes of every object, before its own fields


class _UfuncFields(ctypes.Structure):
    _fields_ = (
        ("nin", ctypes.c_int), ("nout", ctypes.c_int), ("nargs", ctypes.c_int),
        ("identity", ctypes.c_int), ("functions", ctypes.POINTER(ctypes.c_void_p)),
        ("data", ctypes.POINTER(ctypes.c_void_p)), ("ntypes", ctypes.c_int),
        ("reserved", ctypes.c_int), ("name", ctypes.c_char_p),
    )  # fmt: skip


class UfuncLoop(NamedTuple):
    """`function(arrays, sizes, steps, data)`."""

    function: int
    data: int


def is_known(ufunc: str) -> bool:
    """Whether the loops of a ufunc are where they should be."""
    try:
        _loops(ufunc)
    except InternalError:
        return False
    return True


def loop(ufunc: str, types: str) -> UfuncLoop:
    """The loop of a ufunc for types as NumPy spells them: `Ff->F`.

    Raises:
        InternalError: there is no such loop, or ufuncs are laid out otherwise.
    """
    try:
        return _loops(ufunc)[types]
    except KeyError:
        raise InternalError(f"{ufunc} has no loop {types}") from None


@cache
def _loops(name: str) -> dict[str, UfuncLoop]:
    ufunc = _ufunc(name)
    fields = _fields(ufunc)
    expected = ("(n),()->(m)", "(m),()->(n)") if name in UFUNCS else (None,)
    if fields is None or ufunc.signature not in expected:
        raise InternalError(f"{name} is not as expected: {ufunc}")
    found: dict[str, UfuncLoop] = {}
    for number, types in enumerate(ufunc.types):
        function = fields.functions[number]
        data = fields.data[number] if fields.data else None
        found[types] = UfuncLoop(function, data or function)  # nobody looks at what is none
    return found


def _ufunc(name: str) -> Any:
    if name in UFUNCS:
        return pocketfft.ufunc(name)
    return scipy_ufunc(name)


def _fields(ufunc: Any) -> _UfuncFields | None:
    """What a ufunc consists of; None where that is not what Python says of it."""
    if type(ufunc).__name__ != "ufunc" or object.__basicsize__ != _HEAD:
        return None
    fields = _UfuncFields.from_address(id(ufunc) + _HEAD)
    told = (ufunc.nin, ufunc.nout, ufunc.nargs, ufunc.ntypes)
    if (fields.nin, fields.nout, fields.nargs, fields.ntypes) != told:
        return None
    return fields if fields.name == ufunc.__name__.encode() else None

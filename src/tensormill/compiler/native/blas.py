"""OpenBLAS's matrix products as addresses for native code. The library is loaded at the first use.

It comes with the package `scipy-openblas32`, whose symbols begin with `scipy_`; the package itself
need not be imported. Where we have threads of our own (threads.py), OpenBLAS has none: see
products.py.
"""

from __future__ import annotations

import ctypes
import importlib.util
from functools import cache
from pathlib import Path
from typing import Final

from ...config import settings
from ...errors import InternalError
from . import threads as pool

_PACKAGE: Final = "scipy_openblas32"


def address(symbol: str) -> int:
    """Where a function of OpenBLAS is, by its full name: `scipy_cblas_sgemm`.

    Raises:
        InternalError: the library has no such function, or is not there.
    """
    try:
        function = getattr(_library(), symbol)
    except AttributeError:
        raise InternalError(f"OpenBLAS has no function {symbol}") from None
    return _address_of(function)


def threads() -> int:
    """How many threads OpenBLAS divides one call between."""
    function = _library().scipy_openblas_get_num_threads
    function.restype, function.argtypes = ctypes.c_int, []
    return function()


def set_threads(count: int) -> None:
    """Let OpenBLAS divide calls between `count` threads from now on, in the whole process."""
    function = _library().scipy_openblas_set_num_threads
    function.restype, function.argtypes = None, [ctypes.c_int]
    function(max(1, count))


def _address_of(function: object) -> int:
    found = ctypes.cast(function, ctypes.c_void_p).value  # pyright: ignore[reportArgumentType]
    assert found is not None
    return found


@cache
def _library() -> ctypes.CDLL:
    library = ctypes.CDLL(str(_path()))
    function = library.scipy_openblas_set_num_threads
    function.restype, function.argtypes = None, [ctypes.c_int]
    function(1 if pool.size() > 1 else settings.threads)
    return library


def _path() -> Path:
    package = importlib.util.find_spec(_PACKAGE)
    for folder in (package and package.submodule_search_locations) or ():
        for path in sorted((Path(folder) / "lib").glob("*scipy_openblas*")):
            if path.suffix in (".so", ".dylib", ".dll"):
                return path
    raise InternalError(f"the package {_PACKAGE} is not installed, or holds no library")

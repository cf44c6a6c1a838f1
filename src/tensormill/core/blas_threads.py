"""NumPy's and SciPy's own OpenBLAS on one thread, while an operation of ours is inside.

Their threads wait for each other in busy loops: a system of 300 equations took eight times the
processor time of one thread, and longer by the clock where others want the processor. Products go
elsewhere (products.py); this is for LAPACK.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Iterator
from functools import cache, wraps
from pathlib import Path
from typing import Any, Final, NamedTuple, ParamSpec, TypeVar

import numpy as np

from .locks import ForkedLock

P = ParamSpec("P")
R = TypeVar("R")

# What wheels call the functions that say and set how many threads a call is divided between.
_NAMES: Final = tuple(
    (f"{prefix}openblas_get_num_threads{suffix}", f"{prefix}openblas_set_num_threads{suffix}")
    for prefix in ("scipy_", "")
    for suffix in ("64_", "")
)
# Packages that come with a library, and the module by which they have loaded it.
_PACKAGES: Final = {"numpy": "numpy.linalg", "scipy": "scipy.linalg"}
# Where wheels have it, beside or in the package's folder.
_FOLDERS: Final = ("{}.libs", "{}/.dylibs")


class _Library(NamedTuple):
    threads: Callable[[], int]
    set_threads: Callable[[int], None]


def on_one_thread(rule: Callable[P, R]) -> Callable[P, R]:
    """Let no call of LAPACK within `rule` be divided between threads."""

    @wraps(rule)
    def alone(*args: P.args, **kwargs: P.kwargs) -> R:
        with _limit:
            return rule(*args, **kwargs)

    return alone


class _Limit:
    """Entered by any number of threads; who leaves last puts back what was."""

    def __init__(self) -> None:
        self._lock = ForkedLock()
        self._inside = 0
        self._before: list[tuple[_Library, int]] = []

    def __enter__(self) -> None:
        with self._lock():
            if not self._inside:
                self._before = [(one, one.threads()) for one in libraries()]
                for one, _ in self._before:
                    one.set_threads(1)
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self._lock():
            self._inside -= 1
            if not self._inside:
                self._put_back()

    def _put_back(self) -> None:
        for one, threads in self._before:
            one.set_threads(threads)
        self._before = []

    def forget_others(self) -> None:
        """In a forked child: the threads that were inside are not there."""
        self._inside = 0
        self._put_back()


_limit: Final = _Limit()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_limit.forget_others)


def libraries() -> Iterator[_Library]:
    """Those that NumPy and SciPy have loaded by now."""
    for package, module in _PACKAGES.items():
        if module in sys.modules:
            yield from _libraries_of(package)


@cache
def _libraries_of(package: str) -> tuple[_Library, ...]:
    """Those of a package that is there; none where it uses another library, or hides it."""
    if not hasattr(os, "RTLD_NOLOAD"):
        return ()
    site = Path(np.__file__).parents[1]
    folders = [site / folder.format(package) for folder in _FOLDERS]
    paths = [path for folder in folders for path in sorted(folder.glob("*openblas*"))]
    return tuple(found for path in paths if (found := _loaded(path)) is not None)


def _loaded(path: Path) -> _Library | None:
    try:
        library = ctypes.CDLL(str(path), mode=os.RTLD_NOLOAD | os.RTLD_LAZY)
    except OSError:  # nobody has needed it
        return None
    for get, put in _NAMES:
        if hasattr(library, get) and hasattr(library, put):
            return _functions(library, get, put)
    return None


def _functions(library: Any, get: str, put: str) -> _Library:
    threads, set_threads = library[get], library[put]
    threads.restype, threads.argtypes = ctypes.c_int, []
    set_threads.restype, set_threads.argtypes = None, [ctypes.c_int]
    return _Library(threads, set_threads)

"""NumPy's and SciPy's own OpenBLAS on one thread, while an operation of ours is inside.

Their threads wait for each other in busy loops: a system of 300 equations took eight times the
processor time of one thread, and longer by the clock where others want the processor. Products go
elsewhere (core/native_products.py); this is for LAPACK.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Generator, Iterator
from functools import cache, wraps
from typing import Any, Final, ParamSpec, TypeVar

import numpy as np

from .locks import ForkedLock
from .named_tuples import NamedTuple
from .with_blocks import block

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
        with _limit.block():
            return rule(*args, **kwargs)

    return alone


class _Limit:
    """Entered by any number of threads; who leaves last puts back what was."""

    def __init__(self) -> None:
        self._lock = ForkedLock()
        self._inside: set[object] = set()
        self._before: list[tuple[_Library, int]] = []

    @block
    def block(self) -> Generator[None]:
        this = object()
        try:
            self._enter(this)
            yield
        finally:
            try:
                self._leave(this)
            except BaseException:  # a signal's, which came meanwhile
                self._leave(this)
                raise

    def _enter(self, this: object) -> None:
        with self._lock():
            if not self._inside:
                self._before = [(one, one.threads()) for one in libraries()]
                for one, _ in self._before:
                    one.set_threads(1)
            self._inside.add(this)

    def _leave(self, this: object) -> None:
        with self._lock():
            self._inside.discard(this)
            if not self._inside:
                self._put_back()

    def _put_back(self) -> None:
        for one, threads in self._before:
            one.set_threads(threads)
        self._before = []

    def forget_others(self) -> None:
        """In a forked child: the threads that were inside are not there."""
        self._inside.clear()
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
    site = os.path.dirname(os.path.dirname(np.__file__))
    folders = [os.path.join(site, *folder.format(package).split("/")) for folder in _FOLDERS]
    paths = [
        os.path.join(folder, name)
        for folder in filter(os.path.isdir, folders)
        for name in sorted(os.listdir(folder))
        if "openblas" in name
    ]
    return tuple(found for path in paths if (found := _loaded(path)) is not None)


def _loaded(path: str) -> _Library | None:
    try:
        library = ctypes.CDLL(path, mode=os.RTLD_NOLOAD | os.RTLD_LAZY)
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

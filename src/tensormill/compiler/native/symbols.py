"""Addresses of the native functions outside of a module that it calls."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from .names import SHARED, THREAD_FUNCTIONS

_OURS: Final = ("scipy_", *SHARED)


def symbols_for(called: Iterable[str], text: str) -> dict[str, int]:
    """What the linker must know beyond the process's own symbols."""
    from ..loops.cblas import cblas_product  # code from the disk cache says what it imports

    prefix = "tm_gemm_"
    kinds = [name.removeprefix(prefix) for name in called if name.startswith(prefix)]
    pool = [name for name in THREAD_FUNCTIONS if f"@{name}(" in text]
    shared = [name for name in called if name.startswith(SHARED)]
    return symbols_of([*map(cblas_product, kinds), *pool, *shared])


def symbols_of(imports: Iterable[str]) -> dict[str, int]:
    """The same, from the names that object code imports; the process has the others."""
    outside = [name for name in imports if name.startswith(_OURS) or name in THREAD_FUNCTIONS]
    return {name: _address(name) for name in outside}


def _address(name: str) -> int:
    from . import blas, threads  # many programs need none of these

    if name.startswith(SHARED):
        from . import shared

        return shared.address(name)
    return threads.address(name) if name in THREAD_FUNCTIONS else blas.address(name)

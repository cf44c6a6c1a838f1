"""Addresses of the native functions outside of a module that it calls."""

from __future__ import annotations

from collections.abc import Iterable

from ..loops.cblas import cblas_product
from . import blas, threads


def symbols_for(called: Iterable[str], text: str) -> dict[str, int]:
    """What the linker must know beyond the process's own symbols."""
    symbols: dict[str, int] = {}
    for name in called:
        if name.startswith("tm_gemm_"):
            symbol = cblas_product(name.removeprefix("tm_gemm_"))
            symbols[symbol] = blas.address(symbol)
    for name in threads.FUNCTIONS:
        if f"@{name}(" in text:
            symbols[name] = threads.address(name)
    return symbols


def symbols_of(imports: Iterable[str]) -> dict[str, int]:
    """The same, from the names that object code imports; the process has the others."""
    symbols: dict[str, int] = {}
    for name in imports:
        if name.startswith("scipy_"):
            symbols[name] = blas.address(name)
        elif name in threads.FUNCTIONS:
            symbols[name] = threads.address(name)
    return symbols

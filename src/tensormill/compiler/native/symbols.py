"""Addresses of the native functions outside of a module that it calls."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from .names import THREAD_FUNCTIONS, is_shared

_BLAS: Final = "scipy_"
_DECLARED: Final = r"\ndeclare [^@\n]*@(\w+)\("


def symbols_for(text: str) -> dict[str, int]:
    """What the linker must know of what LLVM IR declares, beyond the process's own symbols."""
    return symbols_of(re.findall(_DECLARED, f"\n{text}"))


def symbols_of(imports: Iterable[str]) -> dict[str, int]:
    """The same, from the names that object code imports; the process has the others."""
    return {name: _address(name) for name in imports if _is_ours(name)}


def _is_ours(name: str) -> bool:
    return is_shared(name) or name.startswith(_BLAS) or name in THREAD_FUNCTIONS


def _address(name: str) -> int:
    if is_shared(name):  # each of these is of no use to many programs
        from . import shared

        return shared.address(name)
    if name in THREAD_FUNCTIONS:
        from . import threads

        return threads.address(name)
    from . import blas

    return blas.address(name)

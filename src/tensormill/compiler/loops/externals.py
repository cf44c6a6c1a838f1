"""Signatures of what level-2 code calls by names: its own functions, some of the C library."""

from __future__ import annotations

from typing import Final

from .ir import NativeFunction, Signature

EXTERNALS: Final[dict[str, Signature]] = {
    "malloc": Signature(("i64",), "ptr"),
    "aligned_alloc": Signature(("i64", "i64"), "ptr"),
    "free": Signature(("ptr",)),
    "memcpy": Signature(("ptr", "ptr", "i64")),
    "memset": Signature(("ptr", "u8", "i64")),
}


def signature_of(function: NativeFunction) -> Signature:
    """What callers must know of a function."""
    return Signature(tuple(one.type for one in function.parameters), function.result)

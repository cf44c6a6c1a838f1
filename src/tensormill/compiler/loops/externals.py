"""Functions of the C library that level-2 code calls by their names."""

from __future__ import annotations

from typing import Final

from .ir import Signature

EXTERNALS: Final[dict[str, Signature]] = {
    "malloc": Signature(("i64",), "ptr"),
    "aligned_alloc": Signature(("i64", "i64"), "ptr"),
    "free": Signature(("ptr",)),
    "memcpy": Signature(("ptr", "ptr", "i64")),
    "memset": Signature(("ptr", "u8", "i64")),
}

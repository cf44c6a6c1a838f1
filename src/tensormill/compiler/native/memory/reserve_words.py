"""The words of the reserve (reserve.py) in this process.

A forked child begins with an empty one: another thread may have been at it, and what was kept is
the parent's to use again.
"""

from __future__ import annotations

import ctypes
import os
from functools import cache
from typing import Any, Final

from ..records import RESERVE

SYMBOL: Final = "reserve"


@cache
def address() -> int:
    """Where the words are, until the process ends."""
    words: Any = (ctypes.c_int64 * (RESERVE.bytes // 8))()
    os.register_at_fork(after_in_child=lambda: ctypes.memset(words, 0, RESERVE.bytes))
    return ctypes.addressof(words)


def held() -> int:
    """The bytes of the blocks that calls use, and of those that are kept for others."""
    return int(RESERVE.at(address())["held"])

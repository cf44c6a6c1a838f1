"""The memory of dropped traces goes back to the system, not only to Python and to libc, and with it
what their calls had used and others might have (compiler/native/memory/reserve.py).

CPython (3.11) looks up `__match_args__` by a new string in each `match`, and its cache of
attributes keeps thousands of them: each may keep a whole arena (1 MiB) that is otherwise empty. And
libc keeps what was freed below something that still lives. So both are told, when all cycles were
collected and much had been dropped before.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import time
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

# So much must have been dropped, in bytes.
ENOUGH: Final = 1 << 22
# Whose code takes what is kept: where it was never imported nothing is, and importing takes more.
_SHARED: Final = "tensormill.compiler.native.shared"
# Giving back takes at most this share of the time: in a large heap libc has to look at much.
_SHARE: Final = 0.01

_dropped = 0
_not_before = 0.0


def note_dropped(size_bytes: int) -> None:
    """Traces that took about so much are gone, or are going."""
    global _dropped
    _dropped += size_bytes
    if _collected not in gc.callbacks:
        gc.callbacks.append(_collected)


def note_all_dropped(sizes: Mapping[Any, int]) -> None:
    """Traces of these sizes in bytes are gone with their function."""
    note_dropped(sum(sizes.values()))


def _collected(phase: str, facts: dict[str, Any]) -> None:
    """What the collector of cycles calls when it begins and when it is done."""
    global _dropped, _not_before
    whole = phase == "stop" and facts["generation"] == 2
    if not whole or _dropped < ENOUGH:
        return
    began = time.monotonic()
    if began < _not_before:
        return
    _dropped = 0
    _give_back()
    ended = time.monotonic()
    _not_before = ended + (ended - began) / _SHARE


def _give_back() -> None:
    # A module that is just being imported is there without its functions.
    if empty := getattr(sys.modules.get(_SHARED), "empty_reserve", None):
        empty()
    if sys.version_info < (3, 13):
        sys._clear_type_cache()  # pyright: ignore[reportPrivateUsage]
    _trim()(0)


@cache
def _trim() -> Callable[[int], Any]:
    """glibc's function; other libraries give back by themselves."""
    trim: Callable[[int], Any] = getattr(ctypes.CDLL(None), "malloc_trim", lambda _: None)
    return trim

"""The collector of cycles waits while something is compiled."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Generator

from ..core.process.with_blocks import block

# The threads that compile; those that another thread's fork leaves behind never end it.
_paused_by: set[int] = set()


@block
def collection_paused() -> Generator[None]:
    """Keep cycles for now: a compile makes many objects that live until it ends, and looking
    through them again and again is 7 % of a first call. Where it is off already, it stays off.
    """
    if not gc.isenabled():
        yield
        return
    this = threading.get_ident()
    try:
        _paused_by.add(this)
        gc.disable()
        yield
    finally:
        try:
            gc.enable()
        finally:
            _paused_by.discard(this)


def _resume() -> None:
    if _paused_by:
        gc.enable()


os.register_at_fork(after_in_child=_resume)

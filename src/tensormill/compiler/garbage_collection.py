"""The collector of cycles waits while something is compiled, and comes seldom to what is traced."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Generator
from typing import Final

from ..core.process.with_blocks import block

# How many objects a trace makes until the collector looks at them: 700 is a dozen operations. They
# stay, and it looks at many of them again and again.
_SELDOM: Final = 50_000
# What the collector is told else, while it is told that.
_usual: list[tuple[int, int, int]] = []
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


@block
def collection_seldom() -> Generator[None]:
    """Look for cycles after many more objects than otherwise: of what a trace of 1 500 operations
    takes, looking is a third. Where it was changed meanwhile, it stays so.
    """
    usual = gc.get_threshold()
    if not 0 < usual[0] < _SELDOM:
        yield
        return
    now = seldom = (_SELDOM, *usual[1:])
    try:
        _usual.append(usual)
        gc.set_threshold(*seldom)
        yield
    finally:
        try:
            now = gc.get_threshold()
        finally:
            try:
                gc.set_threshold(*(usual if now == seldom else now))
            finally:
                _usual.clear()


def _resume() -> None:
    if _paused_by:
        gc.enable()
    if _usual and gc.get_threshold()[0] == _SELDOM:
        gc.set_threshold(*_usual[0])


os.register_at_fork(after_in_child=_resume)

"""Functions are called by native code where they are called like the time before.

Python would take as long for a call as a small program does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ..config import Config, settings
from ..core import context
from ..core.process.named_tuples import NamedTuple
from .calling import object_layouts
from .calling.entry_context import CallContext
from .device_calls import are_native
from .native import shared
from .native.records import CALLS

_CALL: Final = "tm_call_function"


class PlacesOfFields(NamedTuple):
    """Where a function keeps its state, and that how calls like the last one are made: a tuple of
    entry, pack, reader and a counter, an array of one int64; or None.
    """

    state: int
    quick: int


def calling(
    kind: type[Any],
    slots: PlacesOfFields,
    otherwise: Callable[..., Any],
    shown: Callable[[BaseException], None],
) -> Any:
    """`__call__` for the class of functions `kind`; None where native code may not be.

    otherwise: makes all other calls. shown: takes out of an error what users shall not see.
    """
    if not are_native():
        return None
    known = np.zeros(CALLS.bytes // 8, np.int64).view(CallContext)
    words = known.view(CALLS.dtype)
    words["state_slot"], words["quick_slot"] = slots
    words["eagerly"] = id(settings) + _slot_of_setting("run_functions_eagerly")
    held = {
        "function_type": kind, "meaning": context.current, "none": None, "false": False,
        "not_implemented": NotImplemented, "otherwise": otherwise, "shown": shown,
    }  # fmt: skip
    for name, one in held.items():
        words[name] = id(one)
    function, definition = object_layouts.make_function(
        "__call__", shared.address(_CALL), known, "(self, /, *args, **kwargs)"
    )
    known.held = definition, held, settings
    return object_layouts.make_method(function)


def _slot_of_setting(name: str) -> int:
    probe, held = Config.__new__(Config), object()
    setattr(probe, name, held)
    return object_layouts.slot_holding(probe, held)

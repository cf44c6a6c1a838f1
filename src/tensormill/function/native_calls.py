"""The class of functions gets native code for its calls, once there is a call for it."""

from __future__ import annotations

from functools import cache
from typing import Any

from ..compiler.calling.object_layouts import slot_holding
from ..compiler.function_calls import PlacesOfFields, calling
from ..core.process.tracebacks import hide_frames
from .state import FunctionState


@cache
def let_native_code_call(kind: type[Any]) -> None:
    """Let calls of the functions of a class begin in native code, which leaves those that are not
    like the call before to the class's `call_otherwise`.
    """
    found = calling(kind, _slots(kind), kind.call_otherwise, _shown)
    if found is not None:
        kind.__call__ = found


def _slots(kind: type[Any]) -> PlacesOfFields:
    function: Any = object.__new__(kind)
    state = FunctionState.__new__(FunctionState)
    function._state, state.quick = state, (None, None, None, None)
    return PlacesOfFields(slot_holding(function, state), slot_holding(state, state.quick))


def _shown(error: BaseException) -> None:
    if isinstance(error, Exception):
        hide_frames(error)

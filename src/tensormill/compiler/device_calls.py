"""Programs on devices are called with the variables and tensors that are there, by native code.

Python would take half a microsecond for each of them: programs have many, and are called often.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

import numpy as np

from ..core.process.named_tuples import NamedTuple
from ..eager.storage import Storage
from .calling import object_layouts
from .calling.entry_context import CallContext
from .machine.cache import open_cache
from .machine.jit import NativeModule, compile_module, load_module, object_key
from .machine.pages import refusal
from .native import lending
from .native.records import DIRECT, LENDING

_LENDING: Final = "tm_call_lending"
_WITH_TENSORS: Final = "tm_call_with_tensors"


class TensorCall(NamedTuple):
    """What a program is called with, and what becomes of its results.

    kinds: of each operand, what `EagerTensor._away` begins with: the very objects, equal ones are
    left to others. arrays: of each array the number of an operand, or an object. results: of what
    is given the number in the list of results, and what `_away` begins with.
    """

    kinds: Sequence[Any]
    arrays: Sequence[Any]
    results: Sequence[tuple[int, Any]]


def are_native() -> bool:
    """Whether native code may look into objects here, and run."""
    return object_layouts.are_known() and refusal() is None


def calling_with(
    program: Callable[..., list[Any]],
    variables: Sequence[tuple[Storage, Any]],
    changed: int,
    after: int,
    otherwise: Callable[..., Any],
    failed: Callable[..., Any],
) -> Callable[..., Any]:
    """What calls a program with the arrays of variables, and then its own operands.

    variables: each with its place (`Away.place`); the program may change the first `changed` of
    them in place, and what becomes of these is in its results from `after` on.
    otherwise: the same call, for variables that are not there, or of which another thread's program
    has one.
    failed: what is called instead of raising an error: with that, all that the program was given,
    and the `Away` of each variable; those that it changes are lent to this thread.
    """
    if not are_native():
        return otherwise
    first = LENDING.bytes // 8
    context = np.zeros(first + 2 * len(variables), np.int64).view(CallContext)
    context[first:] = [id(each) for pair in variables for each in pair]
    words = context[:first].view(LENDING.dtype)
    words["storage_slot"] = object_layouts.storage_slot()
    words["away_type"] = object_layouts.away_type()
    for name, slot in object_layouts.away_slots().items():
        words[name] = slot
    words["none"] = id(None)
    words["program"], words["otherwise"], words["failed"] = id(program), id(otherwise), id(failed)
    words["variables"], words["changed"], words["after"] = len(variables), changed, after
    words["table"] = context.ctypes.data + LENDING.bytes
    held = program, otherwise, failed, variables
    return _function(_LENDING, context, held)


def calling_with_tensors(
    call: Callable[..., list[Any] | None], of: TensorCall, otherwise: Callable[..., Any]
) -> Callable[..., Any]:
    """What calls something that takes arrays and gives a list of them: with tensors, for a tuple of
    tensors. NotImplemented where it gives None.

    otherwise: the same, for operands that are not there, or other ones.
    """
    if not are_native():
        return otherwise
    first = DIRECT.bytes // 8
    constants = [None if type(one) is int else one for one in of.arrays]
    tables = {
        "kinds": list(map(id, of.kinds)),
        "sources": [one if type(one) is int else -1 for one in of.arrays],
        "constants": list(map(id, constants)),
        "results": [number for number, _ in of.results],
        "result_kinds": [id(kind) for _, kind in of.results],
    }
    context = np.zeros(first + sum(map(len, tables.values())), np.int64).view(CallContext)
    words = context[:first].view(DIRECT.dtype)
    end = first
    for name, table in tables.items():
        words[name] = context.ctypes.data + 8 * end
        context[end : end + len(table)] = table
        end += len(table)
    words["tensor_type"] = object_layouts.tensor_type()
    words["away_slot"] = object_layouts.tensor_away_slot()
    words["tuple_type"], words["none"] = id(tuple), id(None)
    words["not_implemented"] = id(NotImplemented)
    words["call"], words["otherwise"] = id(call), id(otherwise)
    words["operands"], words["arrays"] = len(of.kinds), len(of.arrays)
    words["given"] = len(of.results)
    return _function(_WITH_TENSORS, context, (call, otherwise, of, constants))


def _function(name: str, context: CallContext, held: Any) -> Callable[..., Any]:
    """A native function as Python calls it, which keeps alive what its context points to."""
    module = _module(name)
    function, definition = object_layouts.make_function(name, module.address(name), context)
    context.held = (module, definition, held)
    return function


@cache
def _module(name: str) -> NativeModule:
    """The machine code, kept until the process ends."""
    disk, source = open_cache(), f"{name}\n{lending.FUNCTIONS}"
    if found := load_module(object_key(source), name=name, cache=disk):
        return found
    from .llvm.exported import exported  # of no use to code that comes from the disk cache

    return compile_module(exported(name), name=name, cache_key=source, cache=disk)

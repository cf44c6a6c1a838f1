"""What lies where in the context: the words of this process that a native entry reads.

Nothing in an entry's code depends on the process, so the code can be cached on disk. Behind the
record there is for each input its dtype object, for each capture its object, for each output
NumPy's number of its dtype, then the address of the counters.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...core.process.named_tuples import NamedTuple
from ..loops.records import record
from ..lowered import Lowered
from .frame import ERROR_VALUES

# Of tensors, storages (which hold the arrays of variables) and handles of variables: the type, and
# the slot in which they keep what they hold. `new_array` is NumPy's PyArray_New. `raiser` is what
# to call after a failed check, when `error` is its number. `lent` stands in a storage whose array a
# program has, `lent_by_main` does where that is run by the thread `main_thread`.
CONTEXT: Final = record(
    "Context",
    tensor_type="ptr", tensor_slot="i64", storage_type="ptr", storage_slot="i64",
    new_array="ptr", array_type="ptr", raiser="ptr", not_implemented="ptr",
    handle_type="ptr", handle_slot="i64", lent="ptr", lent_by_main="ptr", main_thread="i64",
    tuple_items="i64", error="i64", values=f"i64[{ERROR_VALUES}]",
)  # fmt: skip


class CallContext(np.ndarray[Any, Any]):
    """The words that an entry reads. The function holds it, and it holds all that they point to:
    CPython lets go of a native function's bound object last of all.
    """

    held: Any


class ContextLayout(NamedTuple):
    """Positions in the context, in words."""

    dtypes: int
    captures: int
    outputs: int
    counters: int
    words: int  # of all


def context_layout(lowered: Lowered, parameters: int) -> ContextLayout:
    inputs = CONTEXT.bytes // 8
    captures = inputs + len(lowered.inputs)
    outputs = captures + len(lowered.inputs) - parameters
    counters = outputs + len(lowered.outputs)
    return ContextLayout(inputs, captures, outputs, counters, counters + 1)

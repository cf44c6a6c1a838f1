"""What lies where in the table of 64-bit words that a call passes to its program.

0            how many frames are around it: none (this word and the next: native/records.py)
1            the chain of kept memory (native/memory/call_memory.py)
...          inputs, counters, objects: `program.frame`
error        the number of a failed check, then what it shows: up to ERROR_VALUES numbers
context      the address of the executable's context (calling/entry_context.py)
thread       CPython's thread state while the lock is released
done         1 after a callback that succeeded
polled       when signals were last looked for (native/interrupts.py); 0 at first
outputs      per output: an address, then its sizes
results      per result of the last callback: an address, then its sizes
carried      the Python objects that branches and loops gave, or carry
"""

from __future__ import annotations

from typing import Final

from ...core.process.named_tuples import NamedTuple
from ...ops.lowering import MOST_NUMBERS
from ..lowered import Lowered, known_rank, result_places

ERROR_VALUES = MOST_NUMBERS
THREAD: Final = 1  # words behind the context's
DONE: Final = 2


class FrameLayout(NamedTuple):
    """Positions in words."""

    error: int
    context: int
    thread: int
    done: int
    polled: int
    outputs: tuple[int, ...]
    results: int
    carried: int
    words: int  # of all


def layout_of(lowered: Lowered) -> FrameLayout:
    error = lowered.frame_entries
    context = error + 1 + ERROR_VALUES
    done = context + DONE
    polled = done + 1
    places = [polled + 1]
    for output in lowered.outputs:
        places.append(places[-1] + 1 + known_rank(output))
    *outputs, results = places
    most = max((result_places(step.operation)[-1] for step in lowered.steps), default=0)
    carried = results + most
    return FrameLayout(
        error, context, context + THREAD, done, polled, tuple(outputs), results, carried,
        carried + lowered.carried,
    )  # fmt: skip

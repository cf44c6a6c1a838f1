"""What lies where in the table of 64-bit words that a call passes to its program.

0            the frame's own address
1            the chain of kept memory (llvm/kept.py)
...          inputs, counters, objects: `program.frame`
error        the number of a failed check, then its 8 values
context      the address of the executable's context (calling/context.py)
thread       CPython's thread state while the lock is released
outputs      per output: an address, then up to 8 sizes
results      per result of the last callback: an address, its rank, up to 8 sizes
"""

from __future__ import annotations

from dataclasses import dataclass

from ..lowering.callbacks import RESULT_WORDS
from ..lowering.graphs import Lowered

ERROR_VALUES = 8
OUTPUT_WORDS = 9


@dataclass(frozen=True, slots=True)
class FrameLayout:
    """Positions in words."""

    error: int
    context: int
    thread: int
    outputs: int
    results: int
    count: int

    def output(self, number: int) -> int:
        return self.outputs + number * OUTPUT_WORDS


def layout_of(lowered: Lowered) -> FrameLayout:
    error = lowered.frame_entries
    context = error + 1 + ERROR_VALUES
    outputs = context + 2
    results = outputs + OUTPUT_WORDS * len(lowered.outputs)
    most = max((len(step.operation.results) for step in lowered.steps), default=0)
    return FrameLayout(error, context, context + 1, outputs, results, results + most * RESULT_WORDS)

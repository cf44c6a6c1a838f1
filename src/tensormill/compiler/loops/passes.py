"""The order of passes over loop programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from .collapse import collapse_loops
from .effects import Summaries, escaping
from .fusion import fuse_loops
from .ir import Program
from .order import block_transposes, order_loops
from .parallel import mark_parallel
from .simplify import simplify
from .storage import drop_dead_buffers, forward_stores, shrink_buffers
from .sums import sum_along_rows
from .verify import verify

Pass: TypeAlias = Callable[[Program, Summaries | None], Program]

PASSES: Final[tuple[Pass, ...]] = (
    simplify,  # equal extents must be written alike before loops are compared
    order_loops,  # before fusion: it joins loops in the order in which they stand
    sum_along_rows,  # before fusion too: rows are what producers and consumers loop over
    fuse_loops,
    forward_stores,  # loads and stores of one iteration are together only after fusion
    drop_dead_buffers,  # what has been forwarded is often read no more
    shrink_buffers,
    block_transposes,  # last of those that look at indices axis by axis
    collapse_loops,
    mark_parallel,
)


def optimise(program: Program, check: bool = False) -> Program:
    """The program after all passes; `check` verifies it after each of them.

    What statements touch is found once: most of them go from pass to pass unchanged.
    """
    summaries = Summaries(escaping(program.body))
    for one in PASSES:
        program = one(program, summaries)
        if check:
            verify(program)
    return program

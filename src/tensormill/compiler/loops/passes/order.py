"""The order of passes over loop programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from ..effects import Summaries, escaping
from ..ir import Program
from .added_products import add_products
from .arranged_factors import arrange_factors
from .block_rows import block_rows
from .block_sums import block_sums
from .checks import gather_checks
from .collapse import collapse_loops
from .copies import share_copies
from .fusion import fuse_loops
from .interchange import block_transposes, order_loops
from .parallel import mark_parallel
from .partial_sums import add_up_parts
from .pieces import cut_long_code
from .simplify import simplify
from .splitting import split_loops
from .storage import drop_dead_buffers, forward_stores, shrink_buffers
from .sums import sum_along_rows
from .turn_groups import group_turns

Pass: TypeAlias = Callable[[Program, Summaries | None], Program]

FUSION: Final[tuple[Pass, ...]] = (
    fuse_loops,
    forward_stores,  # loads and stores of one iteration are together only after fusion
    drop_dead_buffers,  # what has been forwarded is often read no more
    shrink_buffers,
)
PASSES: Final[tuple[Pass, ...]] = (
    simplify,  # equal extents must be written alike before loops are compared
    share_copies,  # before what changes the order in which loops copy
    order_loops,  # before fusion: it joins loops in the order in which they stand
    sum_along_rows,  # before fusion too: rows are what producers and consumers loop over
    *FUSION,
    split_loops,  # after fusion, which wants equal extents
    gather_checks,
    block_transposes,  # last of those that look at indices axis by axis
    collapse_loops,
    add_products,  # on whole loops over memory in a row
    arrange_factors,  # after products were added: these calls are changed as well
    block_sums,  # on joined loops
    block_rows,
    group_turns,  # after sums were cut into blocks: they are known by their one statement
    mark_parallel,
    add_up_parts,  # in loops as they will run: nobody needs to know sums by their form any more
    cut_long_code,  # nobody looks at what is in pieces any more
)


def optimise(program: Program, check: bool = False) -> Program:
    """The program after all passes; `check` verifies it after each of them.

    What statements touch is found once: most of them go from pass to pass unchanged.
    """
    summaries = Summaries(escaping(program.body))
    for one in PASSES:
        before, program = program, _run(one, program, summaries, check)
        if one is split_loops and program.body != before.body:
            for again in FUSION:  # a piece may have found a partner
                program = _run(again, program, summaries, check)
    return program


def _run(one: Pass, program: Program, summaries: Summaries, check: bool) -> Program:
    result = one(program, summaries)
    return _verified(result) if check else result


def _verified(program: Program) -> Program:
    from ..verify import verify  # where it is asked for

    return verify(program)

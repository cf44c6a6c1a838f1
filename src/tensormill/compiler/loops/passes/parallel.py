"""Loops whose iterations may run on several threads."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Final

from ..effects import Summaries, independent
from ..ir import For, Literal, Local, Program, Repeat, Set, Statement
from ..walk import Block, every_part, every_statement, expressions, map_blocks, map_compound

# Iterations that one thread is done with before another one has begun.
SHORT: Final = 16384


def mark_parallel(program: Program, summaries: Summaries | None = None) -> Program:
    """Mark outermost loops whose iterations are found to be independent, unless they are short.

    Before:
        program f(x: input f32[n], y: output f32[n], n: i64):
          for i in n:
            y[i] = exp(x[i])
    After:
        program f(x: input f32[n], y: output f32[n], n: i64):
          parfor i in n:
            y[i] = exp(x[i])
    """
    reads = register_reads(program.body)
    return Program(program.name, program.frame, _marked(program.body, reads))


def _marked(block: Block, reads: Counter[Local]) -> Block:
    return map_compound(block, lambda one: _statement(one, reads))


def _statement(statement: Statement, reads: Counter[Local]) -> Statement:
    if isinstance(statement, For):
        if statement.parallel or iterations(statement) <= SHORT:
            return statement
        if independent(statement) and _keeps_registers(statement, reads):
            return replace(statement, parallel=True)
    return map_blocks(statement, lambda inner: _marked(inner, reads))


def iterations(loop: For) -> int:
    """How often the innermost body runs; more than `SHORT` where that is not known."""
    if not isinstance(loop.extent, Literal):
        return SHORT + 1
    inner = (
        iterations(one) if isinstance(one, For) else SHORT + 1
        for one in loop.body
        if isinstance(one, (For, Repeat))
    )  # fmt: skip
    return loop.extent.value * max(inner, default=1)


def register_reads(block: Block) -> Counter[Local]:
    """How often mutable variables are read."""
    return Counter(
        part
        for statement in every_statement(block)
        for expression in expressions(statement)
        for part in every_part(expression)
        if type(part) is Local and part.mutable
    )


def register_uses(block: Block) -> Counter[Local]:
    """How often mutable variables are read, or set."""
    sets = (one.variable for one in every_statement(block) if isinstance(one, Set))
    return register_reads(block) + Counter(sets)


def _keeps_registers(loop: For, reads: Counter[Local]) -> bool:
    """Whether registers that the loop changes are made anew by every iteration, for itself."""
    changed = {one.variable for one in every_statement(loop.body) if isinstance(one, Set)}
    if not changed:
        return True
    inside = register_reads(loop.body)
    if any(inside[variable] != reads[variable] for variable in changed):
        return False
    return changed <= made_first(loop.body, changed)


def made_first(body: Block, changed: set[Local]) -> set[Local]:
    """Variables that a block sets before anything in it may read them."""
    made: set[Local] = set()
    read: set[Local] = set()
    for statement in body:
        read |= set(register_reads((statement,))) - made
        if isinstance(statement, Set) and statement.variable not in read:
            made.add(statement.variable)
    return made & changed

"""Which loop runs innermost."""

from __future__ import annotations

from typing import Final

from ..effects import Summaries, accesses
from ..ir import Apply, Expression, For, Literal, Local, Program, Statement
from ..walk import Block, map_blocks, map_compound, renewed, replace_compound, substitute
from .nests import Nest, contiguous, may_reorder, nest_of, occurs

# Rows of a transpose that are written together: one cache line of float32.
_BLOCK: Final = 16
_MANY: Final = 32


def order_loops(program: Program, summaries: Summaries | None = None) -> Program:
    """Run innermost the loop that moves along memory, if iterations are independent.

    Stores count twice: a processor can prefetch what it reads.

    Before:
        program f(x: input f32[n, m], y: output f32[n, m], n: i64, m: i64):
          parfor j in m:
            for i in n:
              y[i, j] = exp(x[i, j])
    After:
        program f(x: input f32[n, m], y: output f32[n, m], n: i64, m: i64):
          parfor i in n:
            for j in m:
              y[i, j] = exp(x[i, j])
    """
    return Program(program.name, program.frame, _ordered(program.body))


def _ordered(block: Block) -> Block:
    return map_compound(block, _ordered_statement)


def _ordered_statement(statement: Statement) -> Statement:
    if not isinstance(statement, For):
        return map_blocks(statement, _ordered)
    nest = nest_of(statement)
    if len(nest.loops) == 1 or not may_reorder(nest):
        return map_blocks(statement, _ordered)
    scores = [_score(nest, loop.index) for loop in nest.loops]
    best = max(range(len(scores)), key=lambda k: (scores[k], k))
    if scores[best] == scores[-1]:
        return statement
    chosen = nest.loops[best]
    others = tuple(loop for loop in nest.loops if loop is not chosen)
    return nest.around((*others, chosen), nest.body)


def _score(nest: Nest, index: Local) -> int:
    return sum(
        2 if access.writes else 1
        for buffer, many in accesses(nest.body).items()
        for access in many
        if contiguous(access, buffer, index)
    )


def block_transposes(program: Program, summaries: Summaries | None = None) -> Program:
    """Write sixteen rows together where what is read runs across them.

    A cache line that was fetched is then used whole before it is thrown out.

    Before:
        program f(x: input f32[64, 100], y: output f32[100, 64]):
          for i in 100:
            for j in 64:
              y[i, j] = x[j, i]
    After:
        program f(x: input f32[64, 100], y: output f32[100, 64]):
          for i.block in 6:
            for j in 64:
              for i.row in 16:
                y[((i.block * 16) + i.row), j] = x[j, ((i.block * 16) + i.row)]
          for i.rest in 4:
            for j.rest in 64:
              y[(i.rest + 96), j.rest] = x[j.rest, (i.rest + 96)]
    """
    return Program(program.name, program.frame, _blocked(program.body))


def _blocked(block: Block) -> Block:
    return replace_compound(block, _blocked_statement)


def _blocked_statement(statement: Statement) -> Block:
    if isinstance(statement, For):
        nest = nest_of(statement)
        if len(nest.loops) == 2 and may_reorder(nest) and _crosses(nest):
            return _in_blocks(nest)
    return (map_blocks(statement, _blocked),)


def _crosses(nest: Nest) -> bool:
    """Whether the inner loop moves across the rows of something that is read."""
    if any(isinstance(loop.extent, Literal) and loop.extent.value < _MANY for loop in nest.loops):
        return False
    outer, inner = nest.indices
    return any(
        contiguous(access, buffer, outer) and any(occurs(inner, one) for one in access.indices)
        for buffer, many in accesses(nest.body).items()
        for access in many
        if access.indices is not None and not access.writes
    )


def _in_blocks(nest: Nest) -> Block:
    outer, inner = nest.loops
    block = Local(f"{outer.index.name}.block", "i64")
    row = Local(f"{outer.index.name}.row", "i64")
    size = Literal(_BLOCK, "i64")
    count, done = _quotient(outer.extent), _multiple(outer.extent)
    place = Apply("add", (Apply("mul", (block, size), "i64"), row), "i64")
    body = substitute(nest.body, {outer.index: place})
    rows = For(inner.index, inner.extent, (For(row, size, body),))
    blocks = For(block, count, (rows,), outer.parallel)
    return (blocks, *_rest(nest, outer.extent, done))


def _rest(nest: Nest, extent: Expression, done: Expression) -> Block:
    """The rows that fill no block."""
    outer, inner = nest.loops
    if isinstance(extent, Literal) and isinstance(done, Literal):
        left: Expression = Literal(extent.value - done.value, "i64")
        if extent.value == done.value:
            return ()
    else:
        left = Apply("sub", (extent, done), "i64")
    i = Local(f"{outer.index.name}.rest", "i64")
    j = Local(f"{inner.index.name}.rest", "i64")
    place = Apply("add", (i, done), "i64")
    body = renewed(substitute(nest.body, {outer.index: place, inner.index: j}))
    return (For(i, left, (For(j, inner.extent, body),)),)


def _quotient(extent: Expression) -> Expression:
    if isinstance(extent, Literal):
        return Literal(extent.value // _BLOCK, "i64")
    return Apply("floor_divide", (extent, Literal(_BLOCK, "i64")), "i64")


def _multiple(extent: Expression) -> Expression:
    if isinstance(extent, Literal):
        return Literal(extent.value // _BLOCK * _BLOCK, "i64")
    return Apply("mul", (_quotient(extent), Literal(_BLOCK, "i64")), "i64")

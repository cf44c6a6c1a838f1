"""Rows that a long loop adds up in memory are added up in blocks, which threads may share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import prod
from typing import Final

from ....core.process.named_tuples import NamedTuple
from ..costs import BLOCK_WORK, PARALLEL_WORK, known_cost
from ..effects import Summaries, escaping
from ..ir import (
    Allocate,
    Apply,
    Buffer,
    Choice,
    Expression,
    For,
    Let,
    Literal,
    Load,
    Local,
    Program,
    Statement,
    Store,
)
from ..walk import (
    Block,
    every_part,
    every_statement,
    expressions,
    map_blocks,
    renewed,
    replace_compound,
    substitute,
)
from .block_sums import combined_by, identity
from .simplify import fold

# What adding up a block takes, at least, for what adding its row to the others takes.
_LEAST: Final = 16
_BADLY_SHARED: Final = 8  # iterations that threads share badly
_ADDING: Final = 10  # what that takes for an element, as costs.py counts


def block_rows(program: Program, summaries: Summaries | None = None) -> Program:
    """A long loop that adds rows up becomes loops over blocks of it, and one over their rows.

    Blocks are the same for any number of threads, so the sums are, too.

    Before:
        program f(x: input f32[n, 64], y: output f32[64], n: i64):
          allocate sum: f32[64]
          for j in 64:
            sum[j] = 0.0
          for i in n reassociate:
            for j.1 in 64:
              sum[j.1] = (sum[j.1] + x[i, j.1])
          for j.2 in 64:
            y[j.2] = (sum[j.2] * 0.5)
    After:
        program f(x: input f32[n, 64], y: output f32[64], n: i64):
          allocate sum: f32[64]
          for j in 64:
            sum[j] = 0.0
          if (n > 5120):
            allocate sum.parts: f32[((n + 1023) // 1024), 64]
            parfor i.block in ((n + 1023) // 1024):
              allocate sum.part: f32[64]
              for at in 64:
                sum.part[at] = 0.0
              for i in min(1024, (n - (i.block * 1024))) reassociate:
                for j.1 in 64:
                  sum.part[j.1] = (sum.part[j.1] + x[((i.block * 1024) + i), j.1])
              for at.1 in 64:
                sum.parts[i.block, at.1] = sum.part[at.1]
            for i.block.1 in ((n + 1023) // 1024) reassociate:
              for at.2 in 64:
                sum[at.2] = (sum[at.2] + sum.parts[i.block.1, at.2])
          else:
            for i.1 in n reassociate:
              for j.1.1 in 64:
                sum[j.1.1] = (sum[j.1.1] + x[i.1, j.1.1])
          for j.2 in 64:
            y[j.2] = (sum[j.2] * 0.5)
    """
    escape = escaping(program.body)
    return Program(program.name, program.frame, _in_block(program.body, escape))


def _in_block(block: Block, escape: frozenset[Buffer], known: bool = False) -> Block:
    """`known`: change only loops whose length is."""
    return replace_compound(block, lambda one: _statement(one, escape, known))


def _statement(statement: Statement, escape: frozenset[Buffer], known: bool) -> Block:
    if isinstance(statement, For):
        if statement.parallel:
            return (_one_by_one(statement, escape),)
        may_change = isinstance(statement.extent, Literal) or not known
        if may_change and (found := _rows(statement)) and escape.isdisjoint(found):
            return _divided(statement, found)
    return (map_blocks(statement, lambda block: _in_block(block, escape, known)),)


def _one_by_one(loop: For, escape: frozenset[Buffer]) -> For:
    """A parallel loop as it is, or the few iterations of one in turn, each shared by threads.

    Only where they are known to be long: those of short ones are better shared than not.
    """
    if not isinstance(loop.extent, Literal) or loop.extent.value > _BADLY_SHARED:
        return loop
    body = _in_block(loop.body, escape, known=True)
    return loop if body is loop.body else replace(loop, body=body, parallel=False)


def _divided(loop: For, rows: dict[Buffer, str]) -> Block:
    work = max(known_cost(loop.body), 1)
    enough = max(BLOCK_WORK, sum(map(_elements, rows)) * _ADDING * _LEAST)
    step = 1 << (max(enough // work, 1) - 1).bit_length()
    long = step * (PARALLEL_WORK // BLOCK_WORK)
    if isinstance(loop.extent, Literal):
        return (loop,) if loop.extent.value <= long else _in_parts(loop, rows, step)
    is_long = Apply("gt", (loop.extent, Literal(long, "i64")), "bool")
    return (Choice(is_long, _in_parts(loop, rows, step), renewed((loop,), lambda _: True)),)


def _elements(row: Buffer) -> int:
    return prod([one.value for one in row.shape if isinstance(one, Literal)])


# ---------------------------------------------------------------- what a loop adds up


def _rows(loop: For) -> dict[Buffer, str] | None:
    """The rows that a loop adds to and does nothing else with, and how; None if it does more."""
    found: dict[Buffer, str] = {}
    stores = 0
    for statement in every_statement(loop.body):
        if isinstance(statement, Store):
            how = _added_by(statement, loop)
            if how is None or found.setdefault(statement.buffer, how) != how:
                return None
            stores += 1
        elif not isinstance(statement, (For, Let)):
            return None
    return found if stores == _loads(loop, found) else None


def _added_by(store: Store, loop: For) -> str | None:
    """How an element of a row is combined with something else, in any order."""
    row = store.buffer
    if row.space != "temporary" or not all(isinstance(size, Literal) for size in row.shape):
        return None
    if any(part is loop.index for index in store.indices for part in every_part(index)):
        return None
    return combined_by(store.value, Load(row, store.indices), loop.reassociate) or None


def _loads(loop: For, rows: dict[Buffer, str]) -> int:
    """How often a loop's body looks at some buffers."""
    return sum(
        isinstance(part, Load) and part.buffer in rows
        for statement in every_statement(loop.body)
        for expression in expressions(statement)
        for part in every_part(expression)
    )


# ---------------------------------------------------------------- blocks


class _Row(NamedTuple):
    """A row, that of one block (`part`), those of all of them, and how they are put together."""

    row: Buffer
    part: Buffer
    parts: Buffer
    function: str

    def clear(self) -> Statement:
        """Begin a block's row."""
        none = Literal(identity(self.function, self.row.type), self.row.type)
        return for_all(self.row, lambda place: Store(self.part, place, none))

    def keep(self, block: Local) -> Statement:
        """Put a block's row beside the others."""
        return for_all(
            self.row, lambda place: Store(self.parts, (block, *place), Load(self.part, place))
        )

    def join(self, block: Local) -> Statement:
        """Add a block's row to the whole."""

        def store(place: tuple[Local, ...]) -> Store:
            both = Load(self.row, place), Load(self.parts, (block, *place))
            return Store(self.row, place, Apply(self.function, both, self.row.type))

        return for_all(self.row, store)


def for_all(row: Buffer, store: Callable[[tuple[Local, ...]], Store]) -> Statement:
    """Loops over all places of a row."""
    places = tuple([Local("at", "i64") for _ in row.shape])
    body: Statement = store(places)
    for place, size in zip(reversed(places), reversed(row.shape), strict=True):
        body = For(place, size, (body,))
    return body


def _in_parts(loop: For, functions: dict[Buffer, str], step: int) -> Block:
    size = Literal(step, "i64")
    above = fold(Apply("add", (loop.extent, Literal(step - 1, "i64")), "i64"))
    count = fold(Apply("floor_divide", (above, size), "i64"))
    block, again = (Local(f"{loop.index.name}.block", "i64") for _ in range(2))
    rows = [_row(row, function, count) for row, function in functions.items()]
    own = {one.row: one.part for one in rows}
    body = (
        *(Allocate(one.part) for one in rows),
        *(one.clear() for one in rows),
        _one_block(loop, own, block, size),
        *(one.keep(block) for one in rows),
    )
    return (
        *(Allocate(one.parts) for one in rows),
        For(block, count, body, parallel=True),
        For(again, count, tuple(one.join(again) for one in rows), reassociate=loop.reassociate),
    )


def _row(row: Buffer, function: str, count: Expression) -> _Row:
    part = Buffer(f"{row.name}.part", row.type, row.shape, "temporary")
    parts = Buffer(f"{row.name}.parts", row.type, (count, *row.shape), "temporary")
    return _Row(row, part, parts, function)


def _one_block(loop: For, own: dict[Buffer, Buffer], block: Local, size: Literal) -> Statement:
    """The turns of one block, which add to rows of its own."""
    index = Local(loop.index.name, "i64")
    start = fold(Apply("mul", (block, size), "i64"))
    extent = fold(Apply("min", (size, Apply("sub", (loop.extent, start), "i64")), "i64"))
    place = fold(Apply("add", (start, index), "i64"))
    body = renewed(substitute(loop.body, {loop.index: place}, own))
    return For(index, extent, body, reassociate=loop.reassociate)

"""Loops over neighbouring axes of whole buffers become one loop."""

from __future__ import annotations

from ....core.process.named_tuples import NamedTuple
from ..effects import Summaries, independent
from ..ir import (
    Address,
    Apply,
    Buffer,
    Expression,
    For,
    Literal,
    Load,
    Local,
    Program,
    Set,
    Statement,
    Store,
)
from ..ranges import count
from ..short_rows import short_rows
from ..walk import (
    Block,
    blocks,
    every_part,
    every_statement,
    expressions,
    map_blocks,
    map_compound,
    rewrite,
    with_blocks,
    with_expressions,
)
from .nests import nest_of
from .simplify import fold


def collapse_loops(program: Program, summaries: Summaries | None = None) -> Program:
    """Nested loops whose indices always stand side by side become one.

    Rows of three elements then fill vectors, and work divides evenly among threads.

    Before:
        program f(x: input f32[n, 3], y: output f32[n, 3], b: input f32[], n: i64):
          parfor i in n:
            for j in 3:
              y[i, j] = (x[i, j] * b[])
    After:
        program f(x: input f32[n, 3], y: output f32[n, 3], b: input f32[], n: i64):
          parfor i in (n * 3):
            y[flat i] = (x[flat i] * b[])
    """
    return Program(program.name, program.frame, _collapsed(program.body))


def _collapsed(block: Block) -> Block:
    return map_compound(block, _collapsed_statement)


def _collapsed_statement(statement: Statement) -> Statement:
    if not isinstance(statement, For):
        return map_blocks(statement, _collapsed)
    if short_rows(statement):
        return statement
    nest = nest_of(statement)
    body = _collapsed(nest.body)
    for first in range(len(nest.loops) - 1):
        group = nest.loops[first:]
        if _flags_allow(group, body) and _stand_together(group, body):
            return nest.around(nest.loops[:first], (_joined(group, body),))
    return statement if body is nest.body else nest.around(nest.loops, body)


def _flags_allow(group: tuple[For, ...], body: Block) -> bool:
    sums = any(isinstance(one, Set) for one in every_statement(body))
    if len({loop.reassociate for loop in group}) > 1 and sums:
        return False
    if not group[0].parallel:
        return True
    # Threads take iterations of the joined loop: those of inner ones must be independent too.
    return all(independent(loop) for loop in group[1:]) and not sums


def _stand_together(group: tuple[For, ...], body: Block) -> bool:
    """Whether every access allows one index in place of all, and nothing else needs them."""
    run = _Run(tuple(loop.index for loop in group), tuple(loop.extent for loop in group))
    if any(run.occurs(loop.extent) for loop in group):
        return False
    for statement in every_statement(body):
        own = expressions(statement)
        if isinstance(statement, Store):
            own = (statement.value, Load(statement.buffer, statement.indices))
        if not all(run.allows(one) for one in own):
            return False
    return True


class _Run(NamedTuple):
    """The indices of loops that are to become one, and their extents."""

    indices: tuple[Local, ...]
    extents: tuple[Expression, ...]

    def occurs(self, expression: Expression) -> bool:
        return any(part in self.indices for part in every_part(expression))

    def allows(self, root: Expression) -> bool:
        """Whether the indices occur in an expression only where loads allow it."""
        pending, seen = [root], {root}
        for node in pending:  # which grows meanwhile
            if isinstance(node, Address) or node in self.indices:
                return False
            inside: tuple[Expression, ...] = ()
            if isinstance(node, Load):
                if not self._is_whole(node):
                    return False
                inside = tuple(one for one in node.indices if not self.occurs(one))
            elif isinstance(node, Apply):
                inside = node.arguments
            pending += [one for one in inside if one not in seen]
            seen.update(inside)
        return True

    def _is_whole(self, load: Load) -> bool:
        """Whether the run is not there, or there once, side by side, inner axes taken whole.

        Something fixed may be added to the first index.
        """
        places = [place for place, one in enumerate(load.indices) if self.occurs(one)]
        if not places:
            return True
        first, end, sizes = places[0], places[-1] + 1, load.buffer.shape
        if len(load.indices) != len(sizes) or load.indices[first + 1 : end] != self.indices[1:]:
            return False
        if self._offset(load.indices[first]) is None:
            return False
        return sizes[first + 1 : end] == self.extents[1:]

    def _offset(self, position: Expression) -> Expression | None:
        """What is added to the first index of the run."""
        match position:
            case Local() if position is self.indices[0]:
                return Literal(0, "i64")
            case Apply("add", (Local() as inner, other)) if inner is self.indices[0]:
                return None if self.occurs(other) else other
            case _:
                return None

    def is_in(self, indices: tuple[Expression, ...]) -> bool:
        """Whether an access moves with the run."""
        return any(self.occurs(one) for one in indices)

    def flat(self, buffer: Buffer, indices: tuple[Expression, ...], index: Local) -> Expression:
        """The place in row-major order, `index` counting the axes of the run."""
        first = next(place for place, one in enumerate(indices) if self.occurs(one))
        end = first + len(self.indices)
        position: Expression = Literal(0, "i64")
        for place, (size, one) in enumerate(zip(buffer.shape, indices, strict=True)):
            if place == first:
                offset = self._offset(one)
                assert offset is not None
                rows = _add(_multiply(position, size), offset)
                position = _add(_multiply(rows, count(buffer.shape[first + 1 : end])), index)
            elif not first < place < end:
                position = _add(_multiply(position, size), one)
        return position


def _joined(group: tuple[For, ...], body: Block) -> For:
    run = _Run(tuple(loop.index for loop in group), tuple(loop.extent for loop in group))
    index = Local(group[0].index.name, "i64")
    extent = count(run.extents)
    return For(index, extent, _in_block(body, run, index), group[0].parallel, group[-1].reassociate)


def _in_block(block: Block, run: _Run, index: Local) -> Block:
    return tuple(_in_statement(one, run, index) for one in block)


def _in_statement(statement: Statement, run: _Run, index: Local) -> Statement:
    def change(node: Expression) -> Expression:
        if isinstance(node, Load) and run.is_in(node.indices):
            return Load(node.buffer, (run.flat(node.buffer, node.indices, index),))
        return node

    new = with_expressions(statement, lambda one: rewrite(one, change))
    if isinstance(new, Store) and run.is_in(new.indices):
        new = Store(new.buffer, (run.flat(new.buffer, new.indices, index),), new.value)
    return with_blocks(new, tuple(_in_block(inner, run, index) for inner in blocks(new)))


def _add(a: Expression, b: Expression) -> Expression:
    return fold(Apply("add", (a, b), "i64"))


def _multiply(a: Expression, b: Expression) -> Expression:
    return fold(Apply("mul", (a, b), "i64"))

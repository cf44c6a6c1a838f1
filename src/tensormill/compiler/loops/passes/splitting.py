"""Loops over several pieces become a loop for each piece."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from ....core.process.named_tuples import NamedTuple
from ..effects import Summaries
from ..ir import Apply, Expression, For, Let, Literal, Load, Local, Program, Set, Statement
from ..ranges import Extents, narrow
from ..walk import (
    Block,
    every_part,
    every_statement,
    expressions,
    map_blocks,
    map_expressions,
    renewed,
    replace_compound,
    rewrite,
    substitute,
)
from .parallel import register_uses
from .simplify import fold

# The body is written again for every piece.
_MOST_STATEMENTS: Final = 12
_MOST_PIECES: Final = 6
_MIRRORED: Final = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}


def split_loops(program: Program, summaries: Summaries | None = None) -> Program:
    """Where a loop chooses by its index what to read, divide it at the index that decides.

    Joined and padded arrays are such loops. Afterwards neither part has to choose.

    Before:
        program f(x: input f32[3], y: input f32[5], z: output f32[8]):
          parfor i in 8:
            z[i] = where((i < 3), x[i], y[max((i - 3), 0)])
    After:
        program f(x: input f32[3], y: input f32[5], z: output f32[8]):
          parfor i in 3:
            z[i] = x[i]
          parfor i.1 in 5:
            z[(i.1 + 3)] = y[i.1]
    """
    splitter = _LoopSplitter(register_uses(program.body))
    return Program(program.name, program.frame, splitter.block(program.body, {}))


class _LoopSplitter:
    """`uses`: how often the whole program reads or sets a register."""

    def __init__(self, uses: Counter[Local]) -> None:
        self.uses = uses

    def block(self, block: Block, extents: Extents) -> Block:
        return replace_compound(block, lambda one: self._statement(one, extents))

    def _statement(self, statement: Statement, extents: Extents) -> Block:
        if not isinstance(statement, For):
            return (map_blocks(statement, lambda inner: self.block(inner, extents)),)
        pieces = self._pieces(statement, extents, _MOST_PIECES)
        return tuple(self._inside(piece, extents) for piece in pieces)

    def _inside(self, loop: For, extents: Extents) -> For:
        body = self.block(loop.body, {**extents, loop.index: loop.extent})
        if body is loop.body:
            return loop
        return For(loop.index, loop.extent, body, loop.parallel, loop.reassociate)

    def _pieces(self, loop: For, extents: Extents, most: int) -> list[For]:
        """The loop in parts, as many as its choices make."""
        if most <= 1 or len(every_statement(loop.body)) > _MOST_STATEMENTS:
            return [loop]
        if next(_reading_wheres(loop), None) is None:  # most have none, and need not be written out
            return [loop]
        written_out = _without_index_names(loop)
        found = _deciding(written_out)
        if found is None:
            return [loop]
        first, second = self._divided(written_out, found, extents)
        pieces = self._pieces(first, extents, most - 1) if first else []
        if second:
            pieces += self._pieces(second, extents, most - len(pieces))
        return pieces

    def _divided(
        self, loop: For, choice: _Choice, extents: Extents
    ) -> tuple[For | None, For | None]:
        """The iterations below the place, and those from it on."""
        start = _fold("min", _fold("max", choice.place, Literal(0, "i64")), loop.extent)
        left = _fold("sub", loop.extent, start)
        index = Local(loop.index.name, "i64")
        moved = {loop.index: _fold("add", index, start)}
        first = _known(loop.body, choice.comparison, choice.before)
        second = _known(loop.body, choice.comparison, not choice.before)
        inside = register_uses(loop.body)

        def lives_on(register: Local) -> bool:  # or comes from before the loop
            return not loop.parallel and inside[register] != self.uses[register]

        own = renewed(substitute(second, moved), lives_on)
        return (
            _piece(loop, loop.index, start, first, extents),
            _piece(loop, index, left, own, extents),
        )


def _without_index_names(loop: For) -> For:
    """The loop with the names of index arithmetic written out, so that it can be looked into."""
    known: dict[Local, Expression] = {}
    body: list[Statement] = []
    for statement in loop.body:
        (new,) = substitute((statement,), known)
        if isinstance(new, Let) and new.variable.type == "i64" and _is_arithmetic(new.value):
            known[new.variable] = new.value
        else:
            body.append(new)
    if not known:
        return loop
    return For(loop.index, loop.extent, tuple(body), loop.parallel, loop.reassociate)


def _is_arithmetic(value: Expression) -> bool:
    return not any(
        isinstance(part, Load) or (isinstance(part, Local) and part.mutable)
        for part in every_part(value)
    )


# ---------------------------------------------------------------- what decides


class _Choice(NamedTuple):
    """`comparison` is `before` for indices below `place`, and not so from there on."""

    comparison: Apply
    place: Expression
    before: bool


def _deciding(loop: For) -> _Choice | None:
    """A comparison of the index with something fixed, by which a `where` chooses what to read."""
    changing = _defined(loop)
    choices = (_choice(one.arguments[0], loop.index, changing) for one in _reading_wheres(loop))
    return next((choice for choice in choices if choice is not None), None)


def _reading_wheres(loop: For) -> Iterator[Apply]:
    for statement in every_statement(loop.body):
        for part in (part for one in expressions(statement) for part in every_part(one)):
            if isinstance(part, Apply) and part.function == "where" and _reads(part):
                yield part


def _reads(where: Apply) -> bool:
    sides = where.arguments[1:]
    return any(isinstance(part, Load) for side in sides for part in every_part(side))


def _defined(loop: For) -> set[Local]:
    found: set[Local] = {loop.index}
    for statement in every_statement(loop.body):
        if isinstance(statement, (Let, Set)):
            found.add(statement.variable)
        elif isinstance(statement, For):
            found.add(statement.index)
    return found


def _choice(condition: Expression, index: Local, changing: set[Local]) -> _Choice | None:
    for part in every_part(condition):
        if not isinstance(part, Apply) or part.function not in _MIRRORED:
            continue
        left, right = part.arguments
        if left.type != "i64":
            continue
        for function, moving, bound in (
            (part.function, left, right),
            (_MIRRORED[part.function], right, left),
        ):
            offset = _offset(moving, index)
            if offset is not None and _is_fixed(bound, changing) and _is_fixed(offset, changing):
                return _choice_at(part, function, bound, offset)
    return None


def _offset(moving: Expression, index: Local) -> Expression | None:
    """What is added to the index, if nothing else happens to it."""
    match moving:
        case Local() if moving is index:
            return Literal(0, "i64")
        case Apply("add", (Local() as inner, other)) if inner is index:
            return other
        case _:
            return None


def _is_fixed(expression: Expression, changing: set[Local]) -> bool:
    return _is_arithmetic(expression) and not any(
        isinstance(part, Local) and part in changing for part in every_part(expression)
    )


def _choice_at(comparison: Apply, function: str, bound: Expression, offset: Expression) -> _Choice:
    """`i + offset < bound` changes at bound - offset; `<=` one later."""
    place = _fold("sub", bound, offset)
    if function in ("le", "gt"):
        place = _fold("add", place, Literal(1, "i64"))
    return _Choice(comparison, place, function in ("lt", "le"))


# ---------------------------------------------------------------- dividing


def _piece(
    loop: For, index: Local, extent: Expression, body: Block, extents: Extents
) -> For | None:
    if isinstance(extent, Literal) and extent.value <= 0:
        return None
    around = {**extents, index: extent}
    for one in every_statement(body):
        if isinstance(one, For):
            around[one.index] = one.extent

    def change(node: Expression) -> Expression:
        node = fold(node) if isinstance(node, Apply) else node
        return narrow(node, around)

    narrowed = map_expressions(body, lambda one: rewrite(one, change))
    return For(index, extent, narrowed, loop.parallel, loop.reassociate)


def _known(body: Block, comparison: Apply, value: bool) -> Block:
    """The body where the comparison has that value."""
    answer = Literal(value, "bool")

    def change(node: Expression) -> Expression:
        return answer if node is comparison else node

    return map_expressions(body, lambda one: rewrite(one, change))


def _fold(function: str, a: Expression, b: Expression) -> Expression:
    return fold(Apply(function, (a, b), "i64"))

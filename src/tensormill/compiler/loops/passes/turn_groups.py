"""What turns in a row have in common is computed once for all of them."""

from __future__ import annotations

from collections import Counter
from typing import Final

from ....core.process.named_tuples import NamedTuple
from ..effects import Summaries
from ..functions import cost_on
from ..ir import (
    Apply,
    Buffer,
    Expression,
    For,
    Let,
    Literal,
    Load,
    Local,
    Program,
    Set,
    Statement,
    Store,
)
from ..ranges import is_inside
from ..walk import (
    Block,
    every_part,
    expressions,
    map_blocks,
    map_expressions,
    parts,
    renewed,
    replace_compound,
    rewrite,
    substitute,
)
from .simplify import fold

# So many turns at most are written out.
_MOST: Final = 8
# What they have in common must cost this much, as costs.py counts: memory is then touched in steps.
_DEAR: Final = 100
_FEW: Final = 8  # groups of which no vectors are made


def group_turns(program: Program, summaries: Summaries | None = None) -> Program:
    """A loop that needs `i // 4` for something dear goes four turns at a time.

    A group of random words, of which each element takes one, is made once and not by each of them.

    Before:
        program f(x: input f32[2], y: output f32[35]):
          for i in 35:
            y[i] = (lgamma(cast:f32((i // 2))) * x[(i % 2)])
    After:
        program f(x: input f32[2], y: output f32[35]):
          for i.group in 17:
            let shared: f32 = lgamma(cast:f32(i.group))
            y[(i.group * 2)] = (shared * x[0])
            y[((i.group * 2) + 1)] = (shared * x[1])
          for i.rest in 1:
            y[(i.rest + 34)] = (lgamma(cast:f32(((i.rest + 34) // 2))) * x[((i.rest + 34) % 2)])
    """
    return Program(program.name, program.frame, _in_block(program.body))


def _in_block(block: Block) -> Block:
    return replace_compound(block, _in_statement)


def _in_statement(statement: Statement) -> Block:
    if isinstance(statement, For) and all(isinstance(x, (Let, Set, Store)) for x in statement.body):
        group = _group_of(statement)
        return (statement,) if group is None else _grouped(statement, group)
    return (map_blocks(statement, _in_block),)


# ---------------------------------------------------------------- what turns have in common


class _Group(NamedTuple):
    """`size` turns in a row; the places that they divide by it, and these quotients in group 0."""

    size: int
    bases: dict[Expression, Expression]

    def is_of_place(self, part: Expression, function: str) -> bool:
        """Whether a place is divided by the size, by this function."""
        if not isinstance(part, Apply) or part.function != function:
            return False
        place, size = part.arguments
        return place in self.bases and size is Literal(self.size, "i64")


def _group_of(loop: For) -> _Group | None:
    """The groups that are worth it; None if none are."""
    inside = _inner_first(loop.body)
    quotients = [one for one in inside if _divides(one, loop.index)]
    for size in dict.fromkeys(parts(one)[1] for one in quotients):
        assert isinstance(size, Literal)
        if isinstance(loop.extent, Literal) and loop.extent.value < size.value * _FEW:
            continue
        places = dict.fromkeys(parts(one)[0] for one in quotients)
        bases = {place: _base(place, loop.index, size.value) for place in places}
        known = {place: base for place, base in bases.items() if base is not None}
        group = _Group(size.value, known)
        ours = {one for one in quotients if group.is_of_place(one, "floor_divide")}
        if _cost(_known_by(ours, inside, {loop.index, *_changing(loop.body)})) >= _DEAR:
            return group
    return None


def _inner_first(body: Block) -> list[Expression]:
    """What a body computes or loads, each part once, behind those that it needs."""
    found: dict[Expression, Expression] = {}
    for statement in body:
        for expression in expressions(statement):
            rewrite(expression, lambda part: part, found)
    return list(found)


def _changing(body: Block) -> set[Local | Buffer]:
    """What is another thing after a statement of a body."""
    return {
        one.buffer if isinstance(one, Store) else one.variable
        for one in body
        if isinstance(one, (Let, Set, Store))
    }


def _known_by(
    origins: set[Expression], inside: list[Expression], changing: set[Local | Buffer]
) -> list[Expression]:
    """The parts that need some `origins`, and nothing that changes otherwise."""
    needing, others, found = set(origins), set[Expression | Buffer](changing), list[Expression]()
    for part in inside:
        if part in origins:
            continue
        if not others.isdisjoint(parts(part)) or (
            isinstance(part, Load) and (part.buffer in changing or not is_inside(part, {}))
        ):
            others.add(part)
        elif not needing.isdisjoint(parts(part)):
            needing.add(part)
            found.append(part)
    return found


def _cost(arithmetic: list[Expression]) -> int:
    return sum(cost_on(one.function, one.type) for one in arithmetic if isinstance(one, Apply))


def _divides(part: Expression, index: Local) -> bool:
    match part:
        case Apply("floor_divide", (place, Literal(int(size))), "i64") if 1 < size <= _MOST:
            return any(one is index for one in every_part(place))
        case _:
            return False


def _base(place: Expression, index: Local, size: int) -> Expression | None:
    """`place` is `index` and this, times `size`; None where that cannot be seen."""
    if place is index:
        return Literal(0, "i64")
    if not isinstance(place, Apply) or place.function != "add":
        return None
    left, right = place.arguments
    for one, other in ((left, right), (right, left)):
        base, more = _base(one, index, size), _quotient(other, size)
        if base is not None and more is not None:
            return fold(Apply("add", (base, more), "i64"))
    return None


def _quotient(fixed: Expression, size: int) -> Expression | None:
    """A multiple of `size`, divided by it; None where it cannot be seen that it is one."""
    match fixed:
        case Literal(int(value)) if value % size == 0:
            return Literal(value // size, "i64")
        case Apply("mul", (one, Literal(int(value)))) if value % size == 0:
            return fold(Apply("mul", (one, Literal(value // size, "i64")), "i64"))
        case Apply("add", (left, right)):
            one, other = _quotient(left, size), _quotient(right, size)
            if one is None or other is None:
                return None
            return fold(Apply("add", (one, other), "i64"))
        case _:
            return None


# ---------------------------------------------------------------- groups


def _grouped(loop: For, group: _Group) -> Block:
    size = Literal(group.size, "i64")
    index = Local(f"{loop.index.name}.group", "i64")
    count = fold(Apply("floor_divide", (loop.extent, size), "i64"))
    first = fold(Apply("mul", (index, size), "i64"))
    turns = [_turn(loop, group, index, first, lane) for lane in range(group.size)]
    body = _with_names(tuple(one for turn in turns for one in turn), index)
    groups = For(index, count, body, loop.parallel, loop.reassociate)
    done = fold(Apply("mul", (count, size), "i64"))
    left = fold(Apply("sub", (loop.extent, done), "i64"))
    if isinstance(left, Literal) and not left.value:
        return (groups,)
    rest = Local(f"{loop.index.name}.rest", "i64")
    place = fold(Apply("add", (rest, done), "i64"))
    last = renewed(substitute(loop.body, {loop.index: place}), lambda _: True)
    return groups, For(rest, left, last, reassociate=loop.reassociate)


def _turn(loop: For, group: _Group, index: Local, first: Expression, lane: int) -> Block:
    """The turn number `lane` of a group."""

    def place(node: Expression) -> Expression:
        """Quotients and rests while the index is still there."""
        if group.is_of_place(node, "floor_divide"):
            return fold(Apply("add", (index, group.bases[parts(node)[0]]), "i64"))
        return Literal(lane, "i64") if group.is_of_place(node, "floor_modulo") else node

    now = fold(Apply("add", (first, Literal(lane, "i64")), "i64"))

    def turn(node: Expression) -> Expression:
        if node is loop.index:
            return now
        return fold(node) if isinstance(node, Apply) else node

    placed = map_expressions(loop.body, lambda one: rewrite(one, place))
    return renewed(map_expressions(placed, lambda one: rewrite(one, turn)), lambda _: True)


def _with_names(body: Block, index: Local) -> Block:
    """The turns of a group, what several need named in front of them."""
    names: dict[Expression, Expression] = {}
    lets: list[Let] = []

    def change(node: Expression) -> Expression:
        return names.get(node, node)

    for part in _needed_often(body, index):
        name = Local("shared", part.type)
        lets.append(Let(name, rewrite(part, change)))
        names[part] = name
    return (*lets, *map_expressions(body, lambda one: rewrite(one, change)))


def _needed_often(body: Block, index: Local) -> list[Expression]:
    """The arithmetic that several parts of a group need, inner parts first."""
    inside = _inner_first(body)
    roots = [one for statement in body for one in expressions(statement)]
    needed = Counter([*roots, *(one for part in inside for one in set(parts(part)))])
    shared = _known_by({index}, inside, _changing(body))
    return [one for one in shared if needed[one] > 1 and one.type != "i64"]

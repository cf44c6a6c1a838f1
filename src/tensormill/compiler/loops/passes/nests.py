"""Perfect loop nests: loops that contain nothing but the next loop, and a body."""

from __future__ import annotations

from ....core.process.named_tuples import NamedTuple
from ..effects import Access, accesses, common_axis
from ..ir import (
    Allocate,
    Apply,
    Bind,
    Buffer,
    Check,
    Choice,
    Expression,
    For,
    Literal,
    Local,
    NativeCall,
    Repeat,
    Set,
    Statement,
)
from ..walk import Block, every_part


class Nest(NamedTuple):
    """`loops` from the outermost in; the innermost one's body."""

    loops: tuple[For, ...]
    body: Block

    @property
    def indices(self) -> tuple[Local, ...]:
        """The loops' indices, the outermost first."""
        return tuple(loop.index for loop in self.loops)

    def around(self, order: tuple[For, ...], body: Block) -> Statement:
        """Loops in this order around a body; the outermost one is parallel if it was before."""
        parallel = self.loops[0].parallel
        for place, loop in reversed(list(enumerate(order))):
            body = (For(loop.index, loop.extent, body, parallel and place == 0, loop.reassociate),)
        return body[0]


def nest_of(loop: For) -> Nest:
    """The longest perfect nest that begins with a loop."""
    loops = [loop]
    while len(loops[-1].body) == 1 and isinstance(loops[-1].body[0], For):
        loops.append(loops[-1].body[0])
    return Nest(tuple(loops), loops[-1].body)


def is_flat(block: Block) -> bool:
    """Whether a block holds no loops, no branches, and nothing but names and stores."""
    awkward = (For, Repeat, Choice, NativeCall, Bind, Check, Set, Allocate)
    return not any(isinstance(statement, awkward) for statement in block)


def may_reorder(nest: Nest) -> bool:
    """Whether the iterations of a nest are independent, and its extents of each other."""
    if not is_flat(nest.body):
        return False
    indices = set(nest.indices)
    for loop in nest.loops[1:]:
        if any(part in indices for part in every_part(loop.extent)):
            return False
    return all(
        common_axis(many, index) is not None
        for many in accesses(nest.body).values()
        if any(access.writes for access in many)
        for index in nest.indices
    )


def contiguous(access: Access, buffer: Buffer, index: Local) -> bool:
    """Whether an access moves to the neighbour in memory when `index` moves by one."""
    if not access.indices:
        return False
    last, others = access.indices[-1], access.indices[:-1]
    if last is not index and not occurs(index, last):
        return False
    steps = multiples(last)
    return (
        steps is not None
        and steps.get(index) == 1
        and not any(occurs(index, other) for other in others)
    )


def multiples(index: Expression) -> dict[Local | None, int] | None:
    """By how much an index grows with each variable, if it is a sum of multiples; None: by what is
    always there.
    """
    match index:
        case Literal(value):
            return {None: value}
        case Local():
            return {index: 1}
        case Apply("add", (a, b)):
            one, other = multiples(a), multiples(b)
            if one is None or other is None:
                return None
            return {name: one.get(name, 0) + other.get(name, 0) for name in (*one, *other)}
        case Apply("mul", (a, Literal(value)) | (Literal(value), a)):
            one = multiples(a)
            return None if one is None else {name: value * each for name, each in one.items()}
        case _:
            return None


def occurs(index: Local, expression: Expression) -> bool:
    """Whether a variable is part of an expression."""
    return any(part is index for part in every_part(expression))

"""Where the temporary buffers of a program lie.

Small ones of known size get memory of their own on the native stack, where LLVM may turn them into
registers; so do a few of every parallel loop, whose iterations could not share other memory. Other
known sizes share one arena: a buffer may take the place of those that are no longer needed. Sizes
known only at run time are asked for when the program gets there; one that is needed after another
of the same size is dead takes over its memory.

    statement   1   2   3   4   5   6
    byte 128    .   b   b   b   .   .      `b` is needed from statement 2 to 4, inside of loops as
    byte  64    .   .   .   c   c   c      long as the whole loop
    byte   0    a   a   a   .   d   d      `d` lies where `a` was: they are one group of aliases

What is needed is found by one walk (`_Survey`), the places are found in `arena.py`. LLVM is told
that buffers do not overlap, but for those of one group.

Sides that run at the same time have a place each in the arena, as if it were one buffer that all of
them need to their end: in it lies what only that side needs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Final, TypeAlias

from ...core.process.named_tuples import NamedTuple
from . import arena
from .arena import Span
from .effects import escaping
from .functions import SIZE
from .ir import (
    Address,
    Allocate,
    Buffer,
    Expression,
    For,
    Literal,
    Load,
    NativeCall,
    Program,
    Statement,
    Store,
    Together,
)
from .walk import Block, blocks, every_part, expressions

SMALL: Final = 4096  # bytes of a buffer that may lie on the stack by itself
STACK: Final = 32768  # bytes of all of them together, but for those that parallel loops add
ALIGNMENT: Final = 64

Memory: TypeAlias = tuple[int, int, tuple[Expression, ...]]  # a block, and what of it is asked for


class Plan(NamedTuple):
    """`own`: on the stack; `offsets`: in the arena of `arena_bytes`; `successors`: take over the
    memory of another; the rest asks when it is allocated. Buffers of equal `groups` may overlap,
    and those that `escape` (of any space) may be touched through pointer buffers.
    """

    own: frozenset[Buffer]
    offsets: Mapping[Buffer, int]
    arena_bytes: int
    successors: Mapping[Buffer, Buffer]
    groups: Mapping[Buffer, int]
    escape: frozenset[Buffer]


def static_bytes(buffer: Buffer) -> int | None:
    """The size of a buffer, if it is known."""
    total = SIZE[buffer.type]
    for size in buffer.shape:
        if not isinstance(size, Literal):
            return None
        total *= max(int(size.value), 0)
    return total


@dataclass(slots=True, eq=False, repr=False)  # quick to make: 0.1 ms
class _Life:
    """From the first to the last statement that touches a buffer, loops counted whole."""

    buffer: Buffer
    block: int  # the block that allocates it
    begin: int  # where it does
    depth: int
    nest: int | None  # the outermost parallel loop, every iteration of which allocates it
    side: int  # the innermost one around; 0: none
    first: int = -1
    last: int = -1


def plan(program: Program) -> Plan:
    """Decide for every temporary buffer of a program."""
    survey = _Survey(escaping(program.body))
    lives = survey.read(program.body)
    own = _on_stack(lives)
    static = [life for life in lives if life.buffer not in own and life.nest is None]
    sized = [life for life in static if static_bytes(life.buffer) is not None]
    offsets, arena_bytes, overlaps = _pack(sized, survey.sides)
    successors = _take_over(
        [life for life in static if static_bytes(life.buffer) is None],
        survey.escape,
    )
    groups = _groups([*overlaps, *successors.items()])
    return Plan(own, offsets, arena_bytes, successors, groups, survey.escape)


@dataclass(slots=True, eq=False, repr=False)
class _Side:
    """A block that runs while others do, from the first statement of all of them to the last."""

    around: int  # the number of the side that it is in; 0: none
    first: int
    last: int = -1


@dataclass(slots=True, eq=False, repr=False)  # quick to make: 0.1 ms
class _Survey:
    """Numbers the statements of a program, and finds who is touched when."""

    escape: frozenset[Buffer]
    now: int = 0
    block_number: int = 0
    lives: dict[Buffer, _Life] = field(default_factory=dict[Buffer, _Life])
    ends: dict[int, int] = field(default_factory=dict[int, int])
    side: int = 0
    sides: list[_Side] = field(default_factory=list["_Side"])
    touched: list[set[Buffer]] = field(default_factory=lambda: [set[Buffer]()])

    def read(self, body: Block) -> list[_Life]:
        self._block(body, 0, None)
        for buffer in self.escape:
            if (life := self.lives.get(buffer)) is not None:
                life.last = self.ends[life.block]
        return list(self.lives.values())

    def _block(self, block: Block, depth: int, nest: int | None) -> None:
        self.block_number += 1
        number = self.block_number
        for statement in block:
            self.now += 1
            if isinstance(statement, Allocate):
                self.lives[statement.buffer] = _Life(
                    statement.buffer, number, self.now, depth, nest, self.side
                )
                continue
            self._touch(statement)
            if inside := blocks(statement):
                begins = nest is None and isinstance(statement, For) and statement.parallel
                beside = isinstance(statement, Together)
                self._compound(inside, depth, self.now if begins else nest, beside)
        self.now += 1
        self.ends[number] = self.now

    def _compound(
        self, inside: tuple[Block, ...], depth: int, nest: int | None, beside: bool
    ) -> None:
        """What is touched inside and was not allocated there is needed all through it."""
        start, around = self.now, self.side
        self.touched.append(set())
        new = [_Side(around, start) for _ in inside if beside]
        first = len(self.sides) + 1
        self.sides += new
        for number, block in enumerate(inside, first):
            self.side = number if beside else around
            self._block(block, depth + 1, nest)
        self.side = around
        self.now += 1
        for side in new:
            side.last = self.now
        touched = self.touched.pop()
        self.touched[-1] |= touched
        for buffer in touched:
            life = self.lives[buffer]
            if life.depth <= depth:
                life.first, life.last = min(life.first, start), self.now

    def _touch(self, statement: Statement) -> None:
        for expression in expressions(statement):
            for part in every_part(expression):
                if isinstance(part, (Load, Address)):
                    self._use(part.buffer)
        if isinstance(statement, Store):
            self._use(statement.buffer)
        if isinstance(statement, NativeCall):
            for buffer in (*statement.reads, *statement.writes):
                self._use(buffer)

    def _use(self, buffer: Buffer) -> None:
        if (life := self.lives.get(buffer)) is not None:
            self.touched[-1].add(buffer)
            life.first = self.now if life.first < 0 else life.first
            life.last = self.now


def _on_stack(lives: list[_Life]) -> frozenset[Buffer]:
    """The smallest first, until the stack is full. Each parallel loop has one of its own then: in a
    long program it is a function, and what it got elsewhere it would ask for in each iteration.
    """
    sized = [(static_bytes(life.buffer), number) for number, life in enumerate(lives)]
    chosen: list[Buffer] = []
    total, added = 0, dict[int, int]()
    for size, number in sorted([(size, number) for size, number in sized if size is not None]):
        life = lives[number]
        total += max(size, 1)
        if total > STACK and life.nest is not None:
            added[life.nest] = added.get(life.nest, 0) + size
        if size > SMALL or (total > STACK and (life.nest is None or added[life.nest] > SMALL)):
            continue
        chosen.append(life.buffer)
    return frozenset(chosen)


def _pack(
    lives: list[_Life], sides: list[_Side]
) -> tuple[dict[Buffer, int], int, list[tuple[Buffer, Buffer]]]:
    """Places in the arena, its size, and pairs that share memory."""
    spans = [Span(one.first, one.last, _room(one.buffer)) for one in lives]
    of_side: list[list[int]] = [[] for _ in range(len(sides) + 1)]
    for number, life in enumerate(lives):
        of_side[life.side].append(number)
    offsets, size = [0] * len(lives), 0
    for side in range(len(sides), -1, -1):  # inner ones first, which have higher numbers
        inside = [spans[number] for number in of_side[side]]
        places = arena.places(inside)
        size = max((at + one.size for at, one in zip(places, inside, strict=True)), default=0)
        for number, place in zip(of_side[side], places, strict=True):
            offsets[number] = place
        if side:
            whole = sides[side - 1]
            of_side[whole.around].append(len(spans))
            spans.append(Span(whole.first, whole.last, size))
            offsets.append(0)
    for number in range(len(spans) - 1, len(lives) - 1, -1):  # outer ones first
        for inner in of_side[len(sides) - (number - len(lives))]:
            offsets[inner] += offsets[number]
    del spans[len(lives) :], offsets[len(lives) :]
    buffers = [one.buffer for one in lives]
    overlaps = [(buffers[a], buffers[b]) for a, b in arena.shared(spans, offsets)]
    return dict(zip(buffers, offsets, strict=True)), size, overlaps


def _room(buffer: Buffer) -> int:
    return -(-(static_bytes(buffer) or 0) // ALIGNMENT) * ALIGNMENT


def _take_over(lives: list[_Life], escape: frozenset[Buffer]) -> dict[Buffer, Buffer]:
    """Pairs (later, earlier) of one block and one size, the earlier dead before the later."""
    successors: dict[Buffer, Buffer] = {}
    needed: dict[Memory, list[tuple[int, int, _Life]]] = {}  # the first to be free first
    free: dict[Memory, dict[int, _Life]] = {}  # by their numbers
    candidates = [one for one in lives if one.first >= 0 and one.buffer not in escape]
    for number, life in enumerate(sorted(candidates, key=lambda one: one.first)):
        memory = (life.block, SIZE[life.buffer.type], life.buffer.shape)
        ends, idle = needed.setdefault(memory, []), free.setdefault(memory, {})
        while ends and ends[0][0] < life.first:
            _, place, over = heappop(ends)
            idle[place] = over
        found = next((place for place, one in idle.items() if one.begin < life.begin), None)
        if found is not None:
            successors[life.buffer] = idle.pop(found).buffer
        heappush(ends, (life.last, number, life))
    return successors


def _groups(pairs: list[tuple[Buffer, Buffer]]) -> dict[Buffer, int]:
    """Numbers of the connected components that the pairs make."""
    parent: dict[Buffer, Buffer] = {}

    def root(buffer: Buffer) -> Buffer:
        while (above := parent.setdefault(buffer, buffer)) is not buffer:
            buffer = above
        return buffer

    for a, b in pairs:
        parent[root(a)] = root(b)
    numbers: dict[Buffer, int] = {}
    return {buffer: numbers.setdefault(root(buffer), len(numbers)) for buffer in list(parent)}

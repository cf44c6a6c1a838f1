"""Very long straight code is cut into pieces, which become functions of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

import numpy as np

from ....core.dtypes import BY_SHORT
from ..effects import Summaries
from ..ir import (
    FRAME,
    Address,
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
    Repeat,
    Statement,
    Store,
    Together,
)
from ..walk import (
    Block,
    blocks,
    every_part,
    every_statement,
    expressions,
    map_blocks,
    replace_statements,
    rewrite,
    with_expressions,
)

Piece: TypeAlias = tuple[Let, ...]

# How many functions a row may apply, and each piece of a longer one. LLVM's time for a row grows
# with the square of its length, and a call costs nothing beside what is in a piece (the gradient of
# 3 000 products and sums: 1.9 s in rows of 500, 0.5 in pieces of 250, 0.2 of 120).
_LONGEST: Final = 250
_PIECE: Final = 120
# What reads a number from memory anyway, and is not done in another way for some numbers.
_PLAIN: Final = frozenset(("add", "sub", "mul"))
_NUMBERS: Final = frozenset(("f32", "f64"))


def cut_long_code(program: Program, summaries: Summaries | None = None) -> Program:
    """Divide long rows of `Let`s into loops of one iteration; what others use goes through memory.

    Where a row may apply no more than four functions, and a piece two:

    Before:
        program f(x: input f32[], y: output f32[]):
          let a: f32 = exp((x[] * 2.0))
          let b: f32 = exp((a * 3.0))
          let c: f32 = exp((b + a))
          y[] = c
    After:
        program f(x: input f32[], y: output f32[]):
          constant numbers: f32[1] = [2.0]
          constant numbers.1: f32[1] = [3.0]
          allocate kept: f32[1]
          for piece in 1:
            let a: f32 = exp((x[] * numbers[0]))
            kept[0] = a
          allocate kept.1: f32[1]
          for piece.1 in 1:
            let b: f32 = exp((kept[0] * numbers.1[0]))
            kept.1[0] = b
          allocate kept.2: f32[1]
          for piece.2 in 1:
            let c: f32 = exp((kept.1[0] + kept[0]))
            kept.2[0] = c
          y[] = kept.2[0]
    """
    pieces = [piece for block in _blocks(program.body) for piece in _pieces(block)]
    if not pieces:
        return program
    return Program(program.name, program.frame, _Cutter(program, pieces).block(program.body))


def _blocks(block: Block) -> Iterator[Block]:
    """The blocks of a program that are in no `For`: what is in one is a function already."""
    yield block
    for statement in block:
        if isinstance(statement, (Choice, Repeat, Together)):
            for inner in blocks(statement):
                yield from _blocks(inner)


def _pieces(block: Block) -> Iterator[Piece]:
    """The rows of `Let`s of a block that are too long, each as pieces."""
    row: list[tuple[Let, int]] = []
    for statement in (*block, None):
        if isinstance(statement, Let) and _may_move(statement):
            row.append((statement, _instructions(statement)))
            continue
        if sum(work for _, work in row) > _LONGEST:
            yield from _cut(row)
        row.clear()


def _may_move(let: Let) -> bool:
    """Sizes and pointers stay where buffers and calls find them."""
    return let.variable.type not in ("i64", "ptr") and not any(
        part is FRAME or isinstance(part, Address) for part in every_part(let.value)
    )


def _instructions(let: Let) -> int:
    return sum([type(part) is Apply for part in every_part(let.value)])


def _cut(row: list[tuple[Let, int]]) -> Iterator[Piece]:
    piece, total = list[Let](), 0
    for let, work in row:
        if piece and total + work > _PIECE:
            yield tuple(piece)
            piece, total = [], 0
        piece.append(let)
        total += work
    yield tuple(piece)


class _Cutter:
    """Puts pieces in the places of their statements."""

    def __init__(self, program: Program, pieces: list[Piece]) -> None:
        self._pieces = pieces
        self._numbers: dict[Statement, int] = {
            let: number for number, piece in enumerate(pieces) for let in piece
        }
        self._homes = {let.variable: k for k, piece in enumerate(pieces) for let in piece}
        used = self._used_elsewhere(program)
        self._stores = [_stores(piece, used) for piece in pieces]
        stores = (store for many in self._stores for store in many)
        self._places = {store.value: Load(store.buffer, store.indices) for store in stores}

    def _used_elsewhere(self, program: Program) -> set[Local]:
        """The variables of pieces that statements outside of these use."""
        homes = self._homes
        return {
            part
            for statement in every_statement(program.body)
            for expression in expressions(statement)
            for part in every_part(expression)
            if type(part) is Local and homes.get(part) not in (None, self._numbers.get(statement))
        }

    def block(self, block: Block) -> Block:
        return replace_statements(block, self._statement)

    def _statement(self, statement: Statement) -> Block:
        number = self._numbers.get(statement)
        if number is None:
            return (map_blocks(self._changed(statement, None), self.block),)
        piece, stores = self._pieces[number], self._stores[number]
        if statement is not piece[0]:
            return ()
        numbers = _Numbers(piece)
        body = tuple([self._changed(let, number, numbers) for let in piece])
        buffers = {store.buffer: None for store in stores}
        whole = For(Local("piece", "i64"), Literal(1, "i64"), (*body, *stores))
        return (*map(Allocate, buffers), whole)

    def _changed(
        self, statement: Statement, number: int | None, numbers: _Numbers | None = None
    ) -> Statement:
        """A statement of a piece (or of none), reading from memory what other pieces keep."""

        def change(part: Expression) -> Expression:
            if type(part) is Local and self._homes.get(part) != number:
                return self._places.get(part, part)
            return part if numbers is None else numbers.taken_from(part)

        return with_expressions(statement, lambda one: rewrite(one, change))


class _Numbers:
    """Takes the numbers of a piece to memory: pieces that differ in nothing else are alike then,
    and share one function.
    """

    def __init__(self, piece: Sequence[Let]) -> None:
        counts = Counter(
            number.type
            for let in piece
            for part in every_part(let.value)
            for number in _numbers_of(part)
        )
        self._buffers = {type_: _memory(type_, count) for type_, count in counts.items()}
        self._next = dict.fromkeys(counts, 0)

    def taken_from(self, part: Expression) -> Expression:
        if not _numbers_of(part):
            return part
        assert isinstance(part, Apply)
        return Apply(part.function, tuple(map(self._in_memory, part.arguments)), part.type)

    def _in_memory(self, argument: Expression) -> Expression:
        if not isinstance(argument, Literal):
            return argument
        buffer, place = self._buffers[argument.type], self._next[argument.type]
        self._next[argument.type] += 1
        buffer.data[place] = argument.value
        return Load(buffer, (Literal(place, "i64"),))


def _numbers_of(part: Expression) -> list[Literal]:
    if type(part) is not Apply or part.function not in _PLAIN or part.type not in _NUMBERS:
        return []
    return [one for one in part.arguments if type(one) is Literal]


def _memory(type_: str, count: int) -> Buffer:
    data = np.zeros(count, BY_SHORT[type_].storage)
    return Buffer("numbers", type_, (Literal(count, "i64"),), "constant", data)


def _stores(piece: Piece, used: set[Local]) -> list[Store]:
    """What keeps the variables of a piece that are used elsewhere, in a buffer for each type."""
    by_type: dict[str, list[Local]] = {}
    for let in piece:
        if let.variable in used:
            by_type.setdefault(let.variable.type, []).append(let.variable)
    found: list[Store] = []
    for type_, variables in by_type.items():
        buffer = Buffer("kept", type_, (Literal(len(variables), "i64"),), "temporary")
        for place, variable in enumerate(variables):
            found.append(Store(buffer, (Literal(place, "i64"),), variable))
    return found

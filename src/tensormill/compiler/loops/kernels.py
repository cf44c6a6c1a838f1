"""Loop nests that are alike but for their buffers.

`describe` gives a nest a key: text in which every name is a number. Nests of equal keys do the same
with the buffers and variables that the descriptions list, so one function serves all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias
from typing import Literal as OneOf

from ...core.process.named_tuples import NamedTuple
from .ir import (
    FRAME,
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
    NativeCall,
    Program,
    Repeat,
    Set,
    Statement,
    Store,
    Together,
)
from .walk import Block, blocks

_SHORT: Final = 20
_MANY: Final = 40


class Description(NamedTuple):
    """`buffers` and `variables`: what the nest gets from outside. `size`: parts of expressions."""

    key: str
    buffers: tuple[Buffer, ...]
    variables: tuple[Local, ...]
    size: int


class _Strange(Exception):
    """A statement that only makes sense where it stands."""


def outer_loops(block: Block) -> list[For]:
    """The loops of a program that are in no other `For`."""
    found: list[For] = []
    for statement in block:
        if isinstance(statement, For):
            found.append(statement)
        elif isinstance(statement, (Repeat, Choice, Together)):
            for inner in blocks(statement):
                found += outer_loops(inner)
    return found


# Where a buffer that a nest allocates has its memory from: the function's stack, its caller, or the
# operating system, which alike nests cannot share.
MemoryFrom: TypeAlias = OneOf["stack", "caller", "system"]


def describe(loop: For, place: Callable[[Buffer], MemoryFrom]) -> Description | None:
    """The description of a nest; None if it holds calls of more than numbers, checks or registers
    from outside.
    """
    writer = _Writer(place)
    try:
        writer.statement(loop)
    except _Strange:
        return None
    key = " ".join(writer.tokens)
    buffers, variables = tuple(writer.buffers), tuple(writer.variables)
    return Description(key, buffers, variables, len(writer.tokens))


class _Writer:
    def __init__(self, place: Callable[[Buffer], MemoryFrom]) -> None:
        self.tokens: list[str] = []
        self.buffers: list[Buffer] = []
        self.variables: list[Local] = []
        self._place = place
        self._names: dict[Local | Buffer, str] = {}

    def block(self, block: Block) -> None:
        self.tokens.append("{")
        for statement in block:
            self.statement(statement)
        self.tokens.append("}")

    def statement(self, statement: Statement) -> None:
        match statement:
            case Let(variable, value):
                self.expression(value)
                self.tokens.append(f"let {self._new(variable)}")
            case Set(variable, value):
                self.expression(value)
                if variable not in self._names:
                    self._new(variable)
                elif variable in self.variables:
                    raise _Strange
                self.tokens.append(f"set {self._names[variable]}:{variable.type}")
            case Store(buffer, indices, value):
                self._element(buffer, indices)
                self.expression(value)
            case For(index, extent, body, parallel, reassociate):
                self.expression(extent)
                self.tokens.append(f"for {self._new(index)} {parallel} {reassociate}")
                self.block(body)
            case Choice(condition, then, otherwise):
                self.tokens.append("if")
                self.expression(condition)
                self.block(then)
                self.block(otherwise)
            case Allocate(buffer):
                self._allocate(buffer)
            case NativeCall(function, arguments, Local() as result) if statement.is_of_numbers:
                for argument in arguments:
                    self.expression(argument)
                self.tokens.append(f"call {function} {self._new(result)}:{result.type}")
            case _:
                raise _Strange

    def _new(self, name: Local | Buffer) -> str:
        self._names[name] = f"{len(self._names)}"
        return self._names[name]

    def _allocate(self, buffer: Buffer) -> None:
        place = self._place(buffer)
        match place:
            case "caller":
                self.buffers.append(buffer)
            case "stack":
                pass
            case "system":
                raise _Strange
        self.tokens.append(f"allocate {place}")
        self._declare(buffer)

    def _declare(self, buffer: Buffer) -> None:
        self.tokens.append(f"{self._new(buffer)}:{buffer.type}[")
        for size in buffer.shape:
            self.expression(size)
        self.tokens.append("]")

    def _element(self, buffer: Buffer, indices: tuple[Expression, ...]) -> None:
        if buffer not in self._names:
            self.buffers.append(buffer)
            self._declare(buffer)
        self.tokens.append(f"@{self._names[buffer]} {len(indices)}")
        for index in indices:
            self.expression(index)

    def expression(self, expression: Expression) -> None:
        match expression:
            case Literal(value, type_):
                self.tokens.append(f"{value!r}:{type_}")
            case Local():
                self._variable(expression)
            case Load(buffer, indices):
                self._element(buffer, indices)
            case Apply(function, arguments, type_):
                self.tokens.append(f"{function}:{type_} {len(arguments)}")
                for argument in arguments:
                    self.expression(argument)
            case _:
                raise _Strange

    def _variable(self, variable: Local) -> None:
        if variable is FRAME:
            raise _Strange
        if variable not in self._names:
            self.variables.append(variable)
            self.tokens.append(f"given {self._new(variable)}:{variable.type}")
        else:
            self.tokens.append(self._names[variable])


def descriptions(
    program: Program, place: Callable[[Buffer], MemoryFrom]
) -> dict[For, Description | None]:
    """Those of a program's outer loops."""
    return {loop: describe(loop, place) for loop in outer_loops(program.body)}


def functions_of(
    program: Program, descriptions: Mapping[For, Description | None], every: bool = False
) -> dict[For, Description]:
    """The outer loops of a program that are worth functions: those that occur several times.

    In a long program all are: the time that LLVM takes to make vectors of a function's loops grows
    with the square of their number (100 loops: 0.6 s together, 0.2 s apart). Where `every` loop has
    to become one, it does.
    """
    if every:
        return {loop: one for loop, one in descriptions.items() if one is not None}
    loops = outer_loops(program.body)
    described = [(loop, descriptions[loop]) for loop in loops]
    counts: dict[str, int] = {}
    for _, one in described:
        if one is not None:
            counts[one.key] = counts.get(one.key, 0) + 1
    least = 1 if len(loops) > _MANY else 2
    return {
        loop: one
        for loop, one in described
        if one is not None and (is_piece(loop) or _is_worth_it(one.size, counts[one.key], least))
    }


def is_piece(loop: For) -> bool:
    """Whether a loop of one iteration is there to become a function (`passes/pieces.py`)."""
    return loop.extent is Literal(1, "i64") and not loop.parallel


def _is_worth_it(size: int, count: int, least: int) -> bool:
    """Short nests must occur often: LLVM sees less through calls."""
    return count >= least and size > _SHORT and (least == 1 or size * count > 10 * _SHORT)

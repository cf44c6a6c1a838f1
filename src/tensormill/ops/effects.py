"""What an operation does besides giving results, and what passes may do with it then.

An operation without effects is a function of its operands: it may run at any time, as often as
anybody likes, at most once for equal operands, ahead of time where these are constants, or not at
all. With an effect it is never worked out ahead of time, nor merged with its equal (but reads are,
of what nobody has written in between), and

    effect          may be dropped     keeps its order with
                    if nobody reads
    --------------  -----------------  ------------------------------------------------------
    Reads(x)        yes                writes of the same variable
    Writes(x)       no                 reads and writes of the same variable
    World.PRINTS    no                 every other effect on the world
    World.DRAWS     yes                every other effect on the world; each copy of it draws from
                                       a stream of its own, so that calls of it are inlined
    World.CHECKS    no: it may fail    every other effect on the world
    World.FILES     no: it may fail    every other effect on the world
    World.MEETS     no: others wait    every other effect on the world
    World.PYTHON    no                 every other effect: the user's function may know any
                                       variable

A variable is whatever a handle stands for: a lookup table, a summary writer, an iterator. Calls,
branches and loops have the effects of their graphs (`control/functional.py`).
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Final, TypeAlias, assert_never


class OnVariable:
    """An effect on what the operand `field` is a handle of, or the one at `position` of a list."""

    __slots__ = ("field", "position")

    def __init__(self, field: str, position: int | None = None) -> None:
        self.field: Final = field
        self.position: Final = position

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, OnVariable)
            and type(other) is type(self)
            and (other.field, other.position) == (self.field, self.position)
        )

    def __hash__(self) -> int:
        return hash((type(self), self.field, self.position))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.field!r}, {self.position})"


class Reads(OnVariable):
    """The results depend on the variable's value."""

    __slots__ = ()


class Writes(OnVariable):
    """The variable may have another value afterwards."""

    __slots__ = ()


class World(Enum):
    """An effect that is not about a variable."""

    PRINTS = "prints"
    DRAWS = "draws random numbers"
    CHECKS = "may fail, which its results do not tell"
    FILES = "reads files"
    MEETS = "waits for the same operation of other processes"
    PYTHON = "calls a function of the user's"


Effect: TypeAlias = Reads | Writes | World


def matters_unread(effect: Effect) -> bool:
    """Whether it happens even where nobody reads the operation's results."""
    match effect:
        case Reads():
            return False
        case Writes():
            return True
        case World.DRAWS:
            return False
        case World.PRINTS | World.CHECKS | World.FILES | World.MEETS | World.PYTHON:
            return True
        case _:
            assert_never(effect)


def only_reads(effects: Iterable[Effect]) -> bool:
    """Whether nothing would be different afterwards, however often it ran."""
    return all(isinstance(effect, Reads) for effect in effects)

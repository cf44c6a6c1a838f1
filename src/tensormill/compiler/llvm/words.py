"""Tables of words by which one function hands registers to another.

Who calls stores them before the call; who is called reads them where it begins. Parts of a block
(block_functions.py) store what they make, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from ..loops.ir import Local
from .types import REGISTER, Register, Value
from .writer import Writer

Word: TypeAlias = tuple[str, Register]  # an LLVM type, and a register of it


def take(w: Writer, type_: str, number: int) -> Register:
    """A word of the table `%context`, read where the function begins."""
    address, name = w.name(), w.name()
    w.entry.append(f"  {address} = getelementptr i64, ptr %context, i64 {number}")
    w.entry.append(f"  {name} = load {type_}, ptr {address}")
    return name


def taken(w: Writer, words: list[Word], variable: Local, value: Value) -> Value:
    """A variable, whose value in the calling function joins `words`."""
    type_, names = REGISTER[variable.type], list[Register]()
    for register in flat(value):
        names.append(take(w, type_, len(words)))
        words.append((type_, register))
    return joined(names)


def store(w: Writer, memory: Register, words: Sequence[Word], first: int = 0) -> None:
    """Fill a table from its word `first` on."""
    for number, (type_, register) in enumerate(words, first):
        w.store(type_, register, w.word(memory, number))


def stored(w: Writer, words: Sequence[Word]) -> Register:
    """A table of these words, for a call that reads it before the next such table is filled."""
    memory = w.table(len(words))
    store(w, memory, words)
    return memory


def loaded(w: Writer, memory: Register, types: Sequence[str], first: int) -> list[Register]:
    """Words of these types from a table."""
    names: list[Register] = []
    for number, type_ in enumerate(types, first):
        names.append(w.load(type_, w.word(memory, number)))
    return names


def flat(value: Value) -> tuple[Register, ...]:
    """The registers of a value."""
    return (value,) if isinstance(value, str) else value


def joined(registers: Sequence[Register]) -> Value:
    """The value that is in them."""
    return registers[0] if len(registers) == 1 else (registers[0], registers[1])

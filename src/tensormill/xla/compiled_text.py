"""What XLA's compiler writes of a program, read: computations and their instructions.

    %sum = f32[8,4]{1,0} add(%a, %b), metadata={op_name="jit(program)/Add#3/add"}

A shape may be a tuple of shapes. What is read is what one device does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Final

from ..core.process.named_tuples import NamedTuple

_HEAD: Final = re.compile(r"^(ENTRY )?%?([\w.\-]+) \(.*\{$")
_NAMED: Final = re.compile(r"^\s+(ROOT )?%?([\w.\-]+) = ")
_OPCODE: Final = re.compile(r"\s*([\w\-]+)\(")
_ARRAY: Final = re.compile(r"([a-z]\w*)\[([\d,<=]*)\]")
_OPERAND: Final = re.compile(r"%([\w.\-]+)")
_BYTES: Final = {"pred": 1, "c64": 8, "c128": 16, "token": 0, "opaque": 0}


class ArrayShape(NamedTuple):
    """An array, or one of a tuple."""

    dtype: str
    sizes: tuple[int, ...]

    @property
    def bytes(self) -> int:
        bits = re.search(r"\d+", self.dtype)
        size = _BYTES.get(self.dtype)
        if size is None:
            size = max(1, int(bits[0]) // 8) if bits else 1
        return size * prod(self.sizes)

    def __str__(self) -> str:
        return f"{self.dtype}[{','.join(map(str, self.sizes))}]"


@dataclass(frozen=True)
class Instruction:
    """One line: what it is called, what it gives, of what, and all that stands behind."""

    name: str
    shapes: tuple[ArrayShape, ...]
    opcode: str
    operands: tuple[str, ...]
    rest: str
    is_root: bool

    @property
    def bytes(self) -> int:
        """How much it gives."""
        return sum(one.bytes for one in self.shapes)

    def numbers(self, word: str) -> list[int]:
        """The numbers of `word={1,2}`."""
        found = re.search(rf"\b{word}=\{{([\d,]*)\}}", self.rest)
        return [int(one) for one in found[1].split(",") if one] if found else []

    def called(self, word: str) -> list[str]:
        """The computations of `word=%name` or `word={%one, %other}`."""
        found = re.search(rf"\b{word}=(%[\w.\-]+|\{{[^}}]*\}})", self.rest)
        return _OPERAND.findall(found[1]) if found else []

    @property
    def step(self) -> int | None:
        """The number behind the innermost `#` of its path: a step of who wrote the program."""
        path = re.search(r'op_name="([^"]*)"', self.rest)
        numbers = re.findall(r"#(\d+)", path[1]) if path else []
        return int(numbers[-1]) if numbers else None


class CompiledText(NamedTuple):
    """A whole program: its computations by name, and the one that it begins with."""

    computations: Mapping[str, Mapping[str, Instruction]]
    entry: str


def read(text: str) -> CompiledText:
    """A program, from what `compiled.as_text()` gives."""
    computations: dict[str, dict[str, Instruction]] = {}
    entry, current = "", ""
    for line in text.splitlines():
        if head := _HEAD.match(line):
            current = head[2]
            computations[current] = {}
            entry = current if head[1] else entry
        elif current and (named := _NAMED.match(line)):
            made = _instruction(named[2], line[named.end() :], named[1] is not None)
            computations[current][made.name] = made
    return CompiledText(computations, entry)


def _instruction(name: str, line: str, is_root: bool) -> Instruction:
    end = _closing(line, 0) if line.startswith("(") else line.index(" ")
    shapes = tuple(_arrays(line[:end]))
    opcode = _OPCODE.match(line, end)
    assert opcode is not None, line
    last = _closing(line, opcode.end() - 1)
    operands = tuple(_OPERAND.findall(line[opcode.end() : last]))
    return Instruction(name, shapes, opcode[1], operands, line[last:], is_root)


def _arrays(text: str) -> Iterator[ArrayShape]:
    for dtype, sizes in _ARRAY.findall(text):
        numbers: Sequence[str] = re.findall(r"\d+", sizes)
        yield ArrayShape(dtype, tuple(map(int, numbers)))


def _closing(text: str, start: int) -> int:
    """Behind the parenthesis that closes the one at `start`."""
    depth = 0
    for place in range(start, len(text)):
        depth += (text[place] == "(") - (text[place] == ")")
        if not depth:
            return place + 1
    raise ValueError(f"no parenthesis closes {text[start:]!r}")

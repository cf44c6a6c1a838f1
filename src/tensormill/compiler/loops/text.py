"""Programs as text. `parse` (beside this file) reads it back.

    program main(x: input f32[n, 4], y: output f32[n, 4], n: i64):
      for i in n:
        for j in 4:
          y[i, j] = tanh(x[i, j])

    inline function place(frame: ptr, data: ptr, k: i64) -> ptr:
      if (k < 0):
        return 0ptr
      return (data + (k * 4))

Constants without a suffix are i64, bool, or (with a point, an exponent, `inf`, `nan`) f32.
Names that occur twice get a number.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from .functions import KIND, result_type
from .ir import (
    CALL,
    FRAME,
    Address,
    Allocate,
    Apply,
    Bind,
    Buffer,
    Check,
    Choice,
    Expression,
    For,
    Let,
    Literal,
    Load,
    Local,
    NativeCall,
    NativeFunction,
    Program,
    Repeat,
    Return,
    Set,
    Statement,
    Store,
    Together,
)
from .walk import Compound, every_part, every_statement, expressions

INFIX: Final = {
    "add": "+", "sub": "-", "mul": "*", "div": "/", "floor_divide": "//", "floor_modulo": "%",
    "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
    "and": "&", "or": "|", "xor": "^",
}  # fmt: skip
# Names that would read as something else.
RESERVED: Final = frozenset(
    {"inf", "nan", "true", "false", "flat", "pass", "reads", "pure", "takes"}
)
_SHORT_DATA: Final = 16
# Operations are called "dense/MatMul", names here are words with points.
_STRANGE: Final = re.compile(r"[^\w.]")


def text(program: Program, notes: Mapping[Statement, str] | None = None) -> str:
    """The program as text; `notes` are shown under the statements that they are about."""
    return _Printer(notes or {}).program(program)


def function_text(function: NativeFunction, notes: Mapping[Statement, str] | None = None) -> str:
    """A function as text; `notes` as in `text`."""
    return _Printer(notes or {}).function(function)


class _Names:
    """A name of its own for every variable and buffer."""

    def __init__(self) -> None:
        self._taken: dict[Local | Buffer, str] = {FRAME: FRAME.name}
        self._used = {FRAME.name, *RESERVED}

    def of(self, thing: Local | Buffer) -> str:
        if (name := self._taken.get(thing)) is None:
            stem = _STRANGE.sub("_", thing.name)
            stem = stem if stem[:1].isalpha() else f"x{stem}"
            name, number = stem, 0
            while name in self._used:
                number += 1
                name = f"{stem}.{number}"
            self._taken[thing] = name
            self._used.add(name)
        return name


class _Printer:
    def __init__(self, notes: Mapping[Statement, str]) -> None:
        self._notes = notes
        self._names = _Names()
        self._declared = set[Local]()

    def program(self, program: Program) -> str:
        entries = ", ".join(self._entry(entry) for entry in program.frame)
        constants = [self._constant_buffer(buffer) for buffer in _constants(program)]
        body = self._block(program.body)
        header = f"program {program.name}({entries}):"
        return "\n".join([header, *constants, *body]) + "\n"

    def function(self, function: NativeFunction) -> str:
        taken = ", ".join(self._declaration(one) for one in function.parameters)
        gives = f" -> {function.result}" if function.result else ""
        words = [function.hint] if function.hint else []
        header = " ".join([*words, f"function {function.name}({taken}){gives}:"])
        return "\n".join([header, *self._block(function.body)]) + "\n"

    def _entry(self, entry: Buffer | Local) -> str:
        if isinstance(entry, Local):
            return f"{self._names.of(entry)}: {entry.type}"
        return f"{self._names.of(entry)}: {entry.space} {self._type(entry)}"

    def _type(self, buffer: Buffer) -> str:
        return f"{buffer.type}[{', '.join(self.expression(size) for size in buffer.shape)}]"

    def _constant_buffer(self, buffer: Buffer) -> str:
        name = self._names.of(buffer)
        return f"  constant {name}: {self._type(buffer)} = {_data(buffer.data)}"

    def _block(self, block: tuple[Statement, ...]) -> list[str]:
        lines = [f"  {line}" for one in block for line in self.statement(one)]
        return lines or ["  pass"]

    def statement(self, statement: Statement) -> list[str]:
        lines = self._lines(statement)
        if (note := self._notes.get(statement)) is not None:
            lines.insert(1, f"^ {note}")
        return lines

    def _lines(self, statement: Statement) -> list[str]:
        match statement:
            case Let(variable, value):
                shown = self.expression(value)
                return [f"let {self._declaration(variable)} = {shown}"]
            case Set(variable, value):
                shown = self.expression(value)
                first = variable not in self._declared
                self._declared.add(variable)
                target = self._declaration(variable) if first else self._names.of(variable)
                return [f"set {target} = {shown}"]
            case Store(buffer, indices, value):
                return [f"{self._element(buffer, indices)} = {self.expression(value)}"]
            case Allocate(buffer):
                return [f"allocate {self._names.of(buffer)}: {self._type(buffer)}"]
            case Bind(buffer, address):
                at = self.expression(address)
                return [f"bind {self._names.of(buffer)}: {self._type(buffer)} at {at}"]
            case NativeCall():
                return [self._call(statement)]
            case Check(condition, error, values):
                shown = ", ".join(self.expression(value) for value in values)
                return [f"check {self.expression(condition)} else {error}({shown})"]
            case Return(value):
                return ["return" if value is None else f"return {self.expression(value)}"]
            case For() | Repeat() | Choice() | Together():
                return self._compound(statement)

    def _compound(self, statement: Compound) -> list[str]:
        match statement:
            case For(index, extent, body, parallel, reassociate, grain):
                word = "parfor" if parallel else "for"
                mark = " reassociate" if reassociate else ""
                mark += f" grain {self.expression(grain)}" if grain else ""
                head = f"{word} {self._names.of(index)} in {self.expression(extent)}{mark}:"
                return [head, *self._block(body)]
            case Repeat(before, condition, body):
                shown = f"{self.expression(condition)}:"
                if not before:
                    return [f"while {shown}", *self._block(body)]
                return ["while:", *self._block(before), f"holds {shown}", *self._block(body)]
            case Choice(condition, then, otherwise):
                lines = [f"if {self.expression(condition)}:", *self._block(then)]
                return [*lines, "else:", *self._block(otherwise)] if otherwise else lines
            case Together(sides, turns):
                pairs = zip(sides, map(self.expression, turns), strict=True)
                parts = [[f"{shown} turns:", *self._block(side)] for side, shown in pairs]
                words = ("together", *["beside"] * (len(parts) - 1))
                return [
                    line
                    for word, (head, *rest) in zip(words, parts, strict=True)
                    for line in (f"{word} {head}", *rest)
                ]

    def _call(self, call: NativeCall) -> str:
        arguments = ", ".join(self.expression(argument) for argument in call.arguments)
        result = f"{self._declaration(call.result)} = " if call.result else ""
        words = [f"call {result}{call.function}({arguments})"]
        if call.reads:
            words.append(f"reads {', '.join(self._names.of(one) for one in call.reads)}")
        if call.writes:
            words.append(f"writes {', '.join(self._names.of(one) for one in call.writes)}")
        if call.pure:
            words.append("pure")
        if call.work != CALL:
            words.append(f"takes {call.work}")
        return " ".join(words)

    def _declaration(self, variable: Local) -> str:
        return f"{self._names.of(variable)}: {variable.type}"

    def _element(self, buffer: Buffer, indices: tuple[Expression, ...]) -> str:
        flat = "flat " if len(indices) == 1 and len(buffer.shape) != 1 else ""
        shown = ", ".join(self.expression(index) for index in indices)
        return f"{self._names.of(buffer)}[{flat}{shown}]"

    def expression(self, expression: Expression) -> str:
        match expression:
            case Literal():
                return constant_text(expression)
            case Local():
                return self._names.of(expression)
            case Load(buffer, indices):
                return self._element(buffer, indices)
            case Address(buffer, indices):
                slice_ = f"[{', '.join(map(self.expression, indices))}]" if indices else ""
                return f"&{self._names.of(buffer)}{slice_}"
            case Apply():
                return self._apply(expression)

    def _apply(self, apply: Apply) -> str:
        shown = [self.expression(argument) for argument in apply.arguments]
        natural = _natural_type(apply)
        if natural == apply.type and apply.function in INFIX and len(shown) == 2:
            return f"({shown[0]} {INFIX[apply.function]} {shown[1]})"
        mark = "" if natural == apply.type else f":{apply.type}"
        return f"{apply.function}{mark}({', '.join(shown)})"


def _natural_type(apply: Apply) -> str | None:
    try:
        return result_type(apply.function, [argument.type for argument in apply.arguments])
    except (ValueError, KeyError):
        return None


def constant_text(constant: Literal) -> str:
    """A literal with the suffix of its type, if it needs one."""
    match constant.type, constant.value:
        case "bool", value:
            return "true" if value else "false"
        case "i64", value:
            return str(int(value))
        case "f32", value:
            return repr(float(value))
        case type_, complex() as value:
            return f"({value.real!r}, {value.imag!r}){type_}"
        case type_, value:
            return f"{float(value) if KIND[type_] == 'f' else value!r}{type_}"


def _constants(program: Program) -> list[Buffer]:
    """Buffers of space "constant" that the frame does not give, in order of appearance."""
    given = set(program.frame)
    found: dict[Buffer, None] = {}
    for statement in every_statement(program.body):
        for expression in expressions(statement):
            for part in every_part(expression):
                if isinstance(part, (Load, Address)) and part.buffer.space == "constant":
                    found[part.buffer] = None
        if isinstance(statement, NativeCall):
            found.update({one: None for one in statement.reads if one.space == "constant"})
    return [buffer for buffer in found if buffer not in given]


def _data(data: Any) -> str:
    array: np.ndarray[Any, Any] = np.ascontiguousarray(data)
    if array.size > _SHORT_DATA or array.dtype.kind in "cV":
        return f"bytes {array.tobytes().hex()}"
    return f"[{', '.join(repr(element) for element in array.reshape(-1).tolist())}]"

"""What a program means: one statement after another, one element at a time, in NumPy.

Slow and obvious; the machine code is compared with it. An address is a NumPy array of bytes that
begins there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from ...core.dtypes import BY_SHORT
from ...ops.scalar import NUMPY
from .functions import COMPUTED_IN, KIND
from .ir import (
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
    Program,
    Repeat,
    Set,
    Statement,
    Store,
)

Array = np.ndarray[Any, Any]
Functions = Mapping[str, Callable[..., Any]]


def evaluate(
    program: Program, frame: Sequence[Any], functions: Functions | None = None
) -> tuple[int, tuple[Any, ...]] | None:
    """Run a program. Arrays of the frame are changed in place; variables are numbers.

    `functions` are what `NativeCall`s mean: they get numbers, and arrays of bytes for addresses.
    Returns None, or the error number and values of the `Check` that failed.
    """
    evaluator = _Evaluator(program, frame, functions or {})
    try:
        with np.errstate(all="ignore"):
            evaluator.block(program.body)
    except _Left as left:
        return left.error, left.values
    return None


class _Left(Exception):
    def __init__(self, error: int, values: tuple[Any, ...]) -> None:
        self.error = error
        self.values = values


def storage(type_: str) -> np.dtype[Any]:
    """How elements of a type are kept in NumPy's memory."""
    return BY_SHORT[type_].numpy


class _Evaluator:
    def __init__(self, program: Program, frame: Sequence[Any], functions: Functions) -> None:
        self._functions = functions
        self._values: dict[Local, Any] = {FRAME: frame}
        self._memory: dict[Buffer, Array] = {}
        for entry, given in zip(program.frame, frame, strict=True):
            if isinstance(entry, Local):
                self._values[entry] = storage(entry.type).type(given)
        for entry, given in zip(program.frame, frame, strict=True):
            if isinstance(entry, Buffer):
                self._memory[entry] = given.reshape(self._shape(entry))

    def _shape(self, buffer: Buffer) -> tuple[int, ...]:
        return tuple(int(self.value(size)) for size in buffer.shape)

    def block(self, block: tuple[Statement, ...]) -> None:
        for statement in block:
            self._run(statement)

    def _run(self, statement: Statement) -> None:
        match statement:
            case Let(variable, value) | Set(variable, value):
                self._values[variable] = self.value(value)
            case Store(buffer, indices, value):
                memory, place = self._element(buffer, indices)
                memory[place] = self.value(value)
            case Allocate(buffer):
                self._memory[buffer] = np.zeros(self._shape(buffer), storage(buffer.type))
            case Bind(buffer, address):
                self._memory[buffer] = self._at(self.value(address), buffer)
            case NativeCall():
                self._call(statement)
            case Check(condition, error, values):
                if not self.value(condition):
                    raise _Left(error, tuple(self.value(value) for value in values))
            case For() | Repeat() | Choice():
                self._compound(statement)

    def _compound(self, statement: For | Repeat | Choice) -> None:
        match statement:
            case For(index, extent, body):
                for number in range(int(self.value(extent))):
                    self._values[index] = np.int64(number)
                    self.block(body)
            case Repeat(before, condition, body):
                self.block(before)
                while self.value(condition):
                    self.block(body)
                    self.block(before)
            case Choice(condition, then, otherwise):
                self.block(then if self.value(condition) else otherwise)

    def _call(self, call: NativeCall) -> None:
        result = self._functions[call.function](*(self.value(one) for one in call.arguments))
        if call.result is not None:
            self._values[call.result] = _typed(result, call.result.type)

    def _at(self, address: Array, buffer: Buffer) -> Array:
        shape, dtype = self._shape(buffer), storage(buffer.type)
        return np.ndarray(shape, dtype, address.data)

    def _array(self, buffer: Buffer) -> Array:
        if buffer not in self._memory:  # a constant
            data = np.ascontiguousarray(buffer.data, storage(buffer.type))
            self._memory[buffer] = data.reshape(self._shape(buffer))
        return self._memory[buffer]

    def _element(self, buffer: Buffer, indices: tuple[Expression, ...]) -> tuple[Array, Any]:
        memory = self._array(buffer)
        place = tuple(int(self.value(index)) for index in indices)
        if len(place) != memory.ndim:
            memory = memory.reshape(-1)
        if any(index < 0 for index in place):
            raise IndexError(f"{buffer.name}{list(place)} is before its beginning")
        return memory, place

    def value(self, expression: Expression) -> Any:
        """The value of an expression: a NumPy scalar of its type, or an address."""
        match expression:
            case Literal(value, type_):
                return _typed(value, type_)
            case Local():
                return self._values[expression]
            case Load(buffer, indices):
                memory, place = self._element(buffer, indices)
                return memory[place]
            case Address(buffer):
                return self._array(buffer).reshape(-1).view(np.uint8)
            case Apply("where", (condition, yes, no)):
                return self.value(yes if self.value(condition) else no)
            case Apply(function, arguments, type_):
                values = [self.value(argument) for argument in arguments]
                return apply(function, values, type_, arguments[0].type)


def _typed(value: Any, type_: str) -> Any:
    return value if type_ == "ptr" else storage(type_).type(value)


def apply(function: str, values: Sequence[Any], type_: str, argument_type: str) -> Any:
    """`function(values)` on NumPy scalars (or arrays), rounded to `type_`."""
    if argument_type == "ptr":
        return _on_addresses(function, values)
    if function == "cast":
        return NUMPY.cast(values[0], BY_SHORT[type_])[()]
    if function == "bitcast":
        return np.asarray(values[0]).view(storage(type_))[()]
    if function in ("floor", "ceil", "round") and KIND[argument_type] in "iu":
        return values[0]
    wide = COMPUTED_IN.get(argument_type)
    if wide is not None:
        values = [np.asarray(value).astype(storage(wide)) for value in values]
    rule: Any = _OWN.get(function) or getattr(NUMPY, function)
    return np.asarray(rule(*values)).astype(storage(type_))[()]


def _truncate_divide(x: Any, y: Any) -> Any:
    if np.asarray(x).dtype.kind == "f":
        return np.trunc(np.true_divide(x, y))
    quotient: Any = np.floor_divide(x, y)
    inexact = quotient * y != x
    too_low: Any = inexact & ((x < 0) != (y < 0)) & (y != 0)
    return quotient + too_low


def _integer_power(x: Any, y: Any) -> Any:
    if np.asarray(x).dtype.kind in "iu" and y < 0:
        return np.zeros_like(x)
    return np.power(x, y)


def _on_addresses(function: str, values: Sequence[Any]) -> Any:
    if function == "add":
        return values[0][int(values[1]) :]
    places = [np.int64(value.__array_interface__["data"][0]) for value in values]
    if function == "bitcast":
        return places[0]
    rule: Any = _OWN[function]
    return rule(*places)


def _multiply_add(x: Any, y: Any, z: Any) -> Any:
    return x * y + z


_OWN: Final[dict[str, Callable[..., Any]]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.true_divide,
    "neg": np.negative,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "not": np.invert,
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "min": np.minimum,
    "max": np.maximum,
    "pow": _integer_power,
    "fma": _multiply_add,
    "truncate_divide": _truncate_divide,
    "truncate_modulo": np.fmod,
}

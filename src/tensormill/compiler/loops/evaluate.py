"""What a program means: one statement after another, one element at a time, in NumPy.

Slow and obvious; the machine code is compared with it. Addresses are numbers, which `Memory` knows
the bytes of.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from ...core.dtypes import BY_SHORT
from ...ops.lowering import MOST_NUMBERS
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
    NativeFunction,
    Program,
    Repeat,
    Return,
    Set,
    Statement,
    Store,
    Together,
)
from .memory import Memory
from .records import stored as storage
from .walk import Compound

Array = np.ndarray[Any, Any]
Functions = Mapping[str, NativeFunction | Callable[..., Any]]
_ERROR_WORDS: Final = 1 + MOST_NUMBERS  # which check failed, and what it shows


class FailedCheck(Exception):
    """A `Check` whose condition was false: its number and values."""

    def __init__(self, error: int, values: tuple[Any, ...]) -> None:
        super().__init__(error, values)
        self.error = error
        self.values = values


def evaluate(
    program: Program,
    frame: Sequence[Any],
    functions: Functions | None = None,
    memory: Memory | None = None,
) -> tuple[int, tuple[Any, ...]] | None:
    """Run a program. Arrays of the frame are changed in place; variables are numbers.

    `functions` are what `NativeCall`s mean: level-2 functions, or Python's, which get numbers.
    Returns None, or the error number and values of the `Check` that failed.
    """
    memory = memory or Memory()
    evaluator = _Evaluator(functions or {}, memory)
    words = np.zeros(len(program.frame) + _ERROR_WORDS, np.int64)
    evaluator.values[FRAME] = memory.address(words)
    try:
        with np.errstate(all="ignore"):
            evaluator.take(program.frame, frame, words)
            evaluator.block(program.body)
    except FailedCheck as failed:
        return failed.error, failed.values
    return None


def call(
    function: NativeFunction,
    arguments: Sequence[Any],
    functions: Functions,
    memory: Memory,
    *,
    backwards: bool = False,
) -> Any:
    """What a function gives, which calls some of `functions`.

    backwards: what threads may do at the same time is done from its end. It gives the same.

    Raises:
        FailedCheck: a `Check` in it, or in what it calls, has failed.
    """
    with np.errstate(all="ignore"):
        return _Evaluator(functions, memory, backwards=backwards).function(function, arguments)


class _Returned(Exception):
    def __init__(self, value: Any) -> None:
        self.value = value


class _Evaluator:
    def __init__(self, functions: Functions, memory: Memory, *, backwards: bool = False) -> None:
        self._functions = functions
        self._memory = memory
        self._backwards = backwards
        self._arrays: dict[Buffer, Array] = {}
        self.values: dict[Local, Any] = {}

    def take(self, frame: tuple[Buffer | Local, ...], given: Sequence[Any], words: Array) -> None:
        """What a program's frame holds; `words`: that table, as native code sees it."""
        for number, (entry, one) in enumerate(zip(frame, given, strict=True)):
            if isinstance(entry, Local):
                value = self.values[entry] = _typed(one, entry.type)
                kept = np.asarray(value, storage(entry.type)).reshape(1).view(np.uint8)
                words[number : number + 1].view(np.uint8)[: kept.size] = kept
        for number, (entry, one) in enumerate(zip(frame, given, strict=True)):
            if isinstance(entry, Buffer):
                array = self._arrays[entry] = one.reshape(self._shape(entry))
                words[number] = self._memory.address(array)

    def function(self, function: NativeFunction, arguments: Sequence[Any]) -> Any:
        """The result of a function, whose names are its own."""
        for parameter, value in zip(function.parameters, arguments, strict=True):
            self.values[parameter] = _typed(value, parameter.type)
        try:
            self.block(function.body)
        except _Returned as returned:
            return returned.value
        return None

    def _shape(self, buffer: Buffer) -> tuple[int, ...]:
        return tuple(int(self.value(size)) for size in buffer.shape)

    def block(self, block: tuple[Statement, ...]) -> None:
        for statement in block:
            self._run(statement)

    def _run(self, statement: Statement) -> None:
        match statement:
            case Let(variable, value) | Set(variable, value):
                self.values[variable] = self.value(value)
            case Store(buffer, indices, value):
                memory, place = self._element(buffer, indices)
                memory[place] = self.value(value)
            case Allocate(buffer):
                self._arrays[buffer] = np.zeros(self._shape(buffer), storage(buffer.type))
            case Bind(buffer, address):
                self._arrays[buffer] = self._at(self.value(address), buffer)
            case NativeCall():
                self._call(statement)
            case Check(condition, error, values):
                if not self.value(condition):
                    raise FailedCheck(error, tuple(self.value(value) for value in values))
            case Return(value):
                raise _Returned(None if value is None else self.value(value))
            case For() | Repeat() | Choice() | Together():
                self._compound(statement)

    def _compound(self, statement: Compound) -> None:
        match statement:
            case For(index, extent, body, parallel):
                turns = range(int(self.value(extent)))
                for number in reversed(turns) if parallel and self._backwards else turns:
                    self.values[index] = np.int64(number)
                    self.block(body)
            case Repeat(before, condition, body):
                self.block(before)
                while self.value(condition):
                    self.block(body)
                    self.block(before)
            case Choice(condition, then, otherwise):
                self.block(then if self.value(condition) else otherwise)
            case Together(sides):
                for side in reversed(sides) if self._backwards else sides:
                    self.block(side)

    def _call(self, call: NativeCall) -> None:
        arguments = [self.value(one) for one in call.arguments]
        called = self._functions[call.function]
        if isinstance(called, NativeFunction):
            evaluator = _Evaluator(self._functions, self._memory, backwards=self._backwards)
            result = evaluator.function(called, arguments)
        else:
            result = called(*arguments)
        if call.result is not None:
            self.values[call.result] = _typed(result, call.result.type)

    def _at(self, address: int, buffer: Buffer) -> Array:
        shape, dtype = self._shape(buffer), storage(buffer.type)
        count = int(np.prod(shape, dtype=int)) * dtype.itemsize
        return self._memory.bytes_at(address, count).view(dtype).reshape(shape)

    def _array(self, buffer: Buffer) -> Array:
        if buffer not in self._arrays:  # a constant
            data = np.ascontiguousarray(buffer.data, storage(buffer.type))
            self._arrays[buffer] = data.reshape(self._shape(buffer))
        return self._arrays[buffer]

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
                return self.values[expression]
            case Load(buffer, indices):
                memory, place = self._element(buffer, indices)
                return int(memory[place]) if buffer.type == "ptr" else memory[place]
            case Address(buffer, indices):
                memory, place = self._array(buffer), [int(self.value(one)) for one in indices]
                if any(index < 0 for index in place):
                    raise IndexError(f"{buffer.name}{place} is before its beginning")
                return self._memory.address(memory[(*place, ...)])
            case Apply("where", (condition, yes, no)):
                return self.value(yes if self.value(condition) else no)
            case Apply(function, arguments, type_):
                values = [self.value(argument) for argument in arguments]
                return apply(function, values, type_, arguments[0].type)


def _typed(value: Any, type_: str) -> Any:
    return int(value) if type_ == "ptr" else storage(type_).type(value)


def apply(function: str, values: Sequence[Any], type_: str, argument_type: str) -> Any:
    """`function(values)` on NumPy scalars (or arrays), rounded to `type_`."""
    if argument_type == "ptr":
        return _on_addresses(function, values, type_)
    if function == "bitcast" and type_ == "ptr":
        return int(values[0])
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
    return NUMPY.pow(x, y)


def _on_addresses(function: str, values: Sequence[Any], type_: str) -> Any:
    if function == "add":
        return int(values[0]) + int(values[1])
    if function == "bitcast":
        return _typed(values[0], type_)
    rule: Any = _OWN[function]
    return rule(*values)


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

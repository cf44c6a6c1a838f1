"""Operations without native code: the compiled function calls back into Python for them."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.specs import ListSpec, ResourceSpec
from ...errors import UnimplementedError
from ...graph.ir import Application
from ...ops.control.functional import Functional, effects_of, variable_of
from ...ops.effects import World, Writes
from ..loops.ir import FRAME, Address, Allocate, Bind, Check, Expression, Literal, NativeCall
from ..lowered import (
    FAILED,
    ArrayOperand,
    CallbackOperand,
    CallbackStep,
    GivenOutput,
    ListOperand,
    ObjectOperand,
    VariableOperand,
    result_places,
    stays_in_python,
)
from . import lists, state
from .arrays import Array, Size
from .emitter import Emitter
from .scalars import Scalar, size_expression
from .values import Handle, List, Opaque


def call_back(
    builder: Emitter,
    steps: list[CallbackStep],
    operation: Application,
    operands: tuple[Any, ...],
    why: str,
) -> tuple[Any, ...]:
    """Pass every operand by address, let Python run the op's eager kernel, take the results."""
    touched, assigned = _variables(builder, operation, operands)
    for handle in assigned:
        state.protect(builder, handle.buffer)
    words: list[Expression] = []
    passed_as = tuple(_pass(builder, operand, words) for operand in operands)
    steps.append(
        CallbackStep(operation, why, passed_as, frozenset(handle.number for handle in touched))
    )
    number = len(steps) - 1
    done = builder.blocks.variable("done", "i64")
    passed = [one.buffer for one in operands if isinstance(one, Array) and one.buffer]
    reads = (*passed, *(handle.buffer for handle in touched))
    writes = tuple(handle.buffer for handle in assigned)
    arguments = (FRAME, Literal(number, "i64"), *words)
    builder.blocks.emit(NativeCall(f"tm_callback_{number}", arguments, done, reads, writes))
    succeeded = Scalar(done, dtypes.int64) == 1
    builder.blocks.emit(Check(succeeded.expression, FAILED))
    results: list[Any] = []
    places = zip(result_places(operation), operation.results, strict=False)
    for result, (place, value) in enumerate(places):
        if isinstance(value.spec, ResourceSpec):
            results.append(_handed_on(operation, operands, result))
            continue
        results.append(taken := _take(builder, value.spec, place))
        is_there = builder.blocks.is_outermost and not _is_users(operation)
        if is_there and isinstance(taken, Array) and taken.buffer is not None:
            builder.given[taken.buffer] = GivenOutput(number, result)
    return tuple(results)


def _is_users(operation: Application) -> bool:
    """Whether it runs a user's function, which may know variables, and go on using its results."""
    return World.PYTHON in effects_of(operation.op, operation.attrs)


def _handed_on(operation: Application, operands: tuple[Any, ...], number: int) -> Any:
    """The variable that is a result: one that the operation was given.

    Raises:
        UnimplementedError: its graphs return different ones.
    """
    assert issubclass(operation.op, Functional)
    found = set(operation.op.handed_on(operation.attrs, operation.operands, number))
    if len(found) != 1 or (variable := found.pop()) is None:
        raise UnimplementedError(
            f"{operation.op.name}: native code cannot choose between different variables: let each "
            "branch return the variable's value (v.read_value()), or read it in each of them"
        )
    return operands[operation.operands.index(variable)]


def _variables(
    builder: Emitter, operation: Application, operands: tuple[Any, ...]
) -> tuple[list[Handle], list[Handle]]:
    """The native variables that a callback may read, and those that it may assign."""
    effects = effects_of(operation.op, operation.attrs)
    if _is_users(operation):
        return builder.variables, builder.variables
    touched = [one for one in operands if isinstance(one, Handle) and one.native]
    written = [variable_of(operation, one) for one in effects if isinstance(one, Writes)]
    assigned = [
        operand
        for value, operand in zip(operation.operands, operands, strict=True)
        if operand in touched and any(value is one for one in written)
    ]
    return touched, assigned


def _pass(builder: Emitter, operand: Any, words: list[Expression]) -> CallbackOperand:
    if isinstance(operand, Handle):
        return VariableOperand(operand.number)
    if isinstance(operand, (Opaque, List)):
        words.append(operand.pointer)
        return ListOperand(operand.spec) if isinstance(operand, List) else ObjectOperand()
    assert isinstance(operand, Array)
    buffer = builder.force(operand)
    words.append(Address(buffer))
    words.extend(size_expression(size) for size in operand.shape)
    return ArrayOperand(operand.dtype, operand.rank)


def _take(builder: Emitter, spec: Any, place: int) -> Any:
    """A result, out of the words at `place`.

    Its memory is the callback's until that is made once more: copied where it may be.
    """
    data = _result(builder, place, "ptr")
    if stays_in_python(spec):
        return Opaque(data, spec)
    if isinstance(spec, ListSpec):
        return lists.copied(builder, List(data, spec))
    assert spec.shape.entries is not None
    shape: tuple[Size, ...] = tuple(
        size if size is not None
        else Scalar(_result(builder, place + 1 + axis, "i64"), dtypes.int64)
        for axis, size in enumerate(spec.shape.entries)
    )  # fmt: skip
    memory = builder.blocks.pointed(spec.dtype, shape, "result")
    builder.blocks.emit(Bind(memory, data))
    result = builder.stored(memory, spec.dtype, shape)
    if not shape:
        return builder.scalar(result[()])
    if builder.blocks.is_outermost:
        return result
    copy = builder.blocks.temporary(spec.dtype, shape, "result")
    builder.blocks.emit(Allocate(copy))
    builder.fill(copy, result)
    return builder.stored(copy, spec.dtype, shape)


def _result(builder: Emitter, word: int, type_: str) -> Expression:
    variable = builder.blocks.variable("result", type_)
    builder.blocks.emit(NativeCall(f"tm_result_{type_}", (FRAME, Literal(word, "i64")), variable))
    return variable

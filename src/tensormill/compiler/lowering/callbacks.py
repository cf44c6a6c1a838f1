"""Operations without native code: the compiled function calls back into Python for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...core import dtypes
from ...core.specs import ListSpec, ResourceSpec, TensorSpec
from ...graph.ir import Operation
from ..loops.ir import FRAME, Address, Allocate, Bind, Call, Check, Constant, Expression
from . import state
from .arrays import Array, Size
from .lists import List
from .opaque import Opaque
from .scalars import Scalar, size_expression

if TYPE_CHECKING:
    from .builder import Builder

FAILED = -2  # the error number of "Python raised; the exception is kept"
RESULT_WORDS = 10  # per result: address, rank, sizes


@dataclass(frozen=True, slots=True)
class Step:
    """One callback: which operation, why it is not native, how its operands are passed."""

    operation: Operation
    reason: str
    operands: tuple[
        tuple[Any, ...], ...
    ]  # ("array", dtype, rank) ("object",) ("state", n) ("list",)

    def __str__(self) -> str:
        operation = self.operation
        return f"{operation.op.name} '{operation.name}' ({operation.line}): {self.reason}"


def call_back(
    builder: Builder, steps: list[Step], operation: Operation, operands: tuple[Any, ...], why: str
) -> tuple[Any, ...]:
    """Pass every operand by address, let Python run the op's eager kernel, take the results."""
    words: list[Expression] = []
    kinds = tuple(_pass(builder, operand, words) for operand in operands)
    steps.append(Step(operation, why, kinds))
    number = len(steps) - 1
    status = builder.blocks.variable("status", "i64")
    reads = tuple(one.buffer for one in operands if isinstance(one, Array) and one.buffer)
    arguments = (FRAME, Constant(number, "i64"), *words)
    builder.blocks.emit(Call(f"tm_callback_{number}", arguments, status, reads))
    succeeded = Scalar(status, dtypes.int64) == 0
    builder.blocks.emit(Check(succeeded.expression, FAILED))
    return tuple(
        _take(builder, value.spec, position) for position, value in enumerate(operation.results)
    )


def _pass(builder: Builder, operand: Any, words: list[Expression]) -> tuple[Any, ...]:
    if isinstance(operand, state.Handle):
        return ("state", operand.number)
    if isinstance(operand, (Opaque, List)):
        words.append(operand.pointer)
        return ("list", operand.spec) if isinstance(operand, List) else ("object",)
    assert isinstance(operand, Array)
    buffer = builder.force(operand)
    words.append(Address(buffer))
    words.extend(size_expression(size) for size in operand.shape)
    return ("array", operand.dtype, operand.rank)


def _take(builder: Builder, spec: Any, position: int) -> Any:
    if isinstance(spec, ResourceSpec):
        raise NotImplementedError("no operation makes variables while it runs")
    data = _result(builder, position, 0, "ptr")
    if isinstance(spec, ListSpec):
        return List(data, spec)
    assert isinstance(spec, TensorSpec)
    if spec.dtype.kind == "string" or spec.shape.dims is None:
        return Opaque(data, spec)
    shape: tuple[Size, ...] = tuple(
        size if size is not None
        else Scalar(_result(builder, position, 2 + axis, "i64"), dtypes.int64)
        for axis, size in enumerate(spec.shape.dims)
    )  # fmt: skip
    memory = builder.blocks.pointed(spec.dtype, shape, "result")
    builder.blocks.emit(Bind(memory, data))
    result = builder.stored(memory, spec.dtype, shape)
    if not shape:
        return builder.scalar(result[()])
    copy = builder.blocks.temporary(spec.dtype, shape, "result")
    builder.blocks.emit(Allocate(copy))
    builder.fill(copy, result)
    return builder.stored(copy, spec.dtype, shape)


def _result(builder: Builder, position: int, word: int, type_: str) -> Expression:
    variable = builder.blocks.variable("result", type_)
    number = Constant(position * RESULT_WORDS + word, "i64")
    builder.blocks.emit(Call(f"tm_result_{type_}", (FRAME, number), variable))
    return variable

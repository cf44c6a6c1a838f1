"""Kernels for a few tensors, each found by one key: dtypes, ranks, attributes.

The slow way (`Eager.run` behind `bind`) looks at each operand anew: its class, its dtype, its rank,
what the operation takes. Where it went through for plain tensors it will for all others of these
dtypes and ranks, up to their sizes and elements, at which kernels look themselves. So a kernel is
kept then, and `Op.quick` finds it:

    tf.multiply(x, y) ──► Mul.quick(x, y) ── (11, 11, 2, 0) ──► kernel(x, y) ──► told to recorders

Where there is no kernel, or it fails, `quick` gives NotImplemented: the slow way says what is
wrong.

A kernel of scalars, or of a product of integers, that is used again and again becomes native code,
where this gives the same bits (`Op.exact`): NumPy takes longest to begin.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from ...core import context, dtypes
from ...core.dtypes import BY_NUMPY_NUMBER
from ...core.numpy_behavior import changes
from ...errors import OpError
from ...ops.op import Op, RecordedOperation
from ...ops.state.variables import ReadVariableOp
from ..tensor import EagerTensor, wrap
from ..variable import ResourceVariable

Kernel = Callable[..., Any]

get_context: Final = context.current.get

# There is no kernel, or it raises what the slow way says better.
FAILURES: Final = (
    OpError, ValueError, LookupError, TypeError, OverflowError, ZeroDivisionError, MemoryError,
)  # fmt: skip
# Constants that are kept: beyond, all are forgotten.
MOST_NUMBERS: Final = 1024
FLOAT32: Final = dtypes.float32.numpy
FLOAT64: Final = dtypes.float64.numpy
INT32: Final = dtypes.int32.numpy
INT64: Final = dtypes.int64.numpy
NO_ATTRS: Final[dict[str, Any]] = {}


# ---------------------------------------------------------------- finding a kernel


def refused(*_: Any) -> Any:
    return NotImplemented


def quick_way(op: type[Op]) -> Kernel:
    """What finds the kernels of `op` and calls them."""
    if len(op.inputs) == 1:
        return unary(op, refused)
    return binary(op, refused) if len(op.inputs) == 2 else of_many(op)


def unary(op: type[Op], refuse: Callable[[Any], Any]) -> Kernel:
    """A function of one operand; `refuse` is called with it where there is no kernel."""
    kernels = op.kernels

    def quick(x: Any, attrs: Any = None) -> Any:
        here = get_context(None)
        if here is None or here.plain:
            recorders: Any = ()
        elif here.runs_at_once:
            recorders = here.recorders
        else:
            return refuse(x)
        given, result = x, NotImplemented
        try:
            if type(x) is ResourceVariable:
                x = wrap(x._storage.read())
            if type(x) is EagerTensor:
                a = x._array
                key: Any = (a.dtype.num, a.ndim)
                result = kernels[key if attrs is None else key + attributes(attrs)](x)
        except FAILURES:
            pass
        if result is NotImplemented:
            return refuse(given)
        if recorders:
            tell(recorders, op, (given,), (x,), attrs, result)
        return result

    return quick


def binary(
    op: type[Op],
    refuse: Callable[[Any, Any], Any],
    allowed: frozenset[int] | None = None,
    is_reflected: bool = False,
) -> Kernel:
    """A function of two operands, a number or a variable among them.

    allowed: the numbers of NumPy's dtypes that are taken, of those that the operation takes.
    is_reflected: it is called with its operands the other way round, and so is `refuse`.
    """
    kernels = op.kernels
    adopts = _share_dtype(op)

    def quick(x: Any, y: Any, attrs: Any = None) -> Any:
        here = get_context(None)
        if here is None or here.plain:
            recorders: Any = ()
        elif here.runs_at_once:
            recorders = here.recorders
        else:
            return refuse(x, y)
        one, other, result = x, y, NotImplemented
        if is_reflected:
            x, y = y, x
        try:
            if type(x) is not EagerTensor or type(y) is not EagerTensor:
                x, y = tensors_of(x, y, adopts)
            a, b = x._array, y._array
            number = a.dtype.num
            key: Any = (number, b.dtype.num, a.ndim, b.ndim)
            if allowed is None or number in allowed:
                result = kernels[key if attrs is None else key + attributes(attrs)](x, y)
        except FAILURES:
            pass
        if result is NotImplemented:
            return refuse(one, other)
        if recorders:
            given = (other, one) if is_reflected else (one, other)
            tell(recorders, op, given, (x, y), attrs, result)
        return result

    return quick


def _share_dtype(op: type[Op]) -> bool:
    """Whether a number beside a tensor adopts its dtype."""
    first, second = op.inputs
    return first.dtype == second.dtype and first.fixed_dtype is None


def of_many(op: type[Op]) -> Kernel:
    """A function of three operands or more, all of them tensors."""
    kernels = op.kernels

    def quick(*tensors: Any, attrs: Any = None) -> Any:
        here = get_context(None) or context.base
        if not here.runs_at_once or any(type(x) is not EagerTensor for x in tensors):
            return NotImplemented
        result = NotImplemented
        try:
            result = kernels[key_of(tensors, attrs)](*tensors)
        except FAILURES:
            pass
        if result is not NotImplemented and here.recorders:
            tell(here.recorders, op, tensors, tensors, attrs, result)
        return result

    return quick


def key_of(tensors: Sequence[Any], attrs: dict[str, Any] | None) -> tuple[Any, ...]:
    """What a kernel is found by."""
    arrays = [x._array for x in tensors]
    numbers, ranks = [x.dtype.num for x in arrays], [x.ndim for x in arrays]
    key = (*numbers, *ranks)
    return key + attributes(attrs) if attrs else key


def attributes(attrs: dict[str, Any]) -> tuple[Any, ...]:
    """What attributes add to a key: 1, 1.0 and True are different ones."""
    key: list[Any] = []
    for name, value in attrs.items():
        kind = type(value)
        key += (name, value, kind if kind is not tuple else (*map(type, value),))
    return tuple(key)


def tensors_of(x: Any, y: Any, adopts: bool) -> tuple[Any, Any]:
    """Two operands as tensors, where one is a tensor or variable, and the other may be a number.

    Raises:
        TypeError: they are something else, or their dtypes differ.
    """
    if changes.promotion is not None or changes.operate is not None:
        raise TypeError(NOT_PLAIN)
    if type(x) is ResourceVariable:
        x = wrap(x._storage.read())
    if type(y) is ResourceVariable:
        y = wrap(y._storage.read())
    if type(x) is not EagerTensor:
        if not adopts or type(y) is not EagerTensor:
            raise TypeError(NOT_PLAIN)
        x = number_beside(x, y._array.dtype)
    elif type(y) is not EagerTensor:
        if not adopts:
            raise TypeError(NOT_PLAIN)
        y = number_beside(y, x._array.dtype)
    return x, y


NOT_PLAIN: Final = "operands that the slow way has to look at"
_numbers: Final[dict[Any, EagerTensor]] = {}


def number_beside(value: Any, dtype: Any) -> EagerTensor:
    """Python's number as a tensor of the dtype beside it.

    Raises:
        TypeError, ValueError: it does not fit, or something else is meant.
    """
    kind = type(value)
    if dtype is FLOAT32 or dtype is FLOAT64:
        if kind is not float and kind is not int:
            raise TypeError(NOT_PLAIN)
    elif kind is not int or (dtype is not INT32 and dtype is not INT64):
        raise TypeError(NOT_PLAIN)
    key = (dtype.num, kind, value)
    found = _numbers.get(key) if value else None  # 0.0 is -0.0 to a dictionary
    if found is None:
        interpreter: Any = context.base.interpreter
        found = interpreter.convert(value, BY_NUMPY_NUMBER[dtype.num], None)
        if value and value == value:
            if len(_numbers) >= MOST_NUMBERS:
                _numbers.clear()
            _numbers[key] = found
    return found


def tell(
    recorders: Any,
    op: type[Op],
    given: Sequence[Any],
    tensors: tuple[Any, ...],
    attrs: dict[str, Any] | None,
    result: Any,
) -> None:
    """Tell recorders what happened: that variables among `given` were read, and the operation."""
    for one, tensor in zip(given, tensors, strict=True):
        if type(one) is ResourceVariable:
            dtype = {"dtype": one.dtype}
            read = RecordedOperation(ReadVariableOp, (one.handle,), dtype, (tensor,))
            context.record(recorders, read)
    context.record(recorders, RecordedOperation(op, tensors, attrs or NO_ATTRS, (result,)))

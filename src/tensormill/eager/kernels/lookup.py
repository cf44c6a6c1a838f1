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
from ...core.numpy_behavior import changes
from ...errors import OpError
from ...ops.op import INDEX, Op, RecordedOperation
from ...ops.state.variables import ReadVariableOp
from ..tensor import EagerTensor, tensor_of
from ..variable import ResourceVariable
from .numbers import NOT_PLAIN, indices_of, number_beside

Kernel = Callable[..., Any]

get_context: Final = context.current.get

# There is no kernel, or it raises what the slow way says better; handles are no arrays, and there
# may be none here (`_here`).
FAILURES: Final = (
    OpError, ValueError, LookupError, TypeError, OverflowError, ZeroDivisionError, MemoryError,
    AttributeError,
)  # fmt: skip
NO_ATTRS: Final[dict[str, Any]] = {}


# ---------------------------------------------------------------- finding a kernel


def refused(*_: Any) -> Any:
    return NotImplemented


def lookup_of(op: type[Op]) -> Kernel:
    """What finds the kernels of `op` and calls them."""
    if len(op.inputs) == 1:
        return unary(op, refused)
    return binary(op, refused) if len(op.inputs) == 2 else of_many(op)


def unary(op: type[Op], refuse: Callable[[Any], Any]) -> Kernel:
    """A function of one operand; `refuse` is called with it where there is no kernel."""
    kernels = op.kernels

    def quick(x: Any, attrs: Any = None) -> Any:
        here = get_context(None)
        recorders: Any = () if here is None else here.told
        if recorders is None:
            return refuse(x)
        given, result = x, NotImplemented
        try:
            if type(x) is ResourceVariable:
                x = tensor_of(x._storage)
            if type(x) is EagerTensor:
                a = x._here
                key: Any = (a.dtype.num, a.ndim)
                result = kernels[key if attrs is None else key + attributes(attrs)](x)
        except FAILURES:
            pass
        if result is NotImplemented:
            return refuse(given)
        if recorders:
            if type(given) is ResourceVariable:
                tell_of_read(recorders, given, x)
            tell(recorders, op, (x,), attrs, result)
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
    adopts, counts = _share_dtype(op), _takes_indices(op)

    def quick(x: Any, y: Any, attrs: Any = None) -> Any:
        here = get_context(None)
        recorders: Any = () if here is None else here.told
        if recorders is None:
            return refuse(x, y)
        one, other, result = x, y, NotImplemented
        if is_reflected:
            x, y = y, x
        try:
            if type(x) is not EagerTensor or type(y) is not EagerTensor:
                x, y = tensors_of(x, y, adopts, counts)
            a, b = x._here, y._here
            number = a.dtype.num
            key: Any = (number, b.dtype.num, a.ndim, b.ndim)
            if allowed is None or number in allowed:
                result = kernels[key if attrs is None else key + attributes(attrs)](x, y)
        except FAILURES:
            pass
        if result is NotImplemented:
            return refuse(one, other)
        if recorders:
            first, second = (other, one) if is_reflected else (one, other)
            if type(first) is ResourceVariable:
                tell_of_read(recorders, first, x)
            if type(second) is ResourceVariable:
                tell_of_read(recorders, second, y)
            tell(recorders, op, (x, y), attrs, result)
        return result

    return quick


def _share_dtype(op: type[Op]) -> bool:
    """Whether a number beside a tensor adopts its dtype."""
    first, second = op.inputs
    return first.dtype == second.dtype and first.fixed_dtype is None


def _takes_indices(op: type[Op]) -> bool:
    """Whether the second operand is axes or sizes, which Python's integers may be."""
    first, second = op.inputs
    allowed = getattr(op, second.dtype, None)
    if second.dtype == first.dtype or op.usual.get(second.dtype, dtypes.int32) is not dtypes.int32:
        return False
    return type(allowed) is frozenset and dtypes.int32 in allowed and allowed <= INDEX


def of_many(op: type[Op]) -> Kernel:
    """A function of three operands or more, all of them tensors."""
    kernels = op.kernels

    def quick(*tensors: Any, attrs: Any = None) -> Any:
        here = get_context(None)
        recorders: Any = () if here is None else here.told
        if recorders is None or any(type(x) is not EagerTensor for x in tensors):
            return NotImplemented
        result = NotImplemented
        try:
            result = kernels[key_of(tensors, attrs)](*tensors)
        except FAILURES:
            pass
        if result is not NotImplemented and recorders:
            tell(recorders, op, tensors, attrs, result)
        return result

    return quick


def by_kernel(op: type[Op], operands: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
    """What a kernel gives for operands that were no plain tensors before they were converted."""
    try:
        return op.kernels[key_of(operands, attrs)](*operands)
    except FAILURES:
        return NotImplemented


def key_of(tensors: Sequence[Any], attrs: dict[str, Any] | None) -> tuple[Any, ...]:
    """What a kernel is found by."""
    arrays = [x._here for x in tensors]
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


def tensors_of(x: Any, y: Any, adopts: bool, counts: bool) -> tuple[Any, Any]:
    """Two operands as tensors, where one is a tensor or variable, and the other may be a number.

    adopts: that number is of the dtype beside it. counts: the second one may be axes or sizes.

    Raises:
        TypeError: they are something else, or their dtypes differ.
    """
    if changes.promotion is not None or changes.operate is not None:
        raise TypeError(NOT_PLAIN)
    if type(x) is ResourceVariable:
        x = tensor_of(x._storage)
    if type(y) is ResourceVariable:
        y = tensor_of(y._storage)
    if type(x) is not EagerTensor:
        if not adopts or type(y) is not EagerTensor:
            raise TypeError(NOT_PLAIN)
        x = number_beside(x, y._here.dtype)
    elif type(y) is not EagerTensor:
        if not adopts and not counts:
            raise TypeError(NOT_PLAIN)
        y = number_beside(y, x._here.dtype) if adopts else indices_of(y)
    return x, y


def tell(
    recorders: Any,
    op: type[Op],
    tensors: tuple[Any, ...],
    attrs: dict[str, Any] | None,
    result: Any,
) -> None:
    """Tell recorders that an operation was applied."""
    for recorder in recorders:
        take = getattr(recorder, "take", None)  # which makes nothing of what is not kept
        if take is not None:
            take(op, tensors, attrs or NO_ATTRS, result)
        else:
            recorder.record(RecordedOperation(op, tensors, attrs or NO_ATTRS, (result,)))


def tell_of_read(recorders: Any, variable: Any, tensor: Any) -> None:
    """Tell recorders that a variable was read."""
    for recorder in recorders:
        if getattr(recorder, "take", None) is not None:
            recorder.take_read(variable, tensor)
        else:
            recorder.record(read_of(variable, tensor))


def read_of(variable: Any, tensor: Any) -> RecordedOperation:
    """That a variable was read."""
    dtype = {"dtype": variable.dtype}
    return RecordedOperation(ReadVariableOp, (variable.handle,), dtype, (tensor,))

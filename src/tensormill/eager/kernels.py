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
from functools import cache, partial
from types import NoneType
from typing import Any, Final

import numpy as np

from ..core import context, dtypes, native_operations
from ..core.dtypes import BY_NUMPY_NUMBER, DType
from ..core.native_operations import MANY
from ..core.numpy_behavior import changes
from ..core.process import floating_point_warnings
from ..core.values import TensorLike
from ..errors import OpError, ResourceExhaustedError
from ..ops.bind import are_ready
from ..ops.demand_readers import EAGER
from ..ops.families import Elementwise
from ..ops.op import Op, RecordedOperation
from ..ops.scalar import NUMPY
from ..ops.state.variables import ReadVariableOp
from .arrays import Array, canonical, from_numpy
from .tensor import EagerHandle, EagerTensor, wrap, wrap_handle
from .variable import ResourceVariable

Kernel = Callable[..., Any]

get_context: Final = context.current.get
enter, leave = floating_point_warnings.enter, floating_point_warnings.leave
ndarray: Final = np.ndarray
asarray: Final = np.asarray

# There is no kernel, or it raises what the slow way says better.
FAILURES: Final = (
    OpError, ValueError, LookupError, TypeError, OverflowError, ZeroDivisionError, MemoryError,
)  # fmt: skip
# Kernels of an operation, and constants, that are kept: beyond, all are forgotten.
MOST_KERNELS: Final = 256
MOST_NUMBERS: Final = 1024
# Calls after which native code pays that takes 30 ms to make, once for all processes.
MANY_CALLS: Final = 1000

# Strings, and what is only kept and cast, are the slow way's.
REFUSED: Final = frozenset(
    [dtypes.string.numpy.num, dtypes.STRUCTURE, *[one.numpy.num for one in dtypes.NARROW]]
)
FLOAT32: Final = dtypes.float32.numpy
FLOAT64: Final = dtypes.float64.numpy
INT32: Final = dtypes.int32.numpy
INT64: Final = dtypes.int64.numpy
# Attributes that make a key: those of one of these types that are equal mean the same.
KEYS: Final = frozenset((bool, int, str, NoneType, DType))
NO_ATTRS: Final[dict[str, Any]] = {}
# NumPy computes with these number by number, twenty times slower than with float32: elementwise
# operations on many run natively. Sums, products, quotients and roots are the same to the bit.
NARROW: Final = frozenset((dtypes.float16.numpy.num, dtypes.bfloat16.numpy.num))
OWN: Final = frozenset((EagerTensor, EagerHandle))


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


# ---------------------------------------------------------------- making a kernel


def may_learn(op: type[Op]) -> bool:
    """Whether an operation is a function of tensors by its own kernel."""
    takes = op.inputs and not (op.takes_lists or op.string_inputs)
    gives = op.single and op.outputs[0].fixed_dtype not in (dtypes.variant, dtypes.resource)
    return bool(takes and gives and op.eager is not None and not op.effects)


def learned(
    op: type[Op], operands: tuple[Any, ...], attrs: dict[str, Any], output: Any
) -> tuple[Any]:
    """What the slow way made of operands; a kernel is kept for others like these."""
    if op.quick is not False:
        _learn(op, operands, attrs, output)
    return (output,)


def _learn(op: type[Op], operands: tuple[Any, ...], attrs: dict[str, Any], output: Any) -> None:
    for value in attrs.values():
        parts: Any = value if type(value) is tuple else (value,)
        if not KEYS.issuperset(map(type, parts)):
            return
    if op.quick is None:
        op.quick = quick_way(op) if may_learn(op) else False
    if op.quick is False or not all(type(x) is EagerTensor for x in (*operands, output)):
        return
    numbers = {x._array.dtype.num for x in operands}
    if numbers & REFUSED or (op.by_element and numbers & NARROW):
        return
    key = key_of(operands, attrs)
    if key in op.kernels or not are_ready(op, operands, attrs, OWN):
        return
    if len(op.kernels) >= MOST_KERNELS:
        op.kernels.clear()
    kernel = _sized(op, _of_numpy(op, operands, attrs, output._array.dtype))
    op.kernels[key] = _counted(op, key, kernel, attrs) if _may_be_native(op, operands) else kernel


def _share_dtype(op: type[Op]) -> bool:
    """Whether a number beside a tensor adopts its dtype."""
    first, second = op.inputs
    return first.dtype == second.dtype and first.fixed_dtype is None


def _of_numpy(
    op: type[Op], operands: Sequence[Any], attrs: dict[str, Any], gives: np.dtype[Any]
) -> Kernel:
    own = op.demands is None and op.eager is Elementwise.eager
    by_rule = op.by_rule is not None and operands[0].dtype in op.by_rule
    if op.by_element and (own or by_rule) and len(op.inputs) <= 2:
        return _of_elements(function_of(op), len(op.inputs), gives)
    return _of_arrays(op, attrs)


def _of_elements(function: Callable[..., Any], count: int, gives: np.dtype[Any]) -> Kernel:
    """A function of arrays, as a kernel of so many operands, whose results have a dtype."""

    def of_one(x: Any) -> Any:
        token = enter()
        try:
            result = function(x._array)
        finally:
            leave(token)
        if type(result) is not ndarray:
            result = asarray(result)
        if result.dtype is not gives or result.base is not None:
            return as_output(result, None)
        tensor = EagerTensor()
        tensor._array = result
        return tensor

    def of_two(x: Any, y: Any) -> Any:
        token = enter()
        try:
            result = function(x._array, y._array)
        finally:
            leave(token)
        if type(result) is not ndarray:
            result = asarray(result)
        if result.dtype is not gives or result.base is not None:
            return as_output(result, None)
        tensor = EagerTensor()
        tensor._array = result
        return tensor

    return of_one if count == 1 else of_two


class RuleStep:
    """Stands for an operand, and for the scalar language, to see what a rule does with them."""

    def __init__(self, function: Any = None, operands: tuple[Any, ...] = ()) -> None:
        self.function = function
        self.operands = operands

    def __getattr__(self, name: str) -> Callable[..., RuleStep]:
        return lambda *operands: RuleStep(getattr(NUMPY, name), operands)


def _step(function: np.ufunc) -> Callable[..., RuleStep]:
    return lambda *operands: RuleStep(function, operands)


for _name, _function in {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "truediv": np.true_divide,
    "neg": np.negative, "lt": np.less, "le": np.less_equal, "gt": np.greater,
    "ge": np.greater_equal, "eq": np.equal, "ne": np.not_equal, "and": np.bitwise_and,
    "or": np.bitwise_or, "xor": np.bitwise_xor, "invert": np.invert,
}.items():  # fmt: skip
    setattr(RuleStep, f"__{_name}__", _step(_function))


@cache
def function_of(op: type[Op]) -> Callable[..., Any]:
    """The scalar rule of `op` as a function of arrays: NumPy's own, where it is that alone."""
    rule: Any = op.scalar
    operands = [RuleStep() for _ in op.inputs]
    try:
        found = rule(RuleStep(), *operands)
    except (TypeError, ValueError, AttributeError):  # it looks at what it is given
        found = None
    if isinstance(found, RuleStep) and [*map(id, found.operands)] == [*map(id, operands)]:
        return found.function
    return partial(rule, NUMPY)


def _of_arrays(op: type[Op], attrs: dict[str, Any]) -> Kernel:
    """The eager rule, of an application whose attributes are looked up once."""
    names, fixed, demands = op.input_names, op.outputs[0].fixed_dtype, op.demands
    values = [(name, attrs.get(name, default)) for name, default in op.attr_defaults]
    new = op.__new__

    def kernel(*tensors: Any) -> Any:
        application: Any = new(op)
        for name, tensor in zip(names, tensors, strict=True):
            setattr(application, name, tensor._array)
        for name, value in values:
            setattr(application, name, value)
        token = enter()
        try:
            if demands is not None:
                application.found = demands(application, EAGER)
            result = application.eager(np)
        finally:
            leave(token)
        return as_output(result, fixed)

    return kernel


def _sized(op: type[Op], kernel: Kernel) -> Kernel:
    """A kernel that looks at sizes: at those that must agree, and whether they are large."""
    if not op.alike and op.native_from is None:
        return kernel

    def looking(*tensors: Any) -> Any:
        most = op.native_from
        if most is not None and sum([x._array.size for x in tensors]) >= most:
            return NotImplemented
        if op.alike and len({tensors[position]._array.shape for position in op.alike}) > 1:
            return NotImplemented
        return kernel(*tensors)

    return looking


def _may_be_native(op: type[Op], operands: Sequence[Any]) -> bool:
    if operands[0].dtype not in op.exact:
        return False
    return not op.by_element or not any(x._array.ndim for x in operands)


def _counted(op: type[Op], key: Any, kernel: Kernel, attrs: dict[str, Any]) -> Kernel:
    """A kernel that makes way for native code once it was called often."""
    left = MANY_CALLS

    def counting(*tensors: Any) -> Any:
        nonlocal left
        left -= 1
        if left <= 0:
            made = native_operations.prepared(op, [x._array for x in tensors], attrs)
            op.kernels[key] = kernel if made is None else _native(made, kernel)
        return kernel(*tensors)

    return counting


def _native(made: Any, kernel: Kernel) -> Kernel:
    def native(*tensors: Any) -> Any:
        found = made.entry(*tensors)
        return kernel(*tensors) if found is NotImplemented else found[0]

    return native


# ---------------------------------------------------------------- large operands


def run_natively(
    op: type[Op], payloads: Sequence[Any], attrs: dict[str, Any]
) -> tuple[EagerTensor, ...] | None:
    """What `op` makes of arrays in native code; None where they are few, or it has to be NumPy."""
    count = 0
    for payload in payloads:
        if type(payload) is not ndarray:
            return None
        count += payload.size
    if count < (MANY if op.native_from is None else op.native_from):
        return None
    if not op.by_element:
        found = native_operations.run(op, payloads, attrs)
        return None if found is None else tuple(map(wrap, found))
    shapes = {payload.shape for payload in payloads if payload.ndim}
    if len(shapes) != 1:  # broadcasting is NumPy's
        return None
    (shape,) = shapes  # one vector: code for every rank
    flat = [payload.reshape(-1) if payload.ndim else payload for payload in payloads]
    found = native_operations.run(op, flat, attrs)
    return None if found is None else tuple([wrap(one.reshape(shape)) for one in found])


# ---------------------------------------------------------------- what kernels give


def as_output(result: Any, dtype: DType | None) -> Any:
    """What a kernel returned, as a tensor.

    Raises:
        ResourceExhaustedError: it has to be copied, and there is no memory.
    """
    if type(result) is ndarray:
        found = BY_NUMPY_NUMBER.get(result.dtype.num)
        if found is not None and found.numpy is result.dtype and result.flags.carray:
            tensor = EagerTensor()
            tensor._array = result
            return tensor
    try:
        return _as_output(result, dtype)
    except MemoryError as error:
        raise ResourceExhaustedError(str(error)) from None


def _as_output(result: Any, dtype: DType | None) -> Any:
    if type(result) is ndarray:
        return wrap(from_numpy(result, dtype) if result.dtype.kind in "US" else canonical(result))
    if isinstance(result, np.generic):
        return wrap(canonical(asarray(result)))
    if isinstance(result, TensorLike):
        return result
    if isinstance(result, (bool, int, float, complex, bytes, str)):
        return wrap(_from_python(result, dtype))
    return wrap_handle(result, dtype)


def _from_python(result: Any, dtype: DType | None) -> Array:
    if isinstance(result, (bytes, str)):
        return from_numpy(asarray(result, object), None)
    return canonical(asarray(result, None if dtype is None else dtype.numpy))

"""Kernels are kept of what the slow way went through for."""

from __future__ import annotations

from collections.abc import Sequence
from types import NoneType
from typing import Any, Final

import numpy as np

from ...core import dtypes, native_operations
from ...core.dtypes import DType
from ...core.process import floating_point_warnings
from ...core.process.written_functions import FunctionText
from ...ops.bind import are_ready
from ...ops.dispatch.placements import installed
from ...ops.op import Op
from ..tensor import EagerHandle, EagerTensor
from .array_functions import function_of, is_scalar_rule, rule_of, write_rule
from .lookup import Kernel, key_of, lookup_of
from .outputs import REFUSED, as_output, native_from, run_natively

enter, leave = floating_point_warnings.enter, floating_point_warnings.leave
ndarray: Final = np.ndarray
asarray: Final = np.asarray

# Kernels of an operation that are kept: beyond, all are forgotten.
MOST_KERNELS: Final = 256
# Calls after which a written kernel pays, which takes 0.2 ms to make.
SOME_CALLS: Final = 8
# Calls after which native code pays that takes 30 ms to make, once for all processes.
MANY_CALLS: Final = 1000

# Attributes that make a key: those of one of these types that are equal mean the same.
KEYS: Final = frozenset((bool, int, str, NoneType, DType))
OWN: Final = frozenset((EagerTensor, EagerHandle))


def may_learn(op: type[Op]) -> bool:
    """Whether an operation is a function of tensors by its own kernel."""
    takes = op.inputs and not (op.takes_lists or op.string_inputs)
    gives = op.single and op.outputs[0].fixed_dtype not in (dtypes.variant, dtypes.resource)
    return bool(takes and gives and op.eager is not None and not op.effects)


def learned(
    op: type[Op], operands: tuple[Any, ...], attrs: dict[str, Any], output: Any
) -> tuple[Any]:
    """What the slow way made of operands; a kernel is kept for others like these."""
    if op.quick is not False and installed.usual is None:
        _learn(op, operands, attrs, output)
    return (output,)


def _learn(op: type[Op], operands: tuple[Any, ...], attrs: dict[str, Any], output: Any) -> None:
    if op.quick is None and not may_learn(op):
        op.quick = False
        return
    for value in attrs.values():
        parts: Any = value if type(value) is tuple else (value,)
        if not KEYS.issuperset(map(type, parts)):
            return
    if op.quick is None:
        op.quick = lookup_of(op)
    if not all(type(x) is EagerTensor for x in (*operands, output)):
        return
    numbers = {x._array.dtype.num for x in operands}
    if numbers & REFUSED:
        return
    key = key_of(operands, attrs)
    if key in op.kernels or not are_ready(op, operands, attrs, OWN):
        return
    if len(op.kernels) >= MOST_KERNELS:
        op.kernels.clear()
    kernel = _sized(op, operands, attrs, _of_numpy(op, operands, attrs))
    op.kernels[key] = _counted(op, key, kernel, attrs, output._array.dtype)


def _of_numpy(op: type[Op], operands: Sequence[Any], attrs: dict[str, Any]) -> Kernel:
    """A kernel of any number of operands: for few calls, since it is made in no time."""
    by_rule = is_scalar_rule(op, operands[0].dtype)
    function = function_of(op) if by_rule else rule_of(op, attrs)
    fixed = op.outputs[0].fixed_dtype

    def kernel(*tensors: Any) -> Any:
        token = enter()
        try:
            result = function(*[x._array for x in tensors])
        finally:
            leave(token)
        return as_output(result, fixed)

    return kernel


def _written(op: type[Op], operands: Sequence[Any], attrs: dict[str, Any], gives: Any) -> Kernel:
    """`_sized(op, _of_numpy(…))` written out for so many operands, whose results have a dtype."""
    count, by_rule = range(len(operands)), is_scalar_rule(op, operands[0].dtype)
    text = FunctionText(", ".join([f"t{k}" for k in count]))
    for k in count:
        text.add(f"a{k} = t{k}._array")
    _write_sizes(text, op, operands, attrs)
    text.add(f"token = {text.constant(enter)}()")
    arrays = [f"a{k}" for k in count]
    with text.block("try:"):
        if by_rule:
            text.add(f"result = {text.constant(function_of(op))}({', '.join(arrays)})")
        else:
            text.add(f"result = {write_rule(text, op, attrs, arrays)}")
    with text.block("finally:"):
        text.add(f"{text.constant(leave)}(token)")
    _write_result(text, op, gives, by_rule)
    return text.made()


def _write_sizes(
    text: FunctionText, op: type[Op], operands: Sequence[Any], attrs: dict[str, Any]
) -> None:
    """Hand large operands to native code; refuse those of sizes that must agree and do not."""
    count = range(len(operands))
    if op.alike:
        shapes = " == ".join([f"a{k}.shape" for k in op.alike])
        with text.block(f"if not {shapes}:"):
            text.add("return NotImplemented")
    if (least := native_from(op, operands[-1]._array.dtype.num)) is not None:
        is_own = op.native_from is not None
        text.add(f"most = {text.constant(op)}.native_from" if is_own else f"most = {least}")
        sizes = " + ".join([f"a{k}.size" for k in count])
        with text.block(f"if most is not None and {sizes} >= most:"):
            arrays = ", ".join([f"a{k}" for k in count])
            made = f"({arrays},), {text.constant(attrs)}"
            text.add(f"found = {text.constant(run_natively)}({text.constant(op)}, {made})")
            with text.block("if found is not None:"):
                text.add("return found[0]")


def _write_result(text: FunctionText, op: type[Op], gives: Any, by_rule: bool) -> None:
    """Return `result` as a tensor: at once where it is an array as tensors have them."""
    kind, dtype = text.constant(ndarray), text.constant(gives)
    if by_rule:  # NumPy's functions give new arrays, or a scalar
        with text.block(f"if type(result) is not {kind}:"):
            text.add(f"result = {text.constant(asarray)}(result)")
        is_plain = f"result.dtype is {dtype} and result.base is None"
    else:
        is_plain = f"type(result) is {kind} and result.dtype is {dtype} and result.flags.carray"
    with text.block(f"if {is_plain}:"):
        text.add(f"tensor = {text.constant(EagerTensor)}()")
        text.add("tensor._array = result")
        text.add("return tensor")
    fixed = text.constant(op.outputs[0].fixed_dtype)
    text.add(f"return {text.constant(as_output)}(result, {fixed})")


def _sized(op: type[Op], operands: Sequence[Any], attrs: dict[str, Any], kernel: Kernel) -> Kernel:
    """A kernel that looks at sizes: at those that must agree, and whether they are large."""
    least = native_from(op, operands[-1]._array.dtype.num)
    if not op.alike and least is None:
        return kernel

    def looking(*tensors: Any) -> Any:
        if op.alike and len({tensors[position]._array.shape for position in op.alike}) > 1:
            return NotImplemented
        most = least if op.native_from is None else op.native_from
        if most is not None and sum([x._array.size for x in tensors]) >= most:
            found = run_natively(op, [x._array for x in tensors], attrs)
            if found is not None:
                return found[0]
        return kernel(*tensors)

    return looking


def _may_be_native(op: type[Op], operands: Sequence[Any]) -> bool:
    if operands[0].dtype not in op.exact:
        return False
    return not op.by_element or not any(x._array.ndim for x in operands)


def _counted(
    op: type[Op], key: Any, kernel: Kernel, attrs: dict[str, Any], gives: np.dtype[Any]
) -> Kernel:
    """A kernel that makes way for a written one once it was called again, and that for native code
    once it was called often.
    """
    called, best = 0, kernel

    def counting(*tensors: Any) -> Any:
        nonlocal called, best
        called += 1
        if called >= MANY_CALLS and _may_be_native(op, tensors):
            made = native_operations.prepared(op, [x._array for x in tensors], attrs)
            op.kernels[key] = best if made is None else _native(made, best, len(tensors))
        elif called == SOME_CALLS:
            best = _written(op, tensors, attrs, gives)
            if not _may_be_native(op, tensors):
                op.kernels[key] = best
        return best(*tensors)

    return counting


def _native(made: Any, kernel: Kernel, count: int) -> Kernel:
    """A kernel of so many operands by a native entry, and by another kernel where it refuses."""
    text = FunctionText(given := ", ".join([f"t{k}" for k in range(count)]))
    text.add(f"found = {text.constant(made)}.entry({given})")
    text.add(f"return {text.constant(kernel)}({given}) if found is NotImplemented else found[0]")
    native = text.made()
    native.__name__ = "native"
    return native

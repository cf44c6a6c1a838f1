"""Runs one function of `vector_math` over arrays in machine code, and measures its errors."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

import mpmath
import numpy as np
import numpy.typing as npt

from tensormill.compiler.llvm.vector_math import library as vector_math
from tensormill.compiler.llvm.vector_math.language import Kind
from tensormill.compiler.llvm.vector_math.text import LLVM_TYPE
from tensormill.compiler.machine.jit import Target, compile_module

Array: TypeAlias = npt.NDArray[Any]
DTYPE: dict[Kind, type[np.generic]] = {"f32": np.float32, "f64": np.float64}
# Bits of the significand, exponent of the least subnormal, exponent after the greatest number.
FORMAT: dict[Kind, tuple[int, int, int]] = {"f32": (24, -149, 128), "f64": (53, -1074, 1024)}


def loop_text(function: str, kind: Kind, target: Target | None = None) -> str:
    """A module whose `loop(count, out, x0, …)` applies the function to every element."""
    taken, numbers = LLVM_TYPE[kind], range(vector_math.arity(function))
    pointers = ", ".join(f"ptr noalias %x{k}" for k in numbers)
    loads = "\n".join(
        f"  %a{k} = getelementptr {taken}, ptr %x{k}, i64 %i\n  %v{k} = load {taken}, ptr %a{k}"
        for k in numbers
    )
    arguments = ", ".join(f"{taken} %v{k}" for k in numbers)
    return f"""
{vector_math.definition(function, kind, target)}
define void @loop(i64 %count, ptr noalias %out, {pointers}) {{
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
{loads}
  %r = call {taken} @tm.{function}.{kind}({arguments})
  %slot = getelementptr {taken}, ptr %out, i64 %i
  store {taken} %r, ptr %slot
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %count
  br i1 %done, label %exit, label %body
exit:
  ret void
}}
"""


@cache
def native(function: str, kind: Kind, target: Target | None = None) -> Callable[..., Array]:
    """The function of arrays."""
    module = compile_module(loop_text(function, kind, target), name=function, target=target)
    arity = vector_math.arity(function)
    types = [ctypes.c_int64, *[ctypes.c_void_p] * (arity + 1)]
    loop = ctypes.CFUNCTYPE(None, *types)(module.address("loop"))

    def run(*arguments: npt.ArrayLike) -> Array:
        arrays = [np.ascontiguousarray(argument, DTYPE[kind]) for argument in arguments]
        out = np.empty_like(arrays[0])
        loop(out.size, out.ctypes.data, *(array.ctypes.data for array in arrays))
        assert module is not None  # the code lives as long as this closure
        return out

    return run


def error_in_ulps(found: float, true: Any, kind: Kind) -> float:
    """How far `found` is from the true value, in units of the last place of the true value."""
    bits, least, beyond = FORMAT[kind]
    if mpmath.isnan(true) or math.isnan(found):
        return 0.0 if mpmath.isnan(true) and math.isnan(found) else math.inf
    limit = mpmath.ldexp(1, beyond)
    if abs(true) >= limit * (1 - mpmath.ldexp(1, -bits - 1)):  # rounds to infinity
        true = mpmath.sign(true) * limit
    number = mpmath.mpf(found) if math.isfinite(found) else mpmath.sign(found) * limit
    if true == number:
        return 0.0
    exponent = max(mpmath.frexp(true)[1] - bits, least) if true else least
    exponent = min(exponent, beyond - bits)
    return float(abs(number - true) / mpmath.ldexp(1, exponent))

"""Python numbers that a loop of the graph carries: they take the dtype of what they meet.

    total = 0
    for x in xs:            # floats
        total = total + x

To Python, `total` is a float after one iteration. The graph needs it to be one from the beginning,
and what it is shows in the body only. So while the body is traced, the tensor of such a number
is not refused beside tensors of other dtypes, but cast, and the wish is noted: whoever stages
the loop makes it come true, or has the body refuse the number when it is traced again.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import is_
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.dtypes import DType, as_dtype
from ...core.values import TensorLike
from ...eager.arrays import to_array

if TYPE_CHECKING:
    from ..symbolic import SymbolicTensor

# What becomes of Python numbers under these is still such a number.
_ARITHMETIC = frozenset({
    "Abs", "AddV2", "Cast", "FloorDiv", "FloorMod", "Identity", "Maximum", "Minimum", "Mul", "Neg",
    "Pow", "RealDiv", "Sign", "Square", "Sub",
})  # fmt: skip

# What Python numbers become where nothing else says it.
_PYTHON = {kind: as_dtype(to_array(kind()).dtype) for kind in (int, float, complex)}


class LoopNumber:
    """One number that a loop carries. `within` are those of loops around that it starts as."""

    def __init__(self, within: Sequence[LoopNumber] = ()) -> None:
        self.within = within
        self.wishes: set[DType] = set()

    def wish(self, dtype: DType) -> None:
        self.wishes.add(dtype)
        for one in self.within:
            one.wish(dtype)


def mark(tensor: SymbolicTensor, number: LoopNumber) -> None:
    """Let a tensor be the tensor of a number."""
    tensor.__dict__["loop_number"] = number


def numbers_in(tensor: Any) -> list[LoopNumber]:
    """The numbers that a tensor was computed from; none where something else has its dtype."""
    found: dict[int, LoopNumber] = {}
    seen: set[int] = set()
    pending = [tensor] if isinstance(tensor, TensorLike) else []
    while pending:
        one = pending.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if one.shape.rank != 0:
            return []
        if (number := getattr(one, "__dict__", {}).get("loop_number")) is not None:
            found[id(number)] = number
            continue
        before = _before(one)
        if before is None:
            return []
        pending += before
    return list(found.values())


def _before(tensor: Any) -> Sequence[Any] | None:
    """What a tensor was computed from by arithmetic; None where it was not."""
    if not getattr(tensor, "symbolic", False):
        return None
    operation = tensor.op
    if operation.kind is None:
        graph = operation.owner()  # None: a tensor has left the graph that is gone
        external = None if graph is None else graph.captured_as(tensor)
        return None if external is None else [external]
    if operation.type == "Const":
        return [] if tensor.dtype in _PYTHON.values() else None
    return operation.inputs if operation.type in _ARITHMETIC else None


def python_dtype(value: Any) -> DType:
    """The dtype of a value; of quotients of such numbers, that of Python's floats."""
    if not isinstance(value, TensorLike):
        return as_dtype(to_array(value).dtype)
    is_quotient = value.dtype.name == "float64" and bool(numbers_in(value))
    return _PYTHON[float] if is_quotient else value.dtype


def fits(dtype: DType, wanted: DType) -> bool:
    """Whether a number of one dtype is a number of its kind in the other."""
    if dtype.is_integer:
        return wanted.is_integer or wanted.is_floating or wanted.is_complex
    if dtype.is_floating:
        return wanted.is_floating or wanted.is_complex
    return dtype.is_complex and wanted.is_complex


def adopted(tensor: Any, dtype: DType) -> Any:
    """A number's tensor in another dtype, as its loop may carry it; None where it is none."""
    if not isinstance(tensor, TensorLike) or not fits(tensor.dtype, dtype):
        return None
    numbers = numbers_in(tensor)
    if not numbers:
        return None
    for number in numbers:
        number.wish(dtype)
    from ...ops.math.cast import cast

    return cast(tensor, dtype)


def in_one_dtype(values: Sequence[Any], allowed: frozenset[DType] | None) -> list[Any] | None:
    """Operands that share a dtype, with numbers in the dtype of the others; None where no number
    has another one, or the others differ.
    """
    numbers = [isinstance(one, TensorLike) and bool(numbers_in(one)) for one in values]
    if not any(numbers):
        return None
    pairs = list(zip(values, numbers, strict=True))
    given = {as_dtype(one.dtype) for one, is_number in pairs if _has_dtype(one) and not is_number}
    if len(given) > 1:
        return None
    dtype = given.pop() if given else _wanted(values, allowed)
    found: list[Any] = []
    for one, is_number in pairs:
        other = adopted(one, dtype) if is_number and one.dtype is not dtype else one
        if other is None:
            return None
        found.append(other)
    return None if all(map(is_, found, values)) else found


def _has_dtype(value: Any) -> bool:
    return isinstance(value, (TensorLike, np.ndarray, np.generic))


def _wanted(values: Sequence[Any], allowed: frozenset[DType] | None) -> DType:
    """The dtype that Python's arithmetic would give numbers, or one that is allowed."""
    dtypes = [one.dtype for one in values if isinstance(one, TensorLike)]
    dtypes += [_PYTHON[type(one)] for one in values if type(one) in _PYTHON]
    widest = max(dtypes, key=lambda one: (one.is_complex, one.is_floating, one.size))
    if not allowed or widest in allowed:
        return widest
    return _PYTHON[float] if _PYTHON[float] in allowed else min(allowed, key=lambda one: one.name)

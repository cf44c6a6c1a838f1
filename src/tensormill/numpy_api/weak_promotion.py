"""The dtypes of operands in the modes "all" and "safe": numbers of Python's make weak tensors.

A weak dtype gives way to any other of its kind. In "all" every pair of numbers has a dtype, floats
before integers; in "safe" only where it is one of the two and holds all values of the other.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..core import dtypes
from ..core.dtypes import BY_NUMPY_NUMBER, DType
from ..core.process.named_tuples import NamedTuple
from ..core.values import TensorLike
from ..eager.arrays import INT32, is_sequence, to_array
from ..errors import DTypeMismatchError


class Promoted(NamedTuple):
    """A dtype, and whether it is weak."""

    dtype: DType
    is_weak: bool = False

    def __str__(self) -> str:
        return f"{'weak ' if self.is_weak else ''}{self.dtype.name}"


# How many bits of an integer floats hold.
EXACT_BITS: Final = {
    "bfloat16": 8, "float16": 11, "float32": 24, "float64": 53, "complex64": 24, "complex128": 53,
}  # fmt: skip
KINDS: Final = ("bool", "int", "float", "complex")
OF_PYTHON: Final = {
    bool: Promoted(dtypes.bool_),
    int: Promoted(dtypes.int32, True),
    float: Promoted(dtypes.float32, True),
    complex: Promoted(dtypes.complex128, True),
}


def is_weak(value: Any) -> bool:
    """Whether a value is a weak tensor."""
    return getattr(value, "is_weak_tensor", False)


def without_weak(value: Any) -> Any:
    """A value, or lists of them, with the tensors of weak ones."""
    if type(value) in (list, tuple):
        return type(value)(map(without_weak, value))
    return value.tensor if is_weak(value) else value


def kind_of(value: Any) -> Promoted | None:
    """The dtype of an operand; None where it has none that is promoted, as strings have none."""
    if isinstance(value, TensorLike):
        return _if_number(Promoted(value.dtype))
    if is_weak(value):
        return Promoted(value.dtype, True)
    if type(value) is int and not INT32.min <= value <= INT32.max:
        return Promoted(dtypes.int64, True)
    if type(value) in OF_PYTHON:
        return OF_PYTHON[type(value)]
    if isinstance(value, (np.ndarray, np.generic)):
        found = BY_NUMPY_NUMBER.get(value.dtype.num)
        return None if found is None else _if_number(Promoted(found))
    return _of_sequence(value) if is_sequence(value) else None


def _if_number(promoted: Promoted) -> Promoted | None:
    return promoted if _rank(promoted.dtype) is not None else None


def _of_sequence(value: Any) -> Promoted | None:
    found: Promoted | None = None
    for one in value:
        kind = kind_of(one)
        if kind is None:
            return None
        found = kind if found is None else joined(found, kind)
    if found is not None:
        return found
    array = to_array(value)
    return None if array.dtype.kind == "O" else Promoted(dtypes.as_dtype(array.dtype), True)


def _rank(dtype: DType) -> int | None:
    """Where the kind of a dtype stands among those of numbers."""
    kind = dtype.family.removeprefix("u")
    return KINDS.index(kind) if kind in KINDS else None


def joined(one: Promoted, other: Promoted) -> Promoted:
    """The dtype that two operands have in common in the mode "all"."""
    if one.dtype is other.dtype:
        return Promoted(one.dtype, one.is_weak and other.is_weak)
    low, high = sorted((one, other), key=lambda kind: (_rank(kind.dtype) or 0, kind.dtype.size))
    if low.dtype.is_bool:
        return high
    is_one_kind = _rank(low.dtype) == _rank(high.dtype)
    if low.is_weak == high.is_weak:
        return Promoted(_of_alike(low.dtype, high.dtype), low.is_weak or _overflows(low, high))
    weak, strong = (low, high) if low.is_weak else (high, low)
    if weak is low or is_one_kind:
        return strong
    if strong.dtype.is_integer:  # beside a weak number of a later kind
        return Promoted(dtypes.float64 if weak.dtype.is_floating else weak.dtype, True)
    return Promoted(_of_alike(strong.dtype, dtypes.complex64))


def _overflows(low: Promoted, high: Promoted) -> bool:
    """Whether no integer holds both: then a float does, which is weak."""
    return (
        {low.dtype.name, high.dtype.name} >= {"uint64"}
        and high.dtype.is_integer
        and (low.dtype.family != high.dtype.family)
    )


def _of_alike(low: DType, high: DType) -> DType:
    """The dtype of two that are both weak, or both not; `high` is not of the earlier kind."""
    if low.is_integer and high.is_integer:
        return _of_integers(low, high)
    if {low, high} == {dtypes.bfloat16, dtypes.float16}:
        return dtypes.float32
    if high.is_complex and low is dtypes.float64:
        return dtypes.complex128
    return high


def _of_integers(low: DType, high: DType) -> DType:
    if low.family == high.family:
        return high
    signed, unsigned = (low, high) if low.family == "int" else (high, low)
    bits = max(signed.size, 2 * unsigned.size)
    found = {2: dtypes.int16, 4: dtypes.int32, 8: dtypes.int64}.get(bits)
    return signed if signed.size > unsigned.size else found or dtypes.float64


def joined_safely(one: Promoted, other: Promoted) -> Promoted:
    """The dtype that two operands have in common in the mode "safe".

    Raises:
        TypeError: it is neither of theirs, or does not hold all values of the other.
    """
    found = joined(one, other)
    is_theirs = found.dtype in (one.dtype, other.dtype)
    if is_theirs and all(kind.is_weak or _holds(found.dtype, kind.dtype) for kind in (one, other)):
        return found
    raise DTypeMismatchError(
        f"in the promotion mode 'safe', operands of dtype {one} and {other} are not promoted: the "
        f"common dtype {found} may lose values; use tf.cast to convert one of them"
    )


def _holds(wide: DType, narrow: DType) -> bool:
    if wide is narrow or not narrow.is_integer or wide.is_integer:
        return True
    return narrow.size * 8 <= EXACT_BITS[wide.name]

"""The reader that computes with NumPy at once: the slow twin of the LLVM text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias, final

import numpy as np
import numpy.typing as npt

from .emulation import fused_multiply_add
from .language import Kind, Term

Array: TypeAlias = npt.NDArray[Any]

DTYPE: Final[dict[Kind, type[np.generic]]] = {
    "f32": np.float32,
    "f64": np.float64,
    "i32": np.int32,
    "i64": np.int64,
    "i1": np.bool_,
}
_UNSIGNED: Final = {"i32": np.uint32, "i64": np.uint64}


def _unordered(x: Array, y: Array) -> Array:
    return np.isnan(x) | np.isnan(y)


def _shift_right(kind: Kind, x: Array, count: Array) -> Array:
    unsigned = _UNSIGNED[kind]
    return np.right_shift(x.astype(unsigned), count.astype(unsigned)).astype(DTYPE[kind])


_OPERATION: Final[dict[str, Callable[..., Array]]] = {
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "divide": np.divide,
    "negative": np.negative,
    "absolute": np.absolute,
    "sqrt": np.sqrt,
    "floor": np.floor,
    "ceil": np.ceil,
    "trunc": np.trunc,
    "rint": np.rint,
    "copysign": np.copysign,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "shift left": np.left_shift,
    "shift right, signed": np.right_shift,
    "less": np.less,
    "less or equal": np.less_equal,
    "greater": np.greater,
    "greater or equal": np.greater_equal,
    "equal": np.equal,
    "unordered": _unordered,
    "select": np.where,
}


@final
class ArrayReader:
    """Payloads are arrays of one shape; constants are arrays without axes."""

    def constant(self, kind: Kind, number: float) -> Array:
        """The number as an array without axes."""
        return np.array(number).astype(DTYPE[kind])

    def table(self, kind: Kind, numbers: Sequence[float], index: Array) -> Array:
        """The chosen numbers."""
        return np.array(numbers, DTYPE[kind])[index]

    def repeat(
        self,
        kinds: Sequence[Kind],
        initial: Sequence[Array],
        unfinished: Callable[[Sequence[Array]], Array],
        step: Callable[[Sequence[Array]], Sequence[Array]],
    ) -> list[Array]:
        """Steps until no element needs one; finished elements stay as they are."""
        state = list(initial)
        while np.any(going := unfinished(state)):
            stepped = step(state)
            state = [np.where(going, new, old) for new, old in zip(stepped, state, strict=True)]
        return state

    def either(
        self, kind: Kind, condition: Array, yes: Callable[[], Array], no: Callable[[], Array]
    ) -> Array:
        """Both ways, and the right one of each element."""
        return np.where(condition, yes(), no())

    def apply(
        self, operation: str, kind: Kind, operand_kind: Kind, operands: Sequence[Array]
    ) -> Array:
        """The operation's result, without NumPy's warnings."""
        with np.errstate(all="ignore"):
            match operation:
                case "bits" | "float of bits":
                    return np.ascontiguousarray(operands[0]).view(DTYPE[kind])
                case "widen" | "narrow" | "float of integer":
                    return operands[0].astype(DTYPE[kind])
                case "shift right":
                    return _shift_right(kind, *operands)
                case "fma" | "multiply-add":
                    values = [Term(self, kind, operand) for operand in operands]
                    return fused_multiply_add(*values).payload
                case _:
                    return np.asarray(_OPERATION[operation](*operands), DTYPE[kind])


def evaluate(recipe: Callable[..., Term], dtype: Kind, *arguments: Array) -> Array:
    """The recipe's value at every element of the arguments (of one shape and `dtype`)."""
    reader = ArrayReader()
    values = [Term(reader, dtype, np.asarray(argument, DTYPE[dtype])) for argument in arguments]
    return recipe(*values).payload

"""Operators on eager tensors and variables, without detours: the kernel of an operation.

Taken where `eager/kernels/` has one: eager execution, plain tensors and variables, or a Python
number beside one. Everything else, mistakes included, goes to the slow twin in `operators.py`,
which has the rules and the messages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

from ..core import context
from ..ops.dispatch.placements import installed
from ..ops.linalg.matmul import MatMul
from ..ops.math import arithmetic, comparison, division, power
from ..ops.op import COMPLEX, FLOATS, NUMBERS, Op
from .arrays import canonical
from .indexing import get_item
from .kernels.lookup import binary, unary
from .operators import Operators
from .tensor import EagerTensor, wrap
from .variable import Variable

get_context: Final = context.current.get
PLAIN_ENTRIES: Final = frozenset((int, slice, type(...), type(None)))


def fast_operator(name: str, op: type[Op], allowed: frozenset[Any] = NUMBERS) -> Callable[..., Any]:
    """`__name__` of tensors and variables, where it is the operation `op` and nothing else: for
    the dtypes `allowed`.
    """
    slow: Callable[..., Any] = getattr(Operators, name)
    numbers = frozenset([one.storage.num for one in allowed])
    method = binary(op, slow, numbers, is_reflected=name.startswith("__r"))
    method.__name__ = name
    return method


def _fast_negation() -> Callable[..., Any]:
    method = unary(arithmetic.Neg, Operators.__neg__)
    method.__name__ = "__neg__"
    return method


_QUOTIENTS: Final = FLOATS | COMPLEX  # of integers others are meant
OPERATORS: Final = {
    "__add__": fast_operator("__add__", arithmetic.AddV2),
    "__radd__": fast_operator("__radd__", arithmetic.AddV2),
    "__sub__": fast_operator("__sub__", arithmetic.Sub),
    "__rsub__": fast_operator("__rsub__", arithmetic.Sub),
    "__mul__": fast_operator("__mul__", arithmetic.Mul),
    "__rmul__": fast_operator("__rmul__", arithmetic.Mul),
    "__truediv__": fast_operator("__truediv__", division.RealDiv, _QUOTIENTS),
    "__rtruediv__": fast_operator("__rtruediv__", division.RealDiv, _QUOTIENTS),
    "__pow__": fast_operator("__pow__", power.Pow),
    "__rpow__": fast_operator("__rpow__", power.Pow),
    "__matmul__": fast_operator("__matmul__", MatMul),
    "__lt__": fast_operator("__lt__", comparison.Less),
    "__le__": fast_operator("__le__", comparison.LessEqual),
    "__gt__": fast_operator("__gt__", comparison.Greater),
    "__ge__": fast_operator("__ge__", comparison.GreaterEqual),
    "__neg__": _fast_negation(),
    "__eq__": fast_operator("__eq__", comparison.Equal),
    "__ne__": fast_operator("__ne__", comparison.NotEqual),
}


def fast_get_item(tensor: EagerTensor, key: Any) -> Any:
    """`tensor[key]`, by NumPy where the key is of Python's own ints, slices, `...` and None."""
    here = get_context(None)
    if (here is None or here.plain) and _is_plain_key(key):
        part = _part(tensor, key)
        if part is not None:
            return part
    return get_item(tensor, key)


def _part(tensor: EagerTensor, key: Any) -> EagerTensor | None:
    """NumPy's answer, or None where it has none: the slow twin says it better."""
    if installed.usual is not None:
        return None
    try:
        array = tensor._here
        part = array[key]
    except (IndexError, ValueError, AttributeError):
        return None
    if type(part) is not np.ndarray:
        part = np.asarray(part, array.dtype)
    return wrap(canonical(part))


def _is_plain_key(key: Any) -> bool:
    """Whether nothing in `key` needs a look: Python's own ints, slices, `...` and None."""
    if type(key) is tuple:
        return all(map(_is_plain_entry, key))
    return _is_plain_entry(key)


def _is_plain_entry(entry: Any) -> bool:
    if type(entry) is slice:
        return all(type(x) in (int, type(None)) for x in (entry.start, entry.stop, entry.step))
    return type(entry) in PLAIN_ENTRIES


def iterate_rows(tensor: EagerTensor) -> Iterator[Any]:
    """The slices of an eager tensor along axis 0.

    Raises:
        TypeError: it is a scalar.
    """
    if tensor.shape.rank == 0:
        raise TypeError("Cannot iterate over a scalar tensor.")
    return (fast_get_item(tensor, index) for index in range(len(tensor)))


def install() -> None:
    """Give eager tensors and variables their quick operators."""
    for name, method in OPERATORS.items():
        setattr(EagerTensor, name, method)
        setattr(Variable, name, method)
    setattr(EagerTensor, "__getitem__", fast_get_item)  # noqa: B010
    setattr(EagerTensor, "__iter__", iterate_rows)  # noqa: B010

"""The commonest operators on eager tensors, without detours: NumPy's function, and a new tensor.

Taken where nothing is to be decided: eager execution with no recorder, both operands eager tensors
of one dtype (or a Python number beside a tensor of a common dtype). Everything else, mistakes
included, goes to the slow twin in `operators.py`, which has the rules and the messages.

A scalar addition costs 0.8 µs, of which NumPy takes 0.3; a whole `bind` would be 5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

from ..core import dtypes
from ..core.context import current
from ..core.native_operations import MANY
from ..core.process import floating_point_warnings
from .arrays import canonical
from .indexing import get_item
from .operators import Operators
from .tensor import EagerTensor, wrap
from .variable import ResourceVariable, Variable

get_context: Final = current.get
enter, leave = floating_point_warnings.enter, floating_point_warnings.leave
ndarray: Final = np.ndarray
PLAIN_ENTRIES: Final = frozenset((int, slice, type(...), type(None)))
asarray: Final = np.asarray

BOOL: Final = dtypes.bool_.numpy
STRING: Final = dtypes.string.numpy
FLOAT16: Final = dtypes.float16.numpy
BFLOAT16: Final = dtypes.bfloat16.numpy
FLOAT32: Final = dtypes.float32.numpy
FLOAT64: Final = dtypes.float64.numpy
COMPLEX64: Final = dtypes.complex64.numpy
COMPLEX128: Final = dtypes.complex128.numpy
INT32: Final = dtypes.int32.numpy
INT64: Final = dtypes.int64.numpy
# With the narrow ones nothing is computed; of the others the slow twin knows what is meant.
REFUSED: Final = frozenset(
    [BOOL.num, STRING.num, dtypes.STRUCTURE, *[one.numpy.num for one in dtypes.NARROW]]
)
# NumPy 2 lets a Python number adopt the dtype beside it, and refuses one that does not fit.
WEAK_SCALARS: Final = np.lib.NumpyVersion(np.__version__) >= "2.0.0"


def fast_operator(
    name: str, ufunc: np.ufunc, floats_only: bool = False, reals_only: bool = False
) -> Callable[..., Any]:
    """`__name__` of EagerTensor, by `ufunc` where that is all there is to it."""
    slow: Callable[..., Any] = getattr(Operators, name)
    choosy = floats_only or reals_only

    def method(self: Any, other: Any) -> Any:
        here = get_context(None)
        if here is not None and not here.plain:
            return slow(self, other)
        x = self._array
        dtype = x.dtype
        kind = type(other)
        if kind is EagerTensor:
            y = other._array
            if dtype is not y.dtype or (
                dtype is not FLOAT32  # which is asked first because it is the most usual
                and dtype is not INT32
                and dtype is not INT64
                and dtype is not FLOAT64
                and (
                    dtype.num in REFUSED
                    or ((dtype is FLOAT16 or dtype is BFLOAT16) and x.size >= MANY)
                )
            ):
                return slow(self, other)  # of many narrow floats, native code's
        elif WEAK_SCALARS and (kind is float or kind is int):
            y = other
            if dtype is not FLOAT32 and dtype is not FLOAT64:
                if kind is float or (dtype is not INT32 and dtype is not INT64):
                    return slow(self, other)
        elif kind is ResourceVariable:
            y = other._storage.read()
            if dtype is not y.dtype or (dtype is not FLOAT32 and dtype.num in REFUSED):
                return slow(self, other)
        else:
            return slow(self, other)
        if (choosy and dtype is not FLOAT32 and dtype is not FLOAT64) and (
            floats_only or dtype is COMPLEX64 or dtype is COMPLEX128  # NumPy has an order of them
        ):
            return slow(self, other)
        token = enter()
        try:
            result = ufunc(x, y)
        except (ValueError, OverflowError, MemoryError):  # the slow twin says it better
            return slow(self, other)
        finally:
            leave(token)
        tensor = EagerTensor()
        tensor._array = result if type(result) is ndarray else asarray(result)
        return tensor

    method.__name__ = name
    return method


def on_value(method: Callable[..., Any]) -> Callable[..., Any]:
    """`method` for variables: that of their value."""
    slow: Callable[..., Any] = getattr(Operators, method.__name__)

    def of_variable(self: Any, other: Any) -> Any:
        here = get_context(None)
        if here is None or here.plain:  # else a recorder wants to know that the variable is read
            return method(wrap(self._storage.read()), other)
        return slow(self, other)

    of_variable.__name__ = method.__name__
    return of_variable


OPERATORS: Final = {
    "__add__": fast_operator("__add__", np.add),
    "__sub__": fast_operator("__sub__", np.subtract),
    "__mul__": fast_operator("__mul__", np.multiply),
    "__truediv__": fast_operator("__truediv__", np.true_divide, floats_only=True),
    "__lt__": fast_operator("__lt__", np.less, reals_only=True),
    "__le__": fast_operator("__le__", np.less_equal, reals_only=True),
    "__gt__": fast_operator("__gt__", np.greater, reals_only=True),
    "__ge__": fast_operator("__ge__", np.greater_equal, reals_only=True),
    "__eq__": fast_operator("__eq__", np.equal),
    "__ne__": fast_operator("__ne__", np.not_equal),
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
    array = tensor._array
    try:
        part = array[key]
    except (IndexError, ValueError):
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
        setattr(Variable, name, on_value(method))
    setattr(EagerTensor, "__getitem__", fast_get_item)  # noqa: B010
    setattr(EagerTensor, "__iter__", iterate_rows)  # noqa: B010

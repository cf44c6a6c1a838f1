"""`tf.register_tensor_conversion_function`: how values of users' classes become tensors."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ..core.dtypes import DType
from ..core.process.named_tuples import NamedTuple
from ..core.values import TensorBase

NUMBERS: Final = (int, float, complex, bool, str, bytes, np.number, np.ndarray)


class Registration(NamedTuple):
    """Whose values a function converts; where several do, the least `priority` comes first."""

    priority: int
    place: int
    types: tuple[type, ...]
    function: Callable[..., Any]


registered: Final[list[Registration]] = []


def register_tensor_conversion_function(
    base_type: type | tuple[type, ...], conversion_func: Callable[..., Any], priority: int = 100
) -> None:
    """From now on, convert instances of a class to tensors by a function of the user's.

    conversion_func(value, dtype=None, name=None, as_ref=False) returns a tensor of the dtype, or
    NotImplemented for the next function to be asked. Those of lower `priority` come first.

    >>> class Celsius:
    ...     def __init__(self, degrees):
    ...         self.degrees = degrees
    >>> def as_kelvin(value, dtype=None, name=None, as_ref=False):
    ...     return tf.constant(value.degrees + 273.15, dtype)
    >>> tf.register_tensor_conversion_function(Celsius, as_kelvin)
    >>> tf.add(Celsius(20.0), 1.0).numpy()
    np.float32(294.15)

    Raises:
        TypeError: that is no class, no function, or a class of numbers or arrays.
    """
    types = base_type if isinstance(base_type, tuple) else (base_type,)
    if not types or not all(isinstance(one, type) for one in types):
        raise TypeError(
            f"Argument `base_type` must be a type or a tuple of types. Obtained: {base_type!r}"
        )
    if any(issubclass(one, NUMBERS) for one in types):
        raise TypeError(
            "Cannot register conversions for Python numeric types and NumPy scalars and arrays."
        )
    if not callable(conversion_func):
        raise TypeError(
            f"Argument `conversion_func` must be callable. Received {conversion_func!r}."
        )
    insort(registered, Registration(priority, len(registered), types, conversion_func))


def by_registration(value: Any, dtype: DType | None, preferred: DType | None) -> Any:
    """What the first function for the value's class makes of it; None where there is none.

    Raises:
        RuntimeError: it returned no tensor, or one of another dtype.
    """
    for _, _, types, function in registered:
        if not isinstance(value, types):
            continue
        found: Any = NotImplemented
        if dtype is None and preferred is not None:
            try:
                found = _checked(function, value, preferred)
            except (TypeError, ValueError):
                found = NotImplemented
        if found is NotImplemented:
            found = _checked(function, value, dtype)
        if found is not NotImplemented:
            return found
    return None


def _checked(function: Callable[..., Any], value: Any, dtype: DType | None) -> Any:
    found: Any = function(value, dtype=dtype, name=None, as_ref=False)
    if found is NotImplemented:
        return found
    who = f"Conversion function {function!r} for {type(value)}"
    if not isinstance(found, TensorBase):
        raise RuntimeError(f"{who} returned non-Tensor: {found!r}")
    own: Any = getattr(found, "dtype", None)
    if dtype is not None and own is not dtype:
        raise RuntimeError(
            f"{who} returned incompatible dtype: requested = {dtype.name}, actual = {own.name}"
        )
    return found

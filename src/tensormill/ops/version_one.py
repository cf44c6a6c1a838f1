"""Names of TensorFlow 1 that programs for TensorFlow 2 still use through `tf.compat.v1`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as numpy_module

from ..core import context, dtypes
from ..core.tree import flatten
from .control.python_functions import numpy_function
from .conversion import as_tensor
from .math.cast import cast


def to_float(x: Any, name: str = "ToFloat") -> Any:
    """`x` as float32: numbers or booleans of any shape.

    >>> tf.compat.v1.to_float([True, False]).numpy()
    array([1., 0.], dtype=float32)

    Raises:
        UnimplementedError: strings.
    """
    return cast(x, dtypes.float32, name=name)


def to_double(x: Any, name: str = "ToDouble") -> Any:
    """`x` as float64: numbers or booleans of any shape.

    >>> tf.compat.v1.to_double([1, 2]).numpy()
    array([1., 2.])

    Raises:
        UnimplementedError: strings.
    """
    return cast(x, dtypes.float64, name=name)


def to_int32(x: Any, name: str = "ToInt32") -> Any:
    """`x` as int32: numbers or booleans of any shape; floats are cut off.

    >>> tf.compat.v1.to_int32([1.9, -1.9]).numpy()
    array([ 1, -1], dtype=int32)

    Raises:
        UnimplementedError: strings.
    """
    return cast(x, dtypes.int32, name=name)


def to_int64(x: Any, name: str = "ToInt64") -> Any:
    """`x` as int64: numbers or booleans of any shape; floats are cut off.

    >>> tf.compat.v1.to_int64([1.9, -1.9]).numpy()
    array([ 1, -1])

    Raises:
        UnimplementedError: strings.
    """
    return cast(x, dtypes.int64, name=name)


def assign(
    ref: Any,
    value: Any,
    validate_shape: bool | None = None,
    use_locking: bool | None = None,
    name: str | None = None,
) -> Any:
    """`value` becomes the value of the variable `ref`, of its shape and dtype; returns the
    variable.

    >>> v = tf.Variable([1, 2])
    >>> tf.compat.v1.assign(v, [3, 4]).numpy()
    array([3, 4], dtype=int32)

    Raises:
        ValueError: the shapes differ.
    """
    return ref.assign(value, bool(use_locking), name)


def assign_add(
    ref: Any,
    value: Any,
    use_locking: bool | None = None,
    name: str | None = None,
) -> Any:
    """Add `value` to the variable `ref`, of its shape and dtype; returns the variable.

    >>> v = tf.Variable([1, 2])
    >>> tf.compat.v1.assign_add(v, [10, 10]).numpy()
    array([11, 12], dtype=int32)

    Raises:
        ValueError: the shapes differ.
    """
    return ref.assign_add(value, bool(use_locking), name)


def assign_sub(
    ref: Any,
    value: Any,
    use_locking: bool | None = None,
    name: str | None = None,
) -> Any:
    """Subtract `value` from the variable `ref`, of its shape and dtype; returns the variable.

    >>> v = tf.Variable([1, 2])
    >>> tf.compat.v1.assign_sub(v, [1, 1]).numpy()
    array([0, 1], dtype=int32)

    Raises:
        ValueError: the shapes differ.
    """
    return ref.assign_sub(value, bool(use_locking), name)


def py_func(
    func: Callable[..., Any], inp: Any, Tout: Any, stateful: bool = True, name: str | None = None
) -> Any:
    """Call `func` on NumPy arrays, in a graph too (`tf.numpy_function`).

    func: takes the arrays of `inp` and returns one array or several, of the dtypes `Tout`. It has
    no gradient. Eagerly it is called as it is: nobody asks for `Tout`, what it gives is flattened,
    and what it raises comes through.

    >>> tf.compat.v1.py_func(np.cumsum, [tf.constant([1, 2, 3])], tf.int64).numpy()
    array([1, 3, 6])

    Raises:
        TypeError: `inp` is no list, or `func` cannot be called; in a graph: there is no such dtype.
        InvalidArgumentError (in a graph): it gives other values than `Tout` says; or it raised a
            TypeError or a ValueError. What else it raises becomes an error of its own kind.
    """
    if context.building_graph():
        return numpy_function(func, inp, Tout, stateful, name)
    found = flatten(func(*[numpy_module.array(one) for one in inp]))
    results = [one if one is None else as_tensor(one) for one in found]
    return results[0] if len(results) == 1 else results

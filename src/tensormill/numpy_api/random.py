"""`tf.experimental.numpy.random`: NumPy's old functions, on TensorFlow's streams of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core import dtypes
from ..core.random_state import set_seed
from ..ops.array.broadcasting import broadcast_dynamic_shape
from ..ops.array.shapes import shape_of
from ..ops.math.cast import cast
from ..ops.random import gamma_and_poisson
from ..ops.random import uniform_and_normal as numbers
from .promotion import as_array, dtype_of
from .sizes import as_shape_vector


def seed(s: int) -> None:
    """Set the global seed: `tf.random.set_seed(s)`.

    >>> tf.experimental.numpy.random.seed(1)

    Raises:
        ValueError: `s` is no integer.
    """
    try:
        number = int(s)
    except TypeError:
        raise ValueError(f"seed: s={s!r} is no integer") from None
    set_seed(number)


def _shape(size: Any) -> Any:
    return as_shape_vector(() if size is None else size)


def standard_normal(size: Any = None) -> Any:
    """Normal numbers of mean 0 and deviation 1, float64, of a shape; one without it.

    >>> tf.experimental.numpy.random.standard_normal((2, 3)).shape
    TensorShape([2, 3])

    Raises:
        InvalidArgumentError: a size is negative.
    """
    return numbers.normal(_shape(size), dtype=dtypes.float64)


def randn(*args: Any) -> Any:
    """Normal numbers of mean 0 and deviation 1, float64; the sizes are the arguments.

    >>> tf.experimental.numpy.random.randn(2, 3).shape
    TensorShape([2, 3])

    Raises:
        InvalidArgumentError: a size is negative.
    """
    return standard_normal(args)


def uniform(low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
    """Numbers between `low` and `high`, float64, of a shape; without it, of that of both.

    >>> tf.experimental.numpy.random.uniform([0.0, 10.0], [1.0, 20.0]).shape
    TensorShape([2])

    Raises:
        InvalidArgumentError: a size is negative, or the bounds do not broadcast to the shape.
    """
    first, last = as_array(low, dtypes.float64), as_array(high, dtypes.float64)
    if size is None:
        shape = broadcast_dynamic_shape(shape_of(first), shape_of(last))
    else:
        shape = _shape(size)
    return numbers.uniform(shape, dtype=dtypes.float64) * (last - first) + first


def random(size: Any = None) -> Any:
    """Numbers between 0 and 1, float64, of a shape; one without it.

    >>> tf.experimental.numpy.random.random(3).shape
    TensorShape([3])

    Raises:
        InvalidArgumentError: a size is negative.
    """
    return uniform(size=_shape(size))


def rand(*size: Any) -> Any:
    """Numbers between 0 and 1, float64; the sizes are the arguments.

    >>> tf.experimental.numpy.random.rand(2, 3).shape
    TensorShape([2, 3])

    Raises:
        InvalidArgumentError: a size is negative.
    """
    return uniform(size=_shape(size))


def randint(low: Any, high: Any = None, size: Any = None, dtype: Any = np.int64) -> Any:
    """Integers from `low` up to `high`, but without it, of a shape; from 0 if only one is given.

    dtype: int32 or int64.

    >>> tf.experimental.numpy.random.randint(5, size=(2, 2)).shape
    TensorShape([2, 2])

    Raises:
        ValueError: another dtype.
        InvalidArgumentError: there is no integer between them, or a size is negative.
    """
    wanted = dtype_of(dtype)
    if wanted not in (dtypes.int32, dtypes.int64):
        raise ValueError(f"randint: dtype={wanted.name} is neither int32 nor int64")
    first, last = (0, low) if high is None else (low, high)
    return numbers.uniform(_shape(size), int(first), int(last), wanted)


def poisson(lam: Any = 1.0, size: Any = None) -> Any:
    """Poisson's numbers, int64, for each rate in `lam`: of a shape in front of that of the rates.

    >>> tf.experimental.numpy.random.poisson([1.0, 2.0], 3).shape
    TensorShape([3, 2])

    Raises:
        InvalidArgumentError: a size is negative.
    """
    rates = as_array(lam, dtypes.float64)
    return cast(gamma_and_poisson.poisson(_shape(size), rates, dtypes.float64), dtypes.int64)

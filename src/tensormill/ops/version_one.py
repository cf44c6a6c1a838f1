"""Names of TensorFlow 1 that programs for TensorFlow 2 still use through `tf.compat.v1`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..core import dtypes
from .control.python_functions import numpy_function
from .math.cast import cast
from .random.uniform_and_normal import uniform


def to_float(x: Any, name: str = "ToFloat") -> Any:
    """`x` as float32."""
    return cast(x, dtypes.float32, name=name)


def to_double(x: Any, name: str = "ToDouble") -> Any:
    """`x` as float64."""
    return cast(x, dtypes.float64, name=name)


def to_int32(x: Any, name: str = "ToInt32") -> Any:
    """`x` as int32."""
    return cast(x, dtypes.int32, name=name)


def to_int64(x: Any, name: str = "ToInt64") -> Any:
    """`x` as int64."""
    return cast(x, dtypes.int64, name=name)


def assign(ref: Any, value: Any) -> Any:
    """`value` becomes the value of the variable `ref`."""
    return ref.assign(value)


def assign_add(ref: Any, value: Any) -> Any:
    """Add `value` to the variable `ref`."""
    return ref.assign_add(value)


def assign_sub(ref: Any, value: Any) -> Any:
    """Subtract `value` from the variable `ref`."""
    return ref.assign_sub(value)


def py_func(
    func: Callable[..., Any], inp: Any, Tout: Any, stateful: bool = True, name: str | None = None
) -> Any:
    """Call `func` on NumPy arrays, in a graph too (`tf.numpy_function`)."""
    return numpy_function(func, inp, Tout, stateful, name)


def glorot_uniform_initializer(
    seed: int | None = None, dtype: Any = dtypes.float32
) -> Callable[..., Any]:
    """Makes weights of a shape: uniform, of variance 2 / (inputs + outputs).

    Glorot and Bengio 2010. The last axis counts outputs, the others inputs.
    """

    def make(shape: Any, dtype: Any = dtype) -> Any:
        sizes = [int(size) for size in shape]
        outputs = sizes[-1] if sizes else 1
        inputs = sizes[-2] if len(sizes) > 1 else outputs
        window = math.prod(sizes[:-2])
        limit = math.sqrt(6.0 / max(1.0, window * (inputs + outputs)))
        return uniform(sizes, -limit, limit, dtype, seed)

    return make

"""Small functions of private modules that programs of TensorFlow 1 call."""

from __future__ import annotations

import os
from collections import abc
from typing import Any, Final

import numpy as np

from ....core import dtypes
from ....core.shapes import TensorShape
from ....ops.array.broadcasting import broadcast_static_shape
from ....version_one.initializers import fans
from ....version_one.metrics import streaming
from ....version_one.training.global_step import get_or_create_global_step

collections_abc: Final = abc
np_array, np_asarray, np_reshape, np_where = np.array, np.asarray, np.reshape, np.where


def path_to_bytes(path: Any) -> bytes:
    """A path, or the name of one, as bytes."""
    return os.fsencode(path)


def broadcast_shape(shape_x: TensorShape, shape_y: TensorShape) -> TensorShape:
    """The shape that operands of these broadcast to.

    Raises:
        ValueError: they do not.
    """
    return broadcast_static_shape(shape_x, shape_y)


def is_broadcast_compatible(shape_x: TensorShape, shape_y: TensorShape) -> bool:
    """Whether operands of these shapes broadcast, as far as they are known."""
    if shape_x.rank is None or shape_y.rank is None:
        return False
    try:
        broadcast_static_shape(shape_x, shape_y)
    except ValueError:
        return False
    return True


def compute_fans(shape: Any) -> tuple[int, int]:
    """How many inputs, and how many outputs, weights of this shape join."""
    found = fans(list(shape))
    return int(found["fan_in"]), int(found["fan_out"])


def metric_variable(
    shape: Any, dtype: Any, validate_shape: bool = True, name: str | None = None
) -> Any:
    """A variable of zeros that metrics add to: local to the process, and of the metrics."""
    return streaming.variable(shape, name or "metric", dtypes.as_dtype(dtype))


def get_or_create_global_step_read(graph: Any = None) -> Any:
    """What the step is, as a tensor; the variable is made where there is none."""
    return get_or_create_global_step(graph).read_value()


def no_xla_context(ctxt: Any) -> None:
    """The context of XLA's around another one: none."""


def is_in_no_context(op: Any) -> bool:
    """Whether an operation is in a context of XLA's: no."""
    return False

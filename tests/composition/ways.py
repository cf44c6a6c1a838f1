"""Ways to run a function of tensors on arrays, which all have to agree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import tensormill as tf
from tensormill import backends


def arrays_in(result: Any) -> list[Any]:
    return [np.asarray(leaf) for leaf in tf.nest.flatten(result)]


def eagerly(function: Callable[..., Any], *arrays: Any) -> list[Any]:
    return arrays_in(function(*map(tf.constant, arrays)))


def by_reference(function: Callable[..., Any], *arrays: Any) -> list[Any]:
    """Traced, and run by the back end that defines what graphs mean."""
    with backends.using("reference"):
        return compiled(function, *arrays)


def compiled(function: Callable[..., Any], *arrays: Any) -> list[Any]:
    return arrays_in(tf.function(function)(*map(tf.constant, arrays)))


def of_any_size(function: Callable[..., Any], *arrays: Any) -> list[Any]:
    """Compiled for any sizes of the axes."""
    tensors = [tf.constant(array) for array in arrays]
    specs = [tf.TensorSpec([None] * len(one.shape), one.dtype) for one in tensors]
    return arrays_in(tf.function(function, input_signature=specs)(*tensors))


WAYS = {
    "eager": eagerly,
    "reference": by_reference,
    "compiled": compiled,
    "any size": of_any_size,
}

"""Ways to run a function of tensors on arrays, which all have to agree."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

import tensormill as tf
from tensormill import backends
from tensormill.function.callee import Callee


def arrays_in(result: Any) -> list[Any]:
    return [np.asarray(leaf) for leaf in tf.nest.flatten(result)]


def eagerly(function: Callable[..., Any], *arrays: Any) -> list[Any]:
    return arrays_in(function(*map(tf.constant, arrays)))


@lru_cache(1)
def traced(function: Callable[..., Any]) -> Any:
    """The same as last time, if that was asked for: one trace is enough to run in two ways."""
    return tf.function(function)


def by_reference(function: Callable[..., Any], *arrays: Any) -> list[Any]:
    """Traced, and run by the back end that defines what graphs mean."""
    tensors = [tf.constant(array) for array in arrays]
    callee = traced(function).get_concrete_function(*tensors).callee
    with backends.using("reference"):
        return arrays_in(Callee(callee.graph, callee.captured).call(tensors))


def compiled(function: Callable[..., Any], *arrays: Any) -> list[Any]:
    return arrays_in(traced(function)(*map(tf.constant, arrays)))


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

"""Nodes of TensorFlow's graphs that are said otherwise here.

A rule takes a node's inputs and attributes and gives its results, or None where the node is to
become an operation of its own name after all. It is applied while a graph is being traced.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from ...core.dtypes import float32, int32, uint64, variant
from ...ops.array.broadcasting import SumToShape
from ...ops.array.shapes import shape as shape_of
from ...ops.bind import bind
from ...ops.control.flow import Identity
from ...ops.conversion import as_tensor
from ...ops.lists.list_elements import TensorListAdd, unwritten_like
from ...ops.op import Op
from ...ops.random.stateless import (
    StatelessRandomNormal,
    StatelessRandomUniform,
    StatelessRandomUniformFullInt,
    StatelessRandomUniformInt,
    StatelessTruncatedNormal,
)
from ...ops.state.variables import read

Rule = Callable[[Sequence[Any], Mapping[str, Any]], Sequence[Any] | None]

# Where the results of nodes that have several and are said otherwise are found.
OUTPUTS: Final = {"r0": 0, "r1": 1, "key": 0, "counter": 1, "alg": 2}


# Attributes that TensorFlow leaves out where they are these, and that must be given here.
DEFAULTS: Final = {
    ("StatelessRandomNormal", "dtype"): float32,
    ("StatelessRandomUniform", "dtype"): float32,
    ("StatelessRandomUniformFullInt", "dtype"): uint64,
    ("StatelessTruncatedNormal", "dtype"): float32,
}


class Axes(NamedTuple):
    """The axes along which a tensor of `shape` was broadcast: not known before it runs."""

    shape: Any


class Summed(NamedTuple):
    """`tensor` summed over such axes, before it is reshaped."""

    tensor: Any
    axes: Axes


class Seed(NamedTuple):
    """What newer operations take a key, a counter and an algorithm in place of."""

    seed: Any


def _broadcast_gradient_args(data: Sequence[Any], given: Mapping[str, Any]) -> Sequence[Any]:
    """TensorFlow spells the gradient of broadcasting BroadcastGradientArgs, Sum and Reshape."""
    return [Axes(shape) for shape in data]


def _sum(data: Sequence[Any], given: Mapping[str, Any]) -> Sequence[Any] | None:
    return [Summed(data[0], data[1])] if isinstance(data[1], Axes) else None


def _reshape(data: Sequence[Any], given: Mapping[str, Any]) -> Sequence[Any] | None:
    summed = data[0]
    if not isinstance(summed, Summed):
        return None
    return [bind(SumToShape, summed.tensor, summed.axes.shape)]


def _add_n(data: Sequence[Any], given: Mapping[str, Any]) -> Sequence[Any] | None:
    """Lists are added, too, where they are gradients."""
    if data[0].dtype is not variant:
        return None
    total = data[0]
    for one in data[1:]:
        total = bind(TensorListAdd, total, one)
    return [total]


def _zeros_like(data: Sequence[Any], given: Mapping[str, Any]) -> Sequence[Any] | None:
    return [unwritten_like(data[0])] if data[0].dtype is variant else None


def _the_same(data: Sequence[Any], given: Mapping[str, Any]) -> Sequence[Any]:
    return [bind(Identity, data[0])]


def _key_of_seed(data: Sequence[Any], given: Mapping[str, Any]) -> Sequence[Any]:
    return [Seed(data[0])] * 3


def _algorithm(data: Sequence[Any], given: Mapping[str, Any]) -> Sequence[Any]:
    return [Seed(None)] * 3  # `alg` is the third of what such nodes give


def _from_seed(op: type[Op]) -> Rule:
    """The operation that takes the seed itself: it draws the same numbers."""

    def draw(data: Sequence[Any], given: Mapping[str, Any]) -> Sequence[Any] | None:
        shape, key, _, _, *bounds = data
        if not isinstance(key, Seed):
            return None
        named = {field.name: given.get(field.name) for field in op.attrs}
        attrs: dict[str, Any] = {
            name: one or DEFAULTS[op.name, name] for name, one in named.items()
        }
        return [bind(op, shape, key.seed, *bounds, **attrs)]

    return draw


def _variable_shape(data: Sequence[Any], given: Mapping[str, Any]) -> Sequence[Any]:
    state = data[0].known.spec.state
    out_type = given.get("out_type", int32)
    if state.shape.is_fully_defined():
        return [as_tensor(np.array(state.shape.as_list(), out_type.numpy))]
    return [shape_of(read(data[0], state.dtype), out_type)]


RULES: Final[dict[str, Rule]] = {
    "AddN": _add_n,
    "BroadcastGradientArgs": _broadcast_gradient_args,
    "PlaceholderWithDefault": _the_same,
    "Reshape": _reshape,
    "StatelessRandomGetAlg": _algorithm,
    "StatelessRandomGetKeyCounter": _key_of_seed,
    "StatelessRandomGetKeyCounterAlg": _key_of_seed,
    "StatelessRandomNormalV2": _from_seed(StatelessRandomNormal),
    "StatelessRandomUniformFullIntV2": _from_seed(StatelessRandomUniformFullInt),
    "StatelessRandomUniformIntV2": _from_seed(StatelessRandomUniformInt),
    "StatelessRandomUniformV2": _from_seed(StatelessRandomUniform),
    "StatelessTruncatedNormalV2": _from_seed(StatelessTruncatedNormal),
    "Sum": _sum,
    "VariableShape": _variable_shape,
    "ZerosLike": _zeros_like,
}

"""Nodes of TensorFlow's graphs that are said otherwise here.

A rule takes a node's inputs and attributes and gives its results, or None where the node is to
become an operation of its own name after all. It is applied while a graph is being traced.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from ..core.dtypes import variant
from ..ops.bind import bind
from ..ops.broadcasting import SumToShape
from ..ops.flow import Identity
from ..ops.lists import TensorListAdd, unwritten_like

Rule = Callable[[Sequence[Any], Mapping[str, Any]], Sequence[Any] | None]

# Where the results of nodes that have several and are said otherwise are found.
OUTPUTS: Final = {"r0": 0, "r1": 1}


class Axes(NamedTuple):
    """The axes along which a tensor of `shape` was broadcast: not known before it runs."""

    shape: Any


class Summed(NamedTuple):
    """`tensor` summed over such axes, before it is reshaped."""

    tensor: Any
    axes: Axes


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


RULES: Final[dict[str, Rule]] = {
    "AddN": _add_n,
    "BroadcastGradientArgs": _broadcast_gradient_args,
    "PlaceholderWithDefault": _the_same,
    "Reshape": _reshape,
    "Sum": _sum,
    "ZerosLike": _zeros_like,
}

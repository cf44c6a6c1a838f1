"""Nodes of TensorFlow's graphs that are said otherwise here.

A rule takes a node's inputs and attributes and gives its results, or None where the node is to
become an operation of its own name after all. It is applied while a graph is being traced.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from ...core.dtypes import float32, int32, uint64, variant
from ...core.process.named_tuples import NamedTuple
from ...ops.array.broadcasting import BroadcastGradientArgs, SumToShape
from ...ops.array.concatenation import concat
from ...ops.array.shapes import reshape
from ...ops.array.shapes import shape as shape_of
from ...ops.bind import bind
from ...ops.conversion import as_tensor
from ...ops.lists.list_elements import TensorListAdd, unwritten_like
from ...ops.math.reduce import Sum
from ...ops.op import Op
from ...ops.random.gamma_and_poisson import StatelessRandomGammaV2
from ...ops.random.stateless import (
    StatelessRandomNormal,
    StatelessRandomUniform,
    StatelessRandomUniformFullInt,
    StatelessRandomUniformInt,
    StatelessTruncatedNormal,
)
from ...ops.random.streams import (
    StatelessRandomGetAlg,
    StatelessRandomGetKeyCounter,
    StatelessRandomGetKeyCounterAlg,
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


class LateResults:
    """The results of an operation, which is applied where one of them is needed after all."""

    def __init__(self, op: type[Op], operands: Sequence[Any]) -> None:
        self._op, self._operands = op, operands
        self._made: list[Any] = []

    def __getitem__(self, which: int) -> Any:
        if not self._made:
            self._made += bind(self._op, *self._operands)
        return self._made[which]


class Axes(NamedTuple):
    """The axes along which one of two shapes is broadcast by the other."""

    shapes: Sequence[Any]
    which: int
    results: LateResults

    def tensor(self) -> Any:
        return self.results[self.which]


class Summed(NamedTuple):
    """`of` summed over such axes, before it is reshaped."""

    of: Any
    axes: Axes
    keep_dims: bool

    def tensor(self) -> Any:
        return bind(Sum, self.of, self.axes.tensor(), keep_dims=self.keep_dims)

    def reshaped(self, shape: Any) -> Any:
        """The sum in a shape: in most graphs that of an operand, which says all.

        The axes may be those of batches only: the ones after them are kept.
        """
        kept = self.axes.shapes[self.axes.which]
        if shape is kept:
            return bind(SumToShape, self.of, shape)
        ranks = [one.shape.num_elements() for one in self.axes.shapes]
        if None in ranks:
            return reshape(self.tensor(), shape)
        rest = shape_of(self.of, kept.dtype)[max(ranks) :]
        return reshape(bind(SumToShape, self.of, concat([kept, rest], 0)), shape)


class SeedStream(NamedTuple):
    """What newer operations take in place of a seed: a key (0), a counter (1), an algorithm (2)."""

    seed: Any
    which: int
    results: LateResults

    def tensor(self) -> Any:
        return self.results[self.which]


class NumberOfAlgorithm(NamedTuple):
    """The number of an algorithm of random numbers, of which there is one."""

    def tensor(self) -> Any:
        return bind(StatelessRandomGetAlg)


# LateResults of nodes that become operations together with what takes them.
UNDECIDED: Final = (Axes, Summed, SeedStream, NumberOfAlgorithm)


def decided(value: Any) -> Any:
    """A tensor, for operations that have no rule with what they are given."""
    return value.tensor() if isinstance(value, UNDECIDED) else value


def _broadcast_gradient_args(data: Sequence[Any], given: Mapping[str, Any]) -> Sequence[Any]:
    """TensorFlow spells the gradient of broadcasting BroadcastGradientArgs, Sum and Reshape."""
    results = LateResults(BroadcastGradientArgs, data)
    return [Axes(data, which, results) for which in (0, 1)]


def _sum(data: Sequence[Any], given: Mapping[str, Any]) -> Sequence[Any] | None:
    if not isinstance(data[1], Axes):
        return None
    return [Summed(decided(data[0]), data[1], bool(given.get("keep_dims")))]


def _reshape(data: Sequence[Any], given: Mapping[str, Any]) -> Sequence[Any] | None:
    return [data[0].reshaped(data[1])] if isinstance(data[0], Summed) else None


def _on_tensors(rule: Rule) -> Rule:
    return lambda data, given: rule([decided(one) for one in data], given)


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


def _stream(op: type[Op]) -> Rule:
    """What tells a stream, for what draws from it to take the seed itself."""

    def rule(data: Sequence[Any], given: Mapping[str, Any]) -> Sequence[Any]:
        results = LateResults(op, data)
        return [SeedStream(data[0], which, results) for which in (0, 1, 2)]

    return rule


def _algorithm(data: Sequence[Any], given: Mapping[str, Any]) -> Sequence[Any]:
    return [NumberOfAlgorithm()] * 3  # `alg` is the third of what such nodes give


def _from_seed(op: type[Op]) -> Rule:
    """The operation that takes the seed itself: it draws the same numbers."""

    def draw(data: Sequence[Any], given: Mapping[str, Any]) -> Sequence[Any] | None:
        shape, key, _, _, *bounds = data
        if not isinstance(key, SeedStream):
            return None
        named = {field.name: given.get(field.name) for field in op.attrs}
        attrs: dict[str, Any] = {
            name: one or DEFAULTS[op.name, name] for name, one in named.items()
        }
        return [bind(op, shape, key.seed, *bounds, **attrs)]

    return draw


def _variable_shape(data: Sequence[Any], given: Mapping[str, Any]) -> Sequence[Any]:
    state = data[0]._known.spec.state
    out_type = given.get("out_type", int32)
    if state.shape.is_fully_defined():
        return [as_tensor(np.array(state.shape.as_list(), out_type.storage))]
    return [shape_of(read(data[0], state.dtype), out_type)]


RULES: Final[dict[str, Rule]] = {
    "AddN": _on_tensors(_add_n),
    "BroadcastGradientArgs": _broadcast_gradient_args,
    "Reshape": _reshape,
    "StatelessRandomGammaV3": _from_seed(StatelessRandomGammaV2),
    "StatelessRandomGetAlg": _algorithm,
    "StatelessRandomGetKeyCounter": _stream(StatelessRandomGetKeyCounter),
    "StatelessRandomGetKeyCounterAlg": _stream(StatelessRandomGetKeyCounterAlg),
    "StatelessRandomNormalV2": _from_seed(StatelessRandomNormal),
    "StatelessRandomUniformFullIntV2": _from_seed(StatelessRandomUniformFullInt),
    "StatelessRandomUniformIntV2": _from_seed(StatelessRandomUniformInt),
    "StatelessRandomUniformV2": _from_seed(StatelessRandomUniform),
    "StatelessTruncatedNormalV2": _from_seed(StatelessTruncatedNormal),
    "Sum": _sum,
    "VariableShape": _on_tensors(_variable_shape),
    "ZerosLike": _on_tensors(_zeros_like),
}

"""What groups of operations share. A family is abstract; its members say only what differs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import prod
from types import MappingProxyType
from typing import Any, ClassVar, Final

import numpy

from ..core import dtypes
from ..core.dtypes import DType
from ..core.native_operations import NONE, SOME, Axes, Folded, joined_axes
from ..core.process import floating_point_warnings
from ..core.shapes import broadcast_shapes
from ..core.specs import TensorSpec
from ..errors import InvalidArgumentError, ShapeMismatchError
from .effects import World
from .lowering import ReduceWith
from .op import COMPLEX, FLOATS, NUMBERS, Attr, In, Op, Out, as_lower, usually
from .scalar import NUMPY


class Elementwise(Op, abstract=True):
    """Does the same to every element; operands broadcast. Members give `scalar(s, *x)`."""

    by_element = True

    def result_dtype(self) -> DType:
        return self.operand_list()[0].dtype

    def infer(self) -> TensorSpec:
        operands = self.operand_list()
        shape = operands[0].shape
        for operand in operands[1:]:
            shape = broadcast_shapes(shape, operand.shape)
        return TensorSpec(shape, self.result_dtype())

    def eager(self, np: Any) -> Any:
        token = floating_point_warnings.enter()
        try:
            return type(self).scalar(NUMPY, *self.operand_list())
        finally:
            floating_point_warnings.leave(token)

    def lower(self, loops: Any) -> Any:
        operands = self.operand_list()
        shape = loops.broadcast_shape(*(x.shape for x in operands))
        fitted = [loops.broadcast(x, shape) for x in operands]
        rule = type(self).scalar

        def element(*index: Any) -> Any:
            return rule(loops.scalars, *(x[index] for x in fitted))

        return loops.map(shape, self.result_dtype(), element)

    def xla(self, xla: Any) -> Any:
        return type(self).scalar(xla.scalars, *self.operand_list())


class Rephrased(Op, abstract=True):
    """Another form of what other operations do: an older name, or a format that files have.

    Members give `expand` and no other rule: graphs record the operations that it applies.
    """

    rephrases = True


class Unary(Elementwise, abstract=True):
    """One operand; the result has its dtype."""

    x = In("T *s")
    y = Out("T *s")
    T = NUMBERS


class Binary(Elementwise, abstract=True):
    """Two operands of one dtype, which broadcast."""

    x = In("T ...")
    y = In("T ...")
    z = Out("T ...")
    T = NUMBERS


class ValueGradient(Elementwise, abstract=True):
    """The gradient of a unary function, told by its value `y` and the upstream gradient `dy`."""

    y = In("T *s")
    dy = In("T *s")
    z = Out("T *s")
    T = FLOATS | COMPLEX


class Comparison(Elementwise, abstract=True):
    """Two operands of one dtype; the result is bool."""

    x = In("T ...")
    y = In("T ...")
    z = Out("bool ...")
    T = NUMBERS
    differentiable = False

    def result_dtype(self) -> DType:
        return dtypes.bool_


class Checking(Op, abstract=True):
    """Makes nothing, and fails where `condition` is false; `data` are for what it then says."""

    condition = In("bool")
    data = In("[T]")
    effects = (World.CHECKS,)
    guard = "condition"
    differentiable = False
    xla = as_lower  # its demand is what it does

    def demand_condition(
        self, sizes: Any, error: type[Exception], message: str, *values: Any
    ) -> None:
        """Demand that the condition, whose only element it is, holds."""
        sizes.each(self.condition, lambda holds: holds, error, message, *values)

    def infer(self) -> tuple[()]:
        return ()


class Reduction(Op, abstract=True):
    """Combines the elements along some axes. Members give `kind` (ops/lowering.py: reduce).

    `reduction_indices` is an int vector or scalar; a negative axis counts from the end.
    """

    input = In("T ...")
    reduction_indices = In("Tidx ...", keyword="axis")
    output = Out("T ...")
    keep_dims = Attr(False)
    T = NUMBERS
    Tidx = frozenset((dtypes.int32, dtypes.int64))
    usual = usually(Tidx="i32")
    kind: ClassVar[ReduceWith]
    native_from = SOME
    native_values = frozenset(("reduction_indices",))

    @classmethod
    def fold(cls, operands: Sequence[Any], attrs: dict[str, Any]) -> Folded | None:
        """The same along every other one of as few axes as there may be."""
        x, axes = operands
        places = {int(axis) % x.ndim for axis in axes.reshape(-1) if -x.ndim <= axis < x.ndim}
        if len(places) < axes.size:
            return None
        sizes, gone = joined_axes(x.shape, sorted(places))
        rounds = cls.kind in ("sum", "prod") and x.dtype.kind not in "iu"
        if not gone or (rounds and _has_long_chains(sizes, gone)):
            return None
        keeps = attrs.get("keep_dims", False)
        shape = [1 if k in places else n for k, n in enumerate(x.shape) if keeps or k not in places]
        folded = x.reshape(sizes), numpy.array(gone, numpy.int32)
        return Folded(folded, {"keep_dims": False}, tuple(shape), known_axes(sizes, gone))

    def demands(self, sizes: Any) -> list[int]:
        """The axes in order, none negative."""
        axes, rank = in_a_row(sizes.static(self.reduction_indices)), len(sizes.shape(self.input))
        found = sorted([normalize_axis(axis, rank, self.name) for axis in axes])
        if len(set(found)) < len(found):
            twice = next(one for one, after in pairwise(found) if one == after)
            sizes.require_late(False, InvalidArgumentError, NAMED_TWICE, self.name, twice)
        return found

    def infer(self) -> TensorSpec:
        shape, gone = self.input.shape, self.found
        if shape.entries is None:
            return TensorSpec(None, self.input.dtype)
        if gone is None:
            unknown = (None,) * len(shape.entries) if self.keep_dims else None
            return TensorSpec(unknown, self.input.dtype)
        if self.keep_dims:
            dims = tuple(1 if k in gone else d for k, d in enumerate(shape.entries))
        else:
            dims = tuple(d for k, d in enumerate(shape.entries) if k not in gone)
        return TensorSpec(dims, self.input.dtype)

    def lower(self, loops: Any) -> Any:
        x, rank = self.input, self.input.rank
        gone = self.found
        kept = [axis for axis in range(rank) if axis not in gone]

        def element(outer: Any, inner: Any) -> Any:
            place = dict(zip(kept, outer, strict=True)) | dict(zip(gone, inner, strict=True))
            return self.scalar_of(loops, x[[place[axis] for axis in range(rank)]])

        sizes, extents = [x.shape[axis] for axis in kept], [x.shape[axis] for axis in gone]
        result = loops.reduce(self.kind, sizes, extents, self.accumulator(x.dtype), element)
        result = self.finish(loops, result, loops.count(extents))
        if not self.keep_dims:
            return result
        return loops.reshape(result, [1 if a in gone else x.shape[a] for a in range(rank)])

    def accumulator(self, dtype: DType) -> DType:
        """In which dtype elements (as `scalar_of` gives them) are combined."""
        return dtype

    def scalar_of(self, loops: Any, element: Any) -> Any:
        return element

    def finish(self, loops: Any, result: Any, count: Any) -> Any:
        return result


# Numbers in a row that fill no vector by themselves: known, several rows do. Where they are
# reduced, LLVM makes little of more (the largest of 8, known, takes 10 times as long).
SHORT_ROW: Final = 8
SHORT_REDUCED_ROW: Final = 4
LAST_AXIS: Final = MappingProxyType({"input": slice(-1, None)})


def known_axes(sizes: Sequence[int], gone: Sequence[int]) -> Axes:
    """Which sizes code should know: of a short last axis, as the channels of images."""
    most = SHORT_REDUCED_ROW if gone[-1] == len(sizes) - 1 else SHORT_ROW
    return LAST_AXIS if sizes[-1] <= most else NONE


# Additions one after the other that code for unknown sizes may do, where it adds up no parts.
LONG_CHAIN: Final = 1 << 16


def _has_long_chains(sizes: Sequence[int], gone: Sequence[int]) -> bool:
    """Whether NumPy's kernels, which add up parts, are more exact by far: along several axes, or
    along one of several rows. What is one row, or adds rows up, is cut by the compiler.
    """
    is_cut = len(gone) == 1 and (gone[0] < len(sizes) - 1 or len(sizes) == 1)
    return not is_cut and prod([sizes[axis] for axis in gone]) > LONG_CHAIN


NAMED_TWICE = "{}: Invalid reduction arguments: Axes contains duplicate dimension: {}"


def in_a_row(axes: Any) -> list[int]:
    """All axes of an int or of nested lists: an operand of any rank may name them."""
    if isinstance(axes, int):
        return [axes]
    return [axis for one in axes for axis in in_a_row(one)]


def normalize_axis(axis: int, rank: int, name: str) -> int:
    """A non-negative axis.

    Raises:
        ShapeMismatchError: there is no such axis.
    """
    if not -rank <= axis < rank:
        raise ShapeMismatchError(
            f"{name}: Invalid reduction dimension ({axis} for input with {rank} dimension(s)); "
            f"expected a value in [{-rank}, {rank})"
        )
    return axis % rank if rank else 0

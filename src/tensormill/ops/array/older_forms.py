"""Operations on arrays under older names, or in forms that only gradients have."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError
from ..bind import bind
from ..checks.assertions import assert_equal
from ..demands import refuse
from ..families import Rephrased
from ..math.cast import cast
from ..math.comparison import equal, greater, not_equal
from ..math.reduce import reduce_any, reduce_max
from ..op import ANY, INDEX, NATIVE, Attr, In, Op, Out, types, usually
from .concatenation import ConcatV2, concat
from .distinct import Unique
from .fill import range as numbers
from .fill import zeros
from .gather import gather
from .partitions import DynamicStitch
from .rearrangement import ReverseV2, reverse
from .select import where
from .shapes import rank, reshape, size


def _is_set(x: Any) -> Any:
    return not_equal(x, "") if x.dtype is dtypes.string else cast(x, dtypes.bool_)


class Empty(Rephrased):
    """A tensor of a shape; what is in it nobody says: here, zeros."""

    shape = In("i32 n")
    output = Out("dtype ...")
    dtype = Attr()
    init = Attr(False)
    differentiable = False

    def expand(self) -> Any:
        return zeros(self.shape, self.dtype)


class ListDiff(Rephrased):
    """The elements of x that are not in y, in order, and where they are."""

    x = In("T n")
    y = In("T m")
    out = Out("T k")
    idx = Out("out_idx k")
    out_idx = Attr(dtypes.int32, INDEX)
    T = ANY
    differentiable = False

    def expand(self) -> tuple[Any, Any]:
        both = bind(Unique, concat([self.y, self.x], 0))[1]
        count = size(self.y)
        others = greater(both[count:], reduce_max(both[:count]))  # of nothing: the least number
        places = reshape(where(others), [-1])
        return gather(self.x, places), cast(places, self.out_idx)


class ParallelDynamicStitch(Rephrased):
    """Rows put together by their numbers; of equal ones nobody says which counts."""

    indices = In("N * i32 ...")
    data = In("N * T ...")
    merged = Out("T ...")
    T = ANY

    def expand(self) -> Any:
        return bind(DynamicStitch, self.indices, self.data)


class Concat(Rephrased):
    """Tensors one after the other: the axis comes first."""

    concat_dim = In("i32")
    values = In("N * T ...")
    output = Out("T ...")
    T = ANY
    loose = frozenset(("concat_dim",))

    def expand(self) -> Any:
        return bind(ConcatV2, self.values, self.concat_dim)


class Gather(Rephrased):
    """Rows by their numbers."""

    params = In("Tparams ...")
    indices = In("Tindices ...")
    output = Out("Tparams ...")
    validate_indices = Attr(True)
    Tparams = ANY
    Tindices = types("i32 i64")

    def expand(self) -> Any:
        return gather(self.params, self.indices)


class Reverse(Rephrased):
    """Elements in reverse order along the axes that a bool each tells."""

    tensor = In("T ...")
    dims = In("bool n")
    output = Out("T ...")
    T = ReverseV2.T

    def expand(self) -> Any:
        assert_equal(size(self.dims), rank(self.tensor), message=A_BOOL_EACH)
        return reverse(self.tensor, reshape(where(self.dims), [-1]))


A_BOOL_EACH = "Reverse: 'dims' must have the same number of values as 'tensor' has dimensions"


class ToBool(Rephrased):
    """Whether a number is not zero, a string not empty, or a tensor has elements."""

    input = In("T ...")
    output = Out("bool")
    T = NATIVE | types("str")
    differentiable = False

    def expand(self) -> Any:
        known = self.input.shape.rank
        if known == 0:
            return _is_set(self.input)
        has_elements = size(self.input) > 0
        if known is not None:
            return has_elements
        is_set = reduce_any(_is_set(self.input))
        return where(equal(rank(self.input), 0), is_set, has_elements)


class ConcatOffset(Op):
    """Where each of several tensors begins after they are concatenated, given their shapes.

    Raises:
        InvalidArgumentError: there is no such axis, or other axes differ.
    """

    concat_dim = In("i32")
    shape = In("N * shape_type r")
    offset = Out("N * shape_type r")
    shape_type = INDEX
    usual = usually(shape_type="i32")
    differentiable = False

    def demands(self, sizes: Any) -> Any:
        """The axis from the front."""
        if len(self.shape) < 2:
            refuse(InvalidArgumentError, TOO_FEW_SHAPES, len(self.shape))
        (axis,) = sizes.numbers(self.concat_dim)
        first, *others = [sizes.numbers(one) for one in self.shape]
        count = len(first)
        fits = (axis >= -count) & (axis < count)
        sizes.require(fits, InvalidArgumentError, NO_SUCH_AXIS, axis, -count, count)
        axis = sizes.choose(axis < 0, axis + count, axis)
        for other in others:
            for place, (one, its) in enumerate(zip(first, other, strict=True)):
                fits = sizes.equal(place, axis) | sizes.equal(one, its)
                sizes.require(fits, InvalidArgumentError, OTHER_SIZES, axis, first, other)
        return axis

    def infer(self) -> tuple[TensorSpec, ...]:
        return tuple([TensorSpec(one.shape, one.dtype) for one in self.shape])

    def expand(self) -> tuple[Any, ...]:
        first = self.shape[0]
        count, axis = size(first), self.concat_dim
        here = cast(equal(numbers(count), (axis + count) % count), first.dtype)
        offsets = [first - first]
        for one in self.shape[:-1]:
            offsets.append(offsets[-1] + one * here)
        return tuple(offsets)


TOO_FEW_SHAPES = "ConcatOffset: at least two shapes are wanted, and there are {}"
NO_SUCH_AXIS = "ConcatOffset: axis {} is not in the range [{}, {})"
OTHER_SIZES = "ConcatOffset: all axes but {} have to be alike, and the shapes are {} and {}"

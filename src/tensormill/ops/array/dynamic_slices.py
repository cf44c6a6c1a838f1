"""Slices whose place only run time knows, moved inwards where they would lie outside."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.specs import TensorSpec
from ...errors import ShapeMismatchError
from ..bind import api, bind
from ..demands import dims
from ..op import ANY, In, Op, Out, types
from ..origins import Origin
from ..sizes import clamp, maximum


class XlaDynamicUpdateSlice(Op):
    """`input` with `update` written at `indices`, which are clamped so that it fits."""

    input = In("T ...")
    update = In("T ...")
    indices = In("Tindices n")
    output = Out("T ...")
    T = ANY
    Tindices = types("i32 i64")
    origin = Origin.MODULES

    def demands(self, sizes: Any) -> None:
        count, whole = sizes.shape(self.indices, 1)[0], sizes.shape(self.input)
        fits = sizes.equal(count, len(whole))
        sizes.require(fits, ShapeMismatchError, NOT_EACH, count, len(whole))
        part = sizes.shape(self.update)
        sizes.require(len(whole) == len(part), ShapeMismatchError, TOO_LARGE, part, whole)
        for one, width in zip(part, whole, strict=True):
            sizes.require(one <= width, ShapeMismatchError, TOO_LARGE, part, whole)

    def infer(self) -> TensorSpec:
        return TensorSpec(self.input.shape, self.input.dtype)

    def eager(self, np: Any) -> Any:
        last = np.subtract(self.input.shape, self.update.shape)
        first = np.clip(self.indices, 0, last)
        result = self.input.copy()
        pairs = zip(first, self.update.shape, strict=True)
        result[(*(slice(b, b + n) for b, n in pairs), ...)] = self.update
        return result

    def xla(self, xla: Any) -> Any:
        # JAX counts negative starts from the end.
        starts = [xla.np.maximum(self.indices[k], 0) for k in range(self.input.ndim)]
        return xla.lax.dynamic_update_slice(self.input, self.update, starts)

    def lower(self, loops: Any) -> Any:
        x, update, s = self.input, self.update, loops.scalars
        numbers = zip(loops.sizes(self.indices), x.shape, update.shape, strict=True)
        first = [clamp(loops, index, 0, d - n) for index, d, n in numbers]

        def element(*index: Any) -> Any:
            inside, own = None, []
            for i, b, n in zip(index, first, update.shape, strict=True):
                fits = (i >= b) & (i < b + n)
                inside = fits if inside is None else inside & fits
                own.append(clamp(loops, i - b, 0, maximum(loops, n - 1, 0)))
            return update[()] if inside is None else s.where(inside, update[own], x[index])

        return loops.view(x.shape, x.dtype, element)

    def vjp(self, doutput: Any) -> Any:
        from ..math.norms import clip_by_value
        from .fill import zeros_like
        from .shapes import shape
        from .slicing import slice as slice_of

        index = self.indices.dtype
        count = shape(self.update, index)
        first = clip_by_value(self.indices, 0, shape(self.input, index) - count)
        rest = bind(XlaDynamicUpdateSlice, doutput, zeros_like(self.update), self.indices)
        return rest, slice_of(doutput, first, count), None


class XlaDynamicSlice(Op):
    """`size_indices[k]` elements from `start_indices[k]` on, clamped so that they lie within."""

    input = In("T ...")
    start_indices = In("Tindices n")
    size_indices = In("Tindices n")
    output = Out("T ...")
    T = ANY
    Tindices = types("i32 i64")
    origin = Origin.MODULES

    def demands(self, sizes: Any) -> Any:
        """How many elements there are along every axis."""
        counts = sizes.numbers(self.size_indices)
        whole = sizes.shape(self.input, len(counts))
        given = (sizes.shape(self.start_indices, 1)[0], len(counts))
        fits = sizes.equal(given[0], len(whole)) & (len(counts) == len(whole))
        sizes.require(fits, ShapeMismatchError, NOT_EACH_SIZE, *given, len(whole))
        for k, (count, size) in enumerate(zip(counts, whole, strict=True)):
            fits = (count >= 0) & (count <= size)
            sizes.require(fits, ShapeMismatchError, TOO_MANY, count, k, size)
        return counts

    def infer(self) -> TensorSpec:
        if self.found is None:
            rank = self.input.rank
            return TensorSpec(None if rank is None else (None,) * rank, self.input.dtype)
        return TensorSpec(dims(self.found), self.input.dtype)

    def expand(self) -> Any:
        from ..math.norms import clip_by_value
        from .fill import zeros_like
        from .shapes import shape
        from .slicing import slice as slice_of

        last = shape(self.input, self.start_indices.dtype) - self.size_indices
        first = clip_by_value(self.start_indices, zeros_like(last), last)
        return slice_of(self.input, first, self.size_indices)


NOT_EACH_SIZE = "DynamicSlice: {} starts and {} sizes are given for the {} axes of the input"
TOO_MANY = "DynamicSlice: {} elements are asked for along axis {}, which has {}"
NOT_EACH = "DynamicUpdateSlice: {} indices are given for the {} axes of the input"
TOO_LARGE = "DynamicUpdateSlice: an update of shape {} does not fit into an input of shape {}"


write_slice = api(XlaDynamicUpdateSlice)
read_slice = api(XlaDynamicSlice)


def dynamic_slice(
    input: Any, start_indices: Any, size_indices: Any, name: str | None = None
) -> Any:
    """`size_indices` elements of `input` from `start_indices` on, both int32 or int64 [rank].

    Starts are clamped so that all the elements lie within.
    """
    from ..conversion import as_tensor

    starts = as_tensor(start_indices, None, dtypes.int32)
    counts = as_tensor(size_indices, None, starts.dtype)
    return read_slice(input, starts, counts, name=name)


def dynamic_update_slice(input: Any, update: Any, indices: Any, name: str | None = None) -> Any:
    """A copy of `input` with `update`, of the same rank, at `indices` (int32 or int64 [rank]).

    Indices are clamped so that the update lies within.
    """
    from ..conversion import as_tensor

    starts = as_tensor(indices, None, dtypes.int32)
    return write_slice(input, update, starts, name=name)

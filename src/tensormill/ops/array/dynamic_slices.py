"""Slices whose place only run time knows, moved inwards where they would lie outside."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.specs import TensorSpec
from ...errors import ShapeMismatchError
from .. import sizes as size
from ..bind import api, bind
from ..op import ANY, In, Op, Out, types


class XlaDynamicUpdateSlice(Op):
    """`input` with `update` written at `indices`, which are clamped so that it fits."""

    input = In("T ...")
    update = In("T ...")
    indices = In("Tindices n")
    output = Out("T ...")
    T = ANY
    Tindices = types("i32 i64")

    def infer(self) -> TensorSpec:
        whole, part = self.input.shape.dims, self.update.shape.dims
        count = self.indices.shape.dims
        if whole is not None and part is not None:
            check_fits(whole, part, count and count[0])
        return TensorSpec(self.input.shape, self.input.dtype)

    def eager(self, np: Any) -> Any:
        check_fits(self.input.shape, self.update.shape, len(self.indices))
        last = np.subtract(self.input.shape, self.update.shape)
        first = np.clip(self.indices, 0, last)
        result = self.input.copy()
        pairs = zip(first, self.update.shape, strict=True)
        result[(*(slice(b, b + n) for b, n in pairs), ...)] = self.update
        return result

    def lower(self, loops: Any) -> Any:
        x, update, s = self.input, self.update, loops.scalars
        check_fits(x.shape, update.shape, self.indices.shape[0])
        first = []
        for k, (index, d, n) in enumerate(
            zip(loops.sizes(self.indices), x.shape, update.shape, strict=True)
        ):
            message = f"DynamicUpdateSlice: along axis {k} an update of {{}} exceeds the size {{}}"
            size.demand(loops, d - n >= 0, ShapeMismatchError, message, n, d)
            first.append(size.clamp(loops, index, 0, d - n))

        def element(*index: Any) -> Any:
            inside, own = None, []
            for i, b, n in zip(index, first, update.shape, strict=True):
                fits = (i >= b) & (i < b + n)
                inside = fits if inside is None else inside & fits
                own.append(size.clamp(loops, i - b, 0, size.maximum(loops, n - 1, 0)))
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


def check_fits(whole: Any, part: Any, count: Any) -> None:
    """Check sizes, as far as they are known; `count` is the number of indices.

    Raises:
        ShapeMismatchError: the update has another rank, or is larger than the input; there is not
            an index for each axis.
    """
    if size.known(count) and count != len(whole):
        raise ShapeMismatchError(
            f"DynamicUpdateSlice: {count} indices are given for the {len(whole)} axes of the input"
        )
    fits = len(whole) == len(part) and all(
        n <= d for d, n in zip(whole, part, strict=True) if isinstance(d, int) and type(n) is int
    )
    if not fits:
        raise ShapeMismatchError(
            f"DynamicUpdateSlice: an update of shape {list(part)} does not fit into an input of "
            f"shape {list(whole)}"
        )


write_slice = api(XlaDynamicUpdateSlice)


def dynamic_update_slice(input: Any, update: Any, indices: Any, name: str | None = None) -> Any:
    """A copy of `input` with `update`, of the same rank, at `indices` (int32 or int64 [rank]).

    Indices are clamped so that the update lies within.
    """
    from ..conversion import as_tensor

    starts = as_tensor(indices, None, dtypes.int32)
    return write_slice(input, update, starts, name=name)

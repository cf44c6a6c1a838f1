"""The largest element, or the mean, of every window of an image or volume."""

from __future__ import annotations

from math import prod
from typing import Any

from ...core import dtypes
from ...core.native_operations import MANY
from ...core.specs import TensorSpec
from ...errors import ShapeMismatchError
from ..array.shapes import shape_of
from ..bind import bind
from ..op import FLOATS, REALS, Attr, In, Op, Out, types
from ..sizes import require_same
from .window_values import (
    WRITTEN_OUT,
    Look,
    along,
    demand_counts,
    demand_pooled,
    first_largest,
    flat_tap,
    gathered,
    in_windows,
    largest,
    lowered_winners,
    taps,
    without,
)
from .windows import (
    Windows,
    channels_back,
    channels_last,
    margins_of,
    moved_back,
    moved_last,
    pad_for,
    spatial_margins,
    spatial_part,
    tap_slices,
    viewed_back,
    viewed_last,
)


class Pooling(Op, abstract=True):
    """What all pooling shares: windows of `ksize`, and where the channels are."""

    native_from = MANY

    ksize = Attr()
    strides = Attr()
    padding = Attr()
    explicit_paddings: Any = ()

    @property
    def spatial(self) -> int:
        return len(self.data_format) - 2

    def windows(self) -> Windows:
        name, form = self.name, self.data_format
        margins = spatial_margins(name, self.padding, self.explicit_paddings, form)
        kernel = spatial_part(name, "ksize", self.ksize, form)
        for (before, after), size in zip(margins, kernel, strict=False):
            if max(before, after) >= size:
                raise ShapeMismatchError(
                    f"{name}: padding {before}, {after} needs to be smaller than the window size "
                    f"{size}"
                )
        strides = spatial_part(name, "strides", self.strides, form)
        return Windows(kernel, strides, (1,) * self.spatial, self.padding, margins)

    def counts_of(self, dims: Any) -> tuple[Any, ...]:
        """Spatial sizes of the result, from a shape with channels last.

        Raises:
            ShapeMismatchError: the rank is wrong, or there is no room for a window.
        """
        rank, windows = self.spatial + 2, self.windows()
        if dims is None:
            return (None,) * self.spatial
        if len(dims) != rank:
            raise ShapeMismatchError(
                f"{self.name}: tensor_in must be {rank}-dimensional: {list(dims)} (Shape must be "
                f"rank {rank})"
            )
        for axis, size in enumerate(dims[1:-1]):
            if isinstance(size, int) and windows.count(axis, size) < 0:
                raise ShapeMismatchError(
                    f"{self.name}: Computed output size would be negative (Negative dimension "
                    f"size): [input_size: {size}, effective_filter_size: {windows.reach(axis)}]"
                )
        return windows.counts(dims[1:-1])

    def pooled_spec(self, known: Any) -> TensorSpec:
        dims = channels_last(known.shape.dims, self.data_format)
        counts = self.counts_of(dims)
        batch, channels = (None, None) if dims is None else (dims[0], dims[-1])
        return TensorSpec(channels_back((batch, *counts, channels), self.data_format), known.dtype)

    def last(self, np: Any, x: Any) -> Any:
        return moved_last(np, x, self.data_format)

    def back(self, np: Any, x: Any) -> Any:
        return moved_back(np, x, self.data_format)

    def viewed(self, loops: Any, x: Any) -> Any:
        return viewed_last(loops, x, self.data_format)

    def returned(self, loops: Any, x: Any) -> Any:
        return viewed_back(loops, x, self.data_format)

    def room(self, loops: Any, dims: Any) -> Windows:
        windows = self.windows()
        self.counts_of(dims)
        windows.demand_room(loops, self.name, dims[1:-1])
        return windows


# ---------------------------------------------------------------- the largest


class Largest(Pooling, abstract=True):
    """The largest element of every window."""

    def infer(self) -> TensorSpec:
        return self.pooled_spec(self.input)

    def eager(self, np: Any) -> Any:
        x = self.last(np, self.input)
        self.counts_of(x.shape)
        return self.back(np, largest(np, x, self.windows()))

    def lower(self, loops: Any) -> Any:
        x = loops.kept(self.viewed(loops, self.input))
        windows = self.room(loops, x.shape)
        counts, look = windows.counts(x.shape[1:-1]), Look(loops, x, windows)
        shape, s = (x.shape[0], *counts, x.shape[-1]), loops.scalars
        if prod(windows.kernel) > WRITTEN_OUT:
            pooled = loops.reduce("max", shape, windows.kernel, x.dtype, look.nearest_or_lowest)
        else:

            def element(*index: Any) -> Any:
                seen = [look.nearest_or_lowest(index, tap) for tap in taps(windows)]
                result = seen[0]
                for one in seen[1:]:
                    result = s.maximum(result, one)
                return result

            pooled = loops.map(shape, x.dtype, element)
        return self.returned(loops, pooled)

    def vjp(self, doutput: Any) -> Any:
        return bind(MAX_GRADIENTS[self.name], self.input, self.output, doutput, **shared(self))


class LargestGradient(Pooling, abstract=True):
    """Gradients go to the first of the largest elements of every window."""

    def infer(self) -> TensorSpec:
        self.pooled_spec(self.orig_input)
        return TensorSpec(self.orig_input.shape, self.orig_input.dtype)

    def eager(self, np: Any) -> Any:
        x, y, dy = (self.last(np, one) for one in (self.orig_input, self.orig_output, self.grad))
        demand_pooled(self, self.counts_of(x.shape), x.shape, y.shape, dy.shape)
        windows = self.windows()
        winners, margins = first_largest(np, x, y, windows), margins_of(windows, x.shape[1:-1])
        padded = [n + sum(pair) for n, pair in zip(x.shape[1:-1], margins, strict=True)]
        dx = np.zeros((x.shape[0], *padded, x.shape[-1]), dy.dtype)
        for number, tap in enumerate(taps(windows)):
            dx[tap_slices(windows, y.shape[1:-1], tap)] += np.where(winners == number, dy, 0)
        return self.back(np, without(dx, margins, x.shape[1:-1]))

    def lower(self, loops: Any) -> Any:
        x, y, dy = (
            loops.kept(self.viewed(loops, one))
            for one in (self.orig_input, self.orig_output, self.grad)
        )
        windows = self.room(loops, x.shape)
        demand_counts(loops, self.name, windows, x.shape, y.shape, dy.shape)
        winners = loops.kept(lowered_winners(loops, x, y, windows))
        zero, s = loops.constant(0, dy.dtype), loops.scalars

        def seen(window: Any, tap: Any, n: Any, c: Any) -> Any:
            number = s.cast(flat_tap(windows, tap), dtypes.int32)
            here = (n, *window, c)
            return s.where(winners[here] == number, dy[here], zero)

        dx = gathered(loops, x.shape, windows, dy.dtype, seen)
        return self.returned(loops, dx)

    def vjp(self, doutput: Any) -> Any:
        attrs = shared(self)
        attrs.pop("explicit_paddings", None)
        again = MAX_SECOND[self.name]
        return None, None, bind(again, self.orig_input, self.orig_output, doutput, **attrs)


UNLIKE_INPUT = "Expected grad to have the shape of the input: {}, but got {}"


class LargestSecond(Pooling, abstract=True):
    """The transpose of `LargestGradient`: of every window, the element where its largest was."""

    orig_input = In("T ...")
    orig_output = In("T ...")
    grad = In("T ...")
    output = Out("T ...")
    T = REALS

    def infer(self) -> TensorSpec:
        return self.pooled_spec(self.orig_input)

    def eager(self, np: Any) -> Any:
        x, y, ddx = (self.last(np, one) for one in (self.orig_input, self.orig_output, self.grad))
        demand_pooled(self, self.counts_of(x.shape), x.shape, y.shape, y.shape)
        if ddx.shape != x.shape:
            raise ShapeMismatchError(UNLIKE_INPUT.format(list(x.shape), list(ddx.shape)))
        windows = self.windows()
        winners, padded = first_largest(np, x, y, windows), pad_for(np, ddx, windows)
        result = np.zeros(y.shape, ddx.dtype)
        for number, tap in enumerate(taps(windows)):
            seen = padded[tap_slices(windows, y.shape[1:-1], tap)]
            result = np.where(winners == number, seen, result)
        return self.back(np, result)

    def lower(self, loops: Any) -> Any:
        x, y, ddx = (
            loops.kept(self.viewed(loops, one))
            for one in (self.orig_input, self.orig_output, self.grad)
        )
        windows = self.room(loops, x.shape)
        demand_counts(loops, self.name, windows, x.shape, y.shape, y.shape)
        require_same(loops, ddx.shape, x.shape, UNLIKE_INPUT)
        winners = loops.kept(lowered_winners(loops, x, y, windows))
        look, zero, s = Look(loops, ddx, windows), loops.constant(0, ddx.dtype), loops.scalars

        def element(outer: Any, tap: Any) -> Any:
            number = s.cast(flat_tap(windows, tap), dtypes.int32)
            return s.where(winners[outer] == number, look.nearest(outer, tap), zero)

        result = loops.reduce("sum", y.shape, windows.kernel, ddx.dtype, element)
        return self.returned(loops, result)

    def vjp(self, doutput: Any) -> Any:
        back = MAX_BACK[self.name]
        return None, None, bind(back, self.orig_input, self.orig_output, doutput, **shared(self))


class MaxPool(Largest):
    """The largest element of every window of images."""

    input = In("T ...")
    output = Out("T ...")
    explicit_paddings = Attr(())
    data_format = Attr("NHWC", "NHWC NCHW")
    T = REALS - types("u32 u64")


class MaxPoolGrad(LargestGradient):
    """The gradient of MaxPool."""

    orig_input = In("T ...")
    orig_output = In("T ...")
    grad = In("T ...")
    output = Out("T ...")
    explicit_paddings = Attr(())
    data_format = Attr("NHWC", "NHWC NCHW")
    T = REALS


class MaxPoolGradGrad(LargestSecond):
    """The gradient of MaxPoolGrad."""

    data_format = Attr("NHWC", "NHWC NCHW")


class MaxPool3D(Largest):
    """The largest element of every window of volumes."""

    input = In("T ...")
    output = Out("T ...")
    data_format = Attr("NDHWC", "NDHWC NCDHW")
    T = types("f16 bf16 f32")


class MaxPool3DGrad(LargestGradient):
    """The gradient of MaxPool3D."""

    orig_input = In("TInput ...")
    orig_output = In("TInput ...")
    grad = In("T ...")
    output = Out("T ...")
    data_format = Attr("NDHWC", "NDHWC NCDHW")
    T = types("f16 bf16 f32")
    TInput = types("f16 bf16 f32")


class MaxPool3DGradGrad(LargestSecond):
    """The gradient of MaxPool3DGrad."""

    data_format = Attr("NDHWC", "NDHWC NCDHW")


MAX_GRADIENTS: dict[str, type[Op]] = {"MaxPool": MaxPoolGrad, "MaxPool3D": MaxPool3DGrad}
MAX_SECOND: dict[str, type[Op]] = {
    "MaxPoolGrad": MaxPoolGradGrad, "MaxPool3DGrad": MaxPool3DGradGrad,
}  # fmt: skip
MAX_BACK: dict[str, type[Op]] = {
    "MaxPoolGradGrad": MaxPoolGrad, "MaxPool3DGradGrad": MaxPool3DGrad,
}  # fmt: skip


# ---------------------------------------------------------------- the mean


class MeanPooling(Pooling, abstract=True):
    """The mean of what every window sees; padding does not count."""

    def infer(self) -> TensorSpec:
        return self.pooled_spec(getattr(self, self.inputs[0].name))

    def eager(self, np: Any) -> Any:
        given = self.last(np, getattr(self, self.inputs[0].name))
        counts, windows = self.counts_of(given.shape), self.windows()
        wide = given.astype(np.float32) if given.dtype.itemsize == 2 else given
        total = pad_for(np, wide, windows)
        for axis, count in enumerate(counts, 1):
            total = sum(along(total, axis, windows, count))
        share = total / in_windows(np, windows, given.shape[1:-1], counts).astype(wide.dtype)
        return self.back(np, share.astype(given.dtype, copy=False))

    def lower(self, loops: Any) -> Any:
        x = loops.kept(self.viewed(loops, getattr(self, self.inputs[0].name)))
        windows = self.room(loops, x.shape)
        counts, look = windows.counts(x.shape[1:-1]), Look(loops, x, windows)
        shape, s = (x.shape[0], *counts, x.shape[-1]), loops.scalars
        wide = dtypes.float32 if x.dtype.numpy.itemsize == 2 else x.dtype

        def share(index: Any, total: Any) -> Any:
            return s.cast(s.cast(total, wide) / s.cast(look.count(index), wide), x.dtype)

        if prod(windows.kernel) > WRITTEN_OUT:
            sums = loops.reduce("sum", shape, windows.kernel, x.dtype, look.inside)
            means = loops.map(shape, x.dtype, lambda *index: share(index, sums[index]))
            return self.returned(loops, means)

        def element(*index: Any) -> Any:
            seen = [s.cast(look.inside(index, tap), wide) for tap in taps(windows)]
            return share(index, sum(seen[1:], seen[0]))

        return self.returned(loops, loops.map(shape, x.dtype, element))

    def vjp(self, doutput: Any) -> Any:
        given = getattr(self, self.inputs[0].name)
        return bind(MEAN_GRADIENTS[self.name], shape_of(given), doutput, **shared(self))


class MeanGradient(Pooling, abstract=True):
    """Every gradient is shared equally by what its window saw."""

    orig_input_shape = In("i32 n")
    grad = In("T ...")
    output = Out("T ...")
    T = FLOATS

    def infer(self) -> TensorSpec:
        shape = self.orig_input_shape.as_shape()
        if shape.dims is not None:
            self.counts_of(channels_last(shape.dims, self.data_format))
        return TensorSpec(shape.dims or (None,) * (self.spatial + 2), self.grad.dtype)

    def eager(self, np: Any) -> Any:
        dy = self.last(np, self.grad)
        shape = channels_last(tuple(self.orig_input_shape.tolist()), self.data_format)
        counts, windows = self.counts_of(shape), self.windows()
        demand_pooled(self, counts, shape, dy.shape, dy.shape)
        wide = np.float32 if dy.dtype.itemsize == 2 else dy.dtype
        share = dy / in_windows(np, windows, shape[1:-1], counts).astype(wide)
        margins = margins_of(windows, shape[1:-1])
        padded = [n + sum(pair) for n, pair in zip(shape[1:-1], margins, strict=True)]
        dx = np.zeros((shape[0], *padded, shape[-1]), wide)
        for tap in taps(windows):
            dx[tap_slices(windows, counts, tap)] += share
        return self.back(np, without(dx, margins, shape[1:-1]).astype(dy.dtype, copy=False))

    def lower(self, loops: Any) -> Any:
        dy = self.viewed(loops, self.grad)
        shape = channels_last(loops.sizes(self.orig_input_shape), self.data_format)
        windows = self.room(loops, shape)
        demand_counts(loops, self.name, windows, shape, dy.shape, dy.shape)
        s, look = loops.scalars, Look(loops, None, windows, shape)
        wide = dtypes.float32 if dy.dtype.numpy.itemsize == 2 else dy.dtype

        def share(*index: Any) -> Any:
            return s.cast(dy[index], wide) / s.cast(look.count(index), wide)

        shares = loops.kept(loops.map(dy.shape, wide, share))

        def seen(window: Any, tap: Any, n: Any, c: Any) -> Any:
            return shares[(n, *window, c)]

        dx = gathered(loops, shape, windows, wide, seen)
        narrow = loops.map(shape, dy.dtype, lambda *index: s.cast(dx[index], dy.dtype))
        return self.returned(loops, narrow)

    def vjp(self, doutput: Any) -> Any:
        return None, bind(MEAN_BACK[self.name], doutput, **shared(self))


class AvgPool(MeanPooling):
    """The mean of every window of images."""

    value = In("T ...")
    output = Out("T ...")
    data_format = Attr("NHWC", "NHWC NCHW")
    T = FLOATS


class AvgPoolGrad(MeanGradient):
    """The gradient of AvgPool."""

    data_format = Attr("NHWC", "NHWC NCHW")


class AvgPool3D(MeanPooling):
    """The mean of every window of volumes."""

    input = In("T ...")
    output = Out("T ...")
    data_format = Attr("NDHWC", "NDHWC NCDHW")
    T = FLOATS


class AvgPool3DGrad(MeanGradient):
    """The gradient of AvgPool3D."""

    data_format = Attr("NDHWC", "NDHWC NCDHW")


MEAN_GRADIENTS: dict[str, type[Op]] = {"AvgPool": AvgPoolGrad, "AvgPool3D": AvgPool3DGrad}
MEAN_BACK: dict[str, type[Op]] = {"AvgPoolGrad": AvgPool, "AvgPool3DGrad": AvgPool3D}


def shared(application: Op) -> dict[str, Any]:
    """The attributes that an operation hands on to its gradient."""
    return application.attr_values()

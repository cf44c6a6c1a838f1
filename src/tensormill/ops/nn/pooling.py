"""The largest element, or the mean, of every window of an image or volume."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, ClassVar

import numpy as numpy_module

from ...core import dtypes
from ...core.native_operations import MANY
from ...core.specs import TensorSpec
from ...errors import ShapeMismatchError, UnimplementedError
from ..array.shapes import shape_of
from ..bind import bind
from ..demands import dims
from ..in_xla.windows import (
    from_largest_in_xla,
    largest_in_xla,
    shared_in_xla,
    to_largest_in_xla,
    totals_in_xla,
)
from ..op import FLOATS, REALS, ZERO, Attr, In, Op, Out, ints, types, usually
from .window_values import (
    WRITTEN_OUT,
    Look,
    along,
    first_largest,
    flat_tap,
    gathered,
    in_windows,
    largest,
    lowered_winners,
    lowest,
    seen_by,
    taps,
    without,
)
from .windows import (
    Windows,
    channels_back,
    channels_last,
    is_channels_first,
    margins_of,
    moved_back,
    moved_last,
    pad_for,
    require_counts,
    require_positive,
    spatial_margins,
    spatial_part,
    tap_slices,
    viewed_back,
    viewed_last,
)


class Pooling(Op, abstract=True):
    """What all pooling shares: windows of `ksize`, and where the channels are."""

    data_format: Any

    native_from = MANY

    ksize = Attr(ints)
    strides = Attr(ints)
    padding = Attr(str)
    explicit_paddings: Any = ()
    may_pool_depth: ClassVar[bool] = False

    @property
    def spatial(self) -> int:
        return len(self.data_format) - 2

    @property
    def form(self) -> str:
        """Which axes windows go along. A window of depth goes along width and depth of what has
        its rows for channels.
        """
        return "NCHW" if self.pools_depth else self.data_format

    @property
    def pools_depth(self) -> bool:
        """Whether windows lie along the channels.

        Raises:
            UnimplementedError: they lie along space, too, or are not side by side.
        """
        ksize, strides = self.ksize, self.strides
        if not self.may_pool_depth or is_channels_first(self.data_format):
            return False
        if len(ksize) != 4 or len(strides) != 4 or ksize[3] == 1:
            return False
        if ksize[3] != strides[3]:
            why = "windows of depth are side by side: ksize and strides have to be equal there"
        elif any(size != 1 for size in (*ksize[1:3], *strides[1:3])):
            why = "windows lie along depth or along height and width, not both"
        elif self.padding == "EXPLICIT":
            why = "windows of depth have no explicit padding"
        else:
            return True
        raise UnimplementedError(f"{self.name}: {why}. Got ksize {ksize}, strides {strides}")

    def windows(self) -> Windows:
        name = self.name
        require_counts(name, self.data_format, ksize=self.ksize, strides=self.strides)
        require_positive(name, "ksize", self.ksize)
        form = self.form
        margins = spatial_margins(name, self.padding, self.explicit_paddings, form)
        kernel = spatial_part(name, "ksize", self.ksize, form)
        for (before, after), size in zip(margins, kernel, strict=False):
            if max(before, after) >= size:
                raise ShapeMismatchError(
                    f"{name}: padding {before}, {after} needs to be smaller than the window size "
                    f"{size}"
                )
        strides = spatial_part(name, "strides", self._strides_that_count(), form)
        return Windows(kernel, strides, (1,) * self.spatial, self.padding, margins)

    def _strides_that_count(self) -> Sequence[int]:
        """Windows of one channel of images are at all of them: where the next one would be, no
        kernel asks.
        """
        depth = 1 if is_channels_first(self.data_format) else 3
        if self.spatial != 2 or self.ksize[depth] != 1:
            return self.strides
        return tuple([1 if axis == depth else step for axis, step in enumerate(self.strides)])

    def fitting(self, sizes: Any, shape: Any, *results: Any) -> Any:
        """The windows and the shape of what is pooled, channels last as in `shape` and `results`,
        which are to have it.

        Raises:
            ShapeMismatchError: the rank is wrong, there is no room for a window, or a result has
                another shape.
        """
        rank, windows = self.spatial + 2, self.windows()
        sizes.require(
            len(shape) == rank, ShapeMismatchError, WRONG_RANK, self.name, rank, shape, rank
        )
        if self.pools_depth:
            whole = shape[3] % self.ksize[3] == 0
            sizes.require_late(
                whole, UnimplementedError, UNEVEN_DEPTH, self.name, self.ksize[3], shape[3]
            )
        x = channels_last(shape, self.form)
        pooled = (x[0], *windows.demand_room(sizes, self.name, x[1:-1]), x[-1])
        for result in results:
            given = channels_last(sizes.shape(result, rank), self.form)
            sizes.alike(pooled, given, ShapeMismatchError, UNLIKE_POOLED, self.name)
        return windows, pooled

    def pooled_spec(self, dtype: Any) -> TensorSpec:
        _, pooled = self.found
        return TensorSpec(dims(channels_back(pooled, self.form)), dtype)

    def last(self, np: Any, x: Any) -> Any:
        return moved_last(np, x, self.form)

    def back(self, np: Any, x: Any) -> Any:
        return moved_back(np, x, self.form)

    def viewed(self, loops: Any, x: Any) -> Any:
        return viewed_last(loops, x, self.form)

    def returned(self, loops: Any, x: Any) -> Any:
        return viewed_back(loops, x, self.form)


WRONG_RANK = "{}: tensor_in must be {}-dimensional: {} (Shape must be rank {})"
UNEVEN_DEPTH = "{}: a window of {} channels has to divide the depth, which is {}"
UNLIKE_POOLED = "{}: Expected grad shape to be {}, but got {}"


# ---------------------------------------------------------------- the largest


class Largest(Pooling, abstract=True):
    """The largest element of every window."""

    input: Any
    output: Any

    def demands(self, sizes: Any) -> Any:
        return self.fitting(sizes, sizes.shape(self.input, self.spatial + 2))

    def infer(self) -> TensorSpec:
        return self.pooled_spec(self.input.dtype)

    def eager(self, np: Any) -> Any:
        windows, _ = self.found
        return self.back(np, largest(np, self.last(np, self.input), windows))

    def xla(self, xla: Any) -> Any:
        windows, _ = self.found
        return self.back(xla.np, largest_in_xla(xla, self.last(xla.np, self.input), windows))

    def lower(self, loops: Any) -> Any:
        windows, shape = self.found
        x = seen_by(loops, self.viewed(loops, self.input), windows)
        look, s = Look(loops, x, windows), loops.scalars
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
    """Gradients go to where the largest elements of windows are, which `orig_output` has: for
    images to the first in each, for volumes to all that are as large.
    """

    orig_input: Any
    orig_output: Any
    grad: Any
    to_all: ClassVar[bool] = False

    def demands(self, sizes: Any) -> Any:
        shape = sizes.shape(self.orig_input, self.spatial + 2)
        return self.fitting(sizes, shape, self.orig_output, self.grad)

    def infer(self) -> TensorSpec:
        return TensorSpec(self.orig_input.shape, self.orig_input.dtype)

    def eager(self, np: Any) -> Any:
        x, y, dy = (self.last(np, one) for one in (self.orig_input, self.orig_output, self.grad))
        windows, _ = self.found
        counts, margins = y.shape[1:-1], margins_of(windows, x.shape[1:-1])
        around: Any = pad_for(np, x, windows, lowest(np, x.dtype)) if self.to_all else None
        winners: Any = None if self.to_all else first_largest(np, x, y, windows)
        padded = [n + sum(pair) for n, pair in zip(x.shape[1:-1], margins, strict=True)]
        dx = np.zeros((x.shape[0], *padded, x.shape[-1]), dy.dtype)
        for number, tap in enumerate(taps(windows)):
            place = tap_slices(windows, counts, tap)
            here = around[place] == y if self.to_all else winners == number
            dx[place] += np.where(here, dy, 0)
        return self.back(np, without(dx, margins, x.shape[1:-1]))

    def xla(self, xla: Any) -> Any:
        np, (windows, _) = xla.np, self.found
        x, y, dy = (self.last(np, one) for one in (self.orig_input, self.orig_output, self.grad))
        return self.back(np, to_largest_in_xla(xla, x, y, dy, windows, self.to_all))

    def lower(self, loops: Any) -> Any:
        windows, _ = self.found
        x = seen_by(loops, self.viewed(loops, self.orig_input), windows)
        y, dy = (loops.kept(self.viewed(loops, one)) for one in (self.orig_output, self.grad))
        zero, s = loops.constant(0, dy.dtype), loops.scalars
        look: Any = Look(loops, x, windows) if self.to_all else None
        winners: Any = None if self.to_all else loops.kept(lowered_winners(loops, x, y, windows))

        def seen(window: Any, tap: Any, n: Any, c: Any) -> Any:
            here = (n, *window, c)
            if self.to_all:
                return s.where(look.nearest(here, tap) == y[here], dy[here], zero)
            number = s.cast(flat_tap(windows, tap), dtypes.int32)
            return s.where(winners[here] == number, dy[here], zero)

        dx = gathered(loops, x.shape, windows, dy.dtype, seen)
        return self.returned(loops, dx)

    def vjp(self, doutput: Any) -> Any:
        attrs = shared(self)
        attrs.pop("explicit_paddings", None)
        again = MAX_SECOND[self.name]
        return ZERO, ZERO, bind(again, self.orig_input, self.orig_output, doutput, **attrs)


def demand_like_input(sizes: Any, x: Any, ddx: Any) -> None:
    """The gradient of a gradient has the shape of the input."""
    message = "Expected grad to have the shape of the input: {}, but got {}"
    sizes.alike(x, ddx, ShapeMismatchError, message)


class LargestSecond(Pooling, abstract=True):
    """The transpose of `LargestGradient`: of every window, the element where its largest was."""

    orig_input = In("T ...")
    orig_output = In("T ...")
    grad = In("T ...")
    output = Out("T ...")
    T = REALS

    def demands(self, sizes: Any) -> Any:
        shape = sizes.shape(self.orig_input, self.spatial + 2)
        demand_like_input(sizes, shape, sizes.shape(self.grad, self.spatial + 2))
        return self.fitting(sizes, shape, self.orig_output)

    def infer(self) -> TensorSpec:
        return self.pooled_spec(self.orig_input.dtype)

    def eager(self, np: Any) -> Any:
        x, y, ddx = (self.last(np, one) for one in (self.orig_input, self.orig_output, self.grad))
        windows, _ = self.found
        winners, padded = first_largest(np, x, y, windows), pad_for(np, ddx, windows)
        result = np.zeros(y.shape, ddx.dtype)
        for number, tap in enumerate(taps(windows)):
            seen = padded[tap_slices(windows, y.shape[1:-1], tap)]
            result = np.where(winners == number, seen, result)
        return self.back(np, result)

    def xla(self, xla: Any) -> Any:
        np, (windows, _) = xla.np, self.found
        x, y, ddx = (self.last(np, one) for one in (self.orig_input, self.orig_output, self.grad))
        return self.back(np, from_largest_in_xla(xla, x, y, ddx, windows))

    def lower(self, loops: Any) -> Any:
        x, y, ddx = (
            loops.kept(self.viewed(loops, one))
            for one in (self.orig_input, self.orig_output, self.grad)
        )
        windows, _ = self.found
        winners = loops.kept(lowered_winners(loops, x, y, windows))
        look, zero, s = Look(loops, ddx, windows), loops.constant(0, ddx.dtype), loops.scalars

        def element(outer: Any, tap: Any) -> Any:
            number = s.cast(flat_tap(windows, tap), dtypes.int32)
            return s.where(winners[outer] == number, look.nearest(outer, tap), zero)

        result = loops.reduce("sum", y.shape, windows.kernel, ddx.dtype, element, few=True)
        return self.returned(loops, result)

    def vjp(self, doutput: Any) -> Any:
        back = MAX_BACK[self.name]
        return ZERO, ZERO, bind(back, self.orig_input, self.orig_output, doutput, **shared(self))


class MaxPool(Largest):
    """The largest element of every window of images."""

    may_pool_depth = True
    input = In("T ...")
    output = Out("T ...")
    explicit_paddings = Attr(())
    data_format = Attr("NHWC", "NHWC NCHW")
    T = REALS - types("u32 u64")
    usual = usually(T="f32")


class MaxPoolGrad(LargestGradient):
    """The gradient of MaxPool."""

    may_pool_depth = True
    orig_input = In("T ...")
    orig_output = In("T ...")
    grad = In("T ...")
    output = Out("T ...")
    explicit_paddings = Attr(())
    data_format = Attr("NHWC", "NHWC NCHW")
    T = REALS
    usual = usually(T="f32")


class MaxPoolGradGrad(LargestSecond):
    """The gradient of MaxPoolGrad."""

    may_pool_depth = True
    data_format = Attr("NHWC", "NHWC NCHW")


class MaxPool3D(Largest):
    """The largest element of every window of volumes."""

    input = In("T ...")
    output = Out("T ...")
    data_format = Attr("NDHWC", "NDHWC NCDHW")
    T = types("f16 bf16 f32")


class MaxPool3DGrad(LargestGradient):
    """The gradient of MaxPool3D."""

    to_all = True
    orig_input = In("TInput ...")
    orig_output = In("TInput ...")
    grad = In("T ...")
    output = Out("T ...")
    data_format = Attr("NDHWC", "NDHWC NCDHW")
    T = types("f16 bf16 f32")
    TInput = types("f16 bf16 f32")
    usual = usually(T="f32", TInput="f32")


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

    def demands(self, sizes: Any) -> Any:
        given = getattr(self, self.inputs[0].name)
        return self.fitting(sizes, sizes.shape(given, self.spatial + 2))

    def infer(self) -> TensorSpec:
        return self.pooled_spec(getattr(self, self.inputs[0].name).dtype)

    def eager(self, np: Any) -> Any:
        given = self.last(np, getattr(self, self.inputs[0].name))
        windows, (_, *counts, _) = self.found
        wide = given.astype(np.float32) if given.dtype.itemsize == 2 else given
        total = pad_for(np, wide, windows)
        for axis, count in enumerate(counts, 1):
            total = sum(along(total, axis, windows, count))
        share = total / in_windows(np, windows, given.shape[1:-1], counts).astype(wide.dtype)
        return self.back(np, share.astype(given.dtype, copy=False))

    def xla(self, xla: Any) -> Any:
        np, (windows, (_, *counts, _)) = xla.np, self.found
        given = self.last(np, getattr(self, self.inputs[0].name))
        wide = given.astype(np.float32) if given.dtype.itemsize == 2 else given
        total = totals_in_xla(xla, wide, windows)
        shares = in_windows(numpy_module, windows, given.shape[1:-1], counts).astype(wide.dtype)
        return self.back(np, (total / shares).astype(given.dtype))

    def lower(self, loops: Any) -> Any:
        windows, shape = self.found
        x = seen_by(loops, self.viewed(loops, getattr(self, self.inputs[0].name)), windows)
        look, s = Look(loops, x, windows), loops.scalars
        wide = dtypes.float32 if x.dtype.storage.itemsize == 2 else x.dtype

        def share(index: Any, total: Any) -> Any:
            return s.cast(s.cast(total, wide) / s.cast(look.count(index), wide), x.dtype)

        if prod(windows.kernel) > WRITTEN_OUT:
            sums = loops.reduce("sum", shape, windows.kernel, x.dtype, look.inside, few=True)
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

    def demands(self, sizes: Any) -> Any:
        given = sizes.numbers(self.orig_input_shape)
        sizes.possible(given)
        windows, pooled = self.fitting(sizes, given, self.grad)
        return windows, channels_last(given, self.form), pooled[1:-1]

    def infer(self) -> TensorSpec:
        if self.found is None:
            return TensorSpec((None,) * (self.spatial + 2), self.grad.dtype)
        _, shape, _ = self.found
        return TensorSpec(dims(channels_back(shape, self.form)), self.grad.dtype)

    def eager(self, np: Any) -> Any:
        dy = self.last(np, self.grad)
        windows, shape, counts = self.found
        wide = np.float32 if dy.dtype.itemsize == 2 else dy.dtype
        share = dy / in_windows(np, windows, shape[1:-1], counts).astype(wide)
        margins = margins_of(windows, shape[1:-1])
        padded = [n + sum(pair) for n, pair in zip(shape[1:-1], margins, strict=True)]
        dx = np.zeros((shape[0], *padded, shape[-1]), wide)
        for tap in taps(windows):
            dx[tap_slices(windows, counts, tap)] += share
        return self.back(np, without(dx, margins, shape[1:-1]).astype(dy.dtype, copy=False))

    def xla(self, xla: Any) -> Any:
        np, dy, (windows, shape, counts) = xla.np, self.last(xla.np, self.grad), self.found
        wide = np.float32 if dy.dtype.itemsize == 2 else dy.dtype
        shape = tuple(map(xla.fixed, shape))
        shares = in_windows(numpy_module, windows, shape[1:-1], counts).astype(wide)
        dx = shared_in_xla(xla, dy.astype(wide) / shares, windows, shape)
        return self.back(np, dx.astype(dy.dtype))

    def lower(self, loops: Any) -> Any:
        dy = self.viewed(loops, self.grad)
        windows, shape, _ = self.found
        s, look = loops.scalars, Look(loops, None, windows, shape)
        wide = dtypes.float32 if dy.dtype.storage.itemsize == 2 else dy.dtype

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

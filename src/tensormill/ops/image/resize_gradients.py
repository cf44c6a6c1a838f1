"""Gradients of the ways to resize that are told by windows."""

from __future__ import annotations

from typing import Any

from ...core.native_operations import MANY
from ...core.specs import TensorSpec
from ..array.shapes import shape_of
from ..math.cast import cast
from ..op import Attr, In, Op, Out, types
from .resize import demand_scale
from .resize_windows import cubic_windows, sampled_windows
from .windows import spread


class ResizeBicubicGrad(Op):
    """The gradient of ResizeBicubic, for images like `original_image`."""

    native_from = MANY

    grads = In("f32 n h w c")
    original_image = In("T n a b c")
    output = Out("T n a b c")
    align_corners = Attr(False)
    half_pixel_centers = Attr(False)
    T = types("f32 f64")

    def infer(self) -> TensorSpec:
        return TensorSpec(self.original_image.shape, self.original_image.dtype)

    def expand(self) -> Any:
        given, own = shape_of(self.grads), shape_of(self.original_image)
        flags = self.align_corners, self.half_pixel_centers
        rows, columns = (cubic_windows(given[axis], own[axis], *flags) for axis in (1, 2))
        return cast(spread(self.grads, rows, columns, own[1:3]), self.original_image.dtype)


class ScaleAndTranslateGrad(Op):
    """The gradient of ScaleAndTranslate, for images like `original_image`."""

    native_from = MANY

    grads = In("T n h w c")
    original_image = In("T n a b c")
    scale = In("f32 2")
    translation = In("f32 2")
    output = Out("T n a b c")
    kernel_type = Attr("lanczos3")
    antialias = Attr(True)
    T = types("f32")

    def demands(self, sizes: Any) -> None:
        demand_scale(sizes, self)

    def infer(self) -> TensorSpec:
        return TensorSpec(self.original_image.shape, self.original_image.dtype)

    def expand(self) -> Any:
        own, given = shape_of(self.original_image), shape_of(self.grads)
        return spread(self.grads, *sampled_windows(self, own, given[1:3]), own[1:3])

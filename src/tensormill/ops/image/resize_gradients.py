"""Gradients of the ways to resize that are told by matrices."""

from __future__ import annotations

from typing import Any

from ...core.native_operations import MANY
from ...core.specs import TensorSpec
from ..array.rearrangement import transpose
from ..array.shapes import shape_of
from ..math.cast import cast
from ..op import Attr, In, Op, Out, types
from .resize import cubic_weights, kernel_weights, resampled


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
        rows, columns = (cubic_weights(given[axis], own[axis], *flags) for axis in (1, 2))
        dx = resampled(self.grads, transpose(rows), transpose(columns))
        return cast(dx, self.original_image.dtype)


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

    def infer(self) -> TensorSpec:
        return TensorSpec(self.original_image.shape, self.original_image.dtype)

    def expand(self) -> Any:
        given, own = shape_of(self.grads), shape_of(self.original_image)
        rows, columns = (
            kernel_weights(
                given[k + 1], own[k + 1], 1.0 / self.scale[k], self.translation[k],
                self.kernel_type, self.antialias,
            )
            for k in (0, 1)
        )  # fmt: skip
        return resampled(self.grads, transpose(rows), transpose(columns))

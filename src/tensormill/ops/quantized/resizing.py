"""Images of levels in other sizes."""

from __future__ import annotations

from typing import Any, Final

from ...core import dtypes
from ...core.specs import TensorSpec
from ..image.resize import demand_size, linear_places, require_memory
from ..op import Attr, In, Op, Out, types
from ..underivable import no_derivative

# Weights of bytes have so many bits.
BITS: Final = 7


class QuantizedResizeBilinear(Op):
    """Between the four nearest levels, in proportion, in the range that they have."""

    images = In("T ...")
    size = In("i32 2")
    min = In("f32")
    max = In("f32")
    resized_images = Out("T ...")
    out_min = Out("f32")
    out_max = Out("f32")
    align_corners = Attr(False)
    half_pixel_centers = Attr(False)
    T = types("qu8 q32 f32")
    vjp = no_derivative

    def demands(self, sizes: Any) -> Any:
        """The height and width of the result."""
        return demand_size(sizes, self)

    def infer(self) -> tuple[TensorSpec, ...]:
        shape, size = self.images.shape.entries or (None,) * 4, self.size.as_shape().entries
        height, width = size if size is not None and len(size) == 2 else (None, None)
        number = TensorSpec((), dtypes.float32)
        found = TensorSpec((shape[0], height, width, shape[3]), self.images.dtype)
        return found, number, number

    def eager(self, np: Any) -> Any:
        x, size = self.images, self.found
        require_memory((x.shape[0], *size, x.shape[3]), x.dtype)
        flags = self.align_corners, self.half_pixel_centers
        rows, columns = (
            linear_places(np, out, x.shape[k], *flags) for k, out in enumerate(size, 1)
        )
        if x.dtype == np.float32:
            found = between(between(x, 1, rows, 1), 2, columns, 1)
        else:
            levels = x.view(np.uint8).astype(np.int64)
            places = [(low, high, (part * 2**BITS).astype(np.int64)) for low, high, part in
                      (rows, columns)]  # fmt: skip
            found = between(between(levels, 2, places[1], 2**BITS), 1, places[0], 2**BITS)
            found = (found + 2 ** (2 * BITS - 1) >> 2 * BITS).astype(np.uint8).view(x.dtype)
        return found, self.min.copy(), self.max.copy()


def between(x: Any, axis: int, places: tuple[Any, Any, Any], one: int) -> Any:
    """What lies between two elements each along an axis, `one` times."""
    low, high, part = places
    first, second = x.take(low, axis), x.take(high, axis)
    return first * one + (second - first) * part.reshape(-1, *(1,) * (3 - axis))

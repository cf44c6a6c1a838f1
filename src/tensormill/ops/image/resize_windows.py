"""What images in other sizes are made of, along one axis: windows, and the weights in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core import dtypes
from ..array.fill import ones_like, zeros_like
from ..array.fill import range as numbers
from ..array.select import where
from ..array.shapes import expand_dims
from ..math.arithmetic import maximum, minimum
from ..math.cast import cast
from ..math.circular import sin
from ..math.comparison import equal, greater, greater_equal, less, less_equal, logical_and
from ..math.elementwise import ceil, exp, floor
from ..math.elementwise import round as rounded
from ..math.reduce import reduce_max, reduce_sum
from ..math.signs import abs
from .windows import WeightedWindows


def scale_of(out: Any, own: Any, align: bool) -> Any:
    """How many elements of the image one of the result stands for."""
    out, own = cast(out, dtypes.float32), cast(own, dtypes.float32)
    if not align:
        return own / out
    return where(greater(out, 1.0), (own - 1.0) / maximum(out - 1.0, 1.0), own / out)


def counted(count: Any) -> Any:
    return cast(numbers(count), dtypes.float32)


def places_of(out: Any, own: Any, align: bool, half: bool) -> Any:
    """Where in the image the elements of the result are."""
    at, scale = counted(out), scale_of(out, own, align)
    return (at + 0.5) * scale - 0.5 if half else at * scale


def windows_between(
    begin: Any, end: Any, own: Any, weights_at: Callable[[Any, Any], Any]
) -> WeightedWindows:
    """Windows from `begin` to before `end`, as far as they are within the image.

    weights_at(index, is_read): for the elements `index` [count, taps] of the image their weights.
    """
    size = cast(own, dtypes.float32)
    # Places may be NaN or infinite; then comparisons are false, and nothing is read.
    first = where(greater(begin, 0.0), minimum(begin, size), zeros_like(begin))
    behind = where(greater(end, first), minimum(end, size), first)
    sizes = cast(behind - first, dtypes.int64)
    taps = numbers(maximum(reduce_max(sizes), 0))
    index = expand_dims(first, 1) + cast(taps, dtypes.float32)
    is_read = less(taps, expand_dims(sizes, 1))
    return WeightedWindows(cast(first, dtypes.int64), sizes, weights_at(index, is_read))


def nearest_windows(out: Any, own: Any, align: bool, half: bool) -> WeightedWindows:
    at = counted(out)
    at = (at + (0.5 if half else 0.0)) * scale_of(out, own, align)
    place = clipped(floor(at + 0.5 if align else at), own)
    return windows_between(place, place + 1.0, own, lambda index, _: ones_like(index))


def linear_windows(out: Any, own: Any, align: bool, half: bool) -> WeightedWindows:
    at = places_of(out, own, align, half)
    low = floor(at)
    part = expand_dims(at - low, 1)
    lower, upper = clipped(low, own), clipped(ceil(at), own)

    def weights_at(index: Any, _: Any) -> Any:
        return marks(lower, index) * (1.0 - part) + marks(upper, index) * part

    return windows_between(lower, upper + 1.0, own, weights_at)


def cubic_windows(out: Any, own: Any, align: bool, half: bool) -> WeightedWindows:
    """TensorFlow looks weights up in a table with 1024 places between two elements."""
    at = places_of(out, own, align, half)
    low = floor(at)
    part = expand_dims(rounded((at - low) * 1024.0) / 1024.0, 1)

    def within(index: Any, is_read: Any) -> Any:
        """Nothing is beyond the border: weights within it make one."""
        weights = keys_cubic(abs(index - (expand_dims(low, 1) + part)), -0.5)
        weights = where(is_read, weights, zeros_like(weights))
        return weights / reduce_sum(weights, 1, keepdims=True)

    def at_borders(index: Any, _: Any) -> Any:
        """The border stands for all that is beyond it."""
        total = zeros_like(index)
        for step in (-1.0, 0.0, 1.0, 2.0):
            weights = keys_cubic(abs(part - step), -0.75)
            total = total + marks(clipped(low + step, own), index) * weights
        return total

    return windows_between(low - 1.0, low + 3.0, own, within if half else at_borders)


def keys_cubic(x: Any, a: float) -> Any:
    near = ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0
    far = ((a * x - 5.0 * a) * x + 8.0 * a) * x - 4.0 * a
    return where(less_equal(x, 1.0), near, where(less(x, 2.0), far, zeros_like(x)))


def area_windows(out: Any, own: Any, align: bool, half: bool) -> WeightedWindows:
    at, plain = counted(out), scale_of(out, own, False)
    aligned = scale_of(out, own, align)
    scale = where(greater(aligned, 0.0), aligned, plain)  # one pixel has two corners
    begin, end = at * scale, (at + 1.0) * scale
    last = cast(own, dtypes.float32) - 1.0

    def covered(index: Any, _: Any) -> Any:
        low, high = expand_dims(begin, 1), expand_dims(end, 1)
        part = maximum(minimum(index + 1.0, high) - maximum(index, low), 0.0)
        beyond = maximum(high - (last + 1.0), 0.0) * cast(equal(index, last), dtypes.float32)
        return (part + beyond) / scale

    return windows_between(floor(begin), ceil(end), own, covered)


def clipped(places: Any, own: Any) -> Any:
    """The nearest places in the image."""
    return maximum(minimum(places, cast(own, dtypes.float32) - 1.0), 0.0)


def marks(places: Any, index: Any) -> Any:
    """1 where rows of indices have the place of the row, else 0."""
    return cast(equal(expand_dims(places, 1), index), dtypes.float32)


# ---------------------------------------------------------------- kernels


def sampled_windows(op: Any, own: Any, size: Any) -> tuple[WeightedWindows, WeightedWindows]:
    """What `op`, with a kernel, a scale and a translation, reads of height and width."""
    rows, columns = (
        kernel_windows(
            size[k], own[k + 1], 1.0 / op.scale[k], op.translation[k], op.kernel_type, op.antialias
        )
        for k in (0, 1)
    )
    return rows, columns


def kernel_windows(
    out: Any, own: Any, inverse: Any, translation: Any, kernel: str, antialias: bool
) -> WeightedWindows:
    """The kernel around the place of every element, cut off at the borders, with the sum one."""
    wide = maximum(inverse, 1.0) if antialias else 1.0
    at = (counted(out) + 0.5) * inverse - inverse * translation
    size, reach = cast(own, dtypes.float32), RADII[kernel] * wide
    inside = logical_and(greater_equal(at, 0.0), less_equal(at, size))
    begin, end = ceil(at - reach - 0.5), floor(at + reach - 0.5) + 1.0

    def weights_at(index: Any, is_read: Any) -> Any:
        distance = abs(index + 0.5 - expand_dims(at, 1)) / wide
        kept = logical_and(is_read, less_equal(distance, RADII[kernel]))
        weights = where(kept, KERNELS[kernel](distance), 0.0)
        total = reduce_sum(weights, 1, keepdims=True)
        some = greater(abs(total), 1e-30)
        return where(some, weights / where(some, total, 1.0), zeros_like(weights))

    return windows_between(begin, where(inside, end, begin), own, weights_at)


def _lanczos(radius: float) -> Any:
    def kernel(x: Any) -> Any:
        pi = 3.14159265358979
        near = less_equal(x, 1e-3)
        safe = where(near, 1.0, x)
        value = sin(safe * pi) * sin(safe * (pi / radius)) * (radius / pi**2) / (safe * safe)
        return where(near, 1.0, value)

    return kernel


def _mitchell(x: Any) -> Any:
    near = ((7.0 / 6.0) * x - 2.0) * x * x + 8.0 / 9.0
    far = ((-7.0 / 18.0 * x + 2.0) * x - 10.0 / 3.0) * x + 16.0 / 9.0
    return where(less(x, 1.0), near, far)


def _box(x: Any) -> Any:
    return where(less(x, 0.5), 1.0, where(equal(x, 0.5), 0.5, zeros_like(x)))


KERNELS: dict[str, Any] = {
    "lanczos1": _lanczos(1.0),
    "lanczos3": _lanczos(3.0),
    "lanczos5": _lanczos(5.0),
    "gaussian": lambda x: where(less(x, 1.5), exp(x * x * -2.0), zeros_like(x)),
    "box": _box,
    "triangle": lambda x: maximum(1.0 - x, 0.0),
    "keyscubic": lambda x: keys_cubic(x, -0.5),
    "mitchellcubic": _mitchell,
}
RADII = {
    "lanczos1": 1.0, "lanczos3": 3.0, "lanczos5": 5.0, "gaussian": 1.5, "box": 0.5,
    "triangle": 1.0, "keyscubic": 2.0, "mitchellcubic": 2.0,
}  # fmt: skip

"""Glimpses: windows of images around points, which may reach beyond."""

from __future__ import annotations

from typing import Any, ClassVar

from ...core import dtypes
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..array.fill import range as numbers
from ..array.gather import gather
from ..array.select import where
from ..array.shapes import expand_dims, shape_of
from ..bind import bind
from ..demands import dims, refuse
from ..dispatch.meanings import dispatchable
from ..effects import World
from ..math.arithmetic import maximum, minimum
from ..math.cast import cast
from ..math.comparison import greater_equal, less, logical_and
from ..math.elementwise import sqrt
from ..math.moments import moments
from ..math.reduce import reduce_max, reduce_min
from ..op import Attr, In, Op, Out
from ..random.uniform_and_normal import RandomStandardNormal, UniformNumbers


class Glimpsing(Op, abstract=True):
    """Windows of `size` of images [n, height, width, channels], one at each of `offsets` [n, 2]."""

    input: Any
    size: Any
    offsets: Any
    centered: Any
    normalized: Any
    uniform_noise: Any
    noise: Any
    effects = (World.DRAWS,)
    # Whether offsets are of the middle of the window, whatever they are measured in.
    of_middle: ClassVar[bool] = False

    def demands(self, sizes: Any) -> Any:
        """The shape of the result."""
        self.demand_noise()
        x, offsets = sizes.shape(self.input, 4), sizes.shape(self.offsets, 2)
        if len(x) != 4:
            refuse(ShapeMismatchError, NO_IMAGES, self.name, x)
        (length,) = sizes.shape(self.size, 1)
        sizes.require(sizes.equal(length, 2), ShapeMismatchError, NO_SIZE, self.name, length)
        pairs = len(offsets) == 2 and sizes.are_same(offsets, (x[0], 2))
        sizes.require(pairs, ShapeMismatchError, NO_OFFSETS, self.name, offsets, x)
        height, width = sizes.numbers(self.size, 2)
        return sizes.possible_late((x[0], height, width, x[3]))

    def demand_noise(self) -> None:
        if self.noise not in ("uniform", "gaussian", "zero"):
            refuse(InvalidArgumentError, OTHER_NOISE, self.name, self.noise)
        if self.uniform_noise and self.noise != "uniform":
            refuse(InvalidArgumentError, TWO_NOISES, self.name, self.noise)

    def infer(self) -> TensorSpec:
        if self.found is not None:
            return TensorSpec(dims(self.found), dtypes.float32)
        x, size = self.input.shape.entries or (None,) * 4, self.size.as_shape().entries
        return TensorSpec((x[0], *(size or (None, None)), x[3]), dtypes.float32)

    def expand(self) -> Any:
        x, shape = self.input, shape_of(self.input)
        sides: list[Any] = []
        for axis in (0, 1):
            own, count = shape[axis + 1], self.size[axis]
            place = expand_dims(self.start(axis, own, count), 1) + numbers(count)
            inside = logical_and(greater_equal(place, 0), less(place, own))
            sides.append((maximum(minimum(place, own - 1), 0), inside))
        (rows, in_rows), (columns, in_columns) = sides
        seen = gather(gather(x, rows, axis=1, batch_dims=1), columns, axis=2, batch_dims=1)
        inside = logical_and(expand_dims(in_rows, 2), expand_dims(in_columns, 1))
        return where(expand_dims(inside, 3), seen, self.outside(shape_of(seen)))

    def start(self, axis: int, own: Any, count: Any) -> Any:
        """The first row, or column, of every window."""
        place, size = self.offsets[:, axis], cast(own, dtypes.float32)
        half = cast(count, dtypes.float32) / 2.0
        if self.normalized:
            place = place * size
        if self.centered:
            is_part = self.normalized or self.of_middle
            place = (place / 2.0 if is_part else place) + size / 2.0
        if self.of_middle or (self.centered and self.normalized):
            place = place - half
        return cast(place, dtypes.int32)

    def outside(self, shape: Any) -> Any:
        """What lies beyond the images."""
        x = self.input
        if self.noise == "zero":
            return 0.0
        if self.noise == "uniform":
            low, high = (way(x, [1, 2, 3], keepdims=True) for way in (reduce_min, reduce_max))
            return bind(UniformNumbers, shape, dtype=dtypes.float32) * (high - low) + low
        low, high = (way(x, [1, 2], keepdims=True) for way in (reduce_min, reduce_max))
        mean, variance = moments(x, [1, 2], keepdims=True)
        drawn = bind(RandomStandardNormal, shape, dtype=dtypes.float32) * sqrt(variance) + mean
        return maximum(minimum(drawn, high), low)


NO_IMAGES = "{}: input must be 4-dimensional (batch_size, height, width, depth): {}"
NO_SIZE = "{}: size must be a vector of 2 numbers (height, width), not {}"
NO_OFFSETS = "{}: offsets of shape {} are no pairs (y, x) for images of shape {}"
OTHER_NOISE = "{}: The noise could only be uniform, gaussian, or zero, not {}"
TWO_NOISES = "{}: The uniform_noise and noise could not be specified at the same time: {}"


class ExtractGlimpse(Glimpsing):
    """Windows whose middle is at the offsets."""

    input = In("f32 n h w c")
    size = In("i32 two")
    offsets = In("f32 n two")
    glimpse = Out("f32 ...")
    centered = Attr(True)
    normalized = Attr(True)
    uniform_noise = Attr(True)
    noise = Attr("uniform")
    of_middle = True


class ExtractGlimpseV2(Glimpsing):
    """Windows whose middle is at the offsets where these are centered and normalized, else their
    first element.
    """

    input = In("f32 n h w c")
    size = In("i32 two")
    offsets = In("f32 n two")
    glimpse = Out("f32 ...")
    centered = Attr(True)
    normalized = Attr(True)
    uniform_noise = Attr(True)
    noise = Attr("uniform")


@dispatchable
def extract_glimpse(
    input: Any,
    size: Any,
    offsets: Any,
    centered: bool = True,
    normalized: bool = True,
    noise: str = "uniform",
    name: str | None = None,
) -> Any:
    """Windows of images, one of each.

    Args:
        input: float32 [n, height, width, channels].
        size: int32 [2], height and width of the windows.
        offsets: float32 [n, 2], (y, x). With both `centered` and `normalized` the middle of the
            window: 0 is the middle of the image, -1 its first and 1 its last row. With one of them,
            or none, the first row and column: from the middle of the image on if `centered`, as
            parts of its size if `normalized`.
        noise: what lies beyond the image: "uniform" numbers between its smallest and its largest,
            "gaussian" ones with the mean and deviation of each channel, or "zero".

    Returns:
        float32 [n, *size, channels].

    >>> image = tf.reshape(tf.range(16.0), [1, 4, 4, 1])
    >>> tf.image.extract_glimpse(image, [2, 2], [[0.0, 1.0]], noise="zero")[0, :, :, 0].numpy()
    array([[ 7.,  0.],
           [11.,  0.]], dtype=float32)

    Raises:
        InvalidArgumentError: shapes do not fit, a size is negative, or there is no such noise.
    """
    return bind(
        ExtractGlimpseV2, input, size, offsets, centered=centered, normalized=normalized,
        uniform_noise=False, noise=noise, name=name,
    )  # fmt: skip

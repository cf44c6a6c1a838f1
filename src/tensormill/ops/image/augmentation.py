"""Images changed at random: with the numbers that TensorFlow draws for the same seeds.

Each function is there twice: drawing anew each time, and with the numbers that a seed determines.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

from ...core import dtypes
from ...core.values import TensorLike
from ..array.concatenation import concat
from ..array.rearrangement import reverse
from ..array.select import where
from ..array.shapes import rank, reshape, shape_of
from ..array.slicing import slice
from ..checks.assertions import Assert
from ..composed import composed
from ..control.flow import identity
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..math.comparison import equal, greater_equal, logical_or
from ..math.reduce import reduce_all
from ..random.stateless import stateless_uniform
from ..random.uniform_and_normal import uniform
from .colors import adjust_brightness, adjust_contrast, adjust_hue, adjust_saturation

# Draws numbers of a shape in a range (floats by default).
Draw = Callable[..., Any]
ROWS, COLUMNS = -3, -2


def anew(seed: int | None) -> Draw:
    """What draws other numbers each time."""

    def draw(shape: Any, low: Any = 0.0, high: Any = 1.0, dtype: Any = dtypes.float32) -> Any:
        return uniform(shape, low, high, dtype, seed)

    return draw


def by_seed(seed: Any) -> Draw:
    """What draws the numbers that a seed determines."""

    def draw(shape: Any, low: Any = 0.0, high: Any = 1.0, dtype: Any = dtypes.float32) -> Any:
        return stateless_uniform(shape, seed, low, high, dtype)

    return draw


# ---------------------------------------------------------------- colours


@dispatchable(elements=1)
def random_brightness(image: Any, max_delta: Any, seed: int | None = None) -> Any:
    """`adjust_brightness` by a random number in [-max_delta, max_delta).

    image: real numbers of any shape; the result has this shape and dtype. seed: as in
    `tf.random.uniform`.

    >>> image = tf.fill([2, 2, 3], 0.5)
    >>> bool(tf.reduce_all(abs(tf.image.random_brightness(image, 0.2) - 0.5) <= 0.2))
    True

    Raises:
        ValueError: max_delta is negative.
    """
    return _brightness(image, max_delta, anew(seed))


@dispatchable(elements=1)
def stateless_random_brightness(image: Any, max_delta: Any, seed: Any) -> Any:
    """`adjust_brightness` by a number in [-max_delta, max_delta) that `seed`, two integers,
    determines.

    image: real numbers of any shape; the result has this shape and dtype.

    >>> tf.image.stateless_random_brightness([0.5, 0.25], 0.2, seed=(1, 2)).numpy().round(3)
    array([0.638, 0.388], dtype=float32)

    Raises:
        ValueError: max_delta is negative.
        InvalidArgumentError: the seed has another shape than [2].
    """
    return _brightness(image, max_delta, by_seed(seed))


def _brightness(image: Any, max_delta: Any, draw: Draw) -> Any:
    _require_delta(max_delta)
    return adjust_brightness(image, draw([], -max_delta, max_delta))


@dispatchable
def random_contrast(image: Any, lower: Any, upper: Any, seed: int | None = None) -> Any:
    """`adjust_contrast` by a random factor in [lower, upper).

    image: real numbers [..., height, width, channels]; the result has this shape and dtype. seed:
    as in `tf.random.uniform`.

    >>> tf.image.random_contrast(tf.ones([2, 2, 3]), 0.2, 0.5).shape
    TensorShape([2, 2, 3])

    Raises:
        ValueError: lower is negative, or upper not larger.
    """
    return _contrast(image, lower, upper, anew(seed))


@dispatchable
def stateless_random_contrast(image: Any, lower: Any, upper: Any, seed: Any) -> Any:
    """`adjust_contrast` by a factor in [lower, upper) that `seed`, two integers, determines.

    image: real numbers [..., height, width, channels]; the result has this shape and dtype.

    >>> image = [[[1.0], [2.0], [3.0]]]
    >>> tf.image.stateless_random_contrast(image, 0.2, 0.5, seed=(1, 2))[0, :, 0].numpy().round(3)
    array([1.547, 2.   , 2.453], dtype=float32)

    Raises:
        ValueError: lower is negative, or upper not larger.
        InvalidArgumentError: the seed has another shape than [2].
    """
    return _contrast(image, lower, upper, by_seed(seed))


def _contrast(image: Any, lower: Any, upper: Any, draw: Draw) -> Any:
    _require_range(lower, upper)
    return adjust_contrast(image, draw([], lower, upper))


@dispatchable
def random_hue(image: Any, max_delta: Any, seed: int | None = None) -> Any:
    """`adjust_hue` by a random number in [-max_delta, max_delta).

    image: real numbers [..., 3]; the result has this shape and dtype. seed: as in
    `tf.random.uniform`.

    >>> tf.image.random_hue(tf.ones([2, 2, 3]), 0.2).shape
    TensorShape([2, 2, 3])

    Raises:
        ValueError: max_delta is negative, or more than half of the circle.
        InvalidArgumentError: there are not three channels.
    """
    return _hue(image, max_delta, anew(seed))


@dispatchable
def stateless_random_hue(image: Any, max_delta: Any, seed: Any) -> Any:
    """`adjust_hue` by a number in [-max_delta, max_delta) that `seed`, two integers, determines.

    image: real numbers [..., 3]; the result has this shape and dtype.

    >>> tf.image.stateless_random_hue([[[1.0, 0.0, 0.0]]], 0.2, seed=(1, 2)).numpy().round(3)
    array([[[1.   , 0.826, 0.   ]]], dtype=float32)

    Raises:
        ValueError: max_delta is negative, or more than half of the circle.
        InvalidArgumentError: there are not three channels; the seed has another shape than [2].
    """
    return _hue(image, max_delta, by_seed(seed))


def _hue(image: Any, max_delta: Any, draw: Draw) -> Any:
    _require_delta(max_delta, most=0.5)  # half of the circle
    return adjust_hue(image, draw([], -max_delta, max_delta))


@dispatchable
def random_saturation(image: Any, lower: Any, upper: Any, seed: int | None = None) -> Any:
    """`adjust_saturation` by a random factor in [lower, upper).

    image: real numbers [..., 3]; the result has this shape and dtype. seed: as in
    `tf.random.uniform`.

    >>> tf.image.random_saturation(tf.ones([2, 2, 3]), 0.2, 0.5).shape
    TensorShape([2, 2, 3])

    Raises:
        ValueError: lower is negative, or upper not larger.
        InvalidArgumentError: there are not three channels.
    """
    return _saturation(image, lower, upper, anew(seed))


@dispatchable
def stateless_random_saturation(image: Any, lower: Any, upper: Any, seed: Any = None) -> Any:
    """`adjust_saturation` by a factor in [lower, upper) that `seed`, two integers, determines.

    image: real numbers [..., 3]; the result has this shape and dtype.

    >>> image = [[[1.0, 0.5, 0.0]]]
    >>> tf.image.stateless_random_saturation(image, 0.5, 1.0, seed=(1, 2)).numpy().round(3)
    array([[[1.   , 0.539, 0.078]]], dtype=float32)

    Raises:
        ValueError: lower is negative, or upper not larger; there is no seed.
        InvalidArgumentError: there are not three channels; the seed has another shape than [2].
    """
    return _saturation(image, lower, upper, by_seed(seed))


def _saturation(image: Any, lower: Any, upper: Any, draw: Draw) -> Any:
    _require_range(lower, upper)
    return adjust_saturation(image, draw([], lower, upper))


def _require_delta(max_delta: Any, most: float = inf) -> None:
    if isinstance(max_delta, TensorLike):
        return
    if max_delta < 0:
        raise ValueError(f"max_delta must be non-negative, not {max_delta}")
    if max_delta > most:
        raise ValueError(f"max_delta must be <= {most}, not {max_delta}")


def _require_range(lower: Any, upper: Any) -> None:
    if isinstance(lower, TensorLike) or isinstance(upper, TensorLike):
        return
    if upper <= lower:
        raise ValueError(f"upper must be > lower: got {lower} to {upper}")
    if lower < 0:
        raise ValueError(f"lower must be non-negative, not {lower}")


# ---------------------------------------------------------------- mirrored


@dispatchable
def random_flip_left_right(image: Any, seed: int | None = None) -> Any:
    """Mirrored as by `flip_left_right`, or not: every image of a batch by a chance of its own.

    image: [height, width, channels], or a batch of these; the result is alike. seed: as in
    `tf.random.uniform`.

    >>> flipped = tf.image.random_flip_left_right([[[1], [2]]])
    >>> sorted(flipped.numpy().reshape(-1).tolist())
    [1, 2]

    Raises:
        ValueError: it is no image.
    """
    return _mirrored(image, COLUMNS, anew(seed))


@dispatchable
def stateless_random_flip_left_right(image: Any, seed: Any) -> Any:
    """Mirrored as by `flip_left_right`, or not, as `seed`, two integers, determines.

    image: [height, width, channels], or a batch of these, each with a chance of its own; the result
    is alike.

    >>> tf.image.stateless_random_flip_left_right([[[1], [2]]], seed=(3, 5)).numpy().tolist()
    [[[2], [1]]]

    Raises:
        ValueError: it is no image.
        InvalidArgumentError: the seed has another shape than [2].
    """
    return _mirrored(image, COLUMNS, by_seed(seed))


@dispatchable
def random_flip_up_down(image: Any, seed: int | None = None) -> Any:
    """Mirrored as by `flip_up_down`, or not: every image of a batch by a chance of its own.

    image: [height, width, channels], or a batch of these; the result is alike. seed: as in
    `tf.random.uniform`.

    >>> flipped = tf.image.random_flip_up_down([[[1]], [[2]]])
    >>> sorted(flipped.numpy().reshape(-1).tolist())
    [1, 2]

    Raises:
        ValueError: it is no image.
    """
    return _mirrored(image, ROWS, anew(seed))


@dispatchable
def stateless_random_flip_up_down(image: Any, seed: Any) -> Any:
    """Mirrored as by `flip_up_down`, or not, as `seed`, two integers, determines.

    image: [height, width, channels], or a batch of these, each with a chance of its own; the result
    is alike.

    >>> tf.image.stateless_random_flip_up_down([[[1]], [[2]]], seed=(3, 5)).numpy().tolist()
    [[[2]], [[1]]]

    Raises:
        ValueError: it is no image.
        InvalidArgumentError: the seed has another shape than [2].
    """
    return _mirrored(image, ROWS, by_seed(seed))


def _mirrored(image: Any, axis: int, draw: Draw) -> Any:
    """One image is mirrored by a number below a half, those of a batch by numbers above."""
    image = as_tensor(image)
    axes = image.shape.rank
    if axes is not None and axes < 3:
        raise ValueError(f"'image' (shape {image.shape}) must be at least three-dimensional.")
    if axes not in (None, 3, 4):
        raise ValueError(f"'image' (shape {image.shape}) must have either 3 or 4 dimensions.")
    if axes is None:
        is_one = logical_or(equal(rank(image), 3), equal(rank(image), 4))
        Assert(is_one, ["'image' must have either 3 or 4 dimensions."])
    chances = draw(shape_of(image)[:-3])
    turns = chances < 0.5 if axes == 3 else chances > 0.5
    if axes is None:
        turns = where(equal(rank(image), 3), chances < 0.5, turns)
    turns = reshape(turns, concat([shape_of(chances), [1, 1, 1]], 0))
    mirrored = where(turns, reverse(image, [axis]), image)
    mirrored.set_shape(image.shape)
    return mirrored


# ---------------------------------------------------------------- cut


@dispatchable
@composed("random_crop")
def random_crop(value: Any, size: Any, seed: int | None = None, name: str | None = None) -> Any:
    """A part of `value` of the shape `size`, from a random place.

    value: any shape and dtype. size: an int32 for each axis, all of it where it is that of `value`.
    seed: as in `tf.random.uniform`.

    >>> tf.image.random_crop(tf.reshape(tf.range(12), [3, 4, 1]), size=[2, 2, 1]).shape
    TensorShape([2, 2, 1])

    Raises:
        InvalidArgumentError: `value` is smaller, or has another number of axes.
    """
    return _cropped(value, size, anew(seed))


@dispatchable
@composed("random_crop")
def stateless_random_crop(value: Any, size: Any, seed: Any, name: str | None = None) -> Any:
    """A part of `value` of the shape `size`, from a place that `seed`, two integers, determines.

    value: any shape and dtype. size: an int32 for each axis, all of it where it is that of `value`.

    >>> image = tf.reshape(tf.range(12), [3, 4, 1])
    >>> tf.image.stateless_random_crop(image, size=[2, 2, 1], seed=(1, 2))[:, :, 0].numpy()
    array([[2, 3],
           [6, 7]], dtype=int32)

    Raises:
        InvalidArgumentError: `value` is smaller, or has another number of axes; the seed has
            another shape than [2].
    """
    return _cropped(value, size, by_seed(seed))


def _cropped(value: Any, size: Any, draw: Draw) -> Any:
    value, size = as_tensor(value), as_tensor(size, dtypes.int32)
    shape = shape_of(value)
    fits = reduce_all(greater_equal(shape, size))
    Assert(fits, ["Need value.shape >= size, got ", shape, size])
    limit = shape - size + 1
    offset = draw(shape_of(shape), 0, size.dtype.max, dtypes.int32) % limit
    return identity(slice(value, offset, size))

"""Functions of batches as TensorFlow 1 calls them: their moments, and blocks moved into them."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from ...core import dtypes
from ...ops.array.older_forms import ListDiff
from ...ops.bind import bind
from ...ops.composed import composed
from ...ops.control.flow import identity
from ...ops.conversion import as_tensor
from ...ops.math import counts, moments
from ...ops.math.cast import cast
from ...ops.nn import normalisation, space_to_depth
from .arguments import either, required

OthersAndPlaces = namedtuple("ListDiff", "out idx")


def space_to_batch(
    input: Any,
    paddings: Any,
    block_size: Any = None,
    name: str | None = None,
    block_shape: Any = None,
) -> Any:
    """Blocks of two spatial axes moved into the batch (`tf.space_to_batch`).

    >>> tf.compat.v1.space_to_batch(tf.ones([1, 2, 2, 1]), [[0, 0], [0, 0]], 2).shape
    TensorShape([4, 1, 1, 1])

    Raises:
        ValueError: an argument is given under both of its names.
        ShapeMismatchError: a block does not divide its axis.
    """
    block = required("block_shape", either("block_shape", block_shape, "block_size", block_size))
    return space_to_depth.space_to_batch(input, _of_two_axes(block), paddings, name)


def batch_to_space(
    input: Any,
    crops: Any,
    block_size: Any,
    name: str | None = None,
    block_shape: Any = None,
) -> Any:
    """The inverse of `space_to_batch`; `crops` are taken off the two spatial axes.

    >>> tf.compat.v1.batch_to_space(tf.ones([4, 1, 1, 1]), [[0, 0], [0, 0]], 2).shape
    TensorShape([1, 2, 2, 1])

    Raises:
        ValueError: an argument is given under both of its names.
        ShapeMismatchError: the blocks do not divide the batch, or more is cropped than there is.
    """
    block = either("block_shape", block_shape, "block_size", block_size)
    return space_to_depth.batch_to_space(input, _of_two_axes(block), crops, name)


def _of_two_axes(block: Any) -> Any:
    return [block, block] if isinstance(block, int) else block


def batch_to_space_nd(input: Any, block_shape: Any, crops: Any, name: str | None = None) -> Any:
    """Blocks moved from the batch into spatial axes (`tf.batch_to_space`).

    >>> tf.compat.v1.batch_to_space_nd([[1, 3], [2, 4]], [2], [[0, 0]]).numpy()
    array([[1, 2, 3, 4]], dtype=int32)

    Raises:
        ShapeMismatchError: the blocks do not divide the batch, or more is cropped than there is.
    """
    return space_to_depth.batch_to_space(input, block_shape, crops, name)


def sufficient_statistics(
    x: Any,
    axes: Any,
    shift: Any = None,
    keep_dims: bool | None = None,
    name: str | None = None,
    keepdims: bool | None = None,
) -> Any:
    """Count, sum, sum of squares along `axes`, and `shift` (`tf.nn.sufficient_statistics`).

    >>> count, sums, *_ = tf.compat.v1.nn.sufficient_statistics([[1.0, 2.0], [3.0, 4.0]], [0])
    >>> float(count), sums.numpy()
    (2.0, array([4., 6.], dtype=float32))

    Raises:
        ValueError: an argument is given under both of its names.
    """
    kept = bool(either("keepdims", keepdims, "keep_dims", keep_dims))
    return normalisation.sufficient_statistics(x, axes, shift, kept, name)


def weighted_moments(
    x: Any,
    axes: Any,
    frequency_weights: Any,
    name: str | None = None,
    keep_dims: bool | None = None,
    keepdims: bool | None = None,
) -> Any:
    """Mean and variance along `axes`, each element weighed (`tf.nn.weighted_moments`).

    >>> mean, variance = tf.compat.v1.nn.weighted_moments([1.0, 5.0], [0], [3, 1])
    >>> float(mean), float(variance)
    (2.0, 3.0)

    Raises:
        ValueError: an argument is given under both of its names.
    """
    kept = bool(either("keepdims", keepdims, "keep_dims", keep_dims))
    return normalisation.weighted_moments(x, axes, frequency_weights, kept, name)


def batch_norm_with_global_normalization(
    t: Any = None,
    m: Any = None,
    v: Any = None,
    beta: Any = None,
    gamma: Any = None,
    variance_epsilon: Any = None,
    scale_after_normalization: bool | None = None,
    name: str | None = None,
    input: Any = None,
    mean: Any = None,
    variance: Any = None,
) -> Any:
    """`tf.nn.batch_norm_with_global_normalization`.

    >>> x, mean, variance = tf.constant([[1.0], [3.0]]), tf.constant([2.0]), tf.constant([1.0])
    >>> tf.compat.v1.nn.batch_norm_with_global_normalization(
    ...     x, mean, variance, tf.zeros([1]), None, 0.0, False).numpy()
    array([[-1.],
           [ 1.]], dtype=float32)

    Raises:
        ValueError: an argument is given under both of its names.
    """
    given = either("input", input, "t", t)
    mean, variance = either("mean", mean, "m", m), either("variance", variance, "v", v)
    return moments.batch_norm_with_global_normalization(
        given, mean, variance, beta, gamma, variance_epsilon, bool(scale_after_normalization), name
    )


def bincount(
    arr: Any,
    weights: Any = None,
    minlength: Any = None,
    maxlength: Any = None,
    dtype: Any = dtypes.int32,
) -> Any:
    """How often each number is in `arr`, a vector (`tf.math.bincount`).

    >>> tf.compat.v1.bincount([1, 1, 3], minlength=5).numpy()
    array([0, 2, 0, 1, 0], dtype=int32)

    Raises:
        InvalidArgumentError: a number is below 0.
    """
    return counts.bincount(arr, weights, minlength, maxlength, dtype)


def floor_div(x: Any, y: Any, name: str | None = None) -> Any:
    """x / y rounded down, of one dtype; shapes broadcast.

    >>> tf.compat.v1.floor_div([7, -7], [2, 2]).numpy()
    array([ 3, -4], dtype=int32)

    Raises:
        InvalidArgumentError: an integer is divided by zero.
    """
    from ...ops.math.division import floordiv

    return floordiv(x, y, name)


@composed("clip_by_average_norm", names_result=True)
def clip_by_average_norm(t: Any, clip_norm: Any, name: str | None = None) -> Any:
    """`t`, scaled down so that its L2 norm by its number of elements is `clip_norm` at most.

    >>> tf.compat.v1.clip_by_average_norm([3.0, 4.0], 1.0).numpy()
    array([1.2, 1.6], dtype=float32)

    Raises:
        DTypeMismatchError: `t` are not floats, or `clip_norm` is of another dtype.
        ShapeMismatchError: the shapes do not broadcast.
    """
    from ...ops.array.fill import ones_like
    from ...ops.array.shapes import size
    from ...ops.math.arithmetic import minimum
    from ...ops.math.elementwise import rsqrt
    from ...ops.math.reduce import reduce_sum

    t = as_tensor(t)
    count = cast(size(t), t.dtype)
    inverse = rsqrt(reduce_sum(t * t, keepdims=True))
    limit = as_tensor(clip_norm, t.dtype)
    return identity(t * limit * minimum(inverse * count, ones_like(limit) / limit), name=name)


def setdiff1d(x: Any, y: Any, index_dtype: Any = dtypes.int32, name: str | None = None) -> Any:
    """The elements of the vector x that are not in y, in order, and where they are: (out, idx).

    >>> out, idx = tf.compat.v1.setdiff1d([1, 2, 3, 4], [2, 4])
    >>> out.numpy(), idx.numpy()
    (array([1, 3], dtype=int32), array([0, 2], dtype=int32))

    Raises:
        InvalidArgumentError: `x` or `y` is no vector.
        DTypeMismatchError: their dtypes differ, or `index_dtype` is neither int32 nor int64.
    """
    kind = None if index_dtype is None else dtypes.as_dtype(index_dtype)
    found = bind(ListDiff, x, y, out_idx=kind, name=name)
    return OthersAndPlaces(*found)

"""The functions that convolve: numbers for strides, any number of batch axes, transposed ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core import dtypes
from ...core.values import TensorLike
from ...errors import ShapeMismatchError
from ..array.concatenation import concat
from ..array.shapes import as_shape_tensor, expand_dims, reshape, shape_of, squeeze
from ..bind import as_kind, bind
from ..composed import composed
from ..control.flow import identity
from ..conversion import as_tensor, as_tensors, static_value
from ..dispatch.meanings import dispatchable
from .convolution import Conv2D, Conv2DBackpropInput, Conv3D, Conv3DBackpropInputV2
from .depthwise_convolution import DepthwiseConv2dNative

if TYPE_CHECKING:
    from ..results import Tensor

FORMATS = {1: ("NWC", "NCW"), 2: ("NHWC", "NCHW"), 3: ("NDHWC", "NCDHW")}


def numbers(value: Any, spatial: int, name: str, channels_first: bool = False) -> tuple[int, ...]:
    """Strides or dilations of all axes, from one number, one per spatial axis, or all of them.

    Raises:
        ValueError: the list has another length.
        TypeError: only a run knows them, or they are no numbers.
    """
    given = [1] if value is None else value
    if isinstance(given, TensorLike):
        known = static_value(given)
        if known is None:
            raise TypeError(f"{name} must be numbers that tracing knows. Received: {name}={value}")
        given = known.tolist()
    listed = list(given) if isinstance(given, (list, tuple, np.ndarray)) else [given]
    if len(listed) == spatial + 2:
        return tuple(as_kind(int, one, name) for one in listed)
    if len(listed) == 1:
        listed = listed * spatial
    if len(listed) != spatial:
        lengths = f"1, {spatial} or {spatial + 2}" if spatial > 1 else f"1 or {spatial + 2}"
        raise ValueError(
            f"{name} should be of length {lengths}. Received: {name}={value} of length "
            f"{len(listed)}"
        )
    spread = [as_kind(int, one, name) for one in listed]
    return (1, 1, *spread) if channels_first else (1, *spread, 1)


def as_word(given: Any) -> Any:
    """A word as text: messages of graphs have bytes. What is no word stays."""
    return given.decode() if isinstance(given, bytes) else given


def padding_of(padding: Any, rank: int) -> dict[str, Any]:
    """The attributes that say how much padding there is, from a word or a list of pairs.

    Raises:
        ValueError: the list has not one pair for every axis.
    """
    padding = as_word(padding)
    if isinstance(padding, str):
        return {"padding": padding}
    if len(padding) != rank:
        raise ValueError(
            f"explicit padding is of size {rank}, a pair for each axis: {padding} is of size "
            f"{len(padding)}"
        )
    if any(len(pair) != 2 for pair in padding):
        raise ValueError(f"explicit padding has pairs, before and after, for each axis: {padding}")
    explicit = tuple(int(one) for pair in padding for one in pair)
    return {"padding": "EXPLICIT", "explicit_paddings": explicit}


def in_one_batch(x: Any, spatial: int, apply: Callable[[Any], Any]) -> Any:
    """`apply` with all leading axes joined to one, and divided again afterwards."""
    rank = x.shape.rank
    if rank is None or rank <= spatial + 2:
        return apply(x)
    extra = rank - spatial - 1
    shape = shape_of(x)
    y = apply(reshape(x, concat([[-1], shape[extra:]], 0)))
    return reshape(y, concat([shape[:extra], shape_of(y)[1:]], 0))


def _is_channels_first(data_format: str | bytes | None, spatial: int) -> bool:
    allowed = FORMATS[spatial]
    data_format = as_word(data_format)
    if data_format is not None and data_format not in allowed:
        raise ShapeMismatchError(
            f"Value for attr 'data_format' of \"{data_format}\" is not in the list of allowed "
            f'values: "{allowed[0]}", "{allowed[1]}"'
        )
    return data_format == allowed[1]


# ---------------------------------------------------------------- forward


@dispatchable
def conv2d(
    input: Any,
    filters: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """`input` convolved with `filters`: each element is the sum of a window times a filter.

    Filters are not turned over: it is a correlation.

    Args:
        input: floats or int32 [*batch, height, width, channels] (or as `data_format` says).
        filters: [height, width, channels / groups, outputs], of the same dtype.
        strides, dilations: a number, or one per spatial axis, or per axis.
        padding: "SAME" (height / stride, rounded up), "VALID" (whole windows only) or a pair
            (before, after) for every axis.

    Returns:
        [*batch, new height, new width, outputs].

    >>> x = tf.reshape(tf.range(9.0), [1, 3, 3, 1])
    >>> tf.nn.conv2d(x, tf.ones([2, 2, 1, 1]), strides=1, padding="VALID")[0, :, :, 0].numpy()
    array([[ 8., 12.],
           [20., 24.]], dtype=float32)

    Raises:
        ShapeMismatchError: shapes or attributes do not go together.
        ValueError: a list of strides, dilations or paddings has the wrong length.
        InvalidArgumentError: an unknown padding.
    """
    first = _is_channels_first(data_format, 2)
    x, filters = as_tensors(input, filters)
    attrs = {
        "strides": numbers(strides, 2, "strides", first),
        "dilations": numbers(dilations, 2, "dilations", first),
        "data_format": data_format,
        **padding_of(padding, 4),
    }
    return in_one_batch(x, 2, lambda one: bind(Conv2D, one, filters, name=name, **attrs))


@dispatchable
@composed("conv1d")
def conv1d(
    input: Any,
    filters: Any,
    stride: Any,
    padding: Any,
    data_format: str = "NWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """`input` convolved with `filters` along its one spatial axis; as `conv2d` otherwise.

    input: floats or int32 [*batch, width, channels] ([*batch, channels, width] with "NCW").
    filters: [width, channels / groups, outputs]. The result has the shape [*batch, new width,
    outputs].

    >>> x = tf.reshape([1.0, 2.0, 3.0, 4.0], [1, 4, 1])
    >>> filters = tf.reshape([1.0, 10.0], [2, 1, 1])
    >>> tf.nn.conv1d(x, filters, stride=1, padding="VALID")[0, :, 0].numpy()
    array([21., 32., 43.], dtype=float32)

    Raises:
        ShapeMismatchError: shapes or attributes do not go together.
        ValueError: a list of strides, dilations or paddings has the wrong length.
    """
    first = _is_channels_first(data_format, 1)
    x, filters = as_tensors(input, filters)
    steps, rates = numbers(stride, 1, "stride", first), numbers(dilations, 1, "dilations", first)
    axis, insert = (-2, 2) if first else (-3, 1)
    attrs = {
        "strides": (*steps[:insert], 1, *steps[insert:]),
        "dilations": (*rates[:insert], 1, *rates[insert:]),
        "data_format": "NCHW" if first else "NHWC",
    }
    if isinstance(padding, str):
        attrs |= padding_of(padding, 3)
    else:
        attrs |= padding_of([*padding[:insert], [0, 0], *padding[insert:]], 4)
    kernel = expand_dims(filters, 0)

    def apply(one: Any) -> Any:
        return squeeze(bind(Conv2D, expand_dims(one, axis), kernel, name=name, **attrs), [axis])

    return in_one_batch(x, 1, apply)


@dispatchable
def conv3d(
    input: Any,
    filters: Any,
    strides: Any,
    padding: str,
    data_format: str = "NDHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """`input` convolved with `filters` along its three spatial axes; as `conv2d` otherwise.

    input: floats [*batch, depth, height, width, channels] (or as `data_format` says). filters:
    [depth, height, width, channels / groups, outputs]. padding: "SAME" or "VALID". The result has
    the shape [*batch, new depth, new height, new width, outputs].

    >>> x, filters = tf.ones([1, 4, 4, 4, 2]), tf.ones([3, 3, 3, 2, 8])
    >>> y = tf.nn.conv3d(x, filters, strides=[1, 1, 1, 1, 1], padding="VALID")
    >>> y.shape, float(y[0, 0, 0, 0, 0])
    (TensorShape([1, 2, 2, 2, 8]), 54.0)

    Raises:
        ShapeMismatchError: shapes or attributes do not go together.
        ValueError: a list of strides or dilations has the wrong length.
    """
    first = _is_channels_first(data_format, 3)
    x, filters = as_tensors(input, filters)
    attrs = {
        "strides": numbers(strides, 3, "strides", first),
        "dilations": numbers(dilations, 3, "dilations", first),
        "data_format": data_format,
        "padding": padding,
    }
    return in_one_batch(x, 3, lambda one: bind(Conv3D, one, filters, name=name, **attrs))


@dispatchable
def convolution(
    input: Any,
    filters: Any,
    strides: Any = None,
    padding: Any = "VALID",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """`conv1d`, `conv2d` or `conv3d`: `filters` has as many spatial axes as are convolved.

    input: floats [*batch, *spatial, channels] (or as `data_format` says). filters: [*kernel,
    channels / groups, outputs]. strides, dilations: 1 by default. padding: "SAME", "VALID" or (but
    in three spatial axes) pairs. The result has the shape [*batch, *new spatial, outputs].

    >>> x = tf.reshape([1.0, 2.0, 3.0, 4.0], [1, 4, 1])
    >>> tf.nn.convolution(x, tf.ones([2, 1, 1]), dilations=2)[0, :, 0].numpy()
    array([4., 6.], dtype=float32)

    Raises:
        ValueError: the filter's rank is not 3, 4 or 5, or both strides and dilations are above 1.
        ShapeMismatchError: shapes or attributes do not go together.
    """
    filters = as_tensor(filters)
    spatial = _spatial_axes(filters, "filters")
    form = data_format or FORMATS[spatial][0]
    call = {1: conv1d, 2: conv2d, 3: conv3d}[spatial]
    steps = 1 if strides is None else strides
    both = (numbers(one, spatial, "strides") for one in (steps, dilations))
    if all(any(number > 1 for number in one) for one in both):
        raise ValueError(
            f"strides {strides} are not taken in conjunction with dilations {dilations}: one of "
            "them has to be 1"
        )
    return call(input, filters, steps, padding, form, dilations, name)


def _spatial_axes(filters: Any, what: str) -> int:
    rank = filters.shape.rank
    if rank is None or not 3 <= rank <= 5:
        raise ValueError(
            f"`num_spatial_dims` must be 1, 2, or 3: the rank of {what} must be 3, 4 or 5, not "
            f"{rank}"
        )
    return rank - 2


@dispatchable
def depthwise_conv2d(
    input: Any,
    filter: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """Every channel convolved with filters of its own, `multiplier` of them.

    input: floats [n, height, width, channels] (or as `data_format` says). filter: [height, width,
    channels, multiplier]. strides, padding, dilations: as of `conv2d`. The result has the shape
    [n, new height, new width, channels * multiplier], all of the first channel first.

    >>> x = tf.reshape([1.0, 10.0], [1, 1, 1, 2])
    >>> filter = tf.reshape([1.0, 2.0, 3.0, 4.0], [1, 1, 2, 2])
    >>> tf.nn.depthwise_conv2d(x, filter, strides=[1, 1, 1, 1], padding="SAME").numpy()
    array([[[[ 1.,  2., 30., 40.]]]], dtype=float32)

    Raises:
        ShapeMismatchError: shapes or attributes do not go together.
        ValueError: a list of strides, dilations or paddings has the wrong length.
    """
    form = data_format or "NHWC"
    first = _is_channels_first(form, 2)
    x, filter = as_tensors(input, filter)
    attrs = {
        "strides": numbers(strides, 2, "strides", first),
        "dilations": numbers(dilations, 2, "dilations", first),
        "data_format": form,
        **padding_of(padding, 4),
    }
    return bind(DepthwiseConv2dNative, x, filter, name=name, **attrs)


@dispatchable
def separable_conv2d(
    input: Any,
    depthwise_filter: Any,
    pointwise_filter: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """`depthwise_conv2d`, then a convolution with `pointwise_filter`, which mixes the channels.

    input: floats [n, height, width, channels] (or as `data_format` says). depthwise_filter:
    [height, width, channels, multiplier]. pointwise_filter: [1, 1, channels * multiplier, outputs].
    strides, padding, dilations: of the first, as of `conv2d`. The result is [n, new height, new
    width, outputs].

    >>> x = tf.reshape([1.0, 2.0], [1, 1, 1, 2])
    >>> depthwise, pointwise = tf.reshape([1.0, 10.0], [1, 1, 2, 1]), tf.ones([1, 1, 2, 1])
    >>> tf.nn.separable_conv2d(x, depthwise, pointwise, [1, 1, 1, 1], "SAME").numpy()
    array([[[[21.]]]], dtype=float32)

    Raises:
        ValueError: the pointwise filter is larger than one element.
        ShapeMismatchError: shapes or attributes do not go together.
    """
    form = data_format or "NHWC"
    pointwise_filter = as_tensor(pointwise_filter)
    kernel = pointwise_filter.shape.entries
    if kernel is not None and any(size not in (1, None) for size in kernel[:2]):
        raise ValueError(f"pointwise_filter must be of shape [1, 1, ...]: {pointwise_filter.shape}")
    seen = depthwise_conv2d(input, depthwise_filter, strides, padding, form, dilations)
    return conv2d(seen, pointwise_filter, 1, "VALID", form, name=name)


@dispatchable
def atrous_conv2d(
    value: Any, filters: Any, rate: int, padding: Any, name: str | None = None
) -> Any:
    """`conv2d` with strides of 1 and dilations of `rate`: the filter sees every `rate`-th element.

    value: floats [*batch, height, width, channels]. filters: [height, width, channels, outputs].
    padding: as of `conv2d`. The result is [*batch, new height, new width, outputs].

    >>> x = tf.reshape(tf.range(5.0), [1, 1, 5, 1])
    >>> tf.nn.atrous_conv2d(x, tf.ones([1, 2, 1, 1]), rate=3, padding="VALID")[0, 0, :, 0].numpy()
    array([3., 5.], dtype=float32)

    Raises:
        ValueError: `rate` is below 1.
        ShapeMismatchError: shapes or attributes do not go together.
    """
    return conv2d(value, filters, 1, padding, dilations=_rate(rate), name=name)


def _rate(rate: int) -> int:
    if rate < 1:
        raise ValueError(f"`rate` must be greater than 1: Received rate={rate}")
    return rate


# ---------------------------------------------------------------- transposed


@dispatchable
def conv2d_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: str = "NHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """The transpose of `conv2d`: the gradient with respect to its input.

    Args:
        input: floats [n, height, width, channels] (or as `data_format` says).
        filters: [height, width, outputs, channels].
        output_shape: of the result, an integer vector [n, new height, new width, outputs]: with
            strides several shapes are possible.
        strides, padding, dilations: those of the `conv2d` from `output_shape` to `input`.

    >>> x, filters = tf.reshape([1.0, 2.0], [1, 1, 2, 1]), tf.ones([1, 3, 1, 1])
    >>> y = tf.nn.conv2d_transpose(x, filters, [1, 1, 5, 1], strides=2, padding="VALID")
    >>> y[0, 0, :, 0].numpy()
    array([1., 1., 3., 2., 2.], dtype=float32)

    Raises:
        ShapeMismatchError: shapes or attributes do not go together.
        ValueError: a list of strides, dilations or paddings has the wrong length.
    """
    first = _is_channels_first(data_format, 2)
    x, filters = as_tensors(input, filters)
    attrs = {
        "strides": numbers(strides, 2, "strides", first),
        "dilations": numbers(dilations, 2, "dilations", first),
        "data_format": data_format,
        **padding_of(padding, 4),
    }
    sizes = _sizes(output_shape)
    return bind(Conv2DBackpropInput, sizes, filters, x, name=name, **attrs)


def _sizes(output_shape: Any) -> Any:
    if isinstance(output_shape, np.ndarray):  # whose integers are longer than they need to be
        return as_tensor(output_shape, dtypes.int32)
    return as_shape_tensor(output_shape)


@dispatchable
def conv1d_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: str = "SAME",
    data_format: str = "NWC",
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """The transpose of `conv1d`: the gradient with respect to its input.

    input: floats [n, width, channels] (or as `data_format` says). filters: [width, outputs,
    channels]. output_shape: an integer vector [n, new width, outputs]. strides, padding, dilations:
    those of the `conv1d` from `output_shape` to `input`.

    >>> x = tf.reshape([1.0, 2.0], [1, 2, 1])
    >>> y = tf.nn.conv1d_transpose(x, tf.ones([3, 1, 1]), [1, 5, 1], strides=2, padding="VALID")
    >>> y[0, :, 0].numpy()
    array([1., 1., 3., 2., 2.], dtype=float32)

    Raises:
        ShapeMismatchError: shapes or attributes do not go together.
        ValueError: a list of strides or dilations has the wrong length.
    """
    first = _is_channels_first(data_format, 1)
    x, filters = as_tensors(input, filters)
    steps, rates = numbers(strides, 1, "strides", first), numbers(dilations, 1, "dilations", first)
    axis = 2 if first else 1
    sizes = _sizes(output_shape)
    wide = conv2d_transpose(
        expand_dims(x, axis),
        expand_dims(filters, 0),
        concat([sizes[:axis], [1], sizes[axis:]], 0),
        (*steps[:axis], 1, *steps[axis:]),
        padding,
        "NCHW" if first else "NHWC",
        (*rates[:axis], 1, *rates[axis:]),
    )
    return squeeze(wide, [axis], name=name)


@dispatchable
def conv3d_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: str = "SAME",
    data_format: str = "NDHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """The transpose of `conv3d`: the gradient with respect to its input.

    input: floats [n, depth, height, width, channels] (or as `data_format` says). filters: [depth,
    height, width, outputs, channels]. output_shape: an integer vector, the shape of the result.
    strides, padding ("SAME" or "VALID"), dilations: those of the `conv3d` from `output_shape` to
    `input`.

    >>> x, filters = tf.ones([1, 2, 2, 2, 3]), tf.ones([2, 2, 2, 1, 3])
    >>> y = tf.nn.conv3d_transpose(x, filters, [1, 4, 4, 4, 1], strides=2)
    >>> y.shape, float(tf.reduce_max(y))
    (TensorShape([1, 4, 4, 4, 1]), 3.0)

    Raises:
        ShapeMismatchError: shapes or attributes do not go together.
        ValueError: a list of strides or dilations has the wrong length.
    """
    first = _is_channels_first(data_format, 3)
    x, filters = as_tensors(input, filters)
    attrs = {
        "strides": numbers(strides, 3, "strides", first),
        "dilations": numbers(dilations, 3, "dilations", first),
        "data_format": data_format,
        "padding": padding,
    }
    return bind(Conv3DBackpropInputV2, _sizes(output_shape), filters, x, name=name, **attrs)


@dispatchable
def conv_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: str = "SAME",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """`conv1d_transpose`, `conv2d_transpose` or `conv3d_transpose`, by the rank of `filters`.

    input: floats [n, *spatial, channels] (or as `data_format` says). filters: [*kernel, outputs,
    channels]. output_shape: an integer vector [n, *new spatial, outputs].

    >>> x = tf.reshape([1.0, 2.0], [1, 2, 1])
    >>> tf.nn.conv_transpose(x, tf.ones([2, 1, 1]), [1, 4, 1], strides=2)[0, :, 0].numpy()
    array([1., 1., 2., 2.], dtype=float32)

    Raises:
        ValueError: the filter's rank is not 3, 4 or 5.
        ShapeMismatchError: shapes or attributes do not go together.
    """
    filters = as_tensor(filters)
    spatial = _spatial_axes(filters, "filters")
    call = {1: conv1d_transpose, 2: conv2d_transpose, 3: conv3d_transpose}[spatial]
    form = data_format or FORMATS[spatial][0]
    return call(input, filters, output_shape, strides, padding, form, dilations, name)


@dispatchable
def atrous_conv2d_transpose(
    value: Any, filters: Any, output_shape: Any, rate: int, padding: Any, name: str | None = None
) -> Any:
    """The transpose of `atrous_conv2d`: the gradient with respect to its input.

    value: floats [n, height, width, channels]. filters: [height, width, outputs, channels].
    output_shape: an integer vector [n, new height, new width, outputs].

    >>> x, filters = tf.reshape([1.0, 2.0], [1, 1, 2, 1]), tf.ones([1, 2, 1, 1])
    >>> y = tf.nn.atrous_conv2d_transpose(x, filters, [1, 1, 5, 1], rate=3, padding="VALID")
    >>> y[0, 0, :, 0].numpy()
    array([1., 2., 0., 1., 2.], dtype=float32)

    Raises:
        ValueError: `rate` is below 1.
        ShapeMismatchError: shapes or attributes do not go together.
    """
    rates: Sequence[int] = (1, _rate(rate), rate, 1)
    y = conv2d_transpose(value, filters, output_shape, 1, padding, dilations=rates)
    return identity(y, name=name)

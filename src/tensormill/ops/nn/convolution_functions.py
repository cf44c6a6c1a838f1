"""The functions that convolve: numbers for strides, any number of batch axes, transposed ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...core.process.tracebacks import shallow
from ...core.values import TensorLike
from ...errors import ShapeMismatchError
from ..array.concatenation import concat
from ..array.shapes import expand_dims, reshape, shape_of, squeeze
from ..bind import bind
from ..control.flow import identity
from ..conversion import as_tensor, as_tensors, static_value
from .convolution import Conv2D, Conv2DBackpropInput, Conv3D, Conv3DBackpropInputV2
from .depthwise_convolution import DepthwiseConv2dNative

FORMATS = {1: ("NWC", "NCW"), 2: ("NHWC", "NCHW"), 3: ("NDHWC", "NCDHW")}


def numbers(value: Any, spatial: int, name: str, channels_first: bool = False) -> tuple[int, ...]:
    """Strides or dilations of all axes, from one number, one per spatial axis, or all of them.

    Raises:
        ValueError: the list has another length.
    """
    given = [1] if value is None else value
    if isinstance(given, TensorLike):
        given = static_value(given).tolist()  # type: ignore[union-attr]
    listed = list(given) if isinstance(given, (list, tuple)) else [given]
    if len(listed) == spatial + 2:
        return tuple(int(one) for one in listed)
    if len(listed) == 1:
        listed = listed * spatial
    if len(listed) != spatial:
        lengths = f"1, {spatial} or {spatial + 2}" if spatial > 1 else f"1 or {spatial + 2}"
        raise ValueError(
            f"{name} should be of length {lengths}. Received: {name}={value} of length "
            f"{len(listed)}"
        )
    spread = [int(one) for one in listed]
    return (1, 1, *spread) if channels_first else (1, *spread, 1)


def padding_of(padding: Any, rank: int) -> dict[str, Any]:
    """The attributes that say how much padding there is, from a word or a list of pairs.

    Raises:
        ValueError: the list has not one pair for every axis.
    """
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


def _is_channels_first(data_format: str | None, spatial: int) -> bool:
    allowed = FORMATS[spatial]
    if data_format is not None and data_format not in allowed:
        raise ShapeMismatchError(
            f"Value for attr 'data_format' of \"{data_format}\" is not in the list of allowed "
            f'values: "{allowed[0]}", "{allowed[1]}"'
        )
    return data_format == allowed[1]


# ---------------------------------------------------------------- forward


@shallow
def conv2d(
    input: Any,
    filters: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """`input` convolved with `filters`.

    Args:
        input: [*batch, height, width, channels] (or as `data_format` says).
        filters: [height, width, channels / groups, filters].
        strides, dilations: a number, or one per spatial axis, or per axis.
        padding: "SAME", "VALID" or a pair (before, after) for every axis.

    Raises:
        ShapeMismatchError: shapes or attributes do not go together.
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


@shallow
def conv1d(
    input: Any,
    filters: Any,
    stride: Any,
    padding: Any,
    data_format: str = "NWC",
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """`input` [*batch, width, channels] convolved with `filters` [width, channels, filters]."""
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


@shallow
def conv3d(
    input: Any,
    filters: Any,
    strides: Any,
    padding: str,
    data_format: str = "NDHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """`input` [*batch, depth, height, width, channels] convolved with `filters` of rank 5."""
    first = _is_channels_first(data_format, 3)
    x, filters = as_tensors(input, filters)
    attrs = {
        "strides": numbers(strides, 3, "strides", first),
        "dilations": numbers(dilations, 3, "dilations", first),
        "data_format": data_format,
        "padding": padding,
    }
    return in_one_batch(x, 3, lambda one: bind(Conv3D, one, filters, name=name, **attrs))


@shallow
def convolution(
    input: Any,
    filters: Any,
    strides: Any = None,
    padding: Any = "VALID",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """`input` convolved with `filters` [*kernel, channels / groups, filters]: one, two or three
    spatial axes.

    Raises:
        ValueError: the filter's rank is not 3, 4 or 5, or both strides and dilations are above 1.
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


@shallow
def depthwise_conv2d(
    input: Any,
    filter: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """Every channel convolved with filters of its own.

    Args:
        input: [n, height, width, channels]; filter: [height, width, channels, multiplier].

    Returns:
        [n, height, width, channels * multiplier].
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


@shallow
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
    """`depthwise_conv2d`, then a convolution with `pointwise_filter` [1, 1, channels, filters].

    Raises:
        ValueError: the pointwise filter is larger than one element.
    """
    form = data_format or "NHWC"
    pointwise_filter = as_tensor(pointwise_filter)
    kernel = pointwise_filter.shape.dims
    if kernel is not None and any(size not in (1, None) for size in kernel[:2]):
        raise ValueError(f"pointwise_filter must be of shape [1, 1, ...]: {pointwise_filter.shape}")
    seen = depthwise_conv2d(input, depthwise_filter, strides, padding, form, dilations)
    return conv2d(seen, pointwise_filter, 1, "VALID", form, name=name)


@shallow
def atrous_conv2d(
    value: Any, filters: Any, rate: int, padding: Any, name: str | None = None
) -> Any:
    """`conv2d` with dilations of `rate`."""
    return conv2d(value, filters, 1, padding, dilations=_rate(rate), name=name)


def _rate(rate: int) -> int:
    if rate < 1:
        raise ValueError(f"`rate` must be greater than 1: Received rate={rate}")
    return rate


# ---------------------------------------------------------------- transposed


@shallow
def conv2d_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: str = "NHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """The transpose of `conv2d`: the gradient with respect to its input.

    Args:
        input: [n, height, width, channels]; filters: [height, width, outputs, channels].
        output_shape: of the result, an integer vector.
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
    from ..array.fill import as_shape_tensor

    return as_shape_tensor(output_shape)


@shallow
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
    """The transpose of `conv1d`; filters: [width, outputs, channels]."""
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


@shallow
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
    """The transpose of `conv3d`; filters: [depth, height, width, outputs, channels]."""
    first = _is_channels_first(data_format, 3)
    x, filters = as_tensors(input, filters)
    attrs = {
        "strides": numbers(strides, 3, "strides", first),
        "dilations": numbers(dilations, 3, "dilations", first),
        "data_format": data_format,
        "padding": padding,
    }
    return bind(Conv3DBackpropInputV2, _sizes(output_shape), filters, x, name=name, **attrs)


@shallow
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
    """The transpose of `convolution`: one, two or three spatial axes."""
    filters = as_tensor(filters)
    spatial = _spatial_axes(filters, "filters")
    call = {1: conv1d_transpose, 2: conv2d_transpose, 3: conv3d_transpose}[spatial]
    form = data_format or FORMATS[spatial][0]
    return call(input, filters, output_shape, strides, padding, form, dilations, name)


@shallow
def atrous_conv2d_transpose(
    value: Any, filters: Any, output_shape: Any, rate: int, padding: Any, name: str | None = None
) -> Any:
    """The transpose of `atrous_conv2d`."""
    rates: Sequence[int] = (1, _rate(rate), rate, 1)
    y = conv2d_transpose(value, filters, output_shape, 1, padding, dilations=rates)
    return identity(y, name=name)

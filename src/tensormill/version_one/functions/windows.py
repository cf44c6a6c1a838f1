"""Poolings, convolutions and dilations of TensorFlow 1 that take their arguments otherwise."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...ops.bind import bind
from ...ops.nn import convolution, depthwise_convolution, fractional_pooling, morphology
from ...ops.nn import (
    convolution_functions as convolutions,
)  # fmt: skip
from ...ops.nn import (
    pooling_functions as pooling,
)
from ...ops.op import as_float32
from .arguments import either, required


def pool(
    input: Any,
    window_shape: Any,
    pooling_type: str,
    padding: Any,
    dilation_rate: Any = None,
    strides: Any = None,
    name: str | None = None,
    data_format: str | None = None,
    dilations: Any = None,
) -> Any:
    """`max_pool` or `avg_pool`, as `pooling_type` ("MAX", "AVG") says (`tf.nn.pool`).

    >>> x = tf.reshape([1.0, 5.0, 2.0, 4.0], [1, 4, 1])
    >>> tf.compat.v1.nn.pool(x, [2], "MAX", "VALID", [2])[0, :, 0].numpy()
    array([2., 5.], dtype=float32)

    Raises:
        ValueError: an unknown type, dilations with strides, or two names for one argument.
        ShapeMismatchError: shapes or attributes do not go together.
    """
    rates = either("dilations", dilations, "dilation_rate", dilation_rate)
    return pooling.pool(
        input, window_shape, pooling_type, strides, padding, data_format, rates, name
    )


def max_pool_with_argmax(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str = "NHWC",
    Targmax: Any = None,
    name: str | None = None,
    output_dtype: Any = None,
    include_batch_in_index: bool = False,
) -> Any:
    """The largest element of every window, and where it is (`tf.nn.max_pool_with_argmax`).

    >>> x = tf.reshape([1.0, 5.0, 2.0, 7.0], [1, 2, 2, 1])
    >>> largest, where = tf.compat.v1.nn.max_pool_with_argmax(x, 2, 2, "VALID")
    >>> float(tf.squeeze(largest)), int(tf.squeeze(where))
    (7.0, 3)

    Raises:
        ValueError: another format, or the dtype of the places is given under both names.
        ShapeMismatchError: shapes or attributes do not go together.
    """
    dtype = either("output_dtype", output_dtype, "Targmax", Targmax) or dtypes.int64
    return pooling.max_pool_with_argmax(
        input, ksize, strides, padding, data_format, dtype, include_batch_in_index, name
    )


def conv3d_transpose(
    value: Any,
    filter: Any = None,
    output_shape: Any = None,
    strides: Any = None,
    padding: str = "SAME",
    data_format: str = "NDHWC",
    name: str | None = None,
    input: Any = None,
    filters: Any = None,
    dilations: Any = None,
) -> Any:
    """The transpose of a convolution of volumes (`tf.nn.conv3d_transpose`).

    >>> volume, kernel = tf.ones([1, 1, 1, 2, 1]), tf.ones([1, 1, 2, 1, 1])
    >>> tf.compat.v1.nn.conv3d_transpose(
    ...     volume, kernel, [1, 1, 1, 4, 1], [1, 1, 1, 2, 1]).numpy().ravel()
    array([1., 1., 1., 1.], dtype=float32)

    Raises:
        ValueError: an argument is missing, or is given under both of its names.
        ShapeMismatchError: the shapes do not go together.
    """
    given = either("input", input, "value", value)
    kernel = required("filter", either("filters", filters, "filter", filter))
    return convolutions.conv3d_transpose(
        given, kernel, required("output_shape", output_shape), required("strides", strides),
        padding, data_format, dilations, name,
    )  # fmt: skip


def conv2d_backprop_filter(
    input: Any,
    filter_sizes: Any,
    out_backprop: Any,
    strides: Any,
    padding: Any,
    use_cudnn_on_gpu: bool = True,
    data_format: str = "NHWC",
    dilations: Any = (1, 1, 1, 1),
    name: str | None = None,
) -> Any:
    """The gradient of a convolution of images by its filter, which has the shape `filter_sizes`.

    >>> x, dy = tf.reshape([1.0, 2.0, 3.0], [1, 1, 3, 1]), tf.reshape([1.0, 10.0], [1, 1, 2, 1])
    >>> tf.compat.v1.nn.conv2d_backprop_filter(
    ...     x, [1, 2, 1, 1], dy, [1, 1, 1, 1], "VALID").numpy().ravel()
    array([21., 32.], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not go together.
    """
    return bind(
        convolution.Conv2DBackpropFilter, input, filter_sizes, out_backprop,
        strides=tuple(strides), data_format=data_format, dilations=tuple(dilations), name=name,
        **convolutions.padding_of(padding, 2),
    )  # fmt: skip


def conv2d_backprop_input(
    input_sizes: Any,
    filter: Any = None,
    out_backprop: Any = None,
    strides: Any = None,
    padding: Any = None,
    use_cudnn_on_gpu: bool = True,
    data_format: str = "NHWC",
    dilations: Any = (1, 1, 1, 1),
    name: str | None = None,
    filters: Any = None,
) -> Any:
    """The gradient of a convolution of images by its input, which has the shape `input_sizes`.

    >>> ones, dy = tf.ones([1, 2, 1, 1]), tf.reshape([1.0, 10.0], [1, 1, 2, 1])
    >>> tf.compat.v1.nn.conv2d_backprop_input(
    ...     [1, 1, 3, 1], ones, dy, [1, 1, 1, 1], "VALID").numpy().ravel()
    array([ 1., 11., 10.], dtype=float32)

    Raises:
        ValueError: an argument is given under both of its names.
        ShapeMismatchError: the shapes do not go together.
    """
    return bind(
        convolution.Conv2DBackpropInput, input_sizes,
        either("filters", filters, "filter", filter), out_backprop, strides=tuple(strides),
        data_format=data_format, dilations=tuple(dilations), name=name,
        **convolutions.padding_of(padding, 2),
    )  # fmt: skip


def dilation2d(
    input: Any,
    filter: Any = None,
    strides: Any = None,
    rates: Any = None,
    padding: Any = None,
    name: str | None = None,
    filters: Any = None,
    dilations: Any = None,
) -> Any:
    """The largest sum of an image and a filter in every window (`tf.nn.dilation2d`).

    >>> x, ones = tf.reshape([1.0, 5.0, 2.0], [1, 1, 3, 1]), [1, 1, 1, 1]
    >>> tf.compat.v1.nn.dilation2d(x, tf.zeros([1, 3, 1]), ones, ones, "SAME")[0, 0, :, 0].numpy()
    array([5., 5., 5.], dtype=float32)

    Raises:
        ValueError: an argument is given under both of its names.
        InvalidArgumentError: the shapes do not go together.
    """
    kernel = required("filter", either("filters", filters, "filter", filter))
    apart = required("rates", either("dilations", dilations, "rates", rates))
    return morphology.dilation2d(input, kernel, strides, padding, "NHWC", apart, name)


def erosion2d(
    value: Any, kernel: Any, strides: Any, rates: Any, padding: str, name: str | None = None
) -> Any:
    """The smallest difference of an image and a filter in every window (`tf.nn.erosion2d`).

    >>> x, ones = tf.reshape([1.0, 5.0, 2.0], [1, 1, 3, 1]), [1, 1, 1, 1]
    >>> tf.compat.v1.nn.erosion2d(x, tf.zeros([1, 3, 1]), ones, ones, "SAME")[0, 0, :, 0].numpy()
    array([1., 1., 2.], dtype=float32)

    Raises:
        InvalidArgumentError: the shapes do not go together.
    """
    return morphology.erosion2d(value, kernel, strides, padding, "NHWC", rates, name)


def depthwise_conv2d_native(
    input: Any,
    filter: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    dilations: Any = (1, 1, 1, 1),
    name: str | None = None,
) -> Any:
    """Every channel of images [n, height, width, channels] convolved with filters of its own
    [height, width, channels, multiplier] (`tf.nn.depthwise_conv2d`), for floats.

    strides, dilations: four numbers. padding: "SAME", "VALID", or numbers for each axis.

    >>> x, filters = tf.ones([1, 2, 2, 1]), tf.ones([2, 2, 1, 1])
    >>> found = tf.compat.v1.nn.depthwise_conv2d_native(x, filters, [1, 1, 1, 1], "VALID")
    >>> found.numpy().tolist()
    [[[[4.0]]]]

    Raises:
        ShapeMismatchError: shapes or attributes do not go together.
    """
    return bind(
        depthwise_convolution.DepthwiseConv2dNative, input, filter, strides=tuple(strides),
        data_format=data_format, dilations=tuple(dilations), name=name,
        **convolutions.padding_of(padding, 4),
    )  # fmt: skip


def conv3d_backprop_filter(
    input: Any,
    filter_sizes: Any,
    out_backprop: Any,
    strides: Any,
    padding: str,
    data_format: str = "NDHWC",
    dilations: Any = (1, 1, 1, 1, 1),
    name: str | None = None,
) -> Any:
    """The gradient of a convolution of volumes with respect to its filter, of shape
    `filter_sizes`; `out_backprop` is that with respect to its result. Floats.

    >>> x, dy = tf.ones([1, 2, 2, 2, 1]), tf.ones([1, 1, 1, 1, 1])
    >>> found = tf.compat.v1.nn.conv3d_backprop_filter(x, [2, 2, 2, 1, 1], dy, [1] * 5, "VALID")
    >>> float(tf.reduce_sum(found))
    8.0

    Raises:
        ShapeMismatchError: shapes or attributes do not go together.
    """
    return bind(
        convolution.Conv3DBackpropFilterV2, input, filter_sizes, out_backprop,
        strides=tuple(strides), padding=padding, data_format=data_format,
        dilations=tuple(dilations), name=name,
    )  # fmt: skip


def fractional_max_pool(
    value: Any,
    pooling_ratio: Any,
    pseudo_random: bool = False,
    overlapping: bool = False,
    deterministic: bool = False,
    seed: int = 0,
    seed2: int = 0,
    name: str | None = None,
) -> Any:
    """The largest element of cells of about `pooling_ratio` elements, whose borders are random
    (`tf.nn.fractional_max_pool`): output, row_pooling_sequence, col_pooling_sequence.

    deterministic: the borders follow from `seed` and `seed2`, or are drawn once where both are 0.

    >>> x = tf.reshape(tf.range(25.0), [1, 5, 5, 1])
    >>> found = tf.compat.v1.nn.fractional_max_pool(x, [1.0, 1.5, 1.5, 1.0], deterministic=True)
    >>> found.output.shape
    TensorShape([1, 3, 3, 1])

    Raises:
        InvalidArgumentError: seeds without `deterministic`; these are no such ratios.
    """
    kind, options = fractional_pooling.FractionalMaxPool, locals()
    return fractional_pooling.FractionalMax(*_fractional(kind, options))


def fractional_avg_pool(
    value: Any,
    pooling_ratio: Any,
    pseudo_random: bool = False,
    overlapping: bool = False,
    deterministic: bool = False,
    seed: int = 0,
    seed2: int = 0,
    name: str | None = None,
) -> Any:
    """The mean of cells whose borders are random (`tf.nn.fractional_avg_pool`): arguments and
    results are those of `fractional_max_pool`.

    >>> x = tf.reshape(tf.range(25.0), [1, 5, 5, 1])
    >>> found = tf.compat.v1.nn.fractional_avg_pool(x, [1.0, 1.5, 1.5, 1.0], deterministic=True)
    >>> found.output.shape
    TensorShape([1, 3, 3, 1])

    Raises:
        InvalidArgumentError: seeds without `deterministic`; these are no such ratios.
    """
    kind, options = fractional_pooling.FractionalAvgPool, locals()
    return fractional_pooling.FractionalAverage(*_fractional(kind, options))


def _fractional(kind: Any, given: dict[str, Any]) -> Any:
    ratios = tuple(as_float32(one) for one in given["pooling_ratio"])
    attrs = {name: given[name] for name in ("pseudo_random", "overlapping", "deterministic")}
    return bind(
        kind, given["value"], pooling_ratio=ratios, seed=given["seed"], seed2=given["seed2"],
        name=given["name"], **attrs,
    )  # fmt: skip

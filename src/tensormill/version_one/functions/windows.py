"""Poolings, convolutions and dilations of TensorFlow 1 that take their arguments otherwise."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...ops.bind import bind
from ...ops.nn import convolution, morphology
from ...ops.nn import (
    convolution_functions as convolutions,
)  # fmt: skip
from ...ops.nn import (
    pooling_functions as pooling,
)
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

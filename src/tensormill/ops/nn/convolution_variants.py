"""Convolutions told in other ways: of any rank, and with shapes that tensors show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from ...core.specs import TensorSpec
from ...errors import ShapeMismatchError, UnimplementedError
from ..array.concatenation import concat
from ..array.shapes import reshape, shape_of
from ..bind import bind
from ..demands import refuse
from ..dispatch.meanings import dispatchable
from ..op import FLOATS, Attr, In, Op, Out, ints, types
from .convolution import (
    Conv2D,
    Conv2DBackpropFilter,
    Conv2DBackpropInput,
    Conv3D,
)
from .depthwise_convolution import (
    DepthwiseConv2dNativeBackpropFilter,
    DepthwiseConv2dNativeBackpropInput,
)

CONVOLVED = FLOATS | types("i32")
FORMATS = {
    ("CHANNELS_LAST", 2): "NHWC", ("CHANNELS_FIRST", 2): "NCHW",
    ("CHANNELS_LAST", 3): "NDHWC", ("CHANNELS_FIRST", 3): "NCDHW",
}  # fmt: skip


class Conv(Op):
    """Images or volumes, of any number of batch axes, convolved with a filter."""

    input = In("T ...")
    filter = In("T ...")
    output = Out("T ...")
    strides = Attr(ints)
    padding = Attr(str)
    explicit_paddings = Attr(())
    data_format = Attr("CHANNELS_LAST", "CHANNELS_FIRST")
    dilations = Attr(())
    batch_dims = Attr(1)
    groups = Attr(1)
    T = CONVOLVED

    def demands(self, sizes: Any) -> int:
        """How many spatial axes there are."""
        rank = len(sizes.shape(self.filter))
        if rank not in (4, 5):
            refuse(ShapeMismatchError, NO_SPACE, self.name, rank - 2)
        if self.groups != 1:
            refuse(UnimplementedError, GROUPED, self.name, self.groups)
        shape = sizes.shape(self.input, rank - 1 + self.batch_dims)
        fits = len(shape) == rank - 1 + self.batch_dims
        sizes.require(fits, ShapeMismatchError, OTHER_RANK, self.name, shape, self.batch_dims)
        return rank - 2

    def infer(self) -> TensorSpec:
        rank = self.filter.shape.rank
        shape = None if rank is None else (None,) * (rank - 1 + self.batch_dims)
        return TensorSpec(shape, self.input.dtype)

    def expand(self) -> Any:
        spatial = self.filter.shape.rank - 2
        shape = shape_of(self.input)
        outer, rest = shape[: self.batch_dims], shape[self.batch_dims :]
        x = self.input
        if self.batch_dims != 1:
            x = reshape(x, concat([[-1], rest], 0))
        options: dict[str, Any] = {
            "strides": tuple(self.strides), "padding": self.padding,
            "data_format": FORMATS[self.data_format, spatial],
            "dilations": tuple(self.dilations) or (1,) * (spatial + 2),
        }  # fmt: skip
        if spatial == 2:
            options["explicit_paddings"] = tuple(self.explicit_paddings)
        found = bind(Conv2D if spatial == 2 else Conv3D, x, self.filter, **options)
        if self.batch_dims == 1:
            return found
        return reshape(found, concat([outer, shape_of(found)[1:]], 0))


NO_SPACE = "{}: The input must have 2 or 3 spatial dimensions but got {}"
GROUPED = "{}: groups must be 1, got {}: take tf.nn.conv2d, whose filters may have fewer channels"
OTHER_RANK = "{}: input of shape {} with {} batch axes does not go with the filter's rank"


class ByTensors(Op, abstract=True):
    """A gradient of a convolution whose operands show what shape it has."""

    told_by: ClassVar[str] = "input"

    def infer(self) -> TensorSpec:
        shown = getattr(self, self.told_by)
        return TensorSpec(shown.shape, shown.dtype)


class Conv2DBackpropInputV2(ByTensors):
    """The gradient of Conv2D with respect to its input, which is given for its shape."""

    input = In("T ...")
    filter = In("T ...")
    out_backprop = In("T ...")
    output = Out("T ...")
    strides = Attr(ints)
    padding = Attr(str)
    use_cudnn_on_gpu = Attr(True)
    explicit_paddings = Attr(())
    data_format = Attr("NHWC")
    dilations = Attr((1, 1, 1, 1))
    T = CONVOLVED

    def expand(self) -> Any:
        return bind(
            Conv2DBackpropInput, shape_of(self.input), self.filter, self.out_backprop,
            **self.attr_values(),
        )  # fmt: skip


class Conv2DBackpropFilterV2(ByTensors):
    """The gradient of Conv2D with respect to its filter, which is given for its shape."""

    input = In("T ...")
    filter = In("T ...")
    out_backprop = In("T ...")
    output = Out("T ...")
    strides = Attr(ints)
    padding = Attr(str)
    use_cudnn_on_gpu = Attr(True)
    explicit_paddings = Attr(())
    data_format = Attr("NHWC")
    dilations = Attr((1, 1, 1, 1))
    T = FLOATS
    told_by = "filter"

    def expand(self) -> Any:
        return bind(
            Conv2DBackpropFilter, self.input, shape_of(self.filter), self.out_backprop,
            **self.attr_values(),
        )  # fmt: skip


# ---------------------------------------------------------------- functions


@dispatchable
def conv(
    input: Any,
    filter: Any,
    strides: Sequence[int],
    padding: str,
    explicit_paddings: Sequence[int] = [],
    data_format: str = "CHANNELS_LAST",
    dilations: Sequence[int] = [],
    batch_dims: int = 1,
    groups: int = 1,
    name: str | None = None,
) -> Any:
    """Images or volumes convolved with a filter.

    Args:
        input: numbers [*batch, *spatial, channels], of two or three spatial axes.
        filter: [*kernel, channels, filters].
        strides, dilations: a number for each of batch, the spatial axes and channels.
        padding: "SAME", "VALID", or "EXPLICIT": a pair of `explicit_paddings` for each axis.
        data_format: "CHANNELS_LAST" or "CHANNELS_FIRST".
        batch_dims: how many batch axes there are.
        groups: 1.

    Returns:
        [*batch, *spatial, filters], in the same format.

    >>> x, ones = tf.reshape(tf.range(9.0), [3, 3, 1]), tf.ones([2, 2, 1, 1])
    >>> tf.conv(x, ones, [1, 1, 1, 1], "VALID", batch_dims=0)[:, :, 0].numpy()
    array([[ 8., 12.],
           [20., 24.]], dtype=float32)

    Raises:
        InvalidArgumentError: shapes do not fit.
        UnimplementedError: several groups.
    """
    return bind(
        Conv, input, filter, strides=tuple(strides), padding=padding,
        explicit_paddings=tuple(explicit_paddings), data_format=data_format,
        dilations=tuple(dilations), batch_dims=batch_dims, groups=groups, name=name,
    )  # fmt: skip


@dispatchable
def conv2d_backprop_input_v2(
    input: Any,
    filter: Any,
    out_backprop: Any,
    strides: Sequence[int],
    padding: str,
    use_cudnn_on_gpu: bool = True,
    explicit_paddings: Sequence[int] = [],
    data_format: str = "NHWC",
    dilations: Sequence[int] = [1, 1, 1, 1],
    name: str | None = None,
) -> Any:
    """The gradient of a convolution of images by its input.

    input: of the shape of the result, [n, height, width, channels]. filter: [height, width,
    channels, filters]. out_backprop: the gradient by the convolution's result. The others are those
    of the convolution.

    >>> x, ones = tf.zeros([1, 1, 3, 1]), tf.ones([1, 2, 1, 1])
    >>> dy = tf.reshape([1.0, 10.0], [1, 1, 2, 1])
    >>> tf.conv2d_backprop_input_v2(x, ones, dy, [1, 1, 1, 1], "VALID")[0, 0, :, 0].numpy()
    array([ 1., 11., 10.], dtype=float32)

    Raises:
        ShapeMismatchError: shapes do not fit.
    """
    return bind(
        Conv2DBackpropInputV2, input, filter, out_backprop, strides=tuple(strides),
        padding=padding, use_cudnn_on_gpu=use_cudnn_on_gpu,
        explicit_paddings=tuple(explicit_paddings), data_format=data_format,
        dilations=tuple(dilations), name=name,
    )  # fmt: skip


@dispatchable
def conv2d_backprop_filter_v2(
    input: Any,
    filter: Any,
    out_backprop: Any,
    strides: Sequence[int],
    padding: str,
    use_cudnn_on_gpu: bool = True,
    explicit_paddings: Sequence[int] = [],
    data_format: str = "NHWC",
    dilations: Sequence[int] = [1, 1, 1, 1],
    name: str | None = None,
) -> Any:
    """The gradient of a convolution of images by its filter.

    input: [n, height, width, channels]. filter: of the shape of the result, [height, width,
    channels, filters]. out_backprop: the gradient by the convolution's result. The others are those
    of the convolution.

    >>> x, filter = tf.reshape([1.0, 2.0, 3.0], [1, 1, 3, 1]), tf.zeros([1, 2, 1, 1])
    >>> dy = tf.reshape([1.0, 10.0], [1, 1, 2, 1])
    >>> tf.conv2d_backprop_filter_v2(x, filter, dy, [1, 1, 1, 1], "VALID")[0, :, 0, 0].numpy()
    array([21., 32.], dtype=float32)

    Raises:
        ShapeMismatchError: shapes do not fit.
    """
    return bind(
        Conv2DBackpropFilterV2, input, filter, out_backprop, strides=tuple(strides),
        padding=padding, use_cudnn_on_gpu=use_cudnn_on_gpu,
        explicit_paddings=tuple(explicit_paddings), data_format=data_format,
        dilations=tuple(dilations), name=name,
    )  # fmt: skip


@dispatchable
def depthwise_conv2d_backprop_input(
    input_sizes: Any,
    filter: Any,
    out_backprop: Any,
    strides: Sequence[int],
    padding: str,
    data_format: str = "NHWC",
    dilations: Sequence[int] = [1, 1, 1, 1],
    name: str | None = None,
) -> Any:
    """The gradient of `depthwise_conv2d` by its input, of shape `input_sizes`.

    filter: floats [height, width, channels, multiplier]. out_backprop: the gradient by the result.
    The others are those of the convolution.

    >>> dy = tf.reshape([1.0, 10.0], [1, 1, 2, 1])
    >>> tf.nn.depthwise_conv2d_backprop_input(
    ...     [1, 1, 3, 1], tf.ones([1, 2, 1, 1]), dy, [1, 1, 1, 1], "VALID")[0, 0, :, 0].numpy()
    array([ 1., 11., 10.], dtype=float32)

    Raises:
        ShapeMismatchError: shapes do not fit.
    """
    return bind(
        DepthwiseConv2dNativeBackpropInput, input_sizes, filter, out_backprop,
        strides=tuple(strides), padding=padding, data_format=data_format,
        dilations=tuple(dilations), name=name,
    )  # fmt: skip


@dispatchable
def depthwise_conv2d_backprop_filter(
    input: Any,
    filter_sizes: Any,
    out_backprop: Any,
    strides: Sequence[int],
    padding: str,
    data_format: str = "NHWC",
    dilations: Sequence[int] = [1, 1, 1, 1],
    name: str | None = None,
) -> Any:
    """The gradient of `depthwise_conv2d` by its filter, of shape `filter_sizes`.

    input: floats [n, height, width, channels]. out_backprop: the gradient by the result. The others
    are those of the convolution.

    >>> x, dy = tf.reshape([1.0, 2.0, 3.0], [1, 1, 3, 1]), tf.reshape([1.0, 10.0], [1, 1, 2, 1])
    >>> tf.nn.depthwise_conv2d_backprop_filter(
    ...     x, [1, 2, 1, 1], dy, [1, 1, 1, 1], "VALID")[0, :, 0, 0].numpy()
    array([21., 32.], dtype=float32)

    Raises:
        ShapeMismatchError: shapes do not fit.
    """
    return bind(
        DepthwiseConv2dNativeBackpropFilter, input, filter_sizes, out_backprop,
        strides=tuple(strides), padding=padding, data_format=data_format,
        dilations=tuple(dilations), name=name,
    )  # fmt: skip

"""The functions that pool: numbers for windows and strides, one to three spatial axes."""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from ...core import dtypes
from ...core.dtypes import as_dtype
from ...errors import ChoiceError
from ..array.shapes import expand_dims, squeeze
from ..bind import bind
from ..control.flow import identity
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..op import Op
from .argmax_pooling import MaxPoolWithArgmax
from .convolution_functions import FORMATS, as_word, numbers, padding_of
from .pooling import AvgPool, AvgPool3D, MaxPool, MaxPool3D
from .space_to_depth import dilated

if TYPE_CHECKING:
    from ..results import Tensor

LargestAndPlace = namedtuple("MaxPoolWithArgmax", "output argmax")


@dispatchable
def max_pool(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The largest element of every window; one, two or three spatial axes.

    Args:
        input: real numbers [n, *spatial, channels] (or as `data_format` says); float16, bfloat16
            or float32 in three spatial axes.
        ksize, strides: a number, or one per spatial axis, or per axis.
        padding: "SAME", "VALID" or, but in three spatial axes, a pair (before, after) for every
            axis. Padding is never the largest.

    Returns:
        [n, *new spatial, channels].

    >>> x = tf.reshape([1.0, 5.0, 2.0, 4.0, 3.0], [1, 5, 1])
    >>> tf.nn.max_pool(x, ksize=2, strides=2, padding="SAME")[0, :, 0].numpy()
    array([5., 4., 3.], dtype=float32)

    Raises:
        ValueError: the rank is not 3, 4 or 5, or a list has the wrong length.
        ShapeMismatchError: shapes or attributes do not go together.
    """
    return _pooled("max", input, ksize, strides, padding, data_format, name)


@dispatchable
def avg_pool(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The mean of every window; padding does not count. One, two or three spatial axes.

    input: floats [n, *spatial, channels] (or as `data_format` says). ksize, strides: a number, or
    one per spatial axis, or per axis. padding: "SAME" or "VALID". The result is [n, *new spatial,
    channels].

    >>> x = tf.reshape([1.0, 5.0, 2.0, 4.0, 8.0], [1, 5, 1])
    >>> tf.nn.avg_pool(x, ksize=2, strides=2, padding="SAME")[0, :, 0].numpy()
    array([3., 3., 8.], dtype=float32)

    Raises:
        ValueError: the rank is not 3, 4 or 5, or a list has the wrong length.
        ShapeMismatchError: shapes or attributes do not go together.
        TypeError: `padding` is no word.
    """
    return _pooled("avg", input, ksize, strides, padding, data_format, name)


@dispatchable
def max_pool1d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = "NWC",
    name: str | None = None,
) -> Any:  # fmt: skip
    """The largest element of every window along one spatial axis; arguments as of `max_pool`.

    input: real numbers [n, width, channels] ([n, channels, width] with "NCW"). The result is [n,
    new width, channels].

    >>> x = tf.reshape([1.0, 5.0, 2.0, 4.0], [1, 4, 1])
    >>> tf.nn.max_pool1d(x, ksize=2, strides=1, padding="VALID")[0, :, 0].numpy()
    array([5., 5., 4.], dtype=float32)

    Raises:
        ShapeMismatchError: shapes or attributes do not go together.
    """
    return _pooled("max", input, ksize, strides, padding, data_format, name, 1)


@dispatchable
def max_pool2d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str = "NHWC",
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The largest element of every window of images; arguments as of `max_pool`.

    input: real numbers [n, height, width, channels] ([n, channels, height, width] with "NCHW"). The
    result is [n, new height, new width, channels].

    >>> x = tf.reshape(tf.range(16), [1, 4, 4, 1])
    >>> tf.nn.max_pool2d(x, ksize=2, strides=2, padding="VALID")[0, :, :, 0].numpy()
    array([[ 5,  7],
           [13, 15]], dtype=int32)

    Raises:
        ShapeMismatchError: shapes or attributes do not go together.
    """
    return _pooled("max", input, ksize, strides, padding, data_format, name, 2)


@dispatchable
def max_pool3d(
    input: Any, ksize: Any, strides: Any, padding: str, data_format: str = "NDHWC",
    name: str | None = None,
) -> Any:  # fmt: skip
    """The largest element of every window of volumes; arguments as of `max_pool`.

    input: float16, bfloat16 or float32 [n, depth, height, width, channels] (or as `data_format`
    says). padding: "SAME" or "VALID". The result is [n, new depth, new height, new width,
    channels].

    >>> x = tf.reshape(tf.range(8.0), [1, 2, 2, 2, 1])
    >>> tf.nn.max_pool3d(x, ksize=[1, 2, 2], strides=1, padding="VALID")[0, :, 0, 0, 0].numpy()
    array([3., 7.], dtype=float32)

    Raises:
        ShapeMismatchError: shapes or attributes do not go together.
    """
    return _pooled("max", input, ksize, strides, padding, data_format, name, 3)


@dispatchable
def avg_pool1d(
    input: Any, ksize: Any, strides: Any, padding: str, data_format: str = "NWC",
    name: str | None = None,
) -> Any:  # fmt: skip
    """The mean of every window along one spatial axis; arguments as of `avg_pool`.

    input: floats [n, width, channels] ([n, channels, width] with "NCW"). The result is [n, new
    width, channels].

    >>> x = tf.reshape([1.0, 5.0, 2.0, 4.0], [1, 4, 1])
    >>> tf.nn.avg_pool1d(x, ksize=2, strides=1, padding="VALID")[0, :, 0].numpy()
    array([3. , 3.5, 3. ], dtype=float32)

    Raises:
        ShapeMismatchError: shapes or attributes do not go together.
    """
    return _pooled("avg", input, ksize, strides, padding, data_format, name, 1)


@dispatchable
def avg_pool2d(
    input: Any, ksize: Any, strides: Any, padding: str, data_format: str = "NHWC",
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The mean of every window of images; arguments as of `avg_pool`.

    input: floats [n, height, width, channels] ([n, channels, height, width] with "NCHW"). The
    result is [n, new height, new width, channels].

    >>> x = tf.reshape(tf.range(16.0), [1, 4, 4, 1])
    >>> tf.nn.avg_pool2d(x, ksize=2, strides=2, padding="VALID")[0, :, :, 0].numpy()
    array([[ 2.5,  4.5],
           [10.5, 12.5]], dtype=float32)

    Raises:
        ShapeMismatchError: shapes or attributes do not go together.
    """
    return _pooled("avg", input, ksize, strides, padding, data_format, name, 2)


@dispatchable
def avg_pool3d(
    input: Any, ksize: Any, strides: Any, padding: str, data_format: str = "NDHWC",
    name: str | None = None,
) -> Any:  # fmt: skip
    """The mean of every window of volumes; arguments as of `avg_pool`.

    input: floats [n, depth, height, width, channels] (or as `data_format` says). The result is [n,
    new depth, new height, new width, channels].

    >>> x = tf.reshape(tf.range(8.0), [1, 2, 2, 2, 1])
    >>> tf.nn.avg_pool3d(x, ksize=[1, 2, 2], strides=1, padding="VALID")[0, :, 0, 0, 0].numpy()
    array([1.5, 5.5], dtype=float32)

    Raises:
        ShapeMismatchError: shapes or attributes do not go together.
    """
    return _pooled("avg", input, ksize, strides, padding, data_format, name, 3)


Pooling: TypeAlias = Literal["max", "avg"]
_POOLINGS: Final[dict[str, Pooling]] = {"MAX": "max", "AVG": "avg"}


def _pooled(
    kind: Pooling, input: Any, ksize: Any, strides: Any, padding: Any, data_format: str | None,
    name: str | None, spatial: int | None = None,
) -> Any:  # fmt: skip
    x, padding, data_format = as_tensor(input), as_word(padding), as_word(data_format)
    spatial = spatial or _spatial_axes(x, data_format)
    form = data_format or FORMATS[spatial][0]
    first = form.startswith("NC")
    sizes, steps = numbers(ksize, spatial, "ksize", first), numbers(
        strides, spatial, "strides", first)  # fmt: skip
    if spatial == 1:
        return _pooled_line(kind, x, sizes, steps, padding, first, name)
    attrs: dict[str, Any] = {"ksize": sizes, "strides": steps, "data_format": form}
    op = POOLINGS[kind, spatial]
    if op is MaxPool:  # it alone takes numbers for paddings
        return bind(op, input, name=name, **attrs, **padding_of(padding, 4))
    if not isinstance(padding, str):
        raise TypeError(f"Expected string for argument 'padding' not {padding}.")
    return bind(op, x, padding=padding, name=name, **attrs)


POOLINGS: dict[tuple[Pooling, int], type[Op]] = {
    ("max", 2): MaxPool, ("max", 3): MaxPool3D,
    ("avg", 2): AvgPool, ("avg", 3): AvgPool3D,
}  # fmt: skip


def _spatial_axes(x: Any, data_format: str | None) -> int:
    if data_format is not None:
        known = {form: spatial for spatial, forms in FORMATS.items() for form in forms}
        if data_format not in known:
            words = ", ".join(known)
            raise ChoiceError(f"{data_format=} is not in the list of allowed values: {words}")
        return known[data_format]
    rank = x.shape.rank
    if rank is None or not 3 <= rank <= 5:
        raise ValueError(
            f"windows go over one, two or three axes of space, so the rank must be 3, 4 or 5: the "
            f"shape is {x.shape}"
        )
    return rank - 2


def _pooled_line(
    kind: Pooling,
    x: Any,
    sizes: Any,
    steps: Any,
    padding: Any,
    first: bool,
    name: str | None,
) -> Any:
    """One spatial axis, as two of which the first has size 1."""
    axis = 2 if first else 1
    pairs = padding
    if not isinstance(padding, str):
        pairs = [*padding[:axis], [0, 0], *padding[axis:]]
    form = "NCHW" if first else "NHWC"
    # Where the batch has a number of its own, TensorFlow takes it for that axis.
    y = _pooled(kind, expand_dims(x, axis), (1, *sizes), (1, *steps), pairs, form, None, 2)
    return squeeze(y, [axis], name=name)


@dispatchable
def pool(
    input: Any,
    window_shape: Any,
    pooling_type: str,
    strides: Any = None,
    padding: Any = "VALID",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """`max_pool` or `avg_pool`, as `pooling_type` ("MAX", "AVG") says; windows may be dilated.

    input: [n, *spatial, channels] (or as `data_format` says). window_shape, strides, dilations: a
    number for each spatial axis; the last two are 1 by default.

    >>> x = tf.reshape([1.0, 5.0, 2.0, 4.0], [1, 4, 1])
    >>> tf.nn.pool(x, [2], "MAX", dilations=[2])[0, :, 0].numpy()
    array([2., 5.], dtype=float32)

    Raises:
        ValueError: an unknown type, or dilations with strides or padding.
        ShapeMismatchError: shapes or attributes do not go together.
    """
    if pooling_type not in _POOLINGS:
        raise ValueError(
            f"`pooling_type` should be 'MAX' or 'AVG'. Received: pooling_type={pooling_type}"
        )
    x, kind, spatial = as_tensor(input), _POOLINGS[pooling_type], len(window_shape)
    if spatial not in FORMATS:
        raise ValueError(f"a window has one, two or three axes, not {list(window_shape)}")
    form = data_format or FORMATS[spatial][0]
    rates = [1] * spatial if dilations is None else list(dilations)
    steps = [1] * spatial if strides is None else list(strides)
    if all(rate == 1 for rate in rates):
        return _pooled(kind, x, list(window_shape), steps, padding, form, name)
    if any(step > 1 for step in steps):
        raise ValueError("`strides > 1` not supported in conjunction with `dilations > 1`")
    if padding == "SAME":
        raise ValueError(
            f"pooling with `dilations` {rates} has no 'SAME' padding: use 'VALID', after tf.pad"
        )

    def apply(one: Any) -> Any:
        return _pooled(kind, one, list(window_shape), steps, "VALID", form, None)

    return identity(dilated(x, rates, "VALID", apply, window_shape, form), name=name)


@dispatchable
def max_pool_with_argmax(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str = "NHWC",
    output_dtype: Any = dtypes.int64,
    include_batch_in_index: bool = False,
    name: str | None = None,
) -> Any:
    """The largest element of every window, and where it is: (row * width + column) * channels +
    channel, with `include_batch_in_index` counted on from image to image. They are called `output`
    and `argmax`.

    input: real numbers [n, height, width, channels]. ksize, strides, padding ("SAME", "VALID"): as
    of `max_pool`. Both results are [n, new height, new width, channels], the second of
    `output_dtype`, int32 or int64.

    >>> x = tf.reshape([1.0, 5.0, 2.0, 7.0], [1, 2, 2, 1])
    >>> largest, where = tf.nn.max_pool_with_argmax(x, ksize=2, strides=2, padding="VALID")
    >>> float(tf.squeeze(largest)), int(tf.squeeze(where))
    (7.0, 3)

    Raises:
        ValueError: `data_format` is not "NHWC".
        ShapeMismatchError: shapes or attributes do not go together.
    """
    if data_format != "NHWC":
        raise ValueError(f"`data_format` values other than 'NHWC' are not supported: {data_format}")
    found = bind(
        MaxPoolWithArgmax, input, name=name,
        ksize=numbers(ksize, 2, "ksize"), strides=numbers(strides, 2, "strides"),
        Targmax=None if output_dtype is None else as_dtype(output_dtype), padding=padding,
        include_batch_in_index=include_batch_in_index,
    )  # fmt: skip
    return LargestAndPlace(*found)

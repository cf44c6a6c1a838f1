"""Functions of levels, numbers that stand for floats between two limits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core import dtypes
from ...core.dtypes import as_dtype
from ...ops.bind import bind
from ...ops.conversion import as_tensor
from ...ops.quantized.forms import QuantizedAvgPool, QuantizedMaxPool
from ...ops.quantized.products import QuantizedConv2D
from ...ops.quantized.quantize import quantize


def quantize_v2(
    input: Any, min_range: Any, max_range: Any, T: Any, mode: str = "MIN_COMBINED",
    name: str | None = None, round_mode: str = "HALF_AWAY_FROM_ZERO", narrow_range: bool = False,
    axis: int | None = None, ensure_minimum_range: float = 0.01,
) -> Any:  # fmt: skip
    """`input` as levels of the quantized type `T`, and their limits: `tf.quantization.quantize`.

    >>> tf.compat.v1.quantize_v2([-1.0, 0.25, 2.0], -1.0, 2.0, tf.qint8).output.numpy()
    array([-128,  -22,  127], dtype=int8)

    Raises:
        InvalidArgumentError: the limits are not in order or not of those shapes, or no such mode.
    """
    return quantize(
        input, min_range, max_range, T, mode, round_mode, name, narrow_range, axis,
        ensure_minimum_range,
    )  # fmt: skip


def quantized_max_pool(
    input: Any, min_input: Any, max_input: Any, ksize: Sequence[int], strides: Sequence[int],
    padding: str, name: str | None = None,
) -> Any:  # fmt: skip
    """The highest level of every window of images [batch, height, width, channels], and the limits.

    >>> levels, low, high = tf.quantization.quantize([[[[0.0], [1.0]]]], 0.0, 1.0, tf.quint8)
    >>> ones = [1, 1, 2, 1]
    >>> tf.compat.v1.nn.quantized_max_pool(levels, low, high, ones, ones, "VALID")[0].numpy()
    array([[[[255]]]], dtype=uint8)

    Raises:
        TypeError: `input` has no levels of 8 bits.
        InvalidArgumentError: windows do not fit.
    """
    return _pooled(QuantizedMaxPool, input, min_input, max_input, ksize, strides, padding, name)


def quantized_avg_pool(
    input: Any, min_input: Any, max_input: Any, ksize: Sequence[int], strides: Sequence[int],
    padding: str, name: str | None = None,
) -> Any:  # fmt: skip
    """The mean level, cut off, of every window of images [batch, height, width, channels], and the
    limits.

    >>> levels, low, high = tf.quantization.quantize([[[[0.0], [1.0]]]], 0.0, 1.0, tf.quint8)
    >>> ones = [1, 1, 2, 1]
    >>> tf.compat.v1.nn.quantized_avg_pool(levels, low, high, ones, ones, "VALID")[0].numpy()
    array([[[[127]]]], dtype=uint8)

    Raises:
        TypeError: `input` has no levels of 8 bits.
        InvalidArgumentError: windows do not fit.
    """
    return _pooled(QuantizedAvgPool, input, min_input, max_input, ksize, strides, padding, name)


def _pooled(
    kind: Any, input: Any, low: Any, high: Any, ksize: Any, strides: Any, padding: str, name: Any
) -> Any:
    limits = [as_tensor(one, dtypes.float32) for one in (low, high)]
    sizes = {"ksize": tuple(ksize), "strides": tuple(strides), "padding": padding}
    return bind(kind, input, *limits, name=name, **sizes)


def quantized_conv2d(
    input: Any, filter: Any, min_input: Any, max_input: Any, min_filter: Any, max_filter: Any,
    strides: Sequence[int], padding: str, out_type: Any = dtypes.qint32,
    dilations: Sequence[int] = (1, 1, 1, 1), name: str | None = None,
) -> Any:  # fmt: skip
    """Sums of products of levels over every window of images, as levels of 32 bits, and their
    limits.

    input: [batch, height, width, channels]. filter: [height, width, channels, outputs]. The limits
    are scalars.

    >>> x, *at = tf.quantization.quantize(tf.ones([1, 2, 2, 1]), 0.0, 1.0, tf.quint8)
    >>> k, *of = tf.quantization.quantize(tf.ones([2, 2, 1, 1]), 0.0, 1.0, tf.quint8)
    >>> found = tf.compat.v1.nn.quantized_conv2d(x, k, *at, *of, [1, 1, 1, 1], "VALID")
    >>> found[0].numpy()
    array([[[[260100]]]], dtype=int32)

    Raises:
        TypeError: something has no levels of 8 bits.
        InvalidArgumentError: channels or windows do not fit.
    """
    given = (min_input, max_input, min_filter, max_filter)
    limits = [as_tensor(one, dtypes.float32) for one in given]
    return bind(
        QuantizedConv2D, input, filter, *limits, out_type=as_dtype(out_type),
        strides=tuple(strides), padding=padding, dilations=tuple(dilations), name=name,
    )  # fmt: skip

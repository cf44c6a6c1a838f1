# Written by `make stubs` from the table beside it.

"""`tf.quantization`: numbers as if they were kept in few bits."""

from ..eager.tensor import Tensor as _Tensor
from typing import Any as _Any
from ..ops.quantized.quantize import dequantize as dequantize
from . import quantization_experimental as experimental
from ..ops.nn.quantization import fake_quant_with_min_max_args as fake_quant_with_min_max_args
from ..ops.nn.quantization import fake_quant_with_min_max_args_gradient as fake_quant_with_min_max_args_gradient
from ..ops.nn.quantization import fake_quant_with_min_max_vars as fake_quant_with_min_max_vars
from ..ops.nn.quantization import fake_quant_with_min_max_vars_gradient as fake_quant_with_min_max_vars_gradient
from ..ops.nn.quantization import fake_quant_with_min_max_vars_per_channel as fake_quant_with_min_max_vars_per_channel
from ..ops.nn.quantization import fake_quant_with_min_max_vars_per_channel_gradient as fake_quant_with_min_max_vars_per_channel_gradient
from ..ops.quantized.quantize import quantize as quantize
from ..ops.math.quantized_levels import quantize_and_dequantize as quantize_and_dequantize
from ..ops.math.quantized_levels import quantize_and_dequantize_v2 as quantize_and_dequantize_v2

__all__ = ['dequantize', 'experimental', 'fake_quant_with_min_max_args', 'fake_quant_with_min_max_args_gradient', 'fake_quant_with_min_max_vars', 'fake_quant_with_min_max_vars_gradient', 'fake_quant_with_min_max_vars_per_channel', 'fake_quant_with_min_max_vars_per_channel_gradient', 'quantize', 'quantize_and_dequantize', 'quantize_and_dequantize_v2', 'quantized_concat']

def quantized_concat(concat_dim: _Any, values: _Any, input_mins: _Any, input_maxes: _Any, name: _Any = None) -> _Tensor:
    """Tensors of quint8 or qint32 levels beside each other, in a range that holds all of theirs.

    concat_dim: an axis, int32. values: tensors of one rank. input_mins, input_maxes: the limits of
    each, float32 scalars. Returns `(output, output_min, output_max)`: the levels moved to the
    common range, which holds 0, and that range.

    >>> one, two = tf.constant([0, 255], tf.quint8), tf.constant([255], tf.quint8)
    >>> join = tf.quantization.quantized_concat
    >>> [part.numpy() for part in join(0, [one, two], [0.0, 0.0], [1.0, 2.0])]
    [array([  0, 128, 255], dtype=uint8), np.float32(0.0), np.float32(2.0)]

    Raises:
        InvalidArgumentError: sizes beside the axis differ, or the type is another."""

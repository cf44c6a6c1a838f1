# Written by `make stubs` from the table beside it.

"""`tf.quantization`: numbers as if they were kept in few bits."""

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
from ..ops.quantized.forms import quantized_concat as quantized_concat

__all__ = ['dequantize', 'experimental', 'fake_quant_with_min_max_args', 'fake_quant_with_min_max_args_gradient', 'fake_quant_with_min_max_vars', 'fake_quant_with_min_max_vars_gradient', 'fake_quant_with_min_max_vars_per_channel', 'fake_quant_with_min_max_vars_per_channel_gradient', 'quantize', 'quantize_and_dequantize', 'quantize_and_dequantize_v2', 'quantized_concat']

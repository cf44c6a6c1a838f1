"""`tf.quantization`: numbers as if they were kept in few bits."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": "experimental=quantization_experimental",
    "ops.math.quantized_levels": "quantize_and_dequantize quantize_and_dequantize_v2",
    "ops.quantized.forms": "quantized_concat",
    "ops.quantized.quantize": "dequantize quantize",
    "ops.nn.quantization": (
        "fake_quant_with_min_max_args fake_quant_with_min_max_args_gradient "
        "fake_quant_with_min_max_vars fake_quant_with_min_max_vars_gradient "
        "fake_quant_with_min_max_vars_per_channel fake_quant_with_min_max_vars_per_channel_gradient"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)

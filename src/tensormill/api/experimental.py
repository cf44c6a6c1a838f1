"""`tf.experimental`: what may still change."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": (
        "dlpack=experimental_dlpack dtensor=experimental_dtensor "
        "extension_type=experimental_extension_type numpy=experimental_numpy"
    ),
    "core.build": "register_filesystem_plugin",
    "core.dtypes": (
        "float4_e2m1fn float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 "
        "float8_e5m2fnuz int2 int4 uint2 uint4"
    ),
    "data.optional": "Optional",
    "eager.device_settings": (
        "async_clear_error async_scope enable_strict_mode function_executor_type"
    ),
    "ops.dispatch.registration": (
        "dispatch_for_api dispatch_for_binary_elementwise_apis "
        "dispatch_for_binary_elementwise_assert_apis dispatch_for_unary_elementwise_apis "
        "unregister_dispatch_for"
    ),
    "ops.extension_type": (
        "BatchableExtensionType ExtensionType ExtensionTypeBatchEncoder ExtensionTypeSpec"
    ),
    "ops.ragged.ragged_shape": "DynamicRaggedShape",
    "ops.ragged.row_partition": "RowPartition",
    "ops.structured.structured_tensor": "StructuredTensor",
}

GONE = {
    "tensorrt": ": there are no GPUs here, and no TensorRT; use the function itself",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, gone=GONE)

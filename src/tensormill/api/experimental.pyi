# Written by `make stubs` from the table beside it.

"""`tf.experimental`: what may still change."""

from ..ops.extension_type import BatchableExtensionType as BatchableExtensionType
from ..ops.ragged.ragged_shape import DynamicRaggedShape as DynamicRaggedShape
from ..ops.extension_type import ExtensionType as ExtensionType
from ..ops.extension_type import ExtensionTypeBatchEncoder as ExtensionTypeBatchEncoder
from ..ops.extension_type import ExtensionTypeSpec as ExtensionTypeSpec
from ..data.optional import Optional as Optional
from ..ops.ragged.row_partition import RowPartition as RowPartition
from ..ops.structured.structured_tensor import StructuredTensor as StructuredTensor
from ..eager.device_settings import async_clear_error as async_clear_error
from ..eager.device_settings import async_scope as async_scope
from ..ops.dispatch.registration import dispatch_for_api as dispatch_for_api
from ..ops.dispatch.registration import dispatch_for_binary_elementwise_apis as dispatch_for_binary_elementwise_apis
from ..ops.dispatch.registration import dispatch_for_binary_elementwise_assert_apis as dispatch_for_binary_elementwise_assert_apis
from ..ops.dispatch.registration import dispatch_for_unary_elementwise_apis as dispatch_for_unary_elementwise_apis
from . import experimental_dlpack as dlpack
from . import experimental_dtensor as dtensor
from ..eager.device_settings import enable_strict_mode as enable_strict_mode
from . import experimental_extension_type as extension_type
from ..core.dtypes import float4_e2m1fn as float4_e2m1fn
from ..core.dtypes import float8_e4m3b11fnuz as float8_e4m3b11fnuz
from ..core.dtypes import float8_e4m3fn as float8_e4m3fn
from ..core.dtypes import float8_e4m3fnuz as float8_e4m3fnuz
from ..core.dtypes import float8_e5m2 as float8_e5m2
from ..core.dtypes import float8_e5m2fnuz as float8_e5m2fnuz
from ..eager.device_settings import function_executor_type as function_executor_type
from ..core.dtypes import int2 as int2
from ..core.dtypes import int4 as int4
from . import experimental_numpy as numpy
from ..core.build import register_filesystem_plugin as register_filesystem_plugin
from ..core.dtypes import uint2 as uint2
from ..core.dtypes import uint4 as uint4
from ..ops.dispatch.registration import unregister_dispatch_for as unregister_dispatch_for

__all__ = ['BatchableExtensionType', 'DynamicRaggedShape', 'ExtensionType', 'ExtensionTypeBatchEncoder', 'ExtensionTypeSpec', 'Optional', 'RowPartition', 'StructuredTensor', 'async_clear_error', 'async_scope', 'dispatch_for_api', 'dispatch_for_binary_elementwise_apis', 'dispatch_for_binary_elementwise_assert_apis', 'dispatch_for_unary_elementwise_apis', 'dlpack', 'dtensor', 'enable_strict_mode', 'extension_type', 'float4_e2m1fn', 'float8_e4m3b11fnuz', 'float8_e4m3fn', 'float8_e4m3fnuz', 'float8_e5m2', 'float8_e5m2fnuz', 'function_executor_type', 'int2', 'int4', 'numpy', 'register_filesystem_plugin', 'uint2', 'uint4', 'unregister_dispatch_for']

# Written by `make stubs` from the table beside it.

"""`tf.experimental`: what may still change."""

from ..ops.extension_type import BatchableExtensionType as BatchableExtensionType
from ..ops.ragged.ragged_shape import DynamicRaggedShape as DynamicRaggedShape
from ..ops.extension_type import ExtensionType as ExtensionType
from ..data.optional import Optional as Optional
from ..ops.ragged.row_partition import RowPartition as RowPartition
from ..ops.dispatch.registration import dispatch_for_api as dispatch_for_api
from ..ops.dispatch.registration import dispatch_for_binary_elementwise_apis as dispatch_for_binary_elementwise_apis
from ..ops.dispatch.registration import dispatch_for_binary_elementwise_assert_apis as dispatch_for_binary_elementwise_assert_apis
from ..ops.dispatch.registration import dispatch_for_unary_elementwise_apis as dispatch_for_unary_elementwise_apis
from . import experimental_dlpack as dlpack
from . import experimental_numpy as numpy
from ..ops.dispatch.registration import unregister_dispatch_for as unregister_dispatch_for

__all__ = ['BatchableExtensionType', 'DynamicRaggedShape', 'ExtensionType', 'Optional', 'RowPartition', 'dispatch_for_api', 'dispatch_for_binary_elementwise_apis', 'dispatch_for_binary_elementwise_assert_apis', 'dispatch_for_unary_elementwise_apis', 'dlpack', 'numpy', 'unregister_dispatch_for']

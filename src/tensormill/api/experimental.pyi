# Written by `make stubs` from the table beside it.

"""`tf.experimental`: what may still change."""

from ..ops.extension_type import BatchableExtensionType as BatchableExtensionType
from ..ops.ragged.ragged_shape import DynamicRaggedShape as DynamicRaggedShape
from ..ops.extension_type import ExtensionType as ExtensionType
from ..data.optional import Optional as Optional
from ..ops.ragged.row_partition import RowPartition as RowPartition
from . import experimental_dlpack as dlpack
from . import experimental_numpy as numpy

__all__ = ['BatchableExtensionType', 'DynamicRaggedShape', 'ExtensionType', 'Optional', 'RowPartition', 'dlpack', 'numpy']

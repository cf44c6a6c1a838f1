# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.ragged`: rows of different lengths, and as arrays."""

from ..ops.ragged.ragged_value import RaggedTensorValue as RaggedTensorValue
from ..ops.ragged.functions import boolean_mask as boolean_mask
from ..ops.ragged.constant import constant as constant
from ..version_one.ragged import constant_value as constant_value
from ..ops.ragged.crosses import cross as cross
from ..ops.ragged.crosses import cross_hashed as cross_hashed
from ..ops.ragged.elementwise import map_flat_values as map_flat_values
from ..version_one.ragged import placeholder as placeholder
from ..ops.ragged.row_partition import ragged_range as range
from ..ops.ragged.row_partition import row_splits_to_segment_ids as row_splits_to_segment_ids
from ..ops.ragged.row_partition import segment_ids_to_row_splits as segment_ids_to_row_splits
from ..ops.ragged.functions import stack as stack
from ..ops.ragged.functions import stack_dynamic_partitions as stack_dynamic_partitions

__all__ = ['RaggedTensorValue', 'boolean_mask', 'constant', 'constant_value', 'cross', 'cross_hashed', 'map_flat_values', 'placeholder', 'range', 'row_splits_to_segment_ids', 'segment_ids_to_row_splits', 'stack', 'stack_dynamic_partitions']

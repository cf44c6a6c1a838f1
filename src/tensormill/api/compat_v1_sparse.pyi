# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.sparse`: functions of sparse tensors with the arguments that they had."""

from ..version_one.accumulators import SparseConditionalAccumulator as SparseConditionalAccumulator
from ..ops.sparse.sparse_tensor import SparseTensor as SparseTensor
from ..version_one.functions.sparse import add as add
from ..ops.sparse.counts import bincount as bincount
from ..version_one.functions.sparse import concat as concat
from ..ops.sparse.crosses import cross as cross
from ..ops.sparse.crosses import cross_hashed as cross_hashed
from ..ops.sparse.layout import expand_dims as expand_dims
from ..ops.sparse.conversion import eye as eye
from ..ops.sparse.layout import fill_empty_rows as fill_empty_rows
from ..ops.sparse.conversion import from_dense as from_dense
from ..ops.sparse.arithmetic import map_values as map_values
from ..ops.sparse.layout import mask as mask
from ..ops.sparse.arithmetic import sparse_dense_matmul as matmul
from ..ops.sparse.arithmetic import maximum as maximum
from ..version_one.functions.sparse import merge as merge
from ..ops.sparse.arithmetic import minimum as minimum
from ..graph.by_hand.placeholders import sparse_placeholder as placeholder
from ..version_one.functions.sparse import reduce_max as reduce_max
from ..version_one.functions.sparse import reduce_max_sparse as reduce_max_sparse
from ..version_one.functions.sparse import reduce_sum as reduce_sum
from ..version_one.functions.sparse import reduce_sum_sparse as reduce_sum_sparse
from ..ops.sparse.layout import reorder as reorder
from ..ops.sparse.layout import reset_shape as reset_shape
from ..ops.sparse.layout import reshape as reshape
from ..ops.sparse.layout import retain as retain
from ..ops.sparse.sampled_products import sampled_addmm as sampled_addmm
from ..version_one.functions.sparse import segment_mean as segment_mean
from ..version_one.functions.sparse import segment_sqrt_n as segment_sqrt_n
from ..version_one.functions.sparse import segment_sum as segment_sum
from ..ops.sparse.layout import slice as slice
from ..ops.sparse.reductions import softmax as softmax
from ..ops.sparse.arithmetic import sparse_dense_matmul as sparse_dense_matmul
from ..version_one.functions.sparse import split as split
from ..ops.sparse.conversion import to_dense as to_dense
from ..ops.sparse.conversion import to_indicator as to_indicator
from ..ops.sparse.layout import transpose as transpose

__all__ = ['SparseConditionalAccumulator', 'SparseTensor', 'add', 'bincount', 'concat', 'cross', 'cross_hashed', 'expand_dims', 'eye', 'fill_empty_rows', 'from_dense', 'map_values', 'mask', 'matmul', 'maximum', 'merge', 'minimum', 'placeholder', 'reduce_max', 'reduce_max_sparse', 'reduce_sum', 'reduce_sum_sparse', 'reorder', 'reset_shape', 'reshape', 'retain', 'sampled_addmm', 'segment_mean', 'segment_sqrt_n', 'segment_sum', 'slice', 'softmax', 'sparse_dense_matmul', 'split', 'to_dense', 'to_indicator', 'transpose']

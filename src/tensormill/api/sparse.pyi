# Written by `make stubs` from the table beside it.

"""`tf.sparse`: tensors of which only some elements are there."""

from ..ops.sparse.sparse_tensor import SparseTensor as SparseTensor
from ..ops.sparse.arithmetic import add as add
from ..ops.sparse.counts import bincount as bincount
from ..ops.sparse.layout import concat as concat
from ..ops.sparse.crosses import cross as cross
from ..ops.sparse.crosses import cross_hashed as cross_hashed
from ..ops.sparse.layout import expand_dims as expand_dims
from ..ops.sparse.conversion import eye as eye
from ..ops.sparse.layout import fill_empty_rows as fill_empty_rows
from ..ops.sparse.conversion import from_dense as from_dense
from ..ops.sparse.arithmetic import map_values as map_values
from ..ops.sparse.layout import mask as mask
from ..ops.sparse.arithmetic import maximum as maximum
from ..ops.sparse.arithmetic import minimum as minimum
from ..ops.sparse.reductions import reduce_max as reduce_max
from ..ops.sparse.reductions import reduce_sum as reduce_sum
from ..ops.sparse.layout import reorder as reorder
from ..ops.sparse.layout import reset_shape as reset_shape
from ..ops.sparse.layout import reshape as reshape
from ..ops.sparse.layout import retain as retain
from ..ops.sparse.sampled_products import sampled_addmm as sampled_addmm
from ..ops.sparse.segments import segment_mean as segment_mean
from ..ops.sparse.segments import segment_sqrt_n as segment_sqrt_n
from ..ops.sparse.segments import segment_sum as segment_sum
from ..ops.sparse.layout import slice as slice
from ..ops.sparse.reductions import softmax as softmax
from ..ops.sparse.arithmetic import sparse_dense_matmul as sparse_dense_matmul
from ..ops.sparse.layout import split as split
from ..ops.sparse.conversion import to_dense as to_dense
from ..ops.sparse.conversion import to_indicator as to_indicator
from ..ops.sparse.layout import transpose as transpose

__all__ = ['SparseTensor', 'add', 'bincount', 'concat', 'cross', 'cross_hashed', 'expand_dims', 'eye', 'fill_empty_rows', 'from_dense', 'map_values', 'mask', 'maximum', 'minimum', 'reduce_max', 'reduce_sum', 'reorder', 'reset_shape', 'reshape', 'retain', 'sampled_addmm', 'segment_mean', 'segment_sqrt_n', 'segment_sum', 'slice', 'softmax', 'sparse_dense_matmul', 'split', 'to_dense', 'to_indicator', 'transpose']

# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.sets`: sets in the last axis of tensors."""

from ..ops.sparse.sets import difference as difference
from ..ops.sparse.sets import intersection as intersection
from ..ops.sparse.sets import difference as set_difference
from ..ops.sparse.sets import intersection as set_intersection
from ..ops.sparse.sets import size as set_size
from ..ops.sparse.sets import union as set_union
from ..ops.sparse.sets import size as size
from ..ops.sparse.sets import union as union

__all__ = ['difference', 'intersection', 'set_difference', 'set_intersection', 'set_size', 'set_union', 'size', 'union']

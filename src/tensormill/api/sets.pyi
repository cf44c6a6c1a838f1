# Written by `make stubs` from the table beside it.

"""`tf.sets`: the last axis of tensors as sets."""

from ..ops.sparse.sets import difference as difference
from ..ops.sparse.sets import intersection as intersection
from ..ops.sparse.sets import size as size
from ..ops.sparse.sets import union as union

__all__ = ['difference', 'intersection', 'size', 'union']

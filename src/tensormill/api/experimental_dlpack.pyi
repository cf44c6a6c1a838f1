# Written by `make stubs` from the table beside it.

"""`tf.experimental.dlpack`: tensors of other libraries."""

from ..eager.dlpack import from_dlpack as from_dlpack
from ..eager.dlpack import to_dlpack as to_dlpack

__all__ = ['from_dlpack', 'to_dlpack']

# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.nn`: batch normalisation in one operation."""

from ..ops.nn.batch_normalisation import fused_batch_norm as fused_batch_norm

__all__ = ['fused_batch_norm']

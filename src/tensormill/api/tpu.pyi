# Written by `make stubs` from the table beside it.

"""`tf.tpu`: what describes TPUs, which are not here, and embeddings that they trained."""

from ..distribution.tpu.system import XLAOptions as XLAOptions
from . import tpu_experimental as experimental

__all__ = ['XLAOptions', 'experimental']

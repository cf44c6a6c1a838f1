# Written by `make stubs` from the table beside it.

"""`tf.experimental.numpy`: what of it Keras asks for."""

from ..ops.numpy_names import finfo as finfo
from ..ops.numpy_names import select as select

__all__ = ['finfo', 'select']

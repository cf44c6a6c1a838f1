# Written by `make stubs` from the table beside it.

"""`tf.xla`: what TensorFlow has for its compiler."""

from . import xla_experimental as experimental

__all__ = ['experimental']

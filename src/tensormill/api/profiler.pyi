# Written by `make stubs` from the table beside it.

"""`tf.profiler`: what ran, when, and on which line."""

from . import profiler_experimental as experimental

__all__ = ['experimental']

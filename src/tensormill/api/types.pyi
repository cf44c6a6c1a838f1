# Written by `make stubs` from the table beside it.

"""`tf.types`: types to test values against."""

from . import types_experimental as experimental

__all__ = ['experimental']

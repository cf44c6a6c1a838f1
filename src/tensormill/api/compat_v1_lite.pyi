# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.lite`: what programs name of TensorFlow Lite."""

from . import compat_v1_lite_constants as constants

__all__ = ['constants']

# Written by `make stubs` from the table beside it.

"""`tf.autograph.experimental`: what conversion may do."""

from ..autograph.options import Feature as Feature
from ..autograph.api import do_not_convert as do_not_convert
from ..autograph.experimental import set_loop_options as set_loop_options

__all__ = ['Feature', 'do_not_convert', 'set_loop_options']

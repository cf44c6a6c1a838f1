# Written by `make stubs` from the table beside it.

"""`tf.xla.experimental`: older ways to ask for compiled code, which all functions are here."""

from ..function.compiled_calls import compile as compile
from ..function.compiled_calls import jit_scope as jit_scope

__all__ = ['compile', 'jit_scope']

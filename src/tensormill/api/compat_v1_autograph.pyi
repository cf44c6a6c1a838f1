# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.autograph`: Python control flow as graphs."""

from . import autograph_experimental as experimental
from ..autograph.verbosity import set_verbosity as set_verbosity
from ..version_one.functions.converted_code import to_code as to_code
from ..version_one.functions.converted_code import to_graph as to_graph
from ..autograph.verbosity import trace as trace

__all__ = ['experimental', 'set_verbosity', 'to_code', 'to_graph', 'trace']

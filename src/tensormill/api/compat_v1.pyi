# Written by `make stubs` from the table beside it.

"""`tf.compat.v1`: what TensorFlow 2 programs still use of TensorFlow 1."""

from ..graph.func_graph import FuncGraph as Graph
from ..function.session import Session as Session
from ..graph.proto.summary_metadata import SummaryMetadata as SummaryMetadata
from ..ops.version_one import assign as assign
from ..ops.version_one import assign_add as assign_add
from ..ops.version_one import assign_sub as assign_sub
from ..graph.builder import get_default_graph as get_default_graph
from ..graph.sessions import get_default_session as get_default_session
from ..ops.version_one import glorot_uniform_initializer as glorot_uniform_initializer
from . import compat_v1_io as io
from . import compat_v1_logging as logging
from . import compat_v1_nn as nn
from ..graph.placeholders import placeholder as placeholder
from ..ops.version_one import py_func as py_func
from . import compat_v1_python_io as python_io
from ..graph.placeholders import reset_default_graph as reset_default_graph
from ..ops.version_one import to_double as to_double
from ..ops.version_one import to_float as to_float
from ..ops.version_one import to_int32 as to_int32
from ..ops.version_one import to_int64 as to_int64
from ..function.wrap_function import wrap_function as wrap_function

__all__ = ['Graph', 'Session', 'SummaryMetadata', 'assign', 'assign_add', 'assign_sub', 'get_default_graph', 'get_default_session', 'glorot_uniform_initializer', 'io', 'logging', 'nn', 'placeholder', 'py_func', 'python_io', 'reset_default_graph', 'to_double', 'to_float', 'to_int32', 'to_int64', 'wrap_function']

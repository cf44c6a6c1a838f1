"""`tf.compat.v1`: what TensorFlow 2 programs still use of TensorFlow 1."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": ("io=compat_v1_io logging=compat_v1_logging nn=compat_v1_nn python_io=compat_v1_python_io"),
    "function.session": "Session",
    "function.wrap_function": "wrap_function",
    "graph.builder": "get_default_graph",
    "graph.func_graph": "Graph=FuncGraph",
    "graph.placeholders": "placeholder reset_default_graph",
    "graph.sessions": "get_default_session",
    "graph.proto.summary_metadata": "SummaryMetadata",
    "ops.version_one": (
        "assign assign_add assign_sub glorot_uniform_initializer py_func to_double to_float "
        "to_int32 to_int64"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1")

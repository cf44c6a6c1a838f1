"""`tf.compat.v1.ConfigProto` and other messages that programs of TensorFlow 1 name."""

from __future__ import annotations

from typing import Any, Final

from .messages import documented

ConfigProto: Final[Any] = documented(
    "ConfigProto",
    """How a session is to run: accepted by `tf.compat.v1.Session`, which has one way.

    >>> config = tf.compat.v1.ConfigProto(allow_soft_placement=True)
    >>> config.gpu_options.allow_growth = True
    >>> config.allow_soft_placement
    True
    """,
)
GPUOptions: Final[Any] = documented(
    "GPUOptions",
    """What is said of GPUs, of which there are none here.

    >>> tf.compat.v1.GPUOptions(allow_growth=True).allow_growth
    True
    """,
)
GraphOptions: Final[Any] = documented(
    "GraphOptions",
    """What is said of how graphs are changed before they run.

    >>> tf.compat.v1.GraphOptions(infer_shapes=True).infer_shapes
    True
    """,
)
OptimizerOptions: Final[Any] = documented(
    "OptimizerOptions",
    """What is said of how graphs are optimized.

    >>> tf.compat.v1.OptimizerOptions(opt_level=1).opt_level
    1
    """,
)
RunOptions: Final[Any] = documented(
    "RunOptions",
    """How one run of a session is to be done: accepted, and ignored.

    >>> tf.compat.v1.RunOptions(trace_level=3).trace_level
    3
    """,
)
RunMetadata: Final[Any] = documented(
    "RunMetadata",
    """What a run would tell of itself: nothing is written into it.

    >>> tf.compat.v1.RunMetadata().ByteSize()
    0
    """,
)
GraphDef: Final[Any] = documented(
    "GraphDef",
    """A graph as nodes with names, as TensorFlow writes it into files.

    >>> with tf.Graph().as_default() as graph:
    ...     x = tf.constant(1, name="x")
    >>> definition = tf.compat.v1.GraphDef()
    >>> _ = definition.ParseFromString(graph.as_graph_def().SerializeToString())
    >>> definition.node[0].name
    'x'
    """,
)
NodeDef: Final[Any] = documented(
    "NodeDef",
    """One node of a GraphDef.

    >>> tf.compat.v1.NodeDef(name="x", op="Const").op
    'Const'
    """,
)
AttrValue: Final[Any] = documented(
    "AttrValue",
    """An attribute of a node.

    >>> tf.compat.v1.AttrValue(i=3).i
    3
    """,
)
MetaGraphDef: Final[Any] = documented(
    "MetaGraphDef",
    """A graph with its collections and signatures.

    >>> len(tf.compat.v1.MetaGraphDef().graph_def.node)
    0
    """,
)
TensorInfo: Final[Any] = documented(
    "TensorInfo",
    """What a signature says of a tensor: its name, dtype and shape.

    >>> tf.compat.v1.TensorInfo(name="x:0").name
    'x:0'
    """,
)

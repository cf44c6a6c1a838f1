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
    """How one run of a session is to be done: `trace_level` counts, the rest is ignored.

    >>> tf.compat.v1.RunOptions(trace_level=3).trace_level
    3
    """,
)
GraphNodeProto: Final[Any] = documented(
    "GraphNodeProto",
    """What `tf.compat.v1.profiler.profile` has counted of an operation or scope, and below it.

    >>> tf.compat.v1.profiler.GraphNodeProto(name="x", total_float_ops=3).total_float_ops
    3
    """,
)
MultiGraphNodeProto: Final[Any] = documented(
    "MultiGraphNodeProto",
    """What `tf.compat.v1.profiler.profile` has counted of all operations of a kind.

    >>> tf.compat.v1.profiler.MultiGraphNodeProto(name="MatMul", float_ops=3).float_ops
    3
    """,
)
RunMetadata: Final[Any] = documented(
    "RunMetadata",
    """What a run tells of itself, where a RunOptions has a `trace_level`: which operation ran when.

    >>> told = tf.compat.v1.RunMetadata()
    >>> options = tf.compat.v1.RunOptions(trace_level=tf.compat.v1.RunOptions.FULL_TRACE)
    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     x = tf.constant(2.0, name="x")
    ...     y = session.run(tf.square(x, name="y"), options=options, run_metadata=told)
    >>> [one.node_name for one in told.step_stats.dev_stats[0].node_stats]
    ['x', 'y']
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
Event: Final[Any] = documented(
    "Event",
    """One record of an event file: a summary, a graph or a note, with its step and time.

    >>> tf.compat.v1.Event(step=3).step
    3
    """,
)
Summary: Final[Any] = documented(
    "Summary",
    """What TensorBoard is told at one step: values under tags.

    >>> value = tf.compat.v1.Summary.Value(tag="loss", simple_value=0.5)
    >>> tf.compat.v1.Summary(value=[value]).value[0].tag
    'loss'
    """,
)
HistogramProto: Final[Any] = documented(
    "HistogramProto",
    """How many numbers lie in each of many intervals.

    >>> tf.compat.v1.HistogramProto(num=2.0, bucket_limit=[1.0], bucket=[2.0]).num
    2.0
    """,
)
LogMessage: Final[Any] = documented(
    "LogMessage",
    """A note of a program in an event file.

    >>> tf.compat.v1.LogMessage(level=tf.compat.v1.LogMessage.WARN).level
    30
    """,
)
SessionLog: Final[Any] = documented(
    "SessionLog",
    """That a session started or stopped, or wrote a checkpoint.

    >>> tf.compat.v1.SessionLog(status=tf.compat.v1.SessionLog.START).status
    1
    """,
)
SummaryDescription: Final[Any] = documented(
    "SummaryDescription",
    """What a TensorSummary says of itself.

    >>> tf.compat.v1.summary.SummaryDescription(type_hint="scalar").type_hint
    'scalar'
    """,
)
TaggedRunMetadata: Final[Any] = documented(
    "TaggedRunMetadata",
    """What one run told of itself, under a tag.

    >>> tf.compat.v1.summary.TaggedRunMetadata(tag="first").tag
    'first'
    """,
)
NameAttrList: Final[Any] = documented(
    "NameAttrList",
    """The name of a function, with attributes.

    >>> tf.compat.v1.NameAttrList(name="f").name
    'f'
    """,
)
SaverDef: Final[Any] = documented(
    "SaverDef",
    """Which operations of a graph save and restore its variables.

    >>> tf.compat.v1.train.SaverDef(max_to_keep=5).max_to_keep
    5
    """,
)

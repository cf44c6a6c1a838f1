"""`tf.summary.trace_on`: the graphs of functions that are called, for TensorBoard's graph page."""

from __future__ import annotations

from typing import Any, Final

from ..core import context
from ..core.process.locks import ForkedLock
from ..core.process.logs import logger
from ..eager.convert import convert_to_tensor
from ..graph.func_graph import FuncGraph
from ..graph.proto.messages import message
from . import profiler as profilers
from .event_files import metadata_message
from .summaries import current_writer, should_record_summaries, write

# Plugins of TensorBoard: graphs that functions ran, and those with what was profiled of them.
GRAPHS: Final = "graph_run_metadata_graph"
WITH_PROFILE: Final = "graph_run_metadata"


class CalledFunctions:
    """Keeps the graph of each function that is called, once."""

    def __init__(self, keeps_graphs: bool, is_profiled: bool) -> None:
        self.is_profiled: Final = is_profiled
        self._keeps: Final = keeps_graphs
        self._graphs: dict[int, FuncGraph] = {}

    def applied(self, application: context.Applied) -> None:
        """Operations that run at once are in no graph."""

    def called(self, function: Any, start: int, end: int) -> None:
        """Keep the function's graph."""
        if self._keeps:
            self._graphs[id(function.graph)] = function.graph

    def metadata(self) -> bytes:
        """A RunMetadata with the graphs, as they were traced."""
        made = message("RunMetadata")()
        for graph in self._graphs.values():
            proto = graph.as_graph_def(add_shapes=True)
            added = made.function_graphs.add(pre_optimization_graph=proto)
            added.partition_graphs.append(proto)
            made.partition_graphs.append(proto)
        return made.SerializeToString()


class _Running:
    """What was begun by `trace_on`, if anything."""

    trace: CalledFunctions | None = None


_lock: Final = ForkedLock()


def trace_on(graph: bool = True, profiler: bool = False, profiler_outdir: Any = None) -> None:
    """Keep, from now on, the graphs of the functions that this thread calls.

    profiler: also record what runs, as `tf.profiler.experimental.start(profiler_outdir)` does.
    Inside of a function it does nothing, but for a warning.

    >>> step = tf.function(lambda x: x * 2)
    >>> with tf.summary.create_file_writer("logs/trace").as_default():
    ...     tf.summary.trace_on()
    ...     _ = step(tf.constant(1))
    ...     tf.summary.trace_export("step", step=0)
    """
    if context.building_graph():
        logger.warning("Cannot enable trace inside a tf.function.")
        return
    with _lock():
        if _Running.trace is not None:
            logger.warning("Trace already enabled")
            return
        if profiler and profiler_outdir is None:
            logger.warning("trace_on(profiler=True) needs a `profiler_outdir`: nothing is profiled")
        _Running.trace = trace = CalledFunctions(graph, profiler)
    if profiler and profiler_outdir is not None:
        profilers.start(profiler_outdir)
    context.observe(trace)


def trace_export(name: str, step: Any = None, profiler_outdir: Any = None) -> None:
    """Write the graphs that were kept, under a name, and stop what `trace_on` began.

    >>> with tf.summary.create_file_writer("logs/export").as_default():
    ...     tf.summary.trace_on()
    ...     tf.summary.trace_export("nothing", step=0)

    Raises:
        ValueError: nothing was begun; no step is given, and none is set.
        UnavailableError: a profiler was asked for and does not run.
    """
    if context.building_graph():
        logger.warning("Cannot export trace inside a tf.function.")
        return
    trace = _Running.trace
    if trace is None:
        raise ValueError("Must enable trace before export through tf.summary.trace_on.")
    plugin = WITH_PROFILE if trace.is_profiled else GRAPHS
    write(name, convert_to_tensor(trace.metadata()), step, metadata_message(plugin, b"1"))
    if trace.is_profiled:
        if profiler_outdir is not None:
            logger.warning("the profile is written to the `profiler_outdir` of trace_on")
        profilers.stop()
    trace_off()


def trace_off() -> None:
    """Stop what `trace_on` began, and forget it.

    >>> tf.summary.trace_on()
    >>> tf.summary.trace_off()
    """
    with _lock():
        trace, _Running.trace = _Running.trace, None
    if trace is None:
        return
    context.stop_observing(trace)
    if trace.is_profiled and profilers.is_running():
        profilers.stop(save=False)


def graph(graph_data: Any) -> Any:
    """Write a graph for TensorBoard's graph page. Whether it was written: a bool tensor.

    graph_data: a tf.Graph, or a GraphDef.

    >>> made = tf.Graph()
    >>> with tf.summary.create_file_writer("logs/graph").as_default():
    ...     print(bool(tf.summary.graph(made)))
    True

    Raises:
        ValueError: it is neither; or it is called inside of a function.
    """
    if context.building_graph():
        raise ValueError("graph() cannot be invoked inside a graph context.")
    writer = current_writer()
    if writer is None or not should_record_summaries():
        return convert_to_tensor(False)
    proto = graph_data
    if isinstance(graph_data, FuncGraph):
        proto = graph_data.as_graph_def(add_shapes=True)
    if getattr(getattr(proto, "DESCRIPTOR", None), "name", "") != "GraphDef":
        raise ValueError(
            f"Argument 'graph_data' is not tf.Graph or tf.compat.v1.GraphDef. Received "
            f"graph_data={graph_data!r} of type {type(graph_data).__name__}."
        )
    writer.write_graph(proto.SerializeToString())
    return convert_to_tensor(True)

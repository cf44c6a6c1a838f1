"""Tracing blocks into graphs of their own: the one door to graph/ and control/."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any

from tensormill.control.cond import choose
from tensormill.control.structure import TracedBranch
from tensormill.control.while_loop import while_loop as loop
from tensormill.core.process.with_blocks import block
from tensormill.core.shapes import TensorShape
from tensormill.core.specs import TensorSpec
from tensormill.graph.builder import FuncGraph, Trace, current_graph


@block
def scratch() -> Generator[FuncGraph]:
    """A graph to try something in: what is traced there is thrown away."""
    graph = FuncGraph("scratch", current_graph(), is_part=True)
    with graph.as_default():
        yield graph


def after_tracing(action: Callable[[], None]) -> None:
    """Do this when the function that is being traced has been."""
    graph = current_graph()
    while graph is not None and graph.is_part and graph.outer_graph is not None:
        graph = graph.outer_graph
    if graph is not None:
        graph.afterwards.append(action)


def stand_in(graph: FuncGraph, tensor: Any, shape: TensorShape | None = None) -> Any:
    """A parameter of `graph` in the place of a tensor outside of it, of this shape."""
    spec = graph.capture(tensor).spec
    if isinstance(spec, TensorSpec):
        spec = TensorSpec(spec.shape if shape is None else shape, spec.dtype)
    return graph.placeholder(spec)


class Branch:
    """One side of a conditional: traced first, asked for its results later."""

    def __init__(self, name: str, run: Callable[[], Any]) -> None:
        self._graph = FuncGraph(name, current_graph(), is_part=True)
        with self._graph.as_default():
            self.left: Any = run()  # whatever the block leaves behind

    def within(self, make: Callable[[], Any]) -> Any:
        """Something more of the branch, made in its graph."""
        with self._graph.as_default():
            return make()

    def finish(self, results: Callable[[], Sequence[Any]]) -> TracedBranch:
        """Make the results in the branch's graph, and end it."""
        with self._graph.as_default():
            made = [self._graph.convert(result, None, None) for result in results()]
        captured = tuple(capture.external for capture in self._graph.passed_captures())
        return TracedBranch(Trace(self._graph.finish(made), captured, None), made, self._graph)


def conditional(condition: Any, main: TracedBranch, orelse: TracedBranch) -> list[Any]:
    """The results of one of two traced branches."""
    return list(choose(condition, [main, orelse], "cond", by_bool=True))


def while_loop(
    holds: Callable[..., Any],
    body: Callable[..., Sequence[Any]],
    state: list[Any],
    shapes: list[TensorShape],
    maximum_iterations: Any,
) -> list[Any]:
    """The loop variables after the loop."""
    return list(
        loop(holds, body, state, shape_invariants=shapes, maximum_iterations=maximum_iterations)
    )

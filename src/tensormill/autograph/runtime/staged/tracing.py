"""Tracing blocks into graphs of their own: the one door to graph/ and control/."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any

from ....control.cond import choose
from ....control.structure import TracedBranch
from ....control.structure import graph_here as graph_here
from ....control.while_loop import LateVariable as LateVariable
from ....control.while_loop import TracedLoop
from ....control.while_loop import is_read as is_read
from ....core import context
from ....core.process.journals import Journal, Undoing
from ....core.process.with_blocks import block
from ....core.shapes import TensorShape
from ....core.values import StagedListBase
from ....graph.builder import FuncGraph as FuncGraph
from ....graph.builder import Trace, current_graph, part_of_operation
from ....graph.frames import Frames
from ....graph.numbers.python_numbers import PythonNumber as PythonNumber
from ....graph.numbers.python_numbers import leave as leave
from ....graph.numbers.python_numbers import number_of as number_of
from ....graph.numbers.python_numbers import start_as as start_as
from ....graph.numbers.python_numbers import wanted as wanted
from ....graph.numbers.twofold_tensors import twofold as twofold
from ..places.aliases import Alias
from ..places.containers import is_leaf
from ..tensors import is_twofold


@block
def scratch_graph() -> Generator[FuncGraph]:
    """A graph to try something in: what is traced there is thrown away."""
    graph = FuncGraph("scratch", current_graph(), is_part=True)
    graph.own_scope = context.top().name_scope
    with graph.as_default():
        yield graph


def after_tracing(action: Callable[[], None]) -> None:
    """Do this when the function that is being traced has been. It may be done twice."""
    _journal().steps.append(action)


def undoing(action: Callable[[], None]) -> Undoing:
    """At the end do this, unless told to `keep` what was done. It may be done twice."""
    return Undoing(_journal(), action)


def _journal() -> Journal:
    """That of the function which is being traced."""
    graph = current_graph()
    while graph is not None and graph.is_part and graph.enclosing is not None:
        graph = graph.enclosing
    return Journal() if graph is None else graph.afterwards


def note_alias(alias: Alias) -> None:
    """Note containers that should be one, in the block that is being traced."""
    graph = current_graph()
    if graph is not None:
        graph.aliases.append(alias)


def aliases() -> list[Alias]:
    """Those that the block which is being traced has noted."""
    graph = current_graph()
    return [] if graph is None else graph.aliases


def take_aliases() -> list[Alias]:
    """The same, which are its no more."""
    known = aliases()
    found = [*known]
    known.clear()
    return found


def _note_element(value: Any) -> None:
    """Note the container of an element of a list of the graph, which holds a copy."""
    if not is_leaf(value):
        note_alias(Alias("the element", user_line(), [value], is_element=True))


StagedListBase.note_element = staticmethod(_note_element)


def user_line() -> str:
    """Where in the user's code we are."""
    lines = Frames().collect()
    return f"{lines[-1].file}:{lines[-1].line}" if lines else "here"


def is_part_of(graph: FuncGraph) -> bool:
    """Whether what is being traced is a branch or body somewhere in `graph`."""
    return any(one.enclosing is graph for one in _parts_around())


def is_recorded_within(graph: FuncGraph) -> bool:
    """Whether a tape has been opened in the body, in `graph`, that is being traced."""
    inner = (one.is_recorded for one in _parts_around() if one.enclosing is not graph)
    return bool(context.top().recorders) or any(inner)


def mark_provisional(graph: FuncGraph) -> None:
    """Note that all that is traced inside of `graph` will be traced again."""
    for one in _parts_around():
        if one is graph:
            return
        one.is_provisional = True


def _parts_around() -> Iterator[FuncGraph]:
    graph = current_graph()
    while graph is not None and graph.is_part:
        yield graph
        graph = graph.enclosing


def be_chosen(result: Any, decision: Any, main: Any, orelse: Any) -> None:
    """Let what comes out of a conditional be Python's number where what decides is one."""
    number = number_of(decision) if is_twofold(decision) else None
    if number is not None:
        start_as(result, main if number.python else orelse, (number,))
    elif is_twofold(result):
        leave(result, main, orelse)


class Branch:
    """One side of a conditional: traced first, asked for its results later."""

    def __init__(self, name: str, run: Callable[[], Any]) -> None:
        self._graph = part_of_operation(name, "cond")
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
    late: Callable[[], Sequence[LateVariable] | None],
) -> list[Any] | None:
    """The loop variables after the loop, and the late ones; None, and nothing in the graph, where
    test and body were traced with something else than is known now.
    """
    return TracedLoop(state, shapes, maximum_iterations).stage_unless_more(holds, body, late)


def unknown(state: list[Any], shapes: list[TensorShape]) -> list[Any]:
    """Tensors like these, of which nothing but dtypes and shapes is known: a loop without turns."""
    if not state:
        return []
    return TracedLoop(state, shapes, None).stage(lambda *_: False, lambda *same: list(same))

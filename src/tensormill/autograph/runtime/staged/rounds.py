"""One fixpoint for a staged loop and all the loops in it.

What a loop carries shows when its body has been traced. A round traces every body once, with what
the rounds before have shown (a `LoopState` for each loop). An inner loop whose body shows more does
not start anew: something of the joined kind takes the place of its results for the rest of the
round, and the outermost loop has another round. The last one, in which nothing is new, is the
graph. So the rounds are as many as there are things to find out, however deep the loops are nested.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from contextvars import ContextVar
from typing import Any, Protocol

from ....core.process.named_tuples import NamedTuple
from ....eager.creation import variable_creator_scope
from ..lasting_traces import Forget, watched_by
from ..places.discovery import remembering
from ..places.reachable_objects import Changes, ReachableObjects
from . import tracing
from .loop_state import LoopState
from .taken_items import TakenItems
from .tracing import FuncGraph

# What each round adds is finite, but a body may do something else each time it is traced.
_MOST_ROUNDS = 100

# The way to a loop: its place in each of the loops around it, the outermost first.
Way = tuple[Any, ...]


class StagedAgain(Protocol):
    """A loop that can be staged again and again."""

    def functions(self) -> Iterable[Callable[..., Any]]:
        """Those that are run for a trace."""
        ...

    def trace(self, state: LoopState, is_final: Callable[[], bool]) -> list[Any] | None:
        """Trace test and body once; the values after the loop, or None where it is not final."""
        ...

    def stand_ins(self, state: LoopState) -> list[Any]:
        """Values such as the loop may leave, by what is known of it."""
        ...


class Rounds:
    """What is known of an outermost loop, which is in `graph`, and of the loops in it."""

    def __init__(self, states: dict[Way, LoopState], graph: FuncGraph, loop: StagedAgain) -> None:
        self.states, self.graph = states, graph
        self.is_settled = True
        around = _around.get()
        self.outer: Rounds | None = None if around is None else around.rounds
        self.before, self.has_made_variables = ReachableObjects(loop.functions()), False
        self._lasting: list[tuple[Changes, Forget]] = []
        self.taken = TakenItems(self.before, None if self.outer is None else self.outer.taken)

    def begin(self) -> AbstractContextManager[None]:
        """Begin a round; whether it makes variables is noted while it lasts."""
        self.is_settled, self.has_made_variables = True, False
        self.taken.begin()
        self._lasting.clear()
        return variable_creator_scope(self._note_variable)

    def _note_variable(self, next_creator: Callable[..., Any], **options: Any) -> Any:
        self.has_made_variables = True
        return next_creator(**options)

    def watch(self) -> Callable[[Forget], None]:
        """A function is going to be traced."""
        changes = self.before.watch()
        return lambda forget: self._lasting.append((changes(), forget))

    def undo(self) -> None:
        """Take back what the round has done to Python's objects. Variables are made once: then
        objects stay that know they have them.

        What has shown that calls change a number may have put Python's into the traces of functions
        that it has called: they are traced again.
        """
        if self.has_made_variables:
            return
        has_counted = any(state.has_counted for state in self.states.values())
        for changes, forget in self._lasting:
            if has_counted:
                forget()
            else:
                self.before.keep(changes)
        self.before.restore()

    def state(self, way: Way) -> LoopState:
        state = self.states.setdefault(way, LoopState())
        state.begin()
        return state

    def trace(
        self, loop: StagedAgain, state: LoopState, way: Way, is_final: Callable[[], bool]
    ) -> list[Any] | None:
        """Trace a loop that is found at the end of `way`."""
        here = _Around(self, way, id(sys._getframe()), tracing.graph_here(), Counter())
        before = _around.set(here)
        try:
            values = loop.trace(state, is_final)
        finally:
            _around.reset(before)
        if state.outgrown:
            for inner, other in self.states.items():
                if len(inner) > len(way) and inner[: len(way)] == way:
                    other.start_from_others(state.outgrown)
        return values


class _Around(NamedTuple):
    """The loop whose test or body is being traced."""

    rounds: Rounds
    way: Way
    frame: int
    graph: FuncGraph  # what the loop is in
    met: Counter[Any]

    def place(self) -> Any:
        """Where in the body we are: the calls that lead there, and how often they did."""
        calls: list[tuple[int, int]] = []
        frame = sys._getframe(2)
        while frame is not None and id(frame) != self.frame:
            calls.append((id(frame.f_code), frame.f_lasti))
            frame = frame.f_back
        path = tuple(calls)
        self.met[path] += 1
        return path, self.met[path]


_around: ContextVar[_Around | None] = ContextVar("staged loop", default=None)


def settle(loop: StagedAgain) -> list[Any]:
    """Stage a loop; the values of its variables after it."""
    around = _around.get()
    if around is None or not tracing.is_part_of(around.graph):
        with remembering():
            return _settle_outermost(loop, Rounds({}, tracing.graph_here(), loop), ())
    way = (*around.way, around.place())
    if tracing.is_recorded_within(around.graph):
        # A tape goes back through what really comes out.
        rounds = Rounds(around.rounds.states, tracing.graph_here(), loop)
        return _settle_outermost(loop, rounds, way)
    return _settle_inner(loop, around.rounds, way)


def need_values(names: Iterable[str]) -> None:
    """Note for the loops around that one in them has to run if these variables have no value: with
    one, which an iteration may leave, it need not.
    """
    around = _around.get()
    assert around is not None
    for k in range(len(around.way)):
        if (state := around.rounds.states.get(around.way[:k])) is not None:
            state.needed.update(names)


def taken_here() -> TakenItems | None:
    """What iterators of Python's have given to the loop whose body is being traced."""
    around = _around.get()
    is_within = around is not None and tracing.is_part_of(around.graph)
    return around.rounds.taken if around is not None and is_within else None


def _settle_outermost(loop: StagedAgain, rounds: Rounds, way: Way) -> list[Any]:
    for _ in range(_MOST_ROUNDS):
        with rounds.begin(), watched_by(rounds.watch):
            values = _trace_round(loop, rounds, way)
        if values is not None:
            rounds.taken.check()
            return values
        rounds.undo()
    raise ValueError(
        f"what a loop changes is something else each time its body is traced: {_MOST_ROUNDS} times"
    )


def _trace_round(loop: StagedAgain, rounds: Rounds, way: Way) -> list[Any] | None:
    state = rounds.state(way)
    return rounds.trace(loop, state, way, lambda: rounds.is_settled and state.is_known)


def _settle_inner(loop: StagedAgain, rounds: Rounds, way: Way) -> list[Any]:
    state = rounds.state(way)
    values = rounds.trace(loop, state, way, lambda: state.is_known)
    if values is None:
        rounds.is_settled = False
        tracing.mark_provisional(rounds.graph)
        values = loop.stand_ins(state)
    return values

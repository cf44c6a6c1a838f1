"""`while` and `for`, where the graph iterates."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from types import CellType
from typing import Any, Final

from ...errors import NotInEveryBranch, variable_of
from .. import logic, tensors
from ..places import containers
from ..places.state import LocalVariable, Place
from ..places.structures import TakenApart
from . import raising, tracing
from .blocks import StatementVariables
from .conditions import condition
from .facts import StatementFacts, StatementPlace
from .iteration import State, Steps
from .loop_state import LoopState
from .loop_trace import LoopTrace
from .loop_variables import LoopVariable, set_invariants
from .rounds import settle

# What `evaluated` says of a test that is a tensor.
IN_GRAPH: Final = object()


def _always() -> bool:
    return True


def evaluated(test: Callable[[], Any]) -> Any:
    """The test's value, or IN_GRAPH; its operations must not stay in the graph around the loop."""
    if not tensors.building_graph():
        return test()
    with tracing.scratch_graph():
        value = tensors.in_python(tensors.as_condition(test()))
    return IN_GRAPH if tensors.is_tensor(value) else value


def while_stmt(
    test: Callable[[], Any],
    body: Callable[[], None],
    options: Callable[[], Any] | None,
    facts: StatementFacts,
) -> None:
    loop = StagedLoop(
        "while", lambda _: condition(test(), "while loop"), lambda _: body(), options, facts
    )
    loop.block = body
    loop.run()


def for_stmt(
    steps: Steps,
    body: Callable[[Any], None],
    test: Callable[[], Any] | None,
    options: Callable[[], Any] | None,
    facts: StatementFacts,
) -> None:
    def wanted() -> Any:
        return True if test is None else test()

    def holds(state: State) -> Any:
        within = steps.holds(state)
        return within if test is None else logic.both(within, test())

    loop = StagedLoop("for", holds, lambda state: body(steps.item(state)), options, facts)
    loop.block = body
    loop.run(steps, wanted)


class StagedLoop:
    """One loop on its way into the graph.

    `holds` and `body` get the state of the steps, in a `for`, and else an empty list.
    """

    def __init__(
        self,
        statement: str,
        holds: Callable[[Any], Any],
        body: Callable[[Any], None],
        options: Callable[[], Any] | None,
        facts: StatementFacts,
    ) -> None:
        self.statement, self.holds, self.body = statement, holds, body
        self.block: Callable[..., None] = body  # as the user wrote it: errors show lines of it
        self.options = options() if options is not None else None
        self.facts, self.places = facts, StatementVariables(facts, repeats=True)
        self.nones: set[str] = set()
        self.steps: Steps | None = None
        self.first: State = []
        self.wanted: Callable[[], Any] = _always

    def run(self, steps: Steps | None = None, wanted: Callable[[], Any] | None = None) -> None:
        """Stage the loop. A `for` gives its steps, and whether it goes on to the next."""
        if steps is not None and wanted is not None:
            self.steps, self.wanted = steps, wanted
            self.first = steps.begin(wanted)
        try:
            with tracing.undoing(self._restore) as undoing:
                values = settle(self)
                self.places.put(values)
                undoing.keep()
        except NotInEveryBranch as error:
            raise self._explained(error) from None
        except Exception as error:
            if (name := variable_of(error)) is not None:
                raise self._with_line(error, name) from None
            raise

    def _restore(self) -> None:
        self.places.restore()  # those that it has by then

    def _with_line(self, error: BaseException, name: str) -> BaseException:
        from ..wording import last_line  # not before there is an error

        line = last_line(self.block, name)
        return error if line is None else type(error)(f"{error}\n  in the loop: {line}")

    def _explained(self, error: NotInEveryBranch) -> Exception:
        """A loop whose variable has a value after some ways through the body only."""
        for variable in self._variables(LoopState()):
            if variable.name == error.name and not variable.has_value:
                state = (
                    "is not allowed to be None" if variable.before is None else "must be defined"
                )
                return ValueError(f"'{error.name}' {state} before the loop: {error}")
        return error

    # --- rounds ---

    def functions(self) -> list[Callable[..., Any]]:
        """Those that are run for a trace."""
        return [self.block, self.holds]

    def trace(self, state: LoopState, is_final: Callable[[], bool]) -> list[Any] | None:
        """Trace test and body once; the values after the loop, or None where it is not final."""
        if state.nones - self.nones:
            self._set_first_apart(state.nones)
        self.places.leave_alone(state.left_alone)
        self.places.let_move(state.moved)
        self.places.keep_containers(state.kept_containers)
        values = self._traced(state, is_final)
        if values is None:
            self.places.restore()
        return values

    def _traced(self, state: LoopState, is_final: Callable[[], bool]) -> list[Any] | None:
        trace = LoopTrace(self, self._variables(state), state)
        if not self.places.discovered():
            return trace.run(is_final)
        with tracing.twofold():
            return trace.run(is_final)

    def _set_first_apart(self, nones: Iterable[str]) -> None:
        """Let the first iteration find None in these variables: a branch of its own."""
        if not self.nones:
            first = LocalVariable("the first iteration", CellType(True))
            self.body = functools.partial(self._iteration, first, self.body)
            self.places.restore()
            del self.places  # what it knows of lists would count as other names of theirs
            facts = self.facts._replace(places=(*self.facts.places, lambda: first))
            self.places = StatementVariables(facts, repeats=True)
        self.nones = {*nones}

    def _iteration(self, first: Place, body: Callable[[Any], None], state: State) -> None:
        from . import branches  # few loops need one

        places = [one.place for one in self.places.places]
        nones = [place for place in places if place.name in self.nones]

        def with_none() -> None:
            for place in nones:
                place.set(None)
            body(state)

        branches.if_stmt(first.get(), with_none, functools.partial(body, state), self.facts)
        first.set(False)

    def stand_ins(self, state: LoopState) -> list[Any]:
        """Values such as the loop may leave, by what is known of it."""
        for place in self.places.leave_alone(state.left_alone):
            place.set(state.left_alone[place.name])
        return LoopTrace(self, self._variables(state, is_late=True), state).unknown()

    def _variables(self, state: LoopState, *, is_late: bool = False) -> list[LoopVariable]:
        places = self.places.places
        pairs = zip(places, [_before(one, state.elements) for one in places], strict=True)
        variables = [
            LoopVariable(one.place.name, before, state, is_elsewhere=one.place.owner is not None)
            for one, before in pairs
        ]
        set_invariants(variables, getattr(self.options, "shape_invariants", None))
        for variable in variables:
            variable.recall(is_late=is_late)
        return variables

    def iterate(self, state: State, values: Iterable[Any]) -> list[TakenApart]:
        """Run the body once, from these values; return what it leaves behind."""
        left = self._left(state, list(values))
        pairs = zip(self.places.places, left, strict=True)
        return [TakenApart(one.place.name, value) for one, value in pairs]

    def _left(self, state: State, values: list[Any]) -> list[Any]:
        """What the body leaves; all as it was, if it always raises."""
        try:
            return self.places.run(lambda: self.body(state), self.statement, values)
        except Exception as error:
            if self.facts.handled or not raising.is_of_user(error):
                raise
            raising.stage_raise(error)
            return values


def _before(one: StatementPlace, elements: Mapping[str, Any]) -> Any:
    """The value before the loop; lists that grow as lists of the graph."""
    if not elements:
        return one.before
    containers.check_unshared(one.place.name, one.shared, elements)
    return containers.with_staged_lists(one.place.name, one.before, elements)

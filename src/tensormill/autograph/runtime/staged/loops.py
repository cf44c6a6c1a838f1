"""`while` and `for`, where the graph iterates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from tensormill.autograph.errors import NotInEveryBranch, variable_of
from tensormill.core import dtypes
from tensormill.errors import InvalidArgumentError

from .. import logic, tensors
from ..places import containers
from ..places.discovery import Discovered
from ..places.structures import Apart
from . import raising, tracing
from .blocks import StatementVariables
from .conditions import condition
from .iteration import State, Steps
from .loop_state import (
    Grows,
    Leaf,
    Learned,
    LoopVariable,
    Promotions,
    Varies,
    Widens,
    next_tensor,
    set_invariants,
)

# What `evaluated` says of a test that is a tensor.
IN_GRAPH: Final = object()

# What a loop variable of the wrong dtype may raise in the body.
_FAILURES = (TypeError, ValueError, InvalidArgumentError)


def _always() -> bool:
    return True


def evaluated(test: Callable[[], Any]) -> Any:
    """The test's value, or IN_GRAPH; its operations must not stay in the graph around the loop."""
    if not tensors.building_graph():
        return test()
    with tracing.scratch():
        value = tensors.deciding(test())
    return IN_GRAPH if tensors.is_tensor(value) else value


def while_stmt(
    test: Callable[[], Any],
    body: Callable[[], None],
    options: Callable[[], Any] | None,
    facts: dict[str, Any],
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
    facts: dict[str, Any],
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
        facts: dict[str, Any],
    ) -> None:
        self.statement, self.holds, self.body = statement, holds, body
        self.block: Callable[..., None] = body  # as the user wrote it: errors show lines of it
        self.options = options() if options is not None else None
        self.places = StatementVariables(**facts)
        self.steps: Steps | None = None
        self.first: State = []
        self.wanted: Callable[[], Any] = _always
        self.learned = Learned()

    def run(self, steps: Steps | None = None, wanted: Callable[[], Any] | None = None) -> None:
        """Stage the loop. A `for` gives its steps, and whether it goes on to the next."""
        if steps is not None and wanted is not None:
            self.steps, self.wanted = steps, wanted
            self.first = steps.begin(wanted)
        try:
            values = self._staged()
        except BaseException as error:
            self.places.restore()
            if isinstance(error, NotInEveryBranch):
                raise self._explained(error) from None
            if (name := variable_of(error)) is not None:
                raise self._with_line(error, name) from None
            raise
        self.places.put(values)

    def _with_line(self, error: BaseException, name: str) -> BaseException:
        from ..wording import last_line  # not before there is an error

        line = last_line(self.block, name)
        return error if line is None else type(error)(f"{error}\n  in the loop: {line}")

    def _explained(self, error: NotInEveryBranch) -> Exception:
        """A loop whose variable has a value after some ways through the body only."""
        for variable in self._variables({}):
            if variable.name == error.name and not variable.has_value:
                state = (
                    "is not allowed to be None" if variable.before is None else "must be defined"
                )
                return ValueError(f"'{error.name}' {state} before the loop: {error}")
        return error

    # --- attempts ---

    def _staged(self) -> list[Any]:
        while True:
            try:
                return self._promoted()
            except (Grows, Widens) as found:
                self.learned.note(found)  # raises where that is nothing new
            except Discovered as discovered:
                self.places.adopt(discovered)
            except (TypeError, ValueError):
                if not self.places.disown():
                    raise

    def _promoted(self) -> list[Any]:
        try:
            return self._attempt({})
        except _FAILURES as failure:
            for promotions in self._promotions():
                try:
                    return self._attempt(promotions)
                except _FAILURES:
                    continue
            raise failure

    def _promotions(self) -> Iterator[Promotions]:
        """Dtypes for Python numbers that may suit the body better than int32 and float32."""
        weak = [leaf for leaf in _leaves(self._variables({})) if leaf.is_weak]
        if not weak:
            return
        try:
            adopted = self._adopted(weak)
        except _FAILURES:
            adopted = {}
        if adopted:
            yield adopted
        counters = {leaf.name: dtypes.int64 for leaf in weak if isinstance(leaf.start, int)}
        if counters:  # as when `i = 0` is compared with an int64
            yield {**counters, **adopted}

    def _adopted(self, weak: Sequence[Leaf]) -> Promotions:
        """Run the body with Python numbers left as they are, and see what becomes of them."""
        variables = self._variables({})
        left = self._trial(variables, with_numbers=True)
        pairs = zip(_leaves(variables), _carried(variables, left), strict=True)
        found = {leaf.name: tensors.dtype_of(new) for leaf, new in pairs if leaf.is_weak}
        return {
            leaf.name: found[leaf.name]
            for leaf in weak
            if found[leaf.name] is not tensors.dtype_of(leaf.start)
            and tensors.fits(leaf.start, found[leaf.name])
        }

    def _attempt(self, promotions: Promotions) -> list[Any]:
        varying: dict[str, Any] = {}
        while True:
            variables = self._variables(promotions)
            self._find_stand_ins(variables, varying)
            try:
                return _Attempt(self, variables).run()
            except Varies as error:
                varying[error.name] = error.like

    def _find_stand_ins(
        self, variables: Sequence[LoopVariable], varying: Mapping[str, Any]
    ) -> None:
        """Let variables without a value start with what a trial run leaves behind."""
        if all(variable.has_value for variable in variables):
            return
        left = self._trial(variables, with_numbers=False)
        for variable, one in zip(variables, left, strict=True):
            if not variable.has_value and not one.is_absent:
                variable.stand_in(one, varying, self.learned)

    def _variables(self, promotions: Promotions) -> list[LoopVariable]:
        pairs = zip(self.places.places, self._before(), strict=True)
        variables = [LoopVariable(place.name, before, promotions) for place, before in pairs]
        set_invariants(variables, getattr(self.options, "shape_invariants", None))
        for variable in variables:
            variable.widen(self.learned.wider)
        return variables

    def _before(self) -> list[Any]:
        """The values before the loop; lists that grow as lists of the graph."""
        before = list(self.places.before)
        elements = self.learned.elements
        for k, place in enumerate(self.places.places if elements else ()):
            containers.check_unshared(
                place.name, place.name in elements and self.places.is_shared[k]
            )
            before[k] = containers.grown(place.name, before[k], elements)
        return before

    def _trial(self, variables: Sequence[LoopVariable], *, with_numbers: bool) -> list[Apart]:
        """Trace the body once, to throw it away; return what it leaves behind."""
        with tracing.scratch() as graph:
            state = [tracing.stand_in(graph, one) for one in self.first]
            values = [
                variable.built([_tried(graph, leaf, with_numbers) for leaf in variable.carried])
                for variable in variables
            ]
            return self.iterate(state, values)

    def iterate(self, state: State, values: Iterable[Any]) -> list[Apart]:
        """Run the body once, from these values; return what it leaves behind."""
        left = self._left(state, list(values))
        pairs = zip(self.places.places, left, strict=True)
        return [Apart(place.name, value) for place, value in pairs]

    def _left(self, state: State, values: list[Any]) -> list[Any]:
        """What the body leaves; all as it was, if it always raises."""
        try:
            return self.places.run(lambda: self.body(state), self.statement, values)
        except Exception as error:
            if self.places.handled or not raising.is_of_user(error):
                raise
            raising.stage(error)
            return values


def _tried(graph: Any, leaf: Leaf, with_numbers: bool) -> Any:
    if with_numbers and leaf.is_weak:
        return leaf.start
    tensor = leaf.tensor()
    return tracing.stand_in(graph, tensor, leaf.allowed_shape(tensor))


def _leaves(variables: Sequence[LoopVariable]) -> list[Leaf]:
    return [leaf for variable in variables for leaf in variable.carried]


def _carried(variables: Sequence[LoopVariable], left: Sequence[Apart]) -> list[Any]:
    pairs = zip(variables, left, strict=True)
    return [new for variable, one in pairs for new in variable.after(one)]


class _Attempt:
    """One attempt at a loop: `tf.while_loop` over [state of the steps, *leaves].

    A `while` has no steps. It has a flag instead, where a variable gets its first value in the
    loop: whether the loop ran at all.
    """

    def __init__(self, loop: StagedLoop, variables: Sequence[LoopVariable]) -> None:
        self.loop = loop
        self.variables = variables
        self.leaves = _leaves(variables)
        self.starts = [leaf.tensor() for leaf in self.leaves]
        pairs = zip(self.leaves, self.starts, strict=True)
        self.shapes = [leaf.allowed_shape(tensor) for leaf, tensor in pairs]
        self.first_values = [v.name for v in variables if v.must_be_set]
        self.is_flagged = loop.steps is None and bool(self.first_values or not self.leaves)
        self.head = [tensors.as_tensor(False)] if self.is_flagged else loop.first

    def run(self) -> list[Any]:
        """Stage the loop; return the values of the variables after it."""
        state = tracing.while_loop(
            self._holds,
            self._iterate,
            [*self.head, *self.starts],
            [*(tensor.shape for tensor in self.head), *self.shapes],
            getattr(self.loop.options, "maximum_iterations", None),
        )
        head, carried = state[: len(self.head)], state[len(self.head) :]
        self._check_ran(head)
        pairs = zip(self.leaves, carried, strict=True)
        return self._built([leaf.start if leaf.is_unchanged else new for leaf, new in pairs])

    def _check_ran(self, head: Sequence[Any]) -> None:
        steps = self.loop.steps
        if not self.first_values:
            return
        runs = head[0] if steps is None else steps.runs(self.head)
        if runs is True:
            return
        names = ", ".join(self.first_values)
        message = f"loop must iterate at least once to initialize {names}"
        logic.check(tensors.as_tensor(runs), message)

    def _holds(self, *state: Any) -> Any:
        self.loop.places.show(self._built(state[len(self.head) :]))
        return self.loop.holds(self._steps_of(state))

    def _iterate(self, *state: Any) -> list[Any]:
        at, now = self._steps_of(state), state[len(self.head) :]
        new = _carried(self.variables, self.loop.iterate(at, self._built(now)))
        rows = zip(self.leaves, now, self.shapes, new, strict=True)
        leaves = [next_tensor(*row) for row in rows]
        return [*self._next_head(at, leaves), *leaves]

    def _next_head(self, at: State, leaves: Sequence[Any]) -> list[Any]:
        """The flag, or the state at the next item, which is taken where the loop goes on."""
        if self.loop.steps is None:
            return [tensors.as_tensor(True)] if self.is_flagged else []
        self.loop.places.show(self._built(leaves))
        return self.loop.steps.advance(at, self.loop.wanted)

    def _steps_of(self, state: Sequence[Any]) -> State:
        return [] if self.loop.steps is None else list(state[: len(self.head)])

    def _built(self, carried: Sequence[Any]) -> list[Any]:
        rest = iter(carried)
        return [v.built([next(rest) for _ in v.carried]) for v in self.variables]

"""One trace of a loop: test and body with what is known of it, and what the body shows more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ....core.shapes import TensorShape
from ....graph.numbers.loop_numbers import LoopNumber, mark
from .. import logic, tensors
from ..places.state import Place
from ..places.structures import TakenApart
from . import tracing
from .iteration import State
from .loop_state import LoopState
from .loop_variables import Leaf, LoopVariable, grant, next_tensor
from .rounds import need_values
from .tracing import LateVariable, PythonNumber

if TYPE_CHECKING:
    from .loops import StagedLoop

# A leaf, its tensor at the start of an iteration, and what notes the wishes of its number.
Row = tuple[Leaf, Any, LoopNumber | None]


class LoopTrace:
    """A loop, by what is known of it: `tf.while_loop` over [state of the steps, *leaves].

    A `while` has no steps. It has a flag instead, where a variable gets its first value in the
    loop: whether the loop ran at all.
    """

    def __init__(
        self, loop: StagedLoop, variables: Sequence[LoopVariable], state: LoopState
    ) -> None:
        self.loop, self.known = loop, state
        self.variables = variables
        # Python's numbers that the body starts with, and whose they are.
        self.twofold: list[tuple[str, PythonNumber]] = []
        self.counted: dict[Leaf, Any] = {}  # their tensors in the body
        self.leaves = [leaf for variable in variables for leaf in variable.carried]
        self.numbers = [leaf.number() for leaf in self.leaves]
        self.starts = [leaf.tensor() for leaf in self.leaves]
        pairs = zip(self.leaves, self.starts, strict=True)
        self.shapes = [leaf.allowed_shape(tensor) for leaf, tensor in pairs]
        self.is_flagged = loop.steps is None and bool(self._first_values() or not self.leaves)
        self.head = [tensors.as_tensor(False)] if self.is_flagged else loop.first
        self.late: list[tuple[LoopVariable, TakenApart]] = []  # with the first values that they get

    def run(self, is_final: Callable[[], bool]) -> list[Any] | None:
        """Trace the loop, and stage it if it is final; the values of the variables after it."""
        state = tracing.while_loop(
            self._holds,
            self._iterate,
            [*self.head, *self.starts],
            [*(tensor.shape for tensor in self.head), *self.shapes],
            getattr(self.loop.options, "maximum_iterations", None),
            lambda: self._late_variables() if is_final() else None,
        )
        if state is None:
            return None
        head, carried = state[: len(self.head)], state[len(self.head) :]
        self._check_ran([*head, *carried[len(self.leaves) :]])
        return self._after(carried[: len(self.leaves)])

    def _late_variables(self) -> list[LateVariable]:
        """What has got its first value in the body, and whether the loop ran, if that matters."""
        found: list[LateVariable] = []
        for variable, left in self.late:
            variable.recall(is_late=True)
            values = variable.join(left) or ()
            for leaf, value in zip(variable.carried, values, strict=True):
                start = leaf.tensor()
                found.append(LateVariable(start, leaf.allowed_shape(start), value))
                self.leaves.append(leaf)
                self.numbers.append(None)
        if self._first_values() and self.loop.steps is None and not self.is_flagged:
            found.append(LateVariable(False, TensorShape(()), True))
        return found

    def unknown(self) -> list[Any]:
        """Values of the variables of which nothing else is known."""
        return self._after(tracing.unknown(self.starts, self.shapes))

    def _after(self, carried: Sequence[Any]) -> list[Any]:
        for tensor, number in zip(carried, self.numbers, strict=True):
            if number is not None and number.within:
                mark(tensor, LoopNumber(number.within))
        for leaf, tensor in zip(self.leaves, carried, strict=True):
            if (counted := self.counted.get(leaf)) is not None:
                tracing.leave(tensor, counted)
        same = self.known.unchanged
        pairs = zip(self.leaves, carried, strict=True)
        return self._built([leaf.start if leaf in same else new for leaf, new in pairs])

    def _first_values(self) -> list[str]:
        return [variable.name for variable in self.variables if variable.must_be_set]

    def _check_ran(self, head: Sequence[Any]) -> None:
        names, steps = self._first_values(), self.loop.steps
        if not names:
            return
        runs = head[0] if steps is None else steps.runs(self.head)
        if runs is True:
            return
        need_values(names)
        message = f"loop must iterate at least once to initialize {', '.join(names)}"
        logic.check_at_run_time(tensors.as_tensor(runs), message)

    def _holds(self, *state: Any) -> Any:
        self.loop.places.show(self._built(self._now(state)))
        return self.loop.holds(self._steps_of(state))

    def _iterate(self, *state: Any) -> list[Any]:
        at, now = self._steps_of(state), self._now(state)
        try:
            left = self.loop.iterate(at, self._built(now))
        except TypeError as error:
            self._explain(error)
            raise
        self.known.move(self.loop.places.moved_in_place())
        self.known.keep_containers(self.loop.places.kept_containers)
        if self._leave_wanted():
            return list(state)
        if self.loop.places.refusal is not None:
            self.known.doubt(self.loop.places.refusal)
        leaves = self._joined(now, left)
        self.known.check()
        if not self.known.is_known:
            return list(state)
        head = self._next_head(at, leaves)
        if self._leave_wanted():
            return list(state)
        for leaf, tensor, number in zip(self.leaves, now, self.numbers, strict=True):
            if number is not None and number.wishes:  # of the test for the next item
                grant(self.known, leaf, tensor, number)
        self._note_nones(now, leaves)
        return [*head, *leaves]

    def _note_nones(self, now: Sequence[Any], leaves: Sequence[Any]) -> None:
        """Find out whether an iteration looks at a variable that is None before the loop."""
        rest = iter(zip(now, leaves, strict=True))
        for variable in self.variables:
            pairs = [next(rest) for _ in variable.carried]
            if variable.before is not None or variable.name in self.known.nones:
                continue
            if any(new is at or tracing.is_read(at) for at, new in pairs):
                self.known.start_with_none(variable.name)

    def _now(self, state: Sequence[Any]) -> Sequence[Any]:
        """The tensors of the leaves."""
        now = state[len(self.head) :]
        for tensor, number in zip(now, self.numbers, strict=True):
            if number is not None:
                mark(tensor, number)
        self._note_twofold(now)
        return now

    def _note_twofold(self, now: Sequence[Any]) -> None:
        """Let leaves be Python's numbers, too, which only calls change, and those that start so."""
        owners = {id(leaf): one.name for one in self.variables for leaf in one.carried}
        for leaf, tensor in zip(self.leaves, now, strict=True):
            name, start = owners[id(leaf)], leaf.start
            if tensors.is_symbolic(start) or self.loop.places.is_discovered(name):
                if (number := tracing.start_as(tensor, start)) is not None:
                    self.twofold.append((name, number))
                    self.counted[leaf] = tensor

    def _explain(self, error: TypeError) -> None:
        """Say what code may have been given that wanted a number and asked nobody."""
        found = [name for name, _ in self.twofold if self.loop.places.is_discovered(name)]
        counts = [*dict.fromkeys(found)]
        if counts and not hasattr(error, "__notes__"):
            error.add_note(
                f"While this loop is traced, {' and '.join(counts)}, which calls change, may be a "
                f"tensor. What takes ints alone is given int({counts[0]})"
            )

    def _leave_wanted(self) -> bool:
        """Leave to the trace the numbers of which the body has wanted Python's: those that only
        calls change, here or in a loop around. Whether there are any.
        """
        wanted = {name for name, number in self.twofold if number.is_wanted}
        for one in self.loop.places.discovered():
            if one.place.name in wanted:
                self.known.leave_alone(one.place.name, one.before)
        self.known.is_known = self.known.is_known and not wanted
        return bool(wanted)

    def _joined(self, now: Sequence[Any], left: Sequence[TakenApart]) -> list[Any]:
        """The leaves after an iteration; where it shows more of them, that is noted."""
        count, rest = len(self.variables), iter(zip(self.leaves, now, self.numbers, strict=True))
        leaves: list[Any] = []
        for variable, one in zip(self.variables, left[:count], strict=True):
            rows = [next(rest) for _ in variable.carried]
            leaves += self._join(variable, one, rows)
            if not (variable.has_value or variable.leaves or one.is_absent):
                self.late.append((variable, one))
        for found, one in zip(self.loop.places.places[count:], left[count:], strict=True):
            self._discover(found.place, one)
        return leaves

    def _join(self, variable: LoopVariable, left: TakenApart, rows: Sequence[Row]) -> list[Any]:
        is_discovered = self.loop.places.is_discovered(variable.name)
        found, doubts = list[Any](), len(self.known.doubts)
        try:
            pairs = zip(rows, variable.join(left) or (), strict=False)
            found = [next_tensor(self.known, *row, new) for row, new in pairs]
        except (TypeError, ValueError):
            if not is_discovered:
                raise
            self.known.leave_alone(variable.name, left.value)
        is_refused = any(leaf.name in self.known.strict for leaf, *_ in rows)
        if is_discovered and (is_refused or len(self.known.doubts) > doubts):
            self.known.leave_alone(variable.name, left.value)
        return found

    def _discover(self, place: Place, left: TakenApart) -> None:
        """Find out what a place is that only the body has shown to be one."""
        self.known.discover(place.get())
        variable = LoopVariable(place.name, place.get(), self.known)
        rows = [(leaf, leaf.tensor(), leaf.number()) for leaf in variable.carried]
        self._join(variable, left, rows)

    def _next_head(self, at: State, leaves: Sequence[Any]) -> list[Any]:
        """The flag, or the state at the next item, which is taken where the loop goes on."""
        if self.loop.steps is None:
            return [tensors.as_tensor(True)] if self.is_flagged else []
        first = {id(variable): left.value for variable, left in self.late}
        pairs = zip(self.variables, self._built(leaves), strict=True)
        self.loop.places.show([first.get(id(variable), value) for variable, value in pairs])
        return self.loop.steps.advance(at, self.loop.wanted)

    def _steps_of(self, state: Sequence[Any]) -> State:
        return [] if self.loop.steps is None else list(state[: len(self.head)])

    def _built(self, carried: Sequence[Any]) -> list[Any]:
        now = {id(leaf): one for leaf, one in zip(self.leaves, carried, strict=True)}
        return [v.built([now[id(leaf)] for leaf in v.carried]) for v in self.variables]

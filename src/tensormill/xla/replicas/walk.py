"""The walk over a graph with work of replicas, each of which has a device of its own.

What the walk says is said to all devices, each of which does it with its own values:

    shared      an array that all devices have alike: what is above all replicas
    Member      the value of one replica: its device has it in `local`; what others have there are
                the values of their replicas, or nothing that counts

Sums and rows of the values of all replicas are exchanges (`psum`, `all_gather`); whatever else
looks at the value of a replica from above gets it from its device.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final, final

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ...graph.ir import Application, Graph, ReplicaPlace, Value
from ..builder import Walk
from ..control_flow import ReadBranch, written_slots
from ..language import NotInXla
from ..values import HandedOn, HeldVariable, held_constant, is_array
from .alignment import ABOVE, Alignment, ReplicaStep, Surroundings, replicas_of
from .exchanges import AXIS, Member, chosen, exchanged, is_total, sent, total
from .operation_keys import are_alike
from .written_out import Path, WrittenOut

ELSEWHERE: Final = -1  # in place of the number of a check: one failed on another device


@final
class ReplicatedWalk(Walk):
    """Reads a graph for all devices of replicas at once."""

    def begin(self, replicas: tuple[ReplicaPlace, ...], shared: frozenset[int]) -> None:
        """Say which replicas there are, and the slots of variables that are no replica's own."""
        self._replicas = replicas
        self._shared = shared
        self._paths: dict[Application, Path] = {}
        # How deep in graphs the walk was when it came to what each replica does by itself.
        self._alone: int | None = None
        self._turn: int | None = None  # what is done now is done by that one only
        self._is_told = True  # whether all devices know of failed checks
        self.owners: dict[int, int] = {}  # of counters: the replicas that draw with them
        self._known: dict[tuple[int, int], tuple[Any, Any]] = {}

    def path_to(self, operation: Application) -> Path:
        return self._paths.get(operation, (operation,))

    # ---- the walk
    def walk(self, operations: Sequence[Application], values: dict[Any, Any]) -> None:
        if self._alone is not None or not replicas_of(operations):
            self._one_by_one(operations, values)
            return
        written, around = WrittenOut(operations), surroundings(values)
        made = [value for one in operations for value in one.results]
        now = {value: written.now(value) for value in made}
        steps = Alignment(written.operations, self._replicas, around, now.values()).steps
        self.follow(steps, written, values)
        values.update({value: values[one] for value, one in now.items() if one in values})

    def follow(
        self, steps: Sequence[ReplicaStep], written: WrittenOut, values: dict[Any, Any]
    ) -> None:
        """Add to `values` what steps give."""
        values.update({one: held_constant(attrs) for one, attrs in written.constants.items()})
        self._paths.update(written.paths)
        for step in steps:
            if ABOVE in step.work:
                self._do_above(step.work[ABOVE][0], values)
            elif not (step.is_one and self._do_as_one(step, values)):
                self._do_in_turn(step, values)

    # ---- above all replicas
    def _do_above(self, operation: Application, values: dict[Any, Any]) -> None:
        operands = [values[one] for one in operation.operands]
        found = self._exchanged(operation, operands)
        if found is None:
            given = dict(zip(operation.operands, map(self.shared, operands), strict=True))
            self._one_by_one((operation,), given)
            found = [given[one] for one in operation.results]
        values.update(zip(operation.results, found, strict=True))

    def _exchanged(self, operation: Application, operands: Sequence[Any]) -> Sequence[Any] | None:
        """What comes of values of replicas by themselves; None where they are looked at."""
        name, first = operation.op.name, operands[0] if operands else None
        if name == "ReadVariableOp" and isinstance(first, HeldVariable):
            if first.number is None:
                return None
            return [Member(self._value_of(first), first.number)]
        if name == "AddN" and is_total(operands):
            return [total(operands, len(self._replicas))]
        rows, axis = (
            (operands[:-1], self.known(operands[-1])) if name == "ConcatV2" else (operands, None)
        )
        if name == "Pack":
            axis = operation.attrs["axis"]
        elif name != "ConcatV2" or axis is None:
            return None
        found = exchanged(rows, len(self._replicas), int(axis), name == "Pack")
        return None if found is None else [found]

    def shared(self, value: Any) -> Any:
        """A value as all devices have it."""
        if not isinstance(value, Member):
            return value
        key = id(value.local), value.number
        if key not in self._known or self._depth:
            found = value.local, sent(value.local, value.number)
            if self._depth:  # nobody outside may have what is made within
                return found[1]
            self._known[key] = found
        return self._known[key][1]

    # ---- all replicas at once
    def _do_as_one(self, step: ReplicaStep, values: dict[Any, Any]) -> bool:
        """Do operations that are one; False where they are not, with the values at hand."""
        work = [operations[0] for _, operations in sorted(step.work.items())]
        if not are_alike(work):
            return False
        columns = list(zip(*[[values[one] for one in op.operands] for op in work], strict=True))
        given = [self._of_all(column) for column in columns]
        if any(one is None for one in given):
            return False
        first = work[0]
        inside = dict(zip(first.operands, given, strict=True))
        before, is_told = replace(self.state, variables=dict(self.state.variables)), self._is_told
        try:
            with self._by_each():
                self._one_by_one((first,), inside)
        except NotInXla:  # what it has changed until then will be changed in turn
            self.state, self._is_told = before, is_told
            return False
        self._put_back(before.variables)
        is_own = any(map(_differs, columns))
        for number, operation in enumerate(work):
            for result, value in zip(operation.results, first.results, strict=True):
                values[result] = _given_to(number, inside[value]) if is_own else inside[value]
        return True

    def _of_all(self, column: Sequence[Any]) -> Any:
        """The operand of an operation that all replicas do; None where these are not one."""
        first = column[0]
        if isinstance(first, HeldVariable):
            return first.in_replica() if not _differs(column) or _in_order(column) else None
        if all(one is first for one in column) or _are_equal(column):
            return self.shared(first)
        if isinstance(first, Member) and _in_order(column):
            return first.local
        return chosen(column)

    # ---- each device for its own replica
    def _do_in_turn(self, step: ReplicaStep, values: dict[Any, Any]) -> None:
        """Let each device do what its replica does alone."""
        turns = {k: _ReplicaTurn(work, step.returns[k]) for k, work in step.work.items()}
        for number, turn in turns.items():
            turn.operands = [self._in_replica(number, values[one]) for one in turn.graph.inputs]
        own = {k: written_slots((one.graph,), one.operands) for k, one in turns.items()}
        slots = tuple(sorted({slot for written in own.values() for slot in written}))
        begin, before = self.leaves(slots), dict(self.state.variables)
        for number, turn in turns.items():
            with self._by_each(number):
                turn.read = ReadBranch(self, turn.graph, turn.operands, slots)
        columns = self._results_of(turns)
        branches = [_branch(turns.get(k), k, columns) for k in range(len(self._replicas))]
        arrays, leaves = lax.switch(lax.axis_index(AXIS), branches, begin)
        self.take(leaves, slots)
        self._put_back(before)
        for number, written in own.items():
            for slot in set(written) & self._shared:
                self.state.variables[slot] = sent(self.state.variables[slot], number)
        for number, turn in turns.items():
            found = arrays[0 if columns is None else number]
            for value, result, array in zip(turn.graph.returns, turn.results, found, strict=True):
                known = isinstance(result, np.ndarray) or not is_array(result)
                values[value] = _given_to(number, result if known else array)

    def _in_replica(self, number: int, value: Any) -> Any:
        """A value as a replica sees it."""
        if isinstance(value, Member):
            return value.local if value.number == number else self.shared(value)
        return value.in_replica() if isinstance(value, HeldVariable) else value

    @contextmanager
    def _by_each(self, turn: int | None = None) -> Iterator[None]:
        """What each replica does by itself, or that of one `turn` only."""
        self._alone, self._turn = self._depth, turn
        try:
            yield
        finally:
            self._alone = self._turn = None

    def _results_of(self, turns: Mapping[int, _ReplicaTurn]) -> Mapping[int, Any] | None:
        """What each turn gives; None where all give the same kinds of arrays."""
        found = {number: turn.structs for number, turn in turns.items()}
        kinds = {str(one) for one in found.values()}
        return None if len(found) == len(self._replicas) and len(kinds) == 1 else found

    # ---- state
    def _checked_here(self) -> None:
        if self._alone is not None:
            self._is_told = False

    def _is_done_once(self) -> bool:
        # Each turn is a branch, which its device takes.
        return self._depth == (0 if self._turn is None else (self._alone or 0) + 1)

    def _drawn_here(self, number: int) -> None:
        self.owners[number] = self._turn or 0

    def read(self, handle: Any) -> Any:
        value = self._value_of(handle)
        return value if handle.number is None else sent(value, handle.number)

    def write(self, handle: Any, value: Any) -> None:
        self._meet()
        if isinstance(handle, HeldVariable) and handle.number is not None:
            before = self._value_of(handle)
            value = jnp.where(lax.axis_index(AXIS) == handle.number, value, before)
        self._replace_value(handle, value)

    def _meet(self) -> None:
        """Let all devices know of a check that failed on one: nothing is written after it, and no
        device stays alone in a branch or a loop of all.

        Not in branches and loops that each replica is in by itself: devices do not meet there.
        """
        if self._is_told or (self._alone is not None and self._depth > self._alone):
            return
        status = self.state.status
        has_failed = status[0] != 0
        elsewhere = jnp.full_like(status, ELSEWHERE)
        any_failed = lax.psum(has_failed.astype(np.int32), AXIS) > 0
        self.state.status = jnp.where(any_failed & ~has_failed, elsewhere, status)
        self._is_told = True

    def _put_back(self, before: Mapping[int, Any]) -> None:
        """Undo what devices wrote where they did not meet, if a check failed on another one."""
        now = self.state.variables
        changed = [slot for slot, value in before.items() if now[slot] is not value]
        if self._is_told or not changed:
            return
        self._meet()
        for slot in changed:
            kept = self.state.status[0] == ELSEWHERE
            now[slot] = jnp.where(kept, before[slot], now[slot])


class _ReplicaTurn:
    """What one replica does alone, as a graph, and what its branch gives."""

    operands: Sequence[Any]
    read: ReadBranch

    def __init__(self, work: Sequence[Application], returns: Sequence[Value]) -> None:
        made = {value for one in work for value in one.results}
        used = dict.fromkeys(value for one in work for value in one.operands)
        inputs = tuple([value for value in used if value not in made])
        self.graph: Final = Graph("turn", inputs, (), tuple(work), tuple(returns))

    @property
    def results(self) -> Sequence[Any]:
        return self.read.results

    @property
    def structs(self) -> Sequence[Any]:
        """The kinds of the arrays that it gives."""
        pairs = zip(self.results, self.read.given, strict=True)
        return [one if is_array(result) else () for result, one in pairs]


def _branch(turn: _ReplicaTurn | None, number: int, columns: Mapping[int, Any] | None) -> Any:
    """What the device of a replica does; others' results are zeros there."""

    def run(leaves: Any) -> Any:
        given: Any = None
        if turn is not None:
            given, leaves = turn.read.run(leaves)
        if columns is None:
            return [given], leaves
        zeros = {
            k: jax.tree.map(lambda one: jnp.zeros(one.shape, one.dtype), structs)
            for k, structs in columns.items()
            if k != number
        }
        return {k: zeros.get(k, given) for k in columns}, leaves

    return run


def surroundings(values: Mapping[Any, Any]) -> Surroundings:
    """What is known of values, for putting operations together."""
    held = {value: one for value, one in values.items() if isinstance(one, HeldVariable)}
    owned = {value: one for value, one in values.items() if isinstance(one, (Member, HeldVariable))}
    numbers = {value: one.number for value, one in owned.items() if one.number is not None}
    return Surroundings({}, {value: (one.slot, one.number) for value, one in held.items()}, numbers)


def _given_to(number: int, value: Any) -> Any:
    """What a replica has made, as it is seen from above."""
    if isinstance(value, np.ndarray) or not is_array(value):
        return value
    return Member(value, number)


def _differs(column: Sequence[Any]) -> bool:
    """Whether replicas have their own of a value."""
    first = column[0]
    if isinstance(first, (Member, HeldVariable)) and first.number is not None:
        return True
    return not (all(one is first for one in column) or _are_equal(column))


def _in_order(column: Sequence[Any]) -> bool:
    """Whether these are what each replica has of one value, or variable."""
    first = column[0]
    if isinstance(first, Member):
        return all(
            isinstance(one, Member) and one.local is first.local and one.number == k
            for k, one in enumerate(column)
        )
    return all(
        isinstance(one, HeldVariable) and one.slot == first.slot and one.number == k
        for k, one in enumerate(column)
    )


def _are_equal(column: Sequence[Any]) -> bool:
    """Whether values are one constant, variable, or thing that programs do not look into."""
    first = column[0]
    if isinstance(first, np.ndarray):
        kind = first.shape, first.dtype.str, first.tobytes()
        return all(
            isinstance(one, np.ndarray) and (one.shape, one.dtype.str, one.tobytes()) == kind
            for one in column
        )
    if isinstance(first, HeldVariable):
        return all(
            isinstance(one, HeldVariable) and (one.slot, one.number) == (first.slot, first.number)
            for one in column
        )
    if isinstance(first, HandedOn):
        return all(isinstance(one, HandedOn) and one.payload is first.payload for one in column)
    return False

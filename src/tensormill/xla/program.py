"""A part of a graph as one program of XLA, for operands of one kind: shapes, dtypes, constants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, final

import jax
import jax.extend
import jax.numpy as jnp
import numpy as np

from ..core.process.lazy_property import lazy_property
from ..core.specs import TensorSpec
from ..errors import UserRaised
from ..graph.failure import located_message
from ..graph.ir import Application, Value
from ..graph.passes.expansions import Expansions
from ..ops.lowering import MOST_NUMBERS
from .builder import MoreCounters, ProgramState, Walk, WalkFacts
from .language import NotInXla
from .lists import HeldList
from .scope import compiler_options, making
from .values import HandedOn, HeldVariable, leaf_of, same_handle

Array = np.ndarray[Any, Any]


class FixedValue:
    """A value that depends on nothing but the sizes of what the function was given."""

    def __init__(self, array: Array) -> None:
        self.array: Final = array

    @lazy_property
    def key(self) -> Any:
        return self.array.shape, self.array.dtype.str, self.array.tobytes()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FixedValue) and other.key == self.key

    def __hash__(self) -> int:
        return hash(self.key)


class Outside(NamedTuple):
    """Stands in a program for an operand that it does not look into."""

    number: int
    spec: Any


class Given(NamedTuple):
    """The kind of an operand; equal ones have the same program."""

    kind: str  # "array", "list", "constant", "variable", "object"
    facts: Any


@dataclass(frozen=True)
class SlotFacts:
    """What a program is made for of a variable: the shape of its value, None where it has none."""

    shape: tuple[int, ...] | None
    spec: TensorSpec
    name: str
    trainable: bool


class Part(NamedTuple):
    """Operations in a row that become programs."""

    operations: tuple[Application, ...]
    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]
    fixed: Mapping[Value, Any]  # constants of the graph


class ProgramResult(NamedTuple):
    """What becomes of a result: "array" number `fact` of the program, "constant" `fact`, "input"
    number `fact`, which is handed on, or "list": from which to which array, and how it is made.
    """

    kind: str
    fact: Any


@final
class XlaProgram:
    """One program: what it was made for, and how its operands and results lie."""

    def __init__(
        self,
        part: Part,
        given: Sequence[Given],
        slots: Sequence[SlotFacts],
        expansions: Expansions,
        rooms: Mapping[Any, int],
    ) -> None:
        self.part: Final = part
        self._given = tuple(given)
        self._slots = tuple(slots)
        self._expansions = expansions
        self._rooms = rooms
        self.facts = WalkFacts()
        self.results: list[ProgramResult] = []
        self.shown: dict[int, list[ProgramResult]] = {}  # what failed checks print, by their number
        self.written: tuple[int, ...] = ()  # slots
        self.arrays: Final = tuple(
            k for k, one in enumerate(given) if one.kind in ("array", "list")
        )
        self.counters = 8
        while True:
            try:
                self._make()
                return
            except MoreCounters:
                self.counters *= 4

    def shape_of(self, number: int) -> list[int] | None:
        """The shape of an operand that is an array."""
        given = self._given[number]
        return list(given.facts[0]) if given.kind == "array" else None

    @property
    def has_more_than_arrays(self) -> bool:
        """Whether some operands are neither arrays nor variables, or needed where a check fails."""
        return bool(self.shown) or any(one.kind not in ("array", "variable") for one in self._given)

    @property
    def paths(self) -> Sequence[tuple[Any, ...]]:
        """Where numbers are drawn, in the order of counters."""
        return tuple(self.facts.counters)

    def _make(self) -> None:
        arrays = [_struct_of_operand(self._given[k]) for k in self.arrays]
        valued = [k for k, one in enumerate(self._slots) if one.shape is not None]
        states = {k: _struct_of(self._slots[k]) for k in valued}
        words = jax.ShapeDtypeStruct((self.counters,), np.int64)
        self.facts = WalkFacts()
        with making():
            jaxpr, shapes = jax.make_jaxpr(self._trace, return_shape=True)(arrays, states, words)
            after = dict(zip(self.written, shapes[1], strict=True))
            self.donated = tuple(
                k for k in valued if k in after and after[k].shape == states[k].shape
            )
            self.read = tuple(k for k in valued if k not in self.donated)
            run = jax.extend.core.jaxpr_as_fun(jaxpr)
            facts = self.facts
            kept = bool(facts.counters), bool(facts.failures), bool(facts.sites)

            def program(donated: Any, read: Any, arrays: Any, words: Any) -> Any:
                values = dict(zip(self.donated, donated, strict=True))
                values.update(zip(self.read, read, strict=True))
                if words is None:
                    words = jnp.zeros(self.counters, np.int64)
                found = run(*jax.tree.leaves(arrays), *(values[k] for k in valued), words)
                pairs = zip(found[-3:], kept, strict=True)
                state = [one if is_kept else None for one, is_kept in pairs]
                return found[: -3 - len(self.written)], found[-3 - len(self.written) : -3], state

            made = jax.jit(program, donate_argnums=0)
            given = [states[k] for k in self.donated], [states[k] for k in self.read]
            words = words if facts.counters else None
            lowered = made.lower(*given, arrays, words)
            self.call: Any = lowered.compile(compiler_options=compiler_options())
        dtypes = [one.dtype for one in jax.tree.leaves((*given, arrays, words))]
        self.is_wide = any(one.itemsize >= 8 for one in dtypes)

    def _trace(self, arrays: Sequence[Any], states: Mapping[int, Any], words: Any) -> Any:
        """The part for tracers: its arrays, the written variables, and the rest of the state."""
        status = jnp.zeros(1 + MOST_NUMBERS, np.int64)
        needed = jnp.zeros(self.counters, np.int64)
        state = ProgramState(dict(states), words, status, needed)
        builder = Walk(self.facts, state, self._expansions, self._rooms)
        tracers = dict(zip(self.arrays, arrays, strict=True))
        operands = [self._operand(k, one, tracers) for k, one in enumerate(self._given)]
        values = {**self.part.fixed, **dict(zip(self.part.inputs, operands, strict=True))}
        builder.walk(self.part.operations, values)
        found: list[Any] = []
        self.results = [self._result(values[one], operands, found) for one in self.part.outputs]
        self.shown = {
            number: [self._result(one, operands, found) for one in shown]
            for number, shown in self.facts.told_later.items()
        }
        state = builder.state
        self.written = tuple(
            k for k, value in state.variables.items() if value is not states.get(k)
        )
        after = [state.variables[k] for k in self.written]
        if self.facts.sites:  # what is not enough is done again
            is_enough = jnp.all(state.needed == 0)
            pairs = zip(self.written, after, strict=True)
            after = [self._kept(k, states, one, is_enough) for k, one in pairs]
        return found, after, state.counters, state.status, state.needed

    def _kept(self, slot: int, before: Mapping[int, Any], after: Any, is_enough: Any) -> Any:
        """A variable that keeps its value where the program has to run again."""
        if slot not in before or before[slot].shape != after.shape:
            raise NotInXla("lists grow, and a variable changes its shape").at(
                self.part.operations[-1]
            )
        return jnp.where(is_enough, after, before[slot])

    def _operand(self, number: int, given: Given, tracers: Mapping[int, Any]) -> Any:
        if given.kind in ("array", "list"):
            return tracers[number]
        if given.kind == "constant":
            return given.facts.array
        if given.kind == "variable":
            slot = self._slots[given.facts]
            return HeldVariable(given.facts, slot.spec, slot.name, slot.trainable)
        return HandedOn(Outside(number, given.facts))

    def _result(self, value: Any, operands: Sequence[Any], found: list[Any]) -> ProgramResult:
        if isinstance(value, np.ndarray):
            return ProgramResult("constant", FixedValue(value))
        if isinstance(value, HandedOn) and isinstance(value.payload, np.ndarray):
            return ProgramResult("constant", FixedValue(value.payload))
        for number, operand in enumerate(operands):
            if value is operand or same_handle(value, operand):
                return ProgramResult("input", number)
        if isinstance(value, HeldList):
            leaves, shape = jax.tree.flatten(value.leaving())
            found.extend(leaves)
            return ProgramResult("list", (len(found) - len(leaves), len(found), shape))
        found.append(leaf_of(value))
        return ProgramResult("array", len(found) - 1)


def _struct_of_operand(given: Given) -> Any:
    """What JAX traces in place of an array, or of a list."""
    if given.kind == "array":
        return jax.ShapeDtypeStruct(*given.facts)
    arrays, shape = given.facts
    return jax.tree.unflatten(shape, [jax.ShapeDtypeStruct(*one) for one in arrays])


def _struct_of(slot: SlotFacts) -> Any:
    return jax.ShapeDtypeStruct(slot.shape or (), slot.spec.dtype.numpy)


def failure_of(program: XlaProgram, words: Sequence[int]) -> Exception:
    """What a failed check means, at the user's line."""
    failure = program.facts.failures[words[0] - 1]
    operation = failure.operation
    if failure.error is UserRaised and operation is not None:
        from ..ops.raising import recreated_exception

        return recreated_exception(operation.attrs["exception"])
    message = failure.message.format(*words[1:])
    if operation is not None:
        message = located_message(message, operation)
    return failure.error(message)

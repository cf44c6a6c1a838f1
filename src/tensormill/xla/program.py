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
from .scope import making
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

    kind: str  # "array", "constant", "variable", "object"
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
    """What becomes of a result: "array" number `fact` of the program, "constant" `fact`, or "input"
    number `fact`, which is handed on.
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
    ) -> None:
        self.part: Final = part
        self._given = tuple(given)
        self._slots = tuple(slots)
        self._expansions = expansions
        self.facts = WalkFacts()
        self.results: list[ProgramResult] = []
        self.written: tuple[int, ...] = ()  # slots
        self.arrays: Final = tuple(k for k, one in enumerate(given) if one.kind == "array")
        self.counters = 0
        while True:
            try:
                self._make()
                return
            except MoreCounters:
                self.counters = 2 * self.counters or 4

    @property
    def paths(self) -> Sequence[tuple[Any, ...]]:
        """Where numbers are drawn, in the order of counters."""
        return tuple(self.facts.counters)

    def _make(self) -> None:
        arrays = [jax.ShapeDtypeStruct(*self._given[k].facts) for k in self.arrays]
        valued = [k for k, one in enumerate(self._slots) if one.shape is not None]
        states = {k: _struct_of(self._slots[k]) for k in valued}
        words = jax.ShapeDtypeStruct((self.counters,), np.int64)
        with making():
            jaxpr, shapes = jax.make_jaxpr(self._trace, return_shape=True)(arrays, states, words)
            after = dict(zip(self.written, shapes[1], strict=True))
            self.donated = tuple(
                k for k in valued if k in after and after[k].shape == states[k].shape
            )
            self.read = tuple(k for k in valued if k not in self.donated)
            run = jax.extend.core.jaxpr_as_fun(jaxpr)

            def program(donated: Any, read: Any, arrays: Any, words: Any) -> Any:
                values = dict(zip(self.donated, donated, strict=True))
                values.update(zip(self.read, read, strict=True))
                return run(*arrays, *(values[k] for k in valued), words)

            made = jax.jit(program, donate_argnums=0)
            given = [states[k] for k in self.donated], [states[k] for k in self.read]
            self.call: Any = made.lower(*given, arrays, words).compile()

    def _trace(self, arrays: Sequence[Any], states: Mapping[int, Any], words: Any) -> Any:
        """The part for tracers: its arrays, the written variables, counters and status."""
        self.facts = WalkFacts()
        status = jnp.zeros(1 + MOST_NUMBERS, np.int64)
        state = ProgramState(dict(states), words, status, jnp.zeros(0, np.int64))
        builder = Walk(self.facts, state, self._expansions)
        tracers = dict(zip(self.arrays, arrays, strict=True))
        operands = [self._operand(k, one, tracers) for k, one in enumerate(self._given)]
        values = {**self.part.fixed, **dict(zip(self.part.inputs, operands, strict=True))}
        builder.walk(self.part.operations, values)
        found: list[Any] = []
        self.results = [self._result(values[one], operands, found) for one in self.part.outputs]
        state = builder.state
        self.written = tuple(
            k for k, value in state.variables.items() if value is not states.get(k)
        )
        after = [state.variables[k] for k in self.written]
        return found, after, state.counters, state.status

    def _operand(self, number: int, given: Given, tracers: Mapping[int, Any]) -> Any:
        if given.kind == "array":
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
        found.append(leaf_of(value))
        return ProgramResult("array", len(found) - 1)


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

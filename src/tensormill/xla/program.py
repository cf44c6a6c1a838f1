"""A part of a graph as one program of XLA, for operands of one kind: shapes, dtypes, constants."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

import jax
import jax.extend
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh

from ..core.dtypes import of_storage
from ..core.process.named_tuples import NamedTuple
from ..errors import UserRaised
from ..graph.failure import located_message
from ..graph.ir import Application, Value
from ..graph.passes.expansions import Expansions
from ..ops.lowering import MOST_NUMBERS
from .builder import Walk
from .capacity import capacity_of
from .language import NotInXla
from .operands import (
    Given,
    GivenArray,
    GivenVariable,
    ProgramResult,
    SlotFacts,
    result_of,
)
from .program_state import ProgramState, WalkFacts
from .scope import compiler_options, making, wide

State = tuple[Any, Any, Any]  # the counters, the status and how long lists have to be
Parts = tuple[Sequence[Any], Sequence[Any], State]


class Part(NamedTuple):
    """Operations in a row that become programs."""

    operations: tuple[Application, ...]
    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]
    fixed: Mapping[Value, Any]  # constants of the graph


class XlaProgram(ABC):
    """One program: what it was made for, and how its operands and results lie.

    wrapping: what makes tensors of the arrays that it gives; None where these are on one device.
    """

    axes: Sequence[tuple[str, int]] = ()  # of the mesh that rules may name

    def __init__(
        self,
        part: Part,
        given: Sequence[Given],
        slots: Sequence[SlotFacts],
        expansions: Expansions,
        rooms: Mapping[Any, int],
        watch: Callable[[Any], None] | None = None,
        device: Any = None,
    ) -> None:
        """`watch` is told what JAX compiles. `device` is one of JAX's; None: the usual one."""
        self.part: Final = part
        self._given = tuple(given)
        self._slots = tuple(slots)
        self._expansions = expansions
        self._rooms = rooms
        self._watch = watch
        self.device: Final = device
        self.facts = WalkFacts()
        self.results: list[ProgramResult] = []
        self.shown: dict[int, list[ProgramResult]] = {}  # what failed checks print, by their number
        self.written: tuple[int, ...] = ()  # slots
        self.arrays: Final = tuple(k for k, one in enumerate(given) if one.struct is not None)
        self._capacity = capacity_of(part.operations, expansions)
        self.counters: Final = self._capacity.counters
        self._make()

    def shape_of(self, number: int) -> list[int] | None:
        """The shape of an operand that is an array."""
        given = self._given[number]
        return list(given.shape) if isinstance(given, GivenArray) else None

    @property
    def has_more_than_arrays(self) -> bool:
        """Whether some operands are neither arrays nor variables, or needed where a check fails."""
        usual = GivenArray, GivenVariable
        return bool(self.shown) or not all(isinstance(one, usual) for one in self._given)

    def _make(self) -> None:
        arrays = self._arrays()
        states = {k: one.struct for k, one in enumerate(self._slots) if one.shape is not None}
        words = jax.ShapeDtypeStruct((self.counters,), np.int64)
        self.facts = WalkFacts(mesh=self._mesh())
        with making(self.device):
            make = jax.make_jaxpr(self._trace, axis_env=self.axes, return_shape=True)
            jaxpr, shapes = make(arrays, states, words)
            self._note_results(states, shapes)
            variables = map(self._placed, (*self.donated, *self.read))
            halves = jax.ShapeDtypeStruct((2 * self.counters,), np.uint32)
            given = [*variables, *arrays, *([halves] if self.facts.counters else [])]
            lowered = self._lowered(self._flat(jaxpr, states, len(arrays)), given)
            self.compiled = lowered.compile(compiler_options=compiler_options())
        if self._watch is not None:
            self._watch(lowered)
        is_wide = any(one.dtype.itemsize >= 8 for one in jax.tree.leaves(given))
        # As a method, since what calls an object looks for its `__call__` each time.
        call = _called_wide(self.compiled) if is_wide else self.compiled.__call__
        self.call: Callable[..., Any] = self._called(call)
        # Whether it gives no state besides variables; what it draws then goes as far in each run.
        self.tells_nothing: bool = not any(self._kept)
        self.is_plain = self.tells_nothing and not self.facts.counters

    def _note_results(self, states: Mapping[int, Any], shapes: Sequence[Any]) -> None:
        """Note what is known when the part was read: which variables it takes, and what it gives.

        shapes: of its own results, and of what the written variables get.
        """
        facts, made = self.facts, dict(zip(self.written, shapes[1], strict=True))
        self.donated = tuple(k for k in states if k in made and made[k].shape == states[k].shape)
        self.read = tuple(k for k in states if k not in self.donated)
        # Of its results, before those that variables get: shapes, and dtypes of NumPy's.
        self.kinds = [(one.shape, of_storage(one.dtype).storage) for one in shapes[0]]
        self.count = len(self.kinds)
        self.places = self._places(facts.mesh)
        is_one = facts.mesh is None
        # Whether variables that it changes are at home on other devices.
        self.changes_elsewhere: bool = is_one and any(
            self.places[k] is not self.device for k in self.written
        )
        draws_alike = not facts.sites and None not in facts.advances
        # How far its counters go: the host counts on, and waits for nothing. None where only the
        # run knows, or it may have to run again: it then tells them.
        self.advances: Sequence[int] | None = None
        if draws_alike:
            self.advances = [one for one in facts.advances if one is not None]
        is_counted = bool(facts.counters) and not draws_alike
        self._kept = is_counted, bool(facts.failures), bool(facts.sites)

    def _flat(self, jaxpr: Any, slots: Collection[int], arrays: int) -> Callable[..., Any]:
        """The program for operands that are all flat, which JAX calls quickest: variables, arrays,
        counters if any, in halves: calls with numbers of 64 bits need another setting of JAX's.
        """
        run, kept = jax.extend.core.jaxpr_as_fun(jaxpr), self._kept
        draws = bool(self.facts.counters)
        order = (*self.donated, *self.read)

        def program(*operands: Any) -> Any:
            values = dict(zip(order, operands, strict=False))
            own = operands[len(order) : len(order) + arrays]
            words = words_of_halves(operands[-1]) if draws else jnp.zeros(self.counters, np.int64)
            found = run(*jax.tree.leaves(own), *(values[k] for k in slots), words)
            state = [one for one, is_kept in zip(found[-3:], kept, strict=True) if is_kept]
            return [*found[:-3], *state]

        return program

    def split(self, results: Sequence[Any]) -> Parts:
        """What it gave: its own results, what variables get, and the rest of its state."""
        end = self.count + len(self.written)
        state = iter(results[end:])
        words, status, needed = [next(state) if is_kept else None for is_kept in self._kept]
        after = results[self.count : end]
        return self._looked_at(results[: self.count], after, (words, status, needed))

    def _trace(self, arrays: Sequence[Any], states: Mapping[int, Any], words: Any) -> Any:
        """The part for tracers: its arrays, the written variables, and the rest of the state."""
        status = jnp.zeros(1 + MOST_NUMBERS, np.int64)
        needed = jnp.zeros(self._capacity.lists, np.int64)
        state = ProgramState(dict(states), words, status, needed)
        builder = self._walk(state)
        operands = self._held(arrays)
        values = {**self.part.fixed, **dict(zip(self.part.inputs, operands, strict=True))}
        self._follow(builder, values)
        found: list[Any] = []
        self.results = [result_of(values[one], operands, found) for one in self.part.outputs]
        self.shown = {
            number: [result_of(one, operands, found) for one in shown]
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
            after = [self._unless_short(k, states, one, is_enough) for k, one in pairs]
        return self._leaving(found), after, state.counters, state.status, state.needed

    def _unless_short(
        self, slot: int, before: Mapping[int, Any], after: Any, is_enough: Any
    ) -> Any:
        """A variable that keeps its value where the program has to run again."""
        if slot not in before or before[slot].shape != after.shape:
            raise NotInXla("lists grow, and a variable changes its shape").at(
                self.part.operations[-1]
            )
        return jnp.where(is_enough, after, before[slot])

    # ---- what differs: where the program runs, and what each device has of its operands
    @property
    @abstractmethod
    def wrapping(self) -> Callable[[Any], Any] | None: ...

    @abstractmethod
    def taken(self, arrays: Sequence[Any]) -> Sequence[Any]:
        """Operands that are arrays, as it takes them."""

    @abstractmethod
    def slots_of(self, storages: Sequence[Any]) -> Sequence[Any]:
        """What is in the slots, of the variables of a call."""

    @abstractmethod
    def _mesh(self) -> Mesh | None:
        """The devices over which operands are divided; None where none is."""

    @abstractmethod
    def _places(self, mesh: Mesh | None) -> list[Any]:
        """How the variables lie."""

    @abstractmethod
    def _placed(self, slot: int) -> Any:
        """What stands for a variable while the program is compiled."""

    @abstractmethod
    def _arrays(self) -> list[Any]:
        """What stands for the operands that are arrays while the program is made."""

    @abstractmethod
    def _walk(self, state: ProgramState) -> Walk:
        """What reads the part."""

    @abstractmethod
    def _follow(self, walk: Any, values: dict[Any, Any]) -> None:
        """Add what the part gives to `values`."""

    @abstractmethod
    def _held(self, arrays: Sequence[Any]) -> list[Any]:
        """What stands for the operands, `arrays` being tracers."""

    @abstractmethod
    def _leaving(self, found: list[Any]) -> list[Any]:
        """The arrays that the program gives, of those that are wanted."""

    @abstractmethod
    def _lowered(self, program: Callable[..., Any], given: Sequence[Any]) -> Any:
        """The program for operands like those given, which are all flat."""

    @abstractmethod
    def _called(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """What calls the compiled program as callers see it."""

    @abstractmethod
    def _looked_at(self, found: Sequence[Any], after: Sequence[Any], state: State) -> Parts:
        """What it gave, in parts, as callers see it."""


def halves_of(words: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Counters as programs take them."""
    return words.view(np.uint32)


def words_of_halves(halves: Any) -> Any:
    """Counters of halves, of which the lower ones come first on all processors that JAX has."""
    return jax.lax.bitcast_convert_type(halves.reshape(-1, 2), np.int64)


def _called_wide(compiled: Callable[..., Any]) -> Callable[..., Any]:
    """Calls a program that takes numbers of 64 bits."""

    def call(*operands: Any) -> Any:
        with wide():
            return compiled(*operands)

    return call


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

"""A program that is one walk over its part, on one device or divided by XLA's partitioner."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, final

import jax
import numpy as np
from jax.sharding import Mesh

from ..eager.tensor import wrap
from ..graph.ir import Application
from .builder import Walk
from .operands import GivenArray, held_operands
from .program import Parts, State, XlaProgram
from .program_state import ProgramState
from .replicas.shards import Shard
from .shardings import everywhere, free


@final
class WholeWalk(Walk):
    """Reads a graph for whoever does all of it."""

    def walk(self, operations: Sequence[Application], values: dict[Any, Any]) -> None:
        self._one_by_one(operations, values)

    def path_to(self, operation: Application) -> tuple[Application, ...]:
        return (operation,)

    def read(self, handle: Any) -> Any:
        return self._value_of(handle)

    def write(self, handle: Any, value: Any) -> None:
        self._replace_value(handle, value)

    def _checked_here(self) -> None:
        pass

    def _drawn_here(self, number: int) -> None:
        pass

    def _meet(self) -> None:
        pass


@final
class WholeProgram(XlaProgram):
    """A program that takes and gives whole values."""

    @property
    def wrapping(self) -> Callable[[Any], Any] | None:
        return None if self.facts.mesh is None else _wrapped_here

    def taken(self, arrays: Sequence[Any]) -> Sequence[Any]:
        here = [np.asarray(one) if type(one) is Shard else one for one in arrays]
        return here if self.facts.mesh is None else list(map(free, here))

    def slots_of(self, storages: Sequence[Any]) -> Sequence[Any]:
        return storages

    def _mesh(self) -> Mesh | None:
        arrays = [one.place for one in self._given if isinstance(one, GivenArray)]
        for place in (*arrays, *(one.place for one in self._slots)):
            if place is not None:
                return place.mesh
        return None

    def _places(self, mesh: Mesh | None) -> list[Any]:
        if mesh is None:
            return [one.home for one in self._slots]
        # In a divided program those that say nothing are everywhere.
        return [one.place or everywhere(mesh) for one in self._slots]

    def _placed(self, slot: int) -> Any:
        struct = self._slots[slot].struct
        if self.facts.mesh is None:
            return struct
        return jax.ShapeDtypeStruct(struct.shape, struct.dtype, sharding=self.places[slot])

    def _lie(self, kept: int) -> list[Any]:
        """How what a divided program gives lies: where XLA wants, but for variables."""
        return [*[None] * self.count, *(self.places[k] for k in self.written), *[None] * kept]

    def _walk(self, state: ProgramState) -> Walk:
        return WholeWalk(self.facts, state, self._expansions, self._rooms)

    def _follow(self, walk: Walk, values: dict[Any, Any]) -> None:
        walk.walk(self.part.operations, values)

    def _held(self, arrays: Sequence[Any]) -> list[Any]:
        return held_operands(self._given, self._slots, dict(zip(self.arrays, arrays, strict=True)))

    def _leaving(self, found: list[Any]) -> list[Any]:
        return found

    def _arrays(self) -> list[Any]:
        return [self._given[k].struct for k in self.arrays]

    def _lowered(self, program: Callable[..., Any], given: Sequence[Any]) -> Any:
        lie = None if self.facts.mesh is None else self._lie(sum(self._kept))
        donated = tuple(range(len(self.donated)))
        return jax.jit(program, donate_argnums=donated, out_shardings=lie).lower(*given)

    def _called(self, call: Callable[..., Any]) -> Callable[..., Any]:
        return call

    def _looked_at(self, found: Sequence[Any], after: Sequence[Any], state: State) -> Parts:
        return found, after, state


def _wrapped_here(array: Any) -> Any:
    """A tensor of an array on several devices, which no other program has to know of."""
    return wrap(np.asarray(array))

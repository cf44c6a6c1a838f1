"""What a program is made for, operand by operand, and what becomes of each of its results."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, final

import jax
import numpy as np

from ..core.process.lazy_property import lazy_property
from ..core.specs import TensorSpec
from ..eager.tensor import wrap
from .lists import HeldList
from .values import HandedOn, HeldVariable, leaf_of, same_handle

Array = np.ndarray[Any, Any]


class BetweenPrograms(ABC):
    """A value of a run that is neither an array of JAX's nor one of NumPy's."""

    __slots__ = ()

    @abstractmethod
    def given(self) -> Given:
        """What a program is made for that takes it."""

    @abstractmethod
    def tensor(self) -> Any:
        """The eager tensor that it is."""

    def result(self) -> Any:
        """The same, which may stay on its device until somebody looks."""
        return self.tensor()


class FixedValue(BetweenPrograms):
    """A value that depends on nothing but the sizes of what the function was given."""

    def __init__(self, array: Array) -> None:
        self.array: Final = array

    def given(self) -> Given:
        return GivenConstant(self)

    def tensor(self) -> Any:
        return wrap(self.array)

    @lazy_property
    def key(self) -> Any:
        return self.array.shape, self.array.dtype.str, self.array.tobytes()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FixedValue) and other.key == self.key

    def __hash__(self) -> int:
        return hash(self.key)


@final
@dataclass(frozen=True)
class SlotFacts:
    """What a program is made for of a variable: the shape of its value, None where it has none."""

    shape: tuple[int, ...] | None
    spec: TensorSpec
    name: str
    trainable: bool
    place: Any = None  # how it lies over several devices
    home: Any = None  # the device to which it is brought back; None: the usual one

    @property
    def struct(self) -> Any:
        """What JAX traces in place of the value."""
        return jax.ShapeDtypeStruct(self.shape or (), self.spec.dtype.storage)


# ---------------------------------------------------------------- operands


class Given:
    """The kind of an operand: operands of equal kinds have the same program."""

    @property
    def struct(self) -> Any:
        """What JAX traces in place of the operand; None where the program takes no arrays of it."""
        return None

    def held(self, number: int, slots: Sequence[SlotFacts]) -> Any:
        """What stands for operand `number`, which is no array, while the program is made."""
        raise NotImplementedError


@final
@dataclass(frozen=True)
class GivenArray(Given):
    """An array of this shape and dtype; `place` is how it lies over several devices."""

    shape: tuple[int, ...]
    dtype: Any
    place: Any = None

    @property
    def struct(self) -> Any:
        return jax.ShapeDtypeStruct(self.shape, self.dtype, sharding=self.place)


@final
@dataclass(frozen=True)
class GivenList(Given):
    """A list: its arrays, and how it is made of them."""

    arrays: tuple[GivenArray, ...]
    layout: Any

    @property
    def struct(self) -> Any:
        structs = [one.struct for one in self.arrays]
        return jax.tree.unflatten(self.layout, structs)


@final
@dataclass(frozen=True)
class GivenConstant(Given):
    """A value that is part of the program."""

    value: FixedValue

    def held(self, number: int, slots: Sequence[SlotFacts]) -> Any:
        return self.value.array


@final
@dataclass(frozen=True)
class GivenVariable(Given):
    """The variable in this slot."""

    slot: int

    def held(self, number: int, slots: Sequence[SlotFacts]) -> Any:
        facts = slots[self.slot]
        return HeldVariable(self.slot, facts.spec, facts.name, facts.trainable)


@final
@dataclass(frozen=True)
class GivenObject(Given):
    """What the program hands on without looking into it."""

    spec: Any

    def held(self, number: int, slots: Sequence[SlotFacts]) -> Any:
        return HandedOn(Outside(number, self.spec))


@final
@dataclass(frozen=True)
class Outside:
    """Stands in a program for an operand that it does not look into."""

    number: int
    spec: Any


# ---------------------------------------------------------------- results


class ProgramResult:
    """What becomes of a result."""

    def taken(self, operands: Sequence[Any], found: Sequence[Any]) -> Any:
        """The result, of the program's operands and of the arrays that it gave."""
        raise NotImplementedError


@final
@dataclass(frozen=True)
class MadeArray(ProgramResult):
    """An array that the program gives."""

    number: int

    def taken(self, operands: Sequence[Any], found: Sequence[Any]) -> Any:
        return found[self.number]


@final
@dataclass(frozen=True)
class MadeList(ProgramResult):
    """A list of the arrays from `first` to before `end` that the program gives."""

    first: int
    end: int
    layout: Any

    def taken(self, operands: Sequence[Any], found: Sequence[Any]) -> Any:
        return jax.tree.unflatten(self.layout, found[self.first : self.end])


@final
@dataclass(frozen=True)
class KnownResult(ProgramResult):
    """A value that was found out while the program was made."""

    value: FixedValue

    def taken(self, operands: Sequence[Any], found: Sequence[Any]) -> Any:
        return self.value


@final
@dataclass(frozen=True)
class HandedBack(ProgramResult):
    """An operand, as it came."""

    number: int

    def taken(self, operands: Sequence[Any], found: Sequence[Any]) -> Any:
        return operands[self.number]


def result_of(value: Any, operands: Sequence[Any], found: list[Any]) -> ProgramResult:
    """What becomes of a value that a walk gave; its arrays go into `found`."""
    if isinstance(value, np.ndarray):
        return KnownResult(FixedValue(value))
    if isinstance(value, HandedOn) and isinstance(value.payload, np.ndarray):
        return KnownResult(FixedValue(value.payload))
    for number, operand in enumerate(operands):
        if value is operand or same_handle(value, operand):
            return HandedBack(number)
    if isinstance(value, HeldList):
        leaves, layout = jax.tree.flatten(value.leaving())
        found.extend(leaves)
        return MadeList(len(found) - len(leaves), len(found), layout)
    found.append(leaf_of(value))
    return MadeArray(len(found) - 1)


def held_operands(
    given: Sequence[Given], slots: Sequence[SlotFacts], arrays: Mapping[int, Any]
) -> list[Any]:
    """What stands for the operands while a program is made: tracers where they are arrays."""
    return [
        arrays[number] if number in arrays else one.held(number, slots)
        for number, one in enumerate(given)
    ]

"""What replicas have: one array over their devices, of which each device has a row.

    whole           an array of JAX's, divided along its first axis; a scalar of each is a row, too
    Shard           the row of one device: what its variable, or its result, stands for
    RowVariables    variables of all replicas, whose values are the rows of one array

Who takes all rows of an array takes the array; nothing is copied then.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from threading import get_ident
from typing import Any, Final, final

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from ...core.dtypes import of_storage
from ...eager.devices import visible
from ...eager.storage import Away, Lent, Put, Storage
from ...eager.tensor import wrap, wrap_away
from ...graph.ir import ReplicaPlace
from ..operands import BetweenPrograms, Given, GivenArray
from ..scope import making
from .exchanges import AXIS

Shape = tuple[int, ...]


@final
class Shard(BetweenPrograms):
    """What one device has of an array."""

    __slots__ = ("number", "shape", "whole")

    def __init__(self, whole: Any, number: int, shape: Shape) -> None:
        self.whole: Final = whole
        self.number: Final = number
        self.shape: Final = shape

    @property
    def dtype(self) -> Any:
        return self.whole.dtype

    @property
    def row(self) -> Any:
        """The array of JAX's on the device; of a scalar a vector."""
        return self.whole.addressable_data(self.number)

    def is_deleted(self) -> bool:
        """Whether a program took it."""
        return self.whole.is_deleted()

    def given(self) -> Given:
        return GivenArray(self.shape, self.dtype)

    def tensor(self) -> Any:
        return wrap(np.asarray(self))

    def result(self) -> Any:
        return wrap_away(kind_of_shard(self), self)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        # NumPy relies on it that a copy is one, where it asks for that.
        return np.array(np.asarray(self.row).reshape(self.shape), dtype, copy=copy)


def kind_of_shard(shard: Shard) -> Any:
    """What tells the array of a tensor apart that is on a replica's device: no other has it."""
    return shard.shape, of_storage(np.dtype(shard.dtype)).storage, shard.number


@cache
def mesh_of(replicas: tuple[ReplicaPlace, ...]) -> Mesh | None:
    """The devices of replicas as a mesh; None where JAX lacks one of them."""
    with making():
        found: list[Any] = []
        for _, name in replicas:
            kind, _, number = name.partition(":")
            devices = jax.devices("cpu") if kind == "CPU" else visible(kind)
            if not number.isdigit() or int(number) >= len(devices):
                return None
            found.append(devices[int(number)])
    return Mesh(np.array(found), (AXIS,))


@cache
def in_rows(mesh: Mesh) -> NamedSharding:
    """The sharding of an array of which each device has a row."""
    return NamedSharding(mesh, PartitionSpec(AXIS))


def in_one(rows: Sequence[Any], place: NamedSharding) -> Any:
    """The array whose rows these are: the one at that place that has them, or one of NumPy's.

    JAX divides such an array, as an operand, in a third of the time that it takes for each row.
    """
    first = rows[0]
    if type(first) is Shard and first.whole.sharding == place:
        if all(
            type(one) is Shard and one.whole is first.whole and one.number == k
            for k, one in enumerate(rows)
        ):
            return first.whole
    arrays = [np.asarray(one) for one in rows]
    return np.concatenate(arrays) if arrays[0].ndim else np.array(arrays)


@final
class RowVariables:
    """The variables of all replicas, as programs see one that is on several devices.

    It is `OnDevices` as a Storage is: an array whose rows are the values.
    """

    __slots__ = ("storages",)

    def __init__(self, storages: Sequence[Storage]) -> None:
        self.storages: Final = tuple(storages)

    def _leave(self, value: Any) -> None:
        """Let all variables have what stands for the value: a `Lent`, or what a program gave."""
        if value.__class__ is not Away:
            for storage in self.storages:
                storage.array = value
            return
        whole, place = value.device_array, value.place
        shape = (whole.shape[0] // len(self.storages), *whole.shape[1:])
        for number, storage in enumerate(self.storages):
            own = shape if storage.spec.shape.rank else ()
            storage.array = Away(Shard(whole, number, own), place)

    def lose(self, why: str) -> None:
        for storage in self.storages:
            storage.lose(why)

    # Nobody finds the value here: it is `taken`, or `moved` to its devices.
    array: Any = property(lambda self: None, _leave)

    def moved(self, place: Any, put: Put) -> Any:
        before = [storage.settled() for storage in self.storages]
        whole = _whole_of(before, place)
        if whole is not None:
            return whole
        values: list[Any] = []
        try:
            for storage in self.storages:  # whoever has lent the first one gets the others
                values.append(storage.lend(Lent(get_ident())))
            whole = put(in_one(values, place), place)
        except BaseException:
            for storage, value in zip(self.storages, values, strict=False):
                storage.array = value
            raise
        self.array = Away(whole, place)
        return whole

    def lend_there(self, lent: Lent, place: Any, put: Put) -> Any:
        while True:
            if any(storage.settled() is None for storage in self.storages):
                self.array = lent
                return None
            self.moved(place, put)
            taken: list[Any] = []
            away = None  # what it was ends here, not where the next one is looked at
            for storage in self.storages:  # whoever has taken the first one gets the others
                away = storage.array
                # Python gives no other thread its turn between this line and the next.
                if away.__class__ is Away and away.lent_to is None:
                    storage.array = lent
                    taken.append(away)
                else:
                    break
            if (whole := _whole_of(taken, place, len(self.storages))) is not None:
                return whole
            for storage, away in zip(self.storages, taken, strict=False):
                storage.array = away


def _whole_of(values: Sequence[Any], place: Any, count: int | None = None) -> Any:
    """The array whose rows these are, which programs left there; None where they are not."""
    if len(values) != (len(values) if count is None else count):
        return None
    whole: Any = None
    for number, away in enumerate(values):
        if away.__class__ is not Away or away.place is not place:
            return None
        shard = away.device_array
        if number == 0:
            whole = shard.whole
        if shard.whole is not whole or shard.number != number:
            return None
    return whole

"""Programs are called: variables lend them their buffers, and get what becomes of them.

    variable          Storage.array      the program
      before          Away(buffer) ────► donated: it may write where the old value lies
      meanwhile       Lent(thread)       whoever wants the variable waits
      after           Away(result) ◄──── a result of it

A variable that is only read stays where it is. Another thread's program may take its buffer just
then: JAX says that it is deleted, and the call begins again with the new one.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import get_ident
from typing import Any, Final, final

import jax
import jax.numpy as jnp
import numpy as np

from ...eager.storage import Away, Lent, OnDevices
from ...errors import InternalError
from ..program import XlaProgram
from ..scope import making

ATTEMPTS: Final = 1000


@final
class Invocation:
    """A program with its variables."""

    __slots__ = ("_after", "_call", "_lent", "_places", "_read", "_written", "program")

    def __init__(self, program: XlaProgram, storages: Sequence[OnDevices]) -> None:
        self.program: Final = program
        self._call: Final = program.call
        slots = program.slots_of(storages)
        self._read: Final = [(slots[one], program.places[one]) for one in program.read]
        self._written: Final = [(slots[one], program.places[one]) for one in program.written]
        # In an order that all threads have in common: none waits for one that waits.
        self._lent: Final = sorted(self._written, key=lambda pair: id(pair[0]))
        order = [storage for storage, _ in self._lent]
        places = [order.index(slots[one]) for one in program.donated]
        self._places: Final = None if places == list(range(len(order))) else places
        self._after: Final = slice(program.count, program.count + len(program.written))

    def __call__(self, *operands: Any) -> Sequence[Any]:
        """All that the program gives (see `XlaProgram.split`); its variables have changed then.

        operands: those that are arrays, and last the counters of what it draws where it does.
        """
        for _ in range(ATTEMPTS):
            read = [one.moved(place, put) for one, place in self._read] if self._read else ()
            taken: list[Any] = []
            results: Any = None
            try:
                self._lend(taken)
                places = self._places
                donated = taken if places is None else [taken[k] for k in places]
                results = self._call(*donated, *read, *operands)
                return results
            except RuntimeError:
                if not any(one.is_deleted() for one in read):
                    raise  # else another thread was quicker, which changed what this one reads
            finally:
                if results is None:
                    self._give_back(taken)
                else:
                    after = results[self._after]
                    for (storage, place), array in zip(self._written, after, strict=True):
                        storage.array = Away(array, None, place)
        name = self.program.part.operations[0].name
        raise InternalError(f"{name}: other threads change its variables")

    def _lend(self, taken: list[Any]) -> None:
        """Take the values out of all variables that the program writes, into `taken`."""
        lent = Lent(get_ident())
        for storage, place in self._lent:
            away = storage.array
            # Python gives no other thread its turn within these lines, which call nothing.
            if away.__class__ is Away and away.place is place:
                storage.array = lent
                taken.append(away.device_array)
            else:
                taken.append(storage.lend_there(lent, place, put))

    def _give_back(self, taken: Sequence[Any]) -> None:
        """What the program did not take stays the value."""
        for (storage, place), array in zip(self._lent, taken, strict=False):
            gone = array is None or array.is_deleted()
            storage.array = None if gone else Away(array, place=place)


def put(array: Any, place: Any) -> Any:
    """A copy of an array on the device, or at its place on several."""
    with making():
        # Of its own memory: JAX may take that of an array of NumPy's as it is.
        return jnp.array(array) if place is None else jax.device_put(np.array(array), place)

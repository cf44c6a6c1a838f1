"""Programs are called: variables lend them their buffers, and get what becomes of them.

    variable          Storage.array      the program
      before          Away(buffer) ────► donated: it may write where the old value lies
      meanwhile       Lent(thread)       whoever wants the variable waits
      after           Away(result) ◄──── a result of it

A variable that is only read stays where it is. Another thread's program may take its buffer just
then: JAX says that it is deleted, and the call begins again with the new one.

From then on native code takes them, and leaves the results (compiler/device_calls.py): what is
below is for first calls, for variables that others have taken, and for replicas.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import get_ident
from typing import Any, Final, final

import jax
import jax.numpy as jnp
import numpy as np

from ...compiler.device_calls import calling_with
from ...eager.storage import Away, Lent, Storage
from ...errors import InternalError
from ..program import XlaProgram
from ..scope import making

Located = Callable[[Callable[..., Any]], Callable[..., Any]]
ATTEMPTS: Final = 1000
FAILED: Final = "a function that was changing it failed on its device, which had taken its value"
# What JAX raises where another thread's program has taken an operand, or takes it just then.
TAKEN: Final = RuntimeError, ValueError


@final
class Invocation:
    """A program with its variables."""

    __slots__ = (
        "_after",
        "_call",
        "_is_visited",
        "_lent",
        "_places",
        "_read",
        "_storages",
        "_written",
        "program",
    )

    def __init__(self, program: XlaProgram, storages: Sequence[Storage]) -> None:
        self.program: Final = program
        self._call: Final = program.call
        self._storages: Final = storages
        slots = program.slots_of(storages)
        self._read: Final = [(slots[one], program.places[one]) for one in program.read]
        self._written: Final = [(slots[one], program.places[one]) for one in program.written]
        # In an order that all threads have in common: none waits for one that waits.
        self._lent: Final = sorted(self._written, key=lambda pair: id(pair[0]))
        order = [storage for storage, _ in self._lent]
        self._places: Final = [order.index(slots[one]) for one in program.donated]
        # Whether what becomes of variables has to be brought back to other devices.
        self._is_visited: Final = program.changes_elsewhere
        self._after: Final = slice(program.count, program.count + len(program.written))

    def __call__(self, *operands: Any) -> Sequence[Any]:
        """All that the program gives (see `XlaProgram.split`); its variables have changed then.

        operands: those that are arrays, and last the counters of what it draws where it does.
        """
        return self._called(operands)

    def quick(self, located: Located = lambda call: call) -> Callable[..., Sequence[Any] | None]:
        """The same call, for variables that are where the last one left them: it takes next to no
        time to ask that of each. None where one has no value.

        located: what makes errors of a call say where.
        """
        one_by_one = located(self._one_by_one)
        pairs = [*self._written, *self._read]
        donates_all = list(self.program.donated) == list(self.program.written)
        are_here = all(isinstance(one, Storage) for one, _ in pairs) and not self._is_visited
        if not donates_all or not are_here:
            return one_by_one
        changed = len(self._written)
        return calling_with(
            self._call, pairs, changed, self._after.start, one_by_one, located(self._after_failure)
        )

    def _one_by_one(self, *operands: Any) -> Sequence[Any] | None:
        if any([one.array is None for one in self._storages]):
            return None
        return self._called(operands)

    def _after_failure(self, error: BaseException, *given: Any) -> Sequence[Any] | None:
        """What a call gives whose program refused these arrays: those of the variables that it
        changes and reads, then operands; last comes what stands for the variables.
        """
        changed, count = len(self._written), len(self._written) + len(self._read)
        aways = given[len(given) - count :]
        for (storage, _), array, away in zip(self._written, given, aways, strict=False):
            is_gone = array.is_deleted()
            if is_gone and storage.array is away:
                storage.lose(FAILED)
            away.lent_to = None
        read = given[changed:count]
        if isinstance(error, TAKEN) and any([one.is_deleted() for one in read]):
            return self._one_by_one(*given[count : len(given) - count])
        try:
            raise error
        finally:
            del error, given, aways, read  # its traceback has this frame

    def _called(self, operands: Sequence[Any]) -> Sequence[Any]:
        for _ in range(ATTEMPTS):
            read = [one.moved(place, put) for one, place in self._read]
            taken: list[Any] = []
            after: Any = None
            try:
                lent = Lent(get_ident())
                for storage, place in self._lent:
                    taken.append(storage.lend_there(lent, place, put))
                results = self._call(*[taken[k] for k in self._places], *read, *operands)
                after = self._brought_back(results[self._after])
                return results
            except TAKEN:
                if not any(one.is_deleted() for one in read):
                    raise  # else another thread was quicker, which changed what this one reads
            finally:
                if after is None:
                    self._give_back(taken)
                else:
                    self._leave(after)
        name = self.program.part.operations[0].name
        raise InternalError(f"{name}: other threads change its variables")

    def _brought_back(self, after: Sequence[Any]) -> Sequence[Any]:
        """What the program gives variables, where these are at home."""
        if not self._is_visited:
            return after
        return [put(one, place) for one, (_, place) in zip(after, self._written, strict=True)]

    def _leave(self, after: Sequence[Any]) -> None:
        """Let each variable have what the program gives it."""
        for (storage, place), array in zip(self._written, after, strict=True):
            storage.array = Away(array, place)

    def _give_back(self, taken: Sequence[Any]) -> None:
        """What the program did not take stays the value."""
        for (storage, place), array in zip(self._lent, taken, strict=False):
            if array is not None and array.is_deleted():
                storage.lose(FAILED)
            else:
                storage.array = None if array is None else Away(array, place)


def put(array: Any, place: Any) -> Any:
    """A copy of an array on a device, None being the usual one, or at its place on several."""
    if isinstance(place, jax.sharding.Sharding):
        with making():
            return jax.device_put(np.array(array), place)
    with making(place):
        # Of its own memory: JAX may take that of an array of NumPy's as it is.
        return jnp.array(array)

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

from ..eager.storage import Away, Lent, Storage
from ..errors import InternalError
from .program import XlaProgram
from .scope import making, wide

ATTEMPTS: Final = 1000
State = tuple[Any, Any, Any]  # the counters, the status and how long lists have to be


@final
class Invocation:
    """A program with its variables."""

    __slots__ = ("_donated", "_lent", "_read", "_written", "program")

    def __init__(self, program: XlaProgram, storages: Sequence[Storage]) -> None:
        self.program: Final = program
        self._read: Final = [(storages[slot], program.places[slot]) for slot in program.read]
        self._donated: Final = [storages[slot] for slot in program.donated]
        self._written: Final = [storages[slot] for slot in program.written]
        # In an order that all threads have in common: none waits for one that waits.
        places = [(storages[slot], program.places[slot]) for slot in program.written]
        self._lent: Final = sorted(places, key=lambda pair: id(pair[0]))

    def __call__(self, arrays: Sequence[Any], words: Any) -> tuple[Sequence[Any], State]:
        """What the program gives: its results and its state; its variables have changed then.

        arrays: its operands that are arrays.
        words: the counters of what it draws, None where it draws nothing.
        """
        if not self._written and not self._read:
            found, _, state = self._run([], [], arrays, words)
            return found, state
        for _ in range(ATTEMPTS):
            read = [on_device(*one) for one in self._read]
            lent = {one: lend(one, place) for one, place in self._lent}
            after: Any = ()
            try:
                found, after, state = self._run(
                    [lent[one] for one in self._donated], read, arrays, words
                )
                return found, state
            except RuntimeError:
                if not any(one.is_deleted() for one in read):
                    raise  # else another thread was quicker, which changed what this one reads
            finally:
                self._give_back(lent, after)
        name = self.program.part.operations[0].name
        raise InternalError(f"{name}: other threads change its variables")

    def _run(self, donated: Any, read: Any, arrays: Sequence[Any], words: Any) -> Any:
        program = self.program
        if not program.is_wide:
            return program.call(donated, read, arrays, words)
        with wide():
            return program.call(donated, read, arrays, words)

    def _give_back(self, lent: dict[Storage, Any], after: Sequence[Any]) -> None:
        if after:
            lent.update(zip(self._written, after, strict=True))
        for storage, place in self._lent:
            array = lent[storage]
            gone = array is None or (not after and array.is_deleted())
            storage.array = None if gone else Away(array, place=place)


def on_device(storage: Storage, place: Any) -> Any:
    """The value of a variable on the device, or at its place on several, where it stays."""
    before = storage.array
    if type(before) is Away and before.place is place:
        return before.device_array
    value = storage.read()
    with making():
        moved = jnp.array(value)
        if place is not None:
            moved = jax.device_put(moved, place)
    now = storage.array
    if now is value or (type(now) is Away and now is before):
        storage.array = Away(moved, place=place)
    return moved


def lend(storage: Storage, place: Any) -> Any:
    """Take the value out of a variable, for a program that changes it; None where there is none."""
    lent = Lent(get_ident())
    while True:
        if storage.settled() is None:
            storage.array = lent
            return None
        moved = on_device(storage, place)
        away = storage.array
        # Python gives no other thread its turn between this line and the next.
        if type(away) is Away and away.device_array is moved:
            storage.array = lent
            return moved

"""Programs are called: variables lend them their buffers, and get what becomes of them.

    variable          Storage.array      the program
      before          Away(buffer) ────► donated: it may write where the old value lies
      meanwhile       Lent(thread)       whoever wants the variable waits
      after           Away(result) ◄──── a result of it

A variable that is only read stays where it is. Another thread's program may take its buffer just
then: JAX says that it is deleted, and the call begins again with the new one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import get_ident
from typing import Any, Final, final

import jax
import jax.numpy as jnp
import numpy as np

from ...core.process.written_functions import FunctionText
from ...eager.storage import Away, Lent, OnDevices, away_at
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
                        storage.array = away_at(array, place)
        raise self._refused()

    def _refused(self) -> Exception:
        name = self.program.part.operations[0].name
        return InternalError(f"{name}: other threads change its variables")

    def written(self) -> Callable[..., Sequence[Any]]:
        """The same call, written out for these variables: a third of the time for each of them."""
        return _InvocationWriter(self).written()

    def _lend(self, taken: list[Any]) -> None:
        """Take the values out of all variables that the program writes, into `taken`."""
        lent = Lent(get_ident())
        for storage, place in self._lent:
            before = storage.array
            # Python gives no other thread its turn within these lines, which call nothing.
            if before.__class__ is Away and before.place is place:
                storage.array = lent
                taken.append(before.device_array)
            else:
                taken.append(storage.lend_there(lent, place, put))

    def _give_back(self, taken: Sequence[Any]) -> None:
        """What the program did not take stays the value."""
        for (storage, place), array in zip(self._lent, taken, strict=False):
            gone = array is None or array.is_deleted()
            storage.array = None if gone else away_at(array, place)


_NOT_TAKEN: Final = object()


class _InvocationWriter:
    """Writes out a call of a program with its variables: what `Invocation.__call__` does."""

    def __init__(self, invocation: Invocation) -> None:
        self._invocation: Final = invocation
        self._text: Final = FunctionText("*operands")
        self._away, self._put = self._text.constant(Away), self._text.constant(put)

    def written(self) -> Callable[..., Sequence[Any]]:
        text, own = self._text, self._invocation
        with text.block(f"for _ in range({ATTEMPTS}):"):
            read = [self._moved(*pair) for pair in own._read]
            text.add(f"lent = {text.constant(Lent)}({text.constant(get_ident)}())")
            taken = [text.name() for _ in own._lent]
            text.add(f"{' = '.join([*taken, ''])}{text.constant(_NOT_TAKEN)}")
            text.add("results = None")
            with text.block("try:"):
                for name, pair in zip(taken, own._lent, strict=True):
                    self._lend(name, *pair)
                places = range(len(taken)) if own._places is None else own._places
                given = [*[taken[k] for k in places], *read, "*operands"]
                text.add(f"results = {text.constant(own._call)}({', '.join(given)})")
                text.add("return results")
            with text.block(f"except {text.constant(RuntimeError)}:"):
                gone = " or ".join([f"{one}.is_deleted()" for one in read]) or "False"
                text.add(f"if not ({gone}): raise")
            with text.block("finally:"):
                with text.block("if results is None:"):
                    text.add(f"{text.constant(self._give_back)}([{', '.join(taken)}])")
                with text.block("else:"):
                    text.add("pass")
                    for number, pair in enumerate(own._written, own._after.start):
                        self._leave(f"results[{number}]", *pair)
        text.add(f"raise {text.constant(own._refused)}()")
        return text.made()

    def _moved(self, storage: OnDevices, place: Any) -> str:
        text, name = self._text, self._text.name()
        known, where = text.constant(storage), text.constant(place)
        text.add(f"{name} = {known}.array")
        with text.block(f"if {name}.__class__ is {self._away} and {name}.place is {where}:"):
            text.add(f"{name} = {name}.device_array")
        with text.block("else:"):
            text.add(f"{name} = {known}.moved({where}, {self._put})")
        return name

    def _lend(self, name: str, storage: OnDevices, place: Any) -> None:
        text, away = self._text, self._text.name()
        known, where = text.constant(storage), text.constant(place)
        text.add(f"{away} = {known}.array")
        # Python gives no other thread its turn within these lines, which call nothing.
        with text.block(f"if {away}.__class__ is {self._away} and {away}.place is {where}:"):
            text.add(f"{known}.array = lent")
            text.add(f"{name} = {away}.device_array")
        with text.block("else:"):
            text.add(f"{name} = {known}.lend_there(lent, {where}, {self._put})")

    def _leave(self, result: str, storage: OnDevices, place: Any) -> None:
        text, made = self._text, self._text.name()
        text.add(f"{made} = {self._away}()")
        text.add(f"{made}.device_array = {result}")
        text.add(f"{made}.copy = None")
        text.add(f"{made}.place = {text.constant(place)}")
        text.add(f"{text.constant(storage)}.array = {made}")

    def _give_back(self, taken: Sequence[Any]) -> None:
        count = next((k for k, one in enumerate(taken) if one is _NOT_TAKEN), len(taken))
        self._invocation._give_back(taken[:count])


def put(array: Any, place: Any) -> Any:
    """A copy of an array on the device, or at its place on several."""
    with making():
        # Of its own memory: JAX may take that of an array of NumPy's as it is.
        return jnp.array(array) if place is None else jax.device_put(np.array(array), place)

"""Programs are called: variables lend them their buffers, and get what becomes of them.

    variable          Storage.array      the program
      before          Away(buffer) ────► donated: it may write where the old value lies
      meanwhile       Lent(thread)       whoever wants the variable waits
      after           Away(result) ◄──── a result of it

A variable that is only read stays where it is. Another thread's program may take its buffer just
then: JAX says that it is deleted, and the call begins again with the new one.

After the first call the variables that a program changes are away together (`together.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import get_ident
from typing import Any, Final, final

import jax
import jax.numpy as jnp
import numpy as np

from ...core.process.written_functions import FunctionText
from ...eager.storage import Lent, Storage, away_at
from ...errors import InternalError
from ..program import XlaProgram
from ..scope import making
from .together import TAKEN, CallWriter, ReadTogether, written_together

ATTEMPTS: Final = 1000


@final
class Invocation:
    """A program with its variables."""

    __slots__ = (
        "_after",
        "_call",
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
        self._after: Final = slice(program.count, program.count + len(program.written))

    def __call__(self, *operands: Any) -> Sequence[Any]:
        """All that the program gives (see `XlaProgram.split`); its variables have changed then.

        operands: those that are arrays, and last the counters of what it draws where it does.
        """
        return self._called(operands, self._leave)

    def quick(self) -> Callable[..., Sequence[Any] | None]:
        """The same call, for variables that are away together: what it costs hardly depends on how
        many they are. None where one has no value.
        """
        text = FunctionText("*operands")
        self.write(text, "*operands", "results", "return None")
        text.add("return results")
        return text.made()

    def write(self, text: FunctionText, given: str, results: str, missing: str) -> None:
        """Write out that call of `given` operands, which lets `results` be what it gives.

        missing: a line for where a variable has no value.
        """
        pairs = [*self._read, *self._written]
        donates_all = list(self.program.donated) == list(self.program.written)
        is_possible = donates_all and all(isinstance(one, Storage) for one, _ in pairs)
        written = written_together(self._written) if is_possible and self._written else None
        read = ReadTogether(self._read, put) if is_possible and self._read else None
        leave = self._leave if written is None else written.leave

        def one_by_one(*operands: Any) -> Sequence[Any] | None:
            if any([one.array is None for one in self._storages]):
                return None
            return self._called(operands, leave)

        alone = f"{results} = {text.constant(one_by_one)}({given})"
        if read is None and written is None:
            text.add(alone)
        else:
            program = text.constant(self._call)
            writer = CallWriter(text, program, given, results, missing)
            writer.write(read, written, self._after)
            with text.block(f"if {results} is None:"):
                text.add(alone)
        text.add(f"if {results} is None: {missing}")

    def _called(
        self, operands: Sequence[Any], leave: Callable[[Sequence[Any]], None]
    ) -> Sequence[Any]:
        for _ in range(ATTEMPTS):
            read = [one.moved(place, put) for one, place in self._read]
            taken: list[Any] = []
            results: Any = None
            try:
                lent = Lent(get_ident())
                for storage, place in self._lent:
                    taken.append(storage.lend_there(lent, place, put))
                results = self._call(*[taken[k] for k in self._places], *read, *operands)
                return results
            except TAKEN:
                if not any(one.is_deleted() for one in read):
                    raise  # else another thread was quicker, which changed what this one reads
            finally:
                if results is None:
                    self._give_back(taken)
                else:
                    leave(results[self._after])
        name = self.program.part.operations[0].name
        raise InternalError(f"{name}: other threads change its variables")

    def _leave(self, after: Sequence[Any]) -> None:
        """Let each variable have what the program gives it."""
        for (storage, place), array in zip(self._written, after, strict=True):
            storage.array = away_at(array, place)

    def _give_back(self, taken: Sequence[Any]) -> None:
        """What the program did not take stays the value."""
        for (storage, place), array in zip(self._lent, taken, strict=False):
            gone = array is None or array.is_deleted()
            storage.array = None if gone else away_at(array, place)


def put(array: Any, place: Any) -> Any:
    """A copy of an array on the device, or at its place on several."""
    with making():
        # Of its own memory: JAX may take that of an array of NumPy's as it is.
        return jnp.array(array) if place is None else jax.device_put(np.array(array), place)

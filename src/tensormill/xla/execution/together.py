"""Variables that a program takes are away together: it takes all of them in one step.

    written         the `Away` of each says: in these buffers, at this place; that never changes.
                    Whether all are there still is asked of each, in a line without a call
    read            the same; whose buffers they are in, and where, is found again when it was not
                    so: often they are those of a program that trains them

Python gives other threads their turn at calls and where a loop begins again. Each check below and
what is done because of it are therefore one stretch of a written function without either; where a
check fails, the variables are taken one by one (`Invocation`).
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from operator import itemgetter
from threading import get_ident
from typing import Any, Final, final

from ...core.process.written_functions import FunctionText
from ...eager.storage import Away, DeviceBuffers, Put, Storage, away_at

# What JAX raises where another thread's program has taken an operand, or takes it just then.
TAKEN: Final = RuntimeError, ValueError

Pairs = Sequence[tuple[Storage, Any]]  # variables, and the places where programs want them


@final
class WrittenTogether:
    """The variables that a program changes, and what stands for each while they are together."""

    def __init__(self, pairs: Pairs) -> None:
        self.buffers: Final = DeviceBuffers([None] * len(pairs))
        self.storages: Final = [storage for storage, _ in pairs]
        self.aways: Final = [
            Away(self.buffers, number, place) for number, (_, place) in enumerate(pairs)
        ]

    def leave(self, after: Sequence[Any]) -> None:
        """Let all variables, which a program has taken one by one, have what it gives them."""
        arrays = list(after)
        # Another thread's program may have begun with all of them, which were replaced meanwhile.
        if self.buffers.lent_to is None:
            self.buffers.arrays = arrays
            for storage, away in zip(self.storages, self.aways, strict=True):
                storage.array = away
        else:
            for storage, away, array in zip(self.storages, self.aways, arrays, strict=True):
                storage.array = away_at(array, away.place)

    def give_back(self) -> None:
        """What a program did not take stays the value."""
        arrays = self.buffers.arrays
        for storage, away, array in zip(self.storages, self.aways, arrays, strict=True):
            if storage.array is away and array.is_deleted():
                storage.array = None
        self.buffers.lent_to = None


_known: Final[weakref.WeakValueDictionary[Any, WrittenTogether]] = weakref.WeakValueDictionary()


def written_together(pairs: Pairs) -> WrittenTogether:
    """What all programs share that change just these variables: for other shapes of operands."""
    key = tuple([(id(storage), id(place)) for storage, place in pairs])  # it keeps both alive
    return _known.setdefault(key, WrittenTogether(pairs))


@final
class ReadTogether:
    """The variables that a program only reads, and the buffers that they all were in last time.

    state: these buffers, None where there are several; what takes the variables' arrays out of
    theirs; and what stood for each variable.
    """

    def __init__(self, pairs: Pairs, put: Put) -> None:
        self.storages: Final = [storage for storage, _ in pairs]
        self._pairs: Final = pairs
        self._put: Final = put
        self.state: tuple[Any, ...] = (None, None, *self.storages)

    def find(self) -> Sequence[Any] | None:
        """The arrays of the variables, moved to the device where they are not there yet; None where
        one has no value.
        """
        if any([storage.array is None for storage in self.storages]):
            return None
        arrays = [storage.moved(place, self._put) for storage, place in self._pairs]
        aways = [storage.array for storage in self.storages]
        buffers = _common(aways)
        if buffers is None:
            _join_those_alone(self.storages, aways)
        else:
            numbers = [away.number for away in aways]
            self.state = (buffers, _taking(numbers, len(buffers.arrays)), *aways)
        return arrays


def _taking(numbers: Sequence[int], count: int) -> Callable[[list[Any]], Sequence[Any]]:
    """What takes those of these numbers out of a list of so many."""
    if list(numbers) == list(range(count)):
        return list.copy
    # One number gives its array alone, a slice a list of it.
    return itemgetter(*(numbers if len(numbers) > 1 else [slice(numbers[0], numbers[0] + 1)]))


def _common(aways: Sequence[Any]) -> DeviceBuffers | None:
    """The buffers that all are in."""
    first = aways[0]
    if type(first) is not Away:
        return None
    buffers = first.buffers
    is_common = all(type(one) is Away and one.buffers is buffers for one in aways)
    return buffers if is_common else None


def _join_those_alone(storages: Sequence[Storage], aways: Sequence[Any]) -> None:
    """Put variables that are each in buffers of their own into common ones: the next call finds
    them together.
    """
    alone = [
        (storage, away)
        for storage, away in zip(storages, aways, strict=True)
        if type(away) is Away and away.buffers.may_end
    ]
    joined = DeviceBuffers([None] * len(alone))
    for number, (storage, away) in enumerate(alone):
        storage.join(away, Away(joined, number, away.place))


@final
class CallWriter:
    """Writes out a call of a program with variables that are away together.

    It lets `results` be what the program gives; None where the variables are not together.
    """

    def __init__(
        self, text: FunctionText, program: str, given: str, results: str, missing: str
    ) -> None:
        """`given`: what the program takes beside variables; `missing`: a line for where a variable
        has no value.
        """
        self._text: Final = text
        self._program: Final = program
        self._given: Final = given
        self._results: Final = results
        self._missing: Final = missing

    def write(
        self, read: ReadTogether | None, written: WrittenTogether | None, after: slice
    ) -> None:
        """Write it; `after`: where the results have what the written variables get."""
        if read is not None:
            self._take(read)
        given = self._given if read is None else f"*read, {self._given}"
        self._text.add(f"{self._results} = None")
        if written is None:
            with self._text.block("try:"):
                self._text.add(f"{self._results} = {self._program}({given})")
            self._look_whether_taken()
        else:
            self._change(written, given, read is not None, after)

    def _take(self, read: ReadTogether) -> None:
        """Take the arrays of the variables that are only read."""
        text, known = self._text, self._text.constant(read)
        aways = [text.name() for _ in read.storages]
        text.add(f"buffers, taking, {', '.join(aways)} = {known}.state")
        together = self._are_together("buffers", read.storages, aways)
        with text.block(f"if buffers is not None and {together}:"):
            text.add("read = taking(buffers.arrays)")
        with text.block("else:"):
            text.add(f"read = {known}.find()")
            text.add(f"if read is None: {self._missing}")

    def _change(self, written: WrittenTogether, given: str, reads: bool, after: slice) -> None:
        """Run a program with the variables that it changes."""
        text, buffers, results = self._text, self._text.constant(written.buffers), self._results
        aways = [text.constant(one) for one in written.aways]
        text.add(f"thread = {text.constant(get_ident)}()")
        with text.block(f"if {self._are_together(buffers, written.storages, aways)}:"):
            text.add(f"{buffers}.lent_to = thread")
            with text.block("try:"):
                text.add(f"{results} = {self._program}(*{buffers}.arrays, {given})")
            if reads:
                self._look_whether_taken()
            with text.block("finally:"):
                with text.block(f"if {results} is None:"):
                    text.add(f"{text.constant(written.give_back)}()")
                with text.block("else:"):
                    text.add(f"{buffers}.arrays = {results}[{text.constant(after)}]")
                    text.add(f"{buffers}.lent_to = None")

    def _look_whether_taken(self) -> None:
        """What is read may be another thread's just then: the variables are taken one by one."""
        with self._text.block(f"except {self._text.constant(TAKEN)}:"):
            self._text.add("if not any([one.is_deleted() for one in read]): raise")

    def _are_together(self, buffers: str, storages: Sequence[Storage], aways: Sequence[str]) -> str:
        pairs = zip(storages, aways, strict=True)
        same = [f"{self._text.constant(storage)}.array is {away}" for storage, away in pairs]
        return " and ".join([f"{buffers}.lent_to is None", *same])

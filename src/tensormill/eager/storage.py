"""The memory of a variable: handed out as it is, copied by whoever changes it, lent to programs.

Reading gives the array itself. Whoever wants to change it in place first counts its references
(decision 4): with more than one, the variable gets a copy of its own, and readers keep the old one.

    Storage.array ──► A        t = v.read()     Storage.array ──► A ◄── t
                               v.assign_add(1)  Storage.array ──► B     A ◄── t

A long program runs without Python's lock. Other threads must not see what it changes half done, so
the arrays that it writes are out of their variables meanwhile, and a `Lent` stands in for each:

    before                    meanwhile                         after
    Storage.array ──► A       Storage.array ──► Lent            Storage.array ──► A, changed
                              A is known to native code only

A thread that finds a `Lent` sleeps and looks again. It would wait for itself where a signal's
handler runs in the thread that has lent the array: that one gets a copy of what is there, or an
error where only native code knows the memory. Many programs may run at once; two that write one
variable take turns, for the second finds a `Lent`.

A program of XLA keeps what it changes in the memory of its device (`Away`) from call to call.
Whoever reads the variable gets a copy, which is made once between two changes; whoever changes it
elsewhere takes it home first:

    Storage.array ──► Away ──► device memory    v.numpy()         Away ──► device memory, copy
                                                v.assign_add(1)   Storage.array ──► copy, changed

A program takes what is away, and leaves what becomes of it, without looking at anything else
(compiler/device_calls.py); `lent_to` is the thread whose program changes it just then.

A fork waits for what other threads have lent, but not for ever. What is out then does not come back
in the child, which has no such thread: the variable has no value there until it is given one.
"""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections.abc import Callable
from contextlib import AbstractContextManager
from threading import get_ident
from typing import Any, Final, Protocol

import numpy as np

from ..core.process import locks
from ..core.process.live_objects import LiveObjects
from ..core.process.locks import ForkedLock
from ..core.process.references import holds_alone
from ..core.specs import TensorSpec
from ..errors import FailedPreconditionError, OpError, error_of_device
from ..ops.dispatch.divisions import Division

Array = np.ndarray[Any, Any]

_SHORTEST, _LONGEST = 20e-6, 1e-3  # seconds between two looks whether a buffer has come back


class Lent:
    """Stands in a Storage for a buffer that native code changes without Python's lock.

    `thread` is who called that code. `memory` is the buffer; None where only native code knows it.
    """

    __slots__ = ("memory", "thread")

    def __init__(self, thread: int | None, memory: Array | None = None) -> None:
        self.thread = thread
        self.memory = memory


class Away:
    """Stands in a Storage for memory of a device.

    `copy` has an array of the device and the same in this process's memory, where somebody has
    asked for it; programs change the one without looking at the other. `lent_to` is the thread
    whose program changes it just then, else None. `place` is where it is, or how it lies over
    several devices, in the words of who put it there; None where it is on the usual one.
    """

    __slots__ = ("copy", "device_array", "lent_to", "place")

    def __init__(self, device_array: Any, place: Any = None) -> None:
        self.device_array = device_array
        self.place: Final = place
        self.copy: tuple[Any, Array] | None = None
        self.lent_to: int | None = None

    def read(self, storage: np.dtype[Any]) -> Array:
        """A copy, which is no view of the device's memory.

        Raises:
            RuntimeError: a program took the memory just then.
        """
        device_array, copy = self.device_array, self.copy
        if copy is None or copy[0] is not device_array:
            copy = self.copy = device_array, np.array(device_array, storage)
        return copy[1]


# What copies an array to a place on devices.
Put = Callable[[Any, Any], Any]


class OnDevices(Protocol):
    """What programs on devices take a variable for, or several that are one there."""

    array: Any

    def moved(self, place: Any, put: Put) -> Any:
        """The value on the device, or at its place on several, where it stays."""
        ...

    def lend_there(self, lent: Lent, place: Any, put: Put) -> Any:
        """Take the value out, for a program that changes it there; None where there is none."""
        ...

    def lose(self, why: str) -> None:
        """Have no value any more, and tell whoever asks why."""
        ...


# What native entries put there: signals are handled in the main thread only.
LENT_BY_MAIN: Final = Lent(threading.main_thread().ident)
LENT: Final = Lent(None)
_changes: Final = ForkedLock()


class Storage:
    """A variable's buffer.

    `array` keeps the promises of `EagerTensor._array`, owns its memory, and is None until there is
    a first value; while native code changes it without Python's lock it is `Lent`, and whoever
    wants it waits. Who changes it in place must be the only one that holds it (`sole_array`):
    whatever Python got from the variable before then never changes afterwards. Compiled code
    looks at the same reference count.

    Changes that depend on the value are made within `changing()`, so that those of several threads
    do not mix. `division` is how devices share the buffer while it is on several. `device` is the
    full name of the one where it is at home, None where nobody said one: programs that run
    elsewhere bring back what they change.
    """

    __slots__ = ("__weakref__", "array", "device", "division", "name", "spec", "trainable")

    def __init__(
        self, array: Array | None, spec: TensorSpec, name: str = "", trainable: bool = True
    ) -> None:
        self.array: Any = None  # an Array, None, Lent or Away
        self.division: Division | None = None
        self.device: str | None = None
        self.spec = spec  # what may be assigned: the shape may have unknown sizes
        self.name = name
        self.trainable = trainable
        _known.add(self)
        if array is not None:
            self.write(array)

    def read(self) -> Array:
        """The buffer.

        Raises:
            FailedPreconditionError: nothing was assigned yet.
        """
        array = self.array
        if type(array) is not np.ndarray:
            array = self.value()
            if array is None:
                why = _lost.get(self, "it is uninitialized")
                raise FailedPreconditionError(
                    f"Error while reading resource variable {self.name}: {why}"
                )
        return array

    def value(self) -> Array | None:
        """The buffer when it is back, or a copy of what is on a device; None where nothing was
        assigned yet.

        Raises:
            FailedPreconditionError: this very thread has lent it, and is in a signal's handler.
        """
        while isinstance(array := self.settled(), Away):
            device_array = array.device_array
            try:
                return array.read(self.spec.dtype.storage)
            except RuntimeError as error:
                if self.array is array and array.device_array is device_array:
                    if array.lent_to is None:  # else a program has taken it just then
                        raise self._lost_there(error) from None
        return array

    def _lost_there(self, error: RuntimeError) -> RuntimeError | OpError:
        found = error_of_device(error)
        if isinstance(found, OpError):
            said = str(found).rstrip(".")
            found = type(found)(
                f"Error while reading resource variable {self.name}: {said}; its value before that "
                f"is lost, {_ASSIGN}"
            )
        return found

    def lose(self, why: str) -> None:
        """Have no value any more, and tell whoever asks why."""
        _lost[self] = f"{why}; {_ASSIGN}"
        self.array = None

    def settled(self) -> Array | Away | None:
        """The same, left on a device if it is there: nothing is copied.

        Raises:
            FailedPreconditionError: this very thread has lent it, and is in a signal's handler.
        """
        delay = _SHORTEST
        while (lent := self.lent()) is not None:
            if lent.thread == get_ident():
                return self._changing(lent)
            time.sleep(delay)
            delay = min(2 * delay, _LONGEST)
        array = self.array
        return self.settled() if type(array) is Lent else array

    def lent(self) -> Lent | None:
        """What tells who changes the buffer just now, if somebody does."""
        array = self.array
        if type(array) is Away:
            thread = array.lent_to
            return None if thread is None else Lent(thread)
        return array if type(array) is Lent else None

    def home(self) -> None:
        """See to it that the buffer is here, not on a device."""
        array = self.read()
        if type(self.array) is Away:
            self._replace(array, array)

    def _replace(self, known: Any, after: Any) -> bool:
        """Put something in the place of what is `known`: the buffer, an array of a device, or its
        copy. False where somebody else was quicker.
        """
        # Python gives no other thread its turn within these lines, which call nothing.
        now = self.array
        if now.__class__ is Away:
            array, copy = now.device_array, now.copy
            is_copied = copy is not None and copy[0] is array and copy[1] is known
            if now.lent_to is not None or not (is_copied or array is known):
                return False
        elif now is not known:
            return False
        self.array = after
        return True

    def _changing(self, lent: Lent) -> Array:
        if lent.memory is None:
            raise FailedPreconditionError(
                f"Error while reading resource variable {self.name}: the compiled function that "
                "this signal interrupted is changing it"
            )
        return lent.memory.copy()

    def lend(self, lent: Lent) -> Array:
        """Take the buffer out; `lent` stands for it, and has it."""
        while True:
            self.home()
            array = lent.memory = self.read()
            now = self.array
            # Python gives no other thread its turn between this line and the next.
            if now is array or (now.__class__ is Lent and now.thread == lent.thread):
                self.array = lent
                return array
            now = None  # what it was ends here, not where the next one is looked at

    def moved(self, place: Any, put: Put) -> Any:
        before = self.array
        if before.__class__ is Away and before.place is place and before.lent_to is None:
            return before.device_array
        value = self.read()
        moved = put(value, place)
        self._replace(value, Away(moved, place))
        return moved

    def lend_there(self, lent: Lent, place: Any, put: Put) -> Any:
        while (away := self._lent_away(lent, place)) is None:
            if self.settled() is None:
                self.array = lent
                return None
            self.moved(place, put)
        return away.device_array

    def _lent_away(self, lent: Lent, place: Any) -> Away | None:
        """What stands for the value where it is at a place, and `lent` in its stead; else None."""
        # Python gives no other thread its turn within these lines, which call nothing and drop
        # nothing: arrays of devices give it where they end, as in a loop, where `now` had been one.
        now = self.array
        if now.__class__ is not Away or now.place is not place or now.lent_to is not None:
            return None
        self.array = lent
        return now  # type: ignore[no-any-return]

    def write(self, array: Array) -> None:
        """Replace the buffer; a view of other memory is copied, so that `base` tells no tales."""
        own = array if array.base is None else array.copy()
        if type(self.array) is not np.ndarray:
            before = self.settled()
            if type(before) is Away and self._replace(before.device_array, own):
                return
        self.array = own

    def exchange(self, before: Array, after: Array) -> bool:
        """Replace the buffer, which `read` gave and the caller holds, unless compiled code was
        quicker: it changes no buffer that others hold, but puts another one in its place.
        """
        own = after if after.base is None else after.copy()
        # Python gives no other thread its turn between this line and the next.
        if self.array is before:
            self.array = own
            return True
        return self._replace(before, own)

    def sole_array(self) -> Array | None:
        """The buffer where nobody else holds it, else None."""
        return self.array if holds_alone(self) and type(self.array) is np.ndarray else None

    def unshare(self) -> None:
        """See to it that nobody else holds the buffer: else the variable gets a copy of it."""
        self.home()
        while self.sole_array() is None:
            array = self.read()
            if self.lent() is not None:  # by this thread: what it has is a copy
                return
            copy = array.copy()
            # As long as `array` is held here nobody changes it in place.
            if self.array is array:
                self.array = copy
                return

    def changing(self) -> AbstractContextManager[Any]:
        """A lock for changes that depend on the value, taken when the buffer is there."""
        if type(self.array) is not np.ndarray:
            self.settled()  # whoever has it may need the lock
        return _changes()


# ---------------------------------------------------------------- forking

_known: Final[LiveObjects[Storage]] = LiveObjects()
# Why those have no value that have had one.
_lost: Final[weakref.WeakKeyDictionary[Storage, str]] = weakref.WeakKeyDictionary()
_ASSIGN: Final = "assign a value first"
_FORKED: Final = (
    "this process was forked while a compiled function that another thread called was changing it"
)


def _lent_by_others() -> list[Storage]:
    this = get_ident()
    return [one for one in _known if (lent := one.lent()) is not None and lent.thread != this]


def _wait() -> None:
    deadline = time.monotonic() + locks.PATIENCE
    while _lent_by_others() and time.monotonic() < deadline:
        time.sleep(_LONGEST)


def _give_up() -> None:
    lost = _lent_by_others()
    for storage in lost:
        if type(storage.array) is Away:
            storage.array.lent_to = None
    for storage in lost:
        storage.lose(_FORKED)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_wait, after_in_child=_give_up)

"""Objects of Python's that can be put back to what they were: containers, attributes, variables."""

from __future__ import annotations

import operator
import random
from abc import ABC, abstractmethod
from collections import OrderedDict, deque
from collections.abc import Iterable, Mapping
from types import CellType, GetSetDescriptorType, MemberDescriptorType
from typing import Any, Final

import numpy as np

from ..sentinels import UNSET
from ..tensors import is_weak

# An array with more bytes is taken to be data, in which nobody counts.
_MOST_BYTES: Final = 1 << 16


class KeptObject(ABC):
    """An object, and what was in it."""

    __slots__ = ("before", "value")

    def __init__(self, value: Any) -> None:
        self.value = value
        self.before = self.now()

    @abstractmethod
    def now(self) -> Any:
        """What is in it."""

    @abstractmethod
    def put(self, contents: Any) -> None:
        """Let this be in it."""

    def values_in(self, contents: Any) -> Iterable[Any]:
        """The values in what this keeps."""
        return ()

    def differs(self, one: Any, other: Any) -> bool:
        return bool(one != other)

    def joined(self, start: Any, end: Any) -> Any:
        """What was in it, with the change from `start` to `end`."""
        return self.before if self.differs(self.before, start) else end

    def restore(self) -> None:
        if self.differs(self.now(), self.before):
            self.put(self.before)

    def keep(self, start: Any, end: Any) -> None:
        """Let what has become of `start` stay."""
        self.before = self.joined(start, end)


class _KeptNames(KeptObject):
    """Values by their names."""

    __slots__ = ()

    def values_in(self, contents: Mapping[Any, Any]) -> Iterable[Any]:
        return contents.values()

    def differs(self, one: Mapping[Any, Any], other: Mapping[Any, Any]) -> bool:
        return [*one] != [*other] or _are_others(one.values(), other.values())

    def joined(self, start: Mapping[Any, Any], end: Mapping[Any, Any]) -> Any:
        made = {name: one for name, one in self.before.items() if name in end or name not in start}
        for name, new in end.items():
            old, known = start.get(name, UNSET), self.before.get(name, UNSET)
            if new is not old and known is old:
                made[name] = new
            elif new is not old and is_weak(known) and is_weak(old) and is_weak(new):
                made[name] = known + (new - old)  # it is counted before, and within
        return made

    def put(self, contents: Mapping[Any, Any]) -> None:
        now = self.now()
        for name in now.keys() - contents.keys():
            self._erase(name)
        for name, one in contents.items():
            if now.get(name, UNSET) is not one:
                self._write(name, one)

    @abstractmethod
    def _write(self, name: Any, value: Any) -> None: ...

    @abstractmethod
    def _erase(self, name: Any) -> None: ...


class KeptDict(_KeptNames):
    """A dict, also the one that has the attributes of an object."""

    __slots__ = ()

    @property
    def _methods(self) -> type[dict[Any, Any]]:
        """Plain ones: those of a class of the user's may do anything."""
        return OrderedDict if isinstance(self.value, OrderedDict) else dict

    def now(self) -> dict[Any, Any]:
        return dict(self._methods.items(self.value))

    def put(self, contents: Mapping[Any, Any]) -> None:
        if [*contents] != [*self.now()]:
            self._methods.clear(self.value)
        super().put(contents)  # else somebody may go through it

    def _write(self, name: Any, value: Any) -> None:
        self._methods.__setitem__(self.value, name, value)

    def _erase(self, name: Any) -> None:
        self._methods.__delitem__(self.value, name)


class KeptClass(_KeptNames):
    """The attributes of a class."""

    __slots__ = ()

    def now(self) -> dict[str, Any]:
        named = vars(self.value).items()
        return {name: one for name, one in named if not name.startswith(("__", "_abc_"))}

    def _write(self, name: str, value: Any) -> None:
        setattr(self.value, name, value)

    def _erase(self, name: str) -> None:
        delattr(self.value, name)


class KeptSlots(_KeptNames):
    """The attributes of an object that has slots."""

    __slots__ = ()

    def now(self) -> dict[str, Any]:
        found = {name: getattr(self.value, name, UNSET) for name in slots_of(type(self.value))}
        return {name: one for name, one in found.items() if one is not UNSET}

    def _write(self, name: str, value: Any) -> None:
        object.__setattr__(self.value, name, value)

    def _erase(self, name: str) -> None:
        object.__delattr__(self.value, name)


class KeptGlobals(_KeptNames):
    """Those variables of a module that some code names."""

    __slots__ = ("_names",)

    def __init__(self, scope: dict[str, Any], names: Iterable[str]) -> None:
        self._names = [*names]
        super().__init__(scope)

    def now(self) -> dict[str, Any]:
        return {name: self.value[name] for name in self._names if name in self.value}

    def _write(self, name: str, value: Any) -> None:
        self.value[name] = value

    def _erase(self, name: str) -> None:
        del self.value[name]


class KeptCell(_KeptNames):
    """A variable of a function that others around it, or within it, share."""

    __slots__ = ()

    def now(self) -> dict[str, Any]:
        try:
            return {"": self.value.cell_contents}
        except ValueError:
            return {}

    def _write(self, name: str, value: Any) -> None:
        self.value.cell_contents = value

    def _erase(self, name: str) -> None:
        del self.value.cell_contents


class KeptList(KeptObject):
    """A list or another sequence that can be changed in place."""

    __slots__ = ()

    def values_in(self, contents: list[Any]) -> Iterable[Any]:
        return contents

    def now(self) -> list[Any]:
        return list.copy(self.value) if isinstance(self.value, list) else [*self.value]

    def differs(self, one: list[Any], other: list[Any]) -> bool:
        return _are_others(one, other)

    def joined(self, start: list[Any], end: list[Any]) -> list[Any]:
        if self.differs(start, end[: len(start)]):
            return super().joined(start, end)
        return self.before + end[len(start) :]

    def put(self, contents: list[Any]) -> None:
        if isinstance(self.value, deque):
            self.value.clear()
            self.value.extend(contents)
        else:
            kind: Any = list if isinstance(self.value, list) else bytearray
            kind.__setitem__(self.value, slice(None), contents)


class KeptSet(KeptObject):
    """A set."""

    __slots__ = ()

    def values_in(self, contents: set[Any]) -> Iterable[Any]:
        return contents

    def now(self) -> set[Any]:
        return {*self.value}

    def joined(self, start: set[Any], end: set[Any]) -> set[Any]:
        return (self.before | (end - start)) - (start - end)

    def put(self, contents: set[Any]) -> None:
        set.clear(self.value)
        set.update(self.value, contents)


class KeptArray(KeptObject):
    """A small array of NumPy's."""

    __slots__ = ()

    def now(self) -> Any:
        return self.value.copy()

    def differs(self, one: Any, other: Any) -> bool:
        return bool(one.tobytes() != other.tobytes())

    def put(self, contents: Any) -> None:
        self.value[...] = contents


class KeptRandom(KeptObject):
    """A generator of random numbers, of Python's or NumPy's."""

    __slots__ = ()

    def now(self) -> Any:
        if isinstance(self.value, random.Random):
            return self.value.getstate()
        if isinstance(self.value, np.random.RandomState):
            return self.value.get_state(legacy=False)
        return self.value.bit_generator.state

    def differs(self, one: Any, other: Any) -> bool:
        return repr(one) != repr(other)

    def put(self, contents: Any) -> None:
        if isinstance(self.value, random.Random):
            self.value.setstate(contents)
        elif isinstance(self.value, np.random.RandomState):
            self.value.set_state(contents)
        else:
            self.value.bit_generator.state = contents


def _are_others(some: Iterable[Any], others: Iterable[Any]) -> bool:
    """Whether these are not the same objects."""
    some, others = [*some], [*others]
    return len(some) != len(others) or not all(map(operator.is_, some, others))


def attributes_of(value: Any) -> Any:
    """The dict that has them. A class may answer for it by code of its own, and is not asked."""
    for kind in type(value).__mro__:
        if (own := vars(kind).get("__dict__")) is not None:
            return own.__get__(value) if isinstance(own, GetSetDescriptorType) else None
    return None


def slots_of(kind: type) -> list[str]:
    """The names of the attributes for which an object has slots, as its class names them."""
    classes = [one for one in kind.__mro__ if "__slots__" in vars(one)]
    found = [pair for one in classes for pair in vars(one).items()]
    return [name for name, one in found if type(one) is MemberDescriptorType]


def kept_container(value: Any) -> KeptObject | None:
    """What keeps a container, or something like one, as it is; None where it is none of these."""
    if isinstance(value, dict):
        return KeptDict(value)
    if isinstance(value, list | deque | bytearray):
        return KeptList(value)
    if isinstance(value, set):
        return KeptSet(value)
    if isinstance(value, CellType):
        return KeptCell(value)
    if isinstance(value, random.Random):
        return KeptRandom(value) if type(value) is random.Random else None
    if type(value) is np.random.Generator or type(value) is np.random.RandomState:
        return KeptRandom(value)
    if type(value) is np.ndarray:
        is_small = value.nbytes <= _MOST_BYTES and value.flags.writeable
        return KeptArray(value) if is_small and not value.dtype.hasobject else None
    return None

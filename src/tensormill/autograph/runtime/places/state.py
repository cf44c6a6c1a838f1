"""The variables of a statement, as places that can be read, written and emptied."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, MutableMapping, MutableSequence
from types import CellType, FunctionType
from typing import Any

from .. import tensors
from ..policy import is_users
from ..sentinels import UNSET


class Place(ABC):
    """Somewhere a value can be. `name` is how the user wrote it."""

    __slots__ = ("name",)

    # The object that holds the value, where the user's code knows one.
    owner: Any = None

    def __init__(self, name: str) -> None:
        self.name = name

    @abstractmethod
    def get(self) -> Any:
        """The value, or UNSET."""

    @abstractmethod
    def put(self, value: Any) -> None:
        """Store a value; UNSET empties the place."""

    def set(self, value: Any) -> None:
        """Store a value unless it is there already: a property may do work when assigned."""
        if self.get() is not value:
            self.put(value)


class LocalVariable(Place):
    """A local variable of the user's function."""

    __slots__ = ("cell",)

    def __init__(self, name: str, cell: CellType) -> None:
        super().__init__(name)
        self.cell = cell

    def get(self) -> Any:
        try:
            return self.cell.cell_contents
        except ValueError:
            return UNSET

    def put(self, value: Any) -> None:
        if value is UNSET:
            del self.cell.cell_contents
        else:
            self.cell.cell_contents = value


class Attribute(Place):
    """`owner.attribute`."""

    __slots__ = ("attribute", "owner")

    def __init__(self, name: str, owner: Any, attribute: str) -> None:
        super().__init__(name)
        self.owner, self.attribute = owner, attribute

    def get(self) -> Any:
        return getattr(self.owner, self.attribute, UNSET)

    def put(self, value: Any) -> None:
        if value is UNSET:
            delattr(self.owner, self.attribute)
        else:
            setattr(self.owner, self.attribute, value)


class Item(Place):
    """`owner[key]`, or a global variable in its module's dictionary."""

    __slots__ = ("key", "owner")

    def __init__(self, name: str, owner: Any, key: Any) -> None:
        super().__init__(name)
        self.owner, self.key = owner, key

    def get(self) -> Any:
        try:
            return self.owner[self.key]
        except (KeyError, IndexError):
            return UNSET

    def put(self, value: Any) -> None:
        if value is UNSET:
            del self.owner[self.key]
        else:
            self.owner[self.key] = value


# --- what converted code calls ---


Cells = Callable[[], tuple[Any, ...]]


def variables(cells: Cells | None) -> list[Place]:
    """The variables in the closure of `lambda: (x, y)`."""
    if cells is None:
        return []
    closure = zip(cells.__code__.co_freevars, cells.__closure__ or (), strict=True)
    return [LocalVariable(name, cell) for name, cell in closure]


def attribute(
    name: str, owner: Callable[[], Any], attribute_name: str
) -> Callable[[], Place | None]:
    def find() -> Place | None:
        holder = owner()
        # What a property stores, it stores elsewhere in its object.
        is_property = isinstance(getattr(type(holder), attribute_name, None), property)
        return None if is_property and is_users(holder) else Attribute(name, holder, attribute_name)

    return find


def item(name: str, owner_and_key: FunctionType) -> Callable[[], Place | None]:
    def find() -> Place | None:
        owner, key = owner_and_key()
        if type(owner) is list and tensors.is_staged(key):
            return _list_of(name, owner_and_key)
        # A tensor or an array has items too, but no places to put values in.
        is_container = isinstance(owner, MutableMapping | MutableSequence)
        return Item(name, owner, key) if is_container else None

    return find


def _list_of(name: str, owner_and_key: FunctionType) -> Place | None:
    """The variable with the list of `l[i]`: which item that is, only the graph knows."""
    variable = name.partition("[")[0]
    return next((one for one in variables(owner_and_key) if one.name == variable), None)


def module_name(name: str, body: FunctionType) -> Callable[[], Place]:
    return lambda: Item(name, body.__globals__, name)


# What looking for a place that does not exist (yet) may raise.
_ABSENT = (NameError, AttributeError, LookupError, TypeError)


def existing_places(finders: tuple[Callable[[], Place | None], ...]) -> list[Place]:
    """The places that exist now. One whose owner is made inside of the statement does not."""
    places: list[Place] = []
    for find in finders:
        try:
            place = find()
        except _ABSENT:
            continue
        if place is not None:
            places.append(place)
    return places


def assign(variable: FunctionType, value: Any) -> Any:
    """`(y := value)`, where `variable` is `lambda: y`.

    Raises:
        NotImplementedError: `y` is a global variable, which a graph could not bind in one case.
    """
    for place in variables(variable) or [_global(variable)]:
        place.put(value)
    return value


def _global(variable: FunctionType) -> Place:
    (name,) = variable.__code__.co_names
    if tensors.building_graph():
        raise NotImplementedError(
            f"`({name} := …)` of the global variable '{name}' in a condition, or in `a if c else "
            "b`, is not done while a function is traced: bind it in a statement"
        )
    return Item(name, variable.__globals__, name)

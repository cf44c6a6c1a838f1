"""Lists and dicts as attributes of trackables: what is put into them later is tracked as well.

A wrapper *is* a list or dict, and shares the one that was assigned: a change under either name is
seen under both. Its own memory, which C code may look at, follows the changes made through it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from typing import Any

from ..core.trackable import Trackable
from ..eager.variable import Variable
from ..function.concrete import ConcreteFunction
from ..function.function import Function


def delegating(reading: str, changing: str) -> Callable[[type[Any]], type[Any]]:
    """Give a class methods that call the shared container's; after some of them it has changed."""

    def decorate(made: type[Any]) -> type[Any]:
        for name in reading.split():
            setattr(made, name, _reader(name))
        for name in changing.split():
            setattr(made, name, _changer(name))
        return made

    return decorate


def _reader(name: str) -> Any:
    def read(self: Any, *args: Any, **kwargs: Any) -> Any:
        return getattr(self._self_shared, name)(*args, **kwargs)

    read.__name__ = name
    return read


def _changer(name: str) -> Any:
    def change(self: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return getattr(self._self_shared, name)(*args, **kwargs)
        finally:  # a failing extend() has done half of its work
            self._note_change()

    change.__name__ = name
    return change


class TrackableDataStructure(Trackable):
    """What lists and dicts tell of what they hold, as layers do: those that count weights ask."""

    @property
    def _values(self) -> Iterable[Any]:
        """What is in it, in order."""
        raise NotImplementedError

    @property
    def trainable_weights(self) -> list[Any]:
        """The trainable variables in it, and those of layers and modules in it."""
        return [one for one in self.weights if one.trainable]

    @property
    def non_trainable_weights(self) -> list[Any]:
        """The other variables."""
        return [one for one in self.weights if not one.trainable]

    @property
    def weights(self) -> list[Any]:
        """All variables, each once."""
        found: dict[int, Any] = {}
        for value in self._values:
            own = [value] if isinstance(value, Variable) else getattr(value, "weights", None)
            own = getattr(value, "variables", ()) if own is None else own
            found |= {id(one): one for one in own}
        return list(found.values())

    trainable_variables = trainable_weights
    non_trainable_variables = non_trainable_weights
    variables = weights


@delegating(
    "__getitem__ __len__ __iter__ __contains__ __reversed__ __add__ __mul__ __rmul__ "
    "__eq__ __ne__ __lt__ __le__ __gt__ __ge__ index count copy",
    "__setitem__ __delitem__ extend insert pop remove clear sort reverse",
)
class ListWrapper(TrackableDataStructure, list[Any]):
    """A list whose elements are the children "0", "1", … of a trackable."""

    __hash__ = None

    def __init__(self, wrapped_list: Iterable[Any] = ()) -> None:
        self._self_shared: list[Any] = (
            wrapped_list if type(wrapped_list) is list else list(wrapped_list)
        )
        self._note_change()

    @property
    def _values(self) -> Iterable[Any]:
        return self

    def append(self, value: Any) -> None:
        value = wrap(value)
        self._self_shared.append(value)
        list.append(self, value)
        self._handle_deferred_dependencies(str(len(self._self_shared) - 1), value)

    def __radd__(self, other: list[Any]) -> list[Any]:
        return other + self._self_shared

    def __iadd__(self, values: Iterable[Any]) -> ListWrapper:
        self.extend(values)
        return self

    def __imul__(self, times: Any) -> ListWrapper:
        self._self_shared *= times
        self._note_change()
        return self

    def _note_change(self) -> None:
        shared = self._self_shared
        for position, value in enumerate(shared):
            if (wrapped := wrap(value)) is not value:
                shared[position] = wrapped
        list.__setitem__(self, slice(None), shared)
        for name in list(self.__dict__.get("_self_deferred", ())):
            if name.isdigit() and int(name) < len(shared):
                self._handle_deferred_dependencies(name, shared[int(name)])

    def _trackable_children(self, save_type: str = "checkpoint", **options: Any) -> dict[str, Any]:
        self._note_change()  # perhaps under its other name
        own = children_of(self._self_shared, save_type)
        return own | super()._trackable_children(save_type, **options)

    def __repr__(self) -> str:
        return f"ListWrapper({[*self]!r})"

    def __copy__(self) -> ListWrapper:
        return ListWrapper(self._self_shared.copy())

    def __deepcopy__(self, memo: dict[int, Any]) -> ListWrapper:
        made = memo[id(self)] = ListWrapper()
        made.extend(deepcopy(value, memo) for value in self)
        return made

    def __reduce_ex__(self, protocol: Any) -> Any:
        return ListWrapper, (list(self),)


@delegating(
    "__getitem__ __len__ __iter__ __contains__ __reversed__ __or__ __ror__ "
    "__eq__ __ne__ get keys values items",
    "__setitem__ __delitem__ update pop popitem clear setdefault",
)
class _DictWrapper(TrackableDataStructure, dict[Any, Any]):
    """A dict whose values are children of a trackable under their keys."""

    __hash__ = None

    def __init__(self, wrapped_dict: Any = (), **items: Any) -> None:
        is_plain = type(wrapped_dict) is dict and not items
        self._self_shared: dict[Any, Any] = (
            wrapped_dict if is_plain else dict(wrapped_dict, **items)
        )
        self._note_change()

    @property
    def _values(self) -> Iterable[Any]:
        return [self[key] for key in sorted(self, key=str)]

    def __ior__(self, other: Any) -> _DictWrapper:
        self.update(other)
        return self

    def _note_change(self) -> None:
        shared = self._self_shared
        for key, value in shared.items():
            if (wrapped := wrap(value)) is not value:
                shared[key] = wrapped
        dict.clear(self)
        dict.update(self, shared)
        for name in list(self.__dict__.get("_self_deferred", ())):
            if name in shared:
                self._handle_deferred_dependencies(name, shared[name])

    def _trackable_children(self, save_type: str = "checkpoint", **options: Any) -> dict[str, Any]:
        self._note_change()  # perhaps under its other name
        own = children_of(self._self_shared, save_type)
        return own | super()._trackable_children(save_type, **options)

    def __repr__(self) -> str:
        return f"DictWrapper({self})"

    def __str__(self) -> str:
        return str({**self})

    def copy(self) -> _DictWrapper:
        return _DictWrapper(self._self_shared.copy())

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> _DictWrapper:
        made = memo[id(self)] = _DictWrapper()
        made.update((deepcopy(key, memo), deepcopy(value, memo)) for key, value in self.items())
        return made

    def __reduce_ex__(self, protocol: Any) -> Any:
        return _DictWrapper, (dict(self),)


class _TupleWrapper(TrackableDataStructure, tuple[Any, ...]):
    """A tuple whose elements are the children "0", "1", … of a trackable."""

    @property
    def _values(self) -> Iterable[Any]:
        return self

    def _trackable_children(self, save_type: str = "checkpoint", **options: Any) -> dict[str, Any]:
        return children_of(tuple(self), save_type)

    def __repr__(self) -> str:
        return f"_TupleWrapper({self})"

    def __str__(self) -> str:
        return str((*self,))

    def __reduce_ex__(self, protocol: Any) -> Any:
        return _TupleWrapper, (tuple(self),)


def wrap(value: Any) -> Any:
    """`value` as an attribute of a trackable: lists and dicts wrapped, those in tuples too.

    Named tuples are rebuilt where something in them is wrapped, and keep their class.
    """
    if type(value) is list:
        return ListWrapper(value)
    if type(value) is dict:
        return _DictWrapper(value)
    if not isinstance(value, tuple):
        return value
    parts: list[Any] = [wrap(part) for part in value]  # pyright: ignore[reportUnknownVariableType]
    if type(value) is tuple and is_trackable(value):  # pyright: ignore[reportUnknownArgumentType]
        return _TupleWrapper(parts)
    if all(new is old for new, old in zip(parts, value, strict=True)):
        return value
    make = getattr(type(value), "_make", type(value))  # pyright: ignore[reportUnknownArgumentType]
    return make(parts)


def is_trackable(value: Any) -> bool:
    """Whether `value` is a node of object graphs: it has state, or may have children."""
    if isinstance(value, tuple):
        return any(map(is_trackable, value))  # pyright: ignore[reportUnknownArgumentType]
    if isinstance(value, Function):  # listed apart, where functions are saved
        return False
    return (
        isinstance(value, Trackable)
        or type(value) in (list, dict, OrderedDict)
        or hasattr(type(value), "_trackable_children")
    )


def is_part(value: Any, save_type: str) -> bool:
    """Whether `value` is a child of what holds it: SavedModels have functions in lists, too."""
    if save_type != "savedmodel":
        return is_trackable(value)
    if isinstance(value, tuple):
        return any(is_part(one, save_type) for one in value)  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, Function) and value.input_signature is not None:
        value.get_concrete_function()  # which may make variables
    return isinstance(value, (Function, ConcreteFunction)) or is_trackable(value)


def children_of(value: Any, save_type: str = "checkpoint", **options: Any) -> dict[str, Any]:
    """The children of a trackable, or of a list, tuple or mapping, by name.

    The fields of a named tuple are children twice, by field and by number, as TensorFlow has it.

    Raises:
        ValueError: a trackable is in a mapping under a key that is no string.
    """
    if hasattr(type(value), "_trackable_children"):
        return value._trackable_children(save_type, **options)
    if isinstance(value, Mapping):
        return _values_by_key(value, save_type)  # pyright: ignore[reportUnknownArgumentType]
    if not isinstance(value, (list, tuple)):
        return {}
    fields = getattr(value, "_fields", ())  # pyright: ignore[reportUnknownArgumentType]
    named: Iterable[tuple[Any, Any]] = [
        *zip(fields, value, strict=False),  # pyright: ignore[reportUnknownArgumentType]
        *enumerate(value),  # pyright: ignore[reportUnknownArgumentType]
    ]
    return {str(name): part for name, part in named if is_part(part, save_type)}


def _values_by_key(mapping: Mapping[Any, Any], save_type: str) -> dict[str, Any]:
    found = {key: value for key, value in mapping.items() if is_part(value, save_type)}
    for key in found:
        if not isinstance(key, str):
            raise ValueError(
                f"Unable to save the dict {dict(mapping)!r}: its key {key!r} is no string, and "
                f"maps to a trackable object. Use strings as keys, or keep the dict out of what is "
                f"saved by assigning NoDependency(dict)"
            )
    return found


class NoDependency:
    """Around a value that is assigned to an attribute: the attribute is `value`, untracked."""

    def __init__(self, value: Any) -> None:
        self.value = value

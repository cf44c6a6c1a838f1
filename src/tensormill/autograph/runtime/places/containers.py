"""Lists and dicts that staged code changes in place.

What a block does to them is not seen outside before both branches, or the loop, are understood: it
works on copies, or on the user's own (`in_place.py`), which then get their contents back. What
comes out goes into the user's own list or dict. A list whose length changes becomes a list of the
graph (control/staged_list.py): it takes the variable's place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from ....core import tree
from ....core.process import references
from ....core.process.live_objects import LiveObjects
from ....core.process.named_tuples import NamedTuple
from ....core.specs import TensorSpec
from ....core.values import StagedListBase
from .. import tensors
from ..policy import is_users
from .records import fields_of, instance_of_fields, is_record

_PLAIN = (list, dict)
_HOLDERS = (*_PLAIN, tuple, StagedListBase)


def is_plain(value: Any) -> bool:
    """Whether a block gets a copy of it; other containers may be watched over by their owners."""
    return type(value) is list or type(value) is dict


def is_leaf(value: Any) -> bool:
    """Whether it is neither a container nor has any in it."""
    if isinstance(value, _HOLDERS):
        return isinstance(value, _PLAIN) and not is_plain(value)
    return not is_record(value)


def own_copy(value: Any) -> Any:
    """A container for one block, with what it holds; any other value itself."""
    if is_leaf(value):
        return value
    if type(value) is list:
        return [own_copy(one) for one in value]
    if type(value) is dict:
        return {key: own_copy(one) for key, one in value.items()}
    if is_record(value):
        return instance_of_fields(value, map(own_copy, fields_of(value)))
    if tensors.is_staged_list(value):
        return value.copy()
    if (node := tree.node_of(value)) is None:
        return value
    items = [own_copy(one) for one in value]
    is_same = all(one is old for one, old in zip(items, value, strict=True))
    return value if is_same else node.rebuild(value, items)


def items_of(value: Any) -> Iterable[tuple[Any, Any]]:
    """What is in something that is no leaf, with its keys, places or names."""
    if type(value) is dict:
        return value.items()
    if type(value) is list or isinstance(value, tuple):
        return enumerate(value)
    if tensors.is_staged_list(value):
        return ()
    return zip(type(value).__dataclass_fields__, fields_of(value), strict=True)


def step_to(value: Any, key: Any) -> str:
    """What is written behind the name of a value for what is in it: `['x']`, `[0]`, `.field`."""
    is_field = not is_plain(value) and not isinstance(value, tuple)
    return f".{key}" if is_field else f"[{key!r}]"


def containers_in(value: Any) -> list[tuple[str, Any]]:
    """The containers in a value that can be changed in place, with the ways to them."""
    found: list[tuple[str, Any]] = []
    _gather(value, "", found)
    return found


def _gather(value: Any, way: str, found: list[tuple[str, Any]]) -> None:
    if is_leaf(value):
        return
    if not isinstance(value, tuple):
        found.append((way, value))
    for key, one in items_of(value):
        if not is_leaf(one):
            _gather(one, way + step_to(value, key), found)


def containers_inside(values: Iterable[Any]) -> set[int]:
    """The identities of all containers that are copied when these values are."""
    return {id(one) for value in values for _, one in containers_in(value)}


# ---- containers that are known by other names


class KnownContainer(NamedTuple):
    """A container in the value of a variable: the way to it, and how many others hold it."""

    way: str
    identity: int
    holders: int


def known_containers(values: Sequence[Any]) -> list[list[KnownContainer]]:
    """The containers in each of these values."""
    return [list(_known(values, k, "", 0)) for k in range(len(values))]


def _known(row: Sequence[Any], place: int, way: str, more: int) -> Iterator[KnownContainer]:
    """`more`: how many others know a container, as they know what it is in."""
    if is_leaf(row[place]):
        return
    count = _count(row, place) + more
    if is_plain(row[place]) or is_record(row[place]):
        yield KnownContainer(way, id(row[place]), count)
    # A tuple with another list in it is another tuple.
    more = count - 1 if isinstance(row[place], tuple) else 0
    keys = [key for key, _ in items_of(row[place])]
    within = [one for _, one in items_of(row[place])]
    for k, key in enumerate(keys):
        if not is_leaf(within[k]):
            yield from _known(within, k, way + step_to(row[place], key), more)


def _count(row: Sequence[Any], place: int) -> int:
    """How many hold a container, other than the row and the staging of statements."""
    return references.holders(row, place) - 1 - sum(one.count(row[place]) for one in holding)


class Held:
    """How often the staging of a statement knows containers: for as long as this here lives.

    So it ends with what it counts, also where an interrupt ends the trace.
    """

    __slots__ = ("__weakref__", "_counts")

    def __init__(self, known: Iterable[Any] = ()) -> None:
        self._counts: Counter[int] = Counter()
        holding.add(self)
        for one in known:
            self.add(one, 1)

    def count(self, value: Any) -> int:
        return self._counts[id(value)]

    def add(self, value: Any, by: int) -> None:
        """Note that one more (or one less) place of the staging knows a container."""
        if is_plain(value) or is_record(value):
            self._counts[id(value)] += by


# The staging of all statements that are being traced.
holding: Final[LiveObjects[Held]] = LiveObjects()


class Unnoticed:
    """While a block runs, containers are known as often as they were before their statement,
    whatever holds them for its staging; those of which `before` says nothing, once.
    """

    def __init__(self, containers: Iterable[Any], before: Mapping[int, int]) -> None:
        self._containers = [*{id(one): one for one in containers}.values()]
        self._extra = [
            _count(self._containers, k) + 1 - before.get(id(self._containers[k]), 1)
            for k in range(len(self._containers))
        ]
        self._held: Held | None = Held()
        for value, extra in zip(self._containers, self._extra, strict=True):
            self._held.add(value, extra)

    def holders(self) -> dict[int, int]:
        """How many know each container now."""
        rows = self._containers
        return {id(rows[k]): _count(rows, k) + 1 for k in range(len(rows))}

    def end(self) -> None:
        self._held = None


# ---- lists that grow


def is_list(value: Any) -> bool:
    return type(value) is list or tensors.is_staged_list(value)


def differ_in_length(first: Any, second: Any) -> bool:
    """Whether two values are lists that one list of the graph could stand for."""
    if not (is_list(first) and is_list(second)):
        return False
    if type(first) is list and type(second) is list:
        return len(first) != len(second)
    return type(first) is not type(second)


def lists_to_stage(name: str, one: Any, other: Any) -> dict[str, Any]:
    """The lists in two values that have to grow, by their names: what describes their elements."""
    if differ_in_length(one, other):
        return {name: common_element(name, one, other)}
    found: dict[str, Any] = {}
    for key, first, second in _pairs(one, other):
        found |= lists_to_stage(f"{name}[{key!r}]", first, second)
    return found


def _pairs(one: Any, other: Any) -> Iterable[tuple[Any, Any, Any]]:
    """The keys of two containers that are built alike, with what is there."""
    if type(one) is not type(other) or type(one) not in (list, tuple, dict):
        return ()
    if type(one) is dict:
        return ((key, one[key], other[key]) for key in one) if one.keys() == other.keys() else ()
    return zip(range(len(one)), one, other, strict=True) if len(one) == len(other) else ()


def with_staged_lists(
    name: str, value: Any, elements: Mapping[str, Any], *, empty: bool = False
) -> Any:
    """A value whose lists of these names belong to the graph that is being traced; `empty` ones,
    where only their kind matters.
    """
    if (element := elements.get(name)) is not None and is_list(value):
        return _of_graph([] if empty else value, element)
    kind = type(value)
    if kind is dict:
        pairs = value.items()
        return {k: with_staged_lists(f"{name}[{k!r}]", v, elements, empty=empty) for k, v in pairs}
    if kind is list or kind is tuple:
        return kind(
            with_staged_lists(f"{name}[{k!r}]", v, elements, empty=empty)
            for k, v in enumerate(value)
        )
    return value


def common_element(name: str, *values: Any) -> Any:
    """What describes the elements of all these lists: a structure of specs.

    Raises:
        TypeError: they are built differently, have several dtypes, or are no tensors.
    """
    elements = iter(_elements(values))
    first = next(elements, _MISSING)
    if first is _MISSING:
        raise TypeError(f"'{name}': nothing tells what the list holds")
    found = [_described(name, leaf) for leaf in tree.flatten(first)]
    for element in elements:
        _check_alike(name, first, element)
        leaves = [_described(name, leaf) for leaf in tree.flatten(element)]
        found = [_common(name, *pair) for pair in zip(found, leaves, strict=True)]
    return tree.pack_sequence_as(first, [one.spec for one in found])


_MISSING: Final = object()


class Described(NamedTuple):
    """The spec of a tensor or constant, and whether it is a Python number."""

    spec: TensorSpec
    is_weak: bool


def _elements(values: Iterable[Any]) -> Iterable[Any]:
    for value in values:
        if tensors.is_staged_list(value):
            yield value.element
        else:
            yield from value


def _described(name: str, leaf: Any) -> Described:
    if isinstance(leaf, TensorSpec):
        return Described(leaf, False)
    if tensors.is_staged_list(leaf):  # an element of a list of lists: their stacks
        (inner,) = leaf.specs
        return Described(TensorSpec((None, *inner.shape), inner.dtype), False)
    if leaf is None or not tensors.may_be_tensor(leaf):
        instead = "; append a tuple or dict of its tensors" if is_users(leaf) else ""
        raise TypeError(
            f"'{name}' grows in staged code, so what it holds has to be tensors: Failed to convert "
            f"elements of {leaf!r} to Tensor{instead}"
        )
    shape = leaf.shape if tensors.is_tensor(leaf) else np.shape(leaf)
    return Described(TensorSpec(shape, tensors.dtype_of(leaf)), tensors.is_weak(leaf))


def _check_alike(name: str, first: Any, second: Any) -> None:
    if tree.difference(first, second) is not None:
        raise TypeError(
            f"'{name}' grows in staged code, so its elements have to be built alike: here one is "
            f"{first!r}, another {second!r}"
        )


def _common(name: str, one: Described, other: Described) -> Described:
    first, second = one.spec.dtype, other.spec.dtype
    if first is second or (other.is_weak and not one.is_weak and _adapts(second, first)):
        dtype = first
    elif one.is_weak and not other.is_weak and _adapts(first, second):
        dtype = second
    else:
        raise TypeError(
            f"'{name}' grows in staged code, so its elements have to have one dtype: here one has "
            f"dtype {first.name}, another {second.name}; use tf.cast"
        )
    shape = one.spec.shape.relax(other.spec.shape)
    return Described(TensorSpec(shape, dtype), one.is_weak and other.is_weak)


def _adapts(number: Any, dtype: Any) -> bool:
    """Whether a Python number of this dtype can be one of another dtype."""
    if number.is_integer:
        return dtype.is_integer or dtype.is_floating or dtype.is_complex
    return dtype.is_floating or dtype.is_complex


def _of_graph(value: Any, element: Any) -> Any:
    if tensors.is_staged_list(value):
        return value
    from ....control.staged_list import StagedList

    return StagedList.of(value, element)


def check_unshared(name: str, shared: Iterable[str], growing: Container[str]) -> None:
    """Raise a ValueError where a list that has to be replaced is known by another name.

    shared: the ways to containers of the value called `name` that somebody else knows, too;
    growing: the names of lists.
    """
    for name in (known for path in shared if (known := f"{name}{path}") in growing):
        text = f"'{name}' grows in staged code, so it becomes a list of the graph, but "
        if not references.ARE_COUNTED:
            raise ValueError(
                f"{text}this Python does not tell whether it is known elsewhere, too, and would "
                "stay as it is there. Use a tf.TensorArray: ta = ta.write(ta.size(), value)"
            )
        raise ValueError(
            f"{text}it is known elsewhere, too (as an argument, or by another name), and would "
            f"stay as it is there. Write `{name} = list({name})` in front, and use '{name}', or "
            "return it, behind"
        )

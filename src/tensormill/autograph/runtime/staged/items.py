"""Items of Python lists that the graph chooses, and what only the graph can take apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....control.list_places import place_of
from ....control.staged_list import StagedList
from ....core import tree
from .. import logic, tensor_rows, tensors
from ..places import containers
from ..places.state import Place
from .sequences import ListRows, staged_rows


def listed(values: Sequence[Any], name: str) -> Any:
    """A Python list as a list of the graph."""
    return StagedList.of(values, containers.common_element(name, values))


def rows(values: Sequence[Any], name: str) -> Any:
    """What a loop over Python values goes through, as rows of the graph."""
    return ListRows(listed(values, name))


def item(values: Sequence[Any], index: Any) -> Any:
    """The item of a list or tuple of tensors at a tensor; what else it holds needs an integer.

    Raises:
        TypeError: the items are no tensors, or no more alike than that.
        ElementIndexError: (when the graph runs) there is no such item.
    """
    _check_index(index)
    leaves = tree.flatten(values)
    if not leaves or not all(map(tensors.may_be_tensor, leaves)):
        return values[index]  # whose error says what to do
    element = containers.common_element("the list", values)
    if tree.is_nested(element) or not element.shape.is_fully_defined():
        return listed(values, "the list")[index]
    return _row(tensors.as_tensor(list(values), element.dtype), len(values), index)


def _row(stacked: Any, count: int, index: Any) -> Any:
    place = place_of(index, count)
    within = logic.both(place >= 0, place < count)
    logic.raise_unless(within, IndexError("list index out of range"))
    return tensor_rows.row(stacked, place)


def set_item(place: Place, index: Any, value: Any) -> None:
    """Make the list of a variable one of the graph, with another item at a tensor."""
    _check_index(index)
    name, values = place.name, [place.get()]
    (known,) = containers.known_containers(values)
    containers.check_unshared(name, (one.way for one in known if one.holders > 1), (name,))
    element = containers.common_element(name, values[0], [value])
    made = containers.with_staged_lists(name, values.pop(), {name: element})
    made[index] = value
    place.put(made)


def _check_index(index: Any) -> None:
    if index.shape.rank not in (0, None) or not index.dtype.is_integer:
        raise TypeError(f"list indices must be integers or slices, not {index}")


def unpacked(value: Any, count: int, *behind: int) -> Any:
    """The items of a tensor or a list that grew; behind those in front, the list of the others."""
    rows = staged_rows(value)
    if rows is None or (not behind and isinstance(rows.length(), int)):
        return value
    length, wanted = rows.length(), count + sum(behind)
    if not isinstance(length, int):
        holds = length >= wanted if behind else length == wanted
        few = f"expected {'at least ' if behind else ''}{wanted} values to unpack"
        logic.raise_unless(holds, ValueError(few))
    elif length < wanted:
        raise ValueError(f"not enough values to unpack (expected at least {wanted}, got {length})")
    front = [rows.item(k) for k in range(count)]
    if not behind:
        return front
    ends = [rows.item(length - k) for k in range(behind[0], 0, -1)]
    return [*front, _between(rows, count, length - behind[0]), *ends]


def spread(parts: Sequence[Any]) -> Any:
    """The items of all parts: a list of the graph, where only that knows how many one has."""
    lists = [_in_python(part) for part in parts]
    grown = next((one for one in lists if tensors.is_staged_list(one)), None)
    if grown is None:
        return [one for part in lists for one in part]
    made = StagedList.of([], containers.common_element("the list", *lists))
    for part in lists:
        made.extend(part)
    return made


def _in_python(values: Any) -> Any:
    """The items of a part, in a Python list if possible."""
    rows = staged_rows(values)
    if rows is None:
        return list(values)
    return list(rows) if isinstance(rows.length(), int) else rows.listed()


def _between(rows: Any, first: int, last: Any) -> Any:
    if isinstance(last, int):
        return [rows.item(k) for k in range(first, last)]
    return rows.listed()[first:last]

"""What a Saver saves: variables, parts of variables and tables, by their names in files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...core.process.named_tuples import NamedTuple
from ...core.values import PartitionedBase


class SavedValue(NamedTuple):
    """A variable (or a table, which has `tensors`) and the name that files have for its value.

    part: which part of the tensor of that name it is, as SaveV2 is told; nothing for all of it.
    """

    name: str
    part: str
    holder: Any


def has_value(saved: Any) -> bool:
    """Whether it is a variable, and no table or the like."""
    return hasattr(saved, "handle")


def saved_values(listed: Any) -> list[SavedValue]:
    """What is saved of a list, or a dict by names, in the order of the names.

    Parts of variables go by the name of the whole: where a list has one, and where a dict has a
    list of them. One by itself goes by the name that a dict has for it, as a whole.

    Raises:
        TypeError: something is no variable.
        ValueError: two have one name.
    """
    if isinstance(listed, Mapping):
        named = [one for name in sorted(listed) for one in _under(str(name), listed[name])]
    elif not isinstance(listed, (list, tuple, set)):
        raise TypeError(f"Variables to save are given in a dict or a list, got {listed}")
    else:
        named = [one for given in listed for one in _named(given)]
    found: dict[tuple[str, str], SavedValue] = {}
    for one in named:
        if not has_value(one.holder) and not hasattr(one.holder, "tensors"):
            raise TypeError(f"Variable to save is not a Variable: {one.holder}")
        other = found.setdefault((one.name, one.part), one)
        if other.holder is not one.holder:
            raise ValueError(f"At least two variables have the same name: {one.name}")
    _demand_one_kind(found)
    return sorted(found.values(), key=lambda one: one.name)


def _demand_one_kind(found: Mapping[tuple[str, str], Any]) -> None:
    whole = {name for name, part in found if not part}
    mixed = next((name for name, part in found if part and name in whole), None)
    if mixed is not None:
        raise ValueError(f"Mixing slices and non-slices with the same name: {mixed}")


def _under(name: str, given: Any) -> Iterator[SavedValue]:
    if not isinstance(given, (list, tuple, PartitionedBase)):
        yield SavedValue(name, "", given)
        return
    for part in given:
        place = getattr(part, "_save_slice_info", None)
        if place is None:
            raise ValueError(f"Slices must all be slices: {part} is a whole variable")
        yield SavedValue(name, place.spec, part)


def _named(given: Any) -> Iterator[SavedValue]:
    for one in given if isinstance(given, PartitionedBase) else [given]:
        place = getattr(one, "_save_slice_info", None)
        if place is not None:
            yield SavedValue(place.full_name, place.spec, one)
        else:
            name = getattr(one, "name", "")
            yield SavedValue(name.rpartition(":")[0] or name, "", one)

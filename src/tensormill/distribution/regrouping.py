"""Structures of values of each replica become structures of values of all, and the other way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..core import tree
from ..eager.variable import Variable
from .values import DistributedValues, PerReplica

Group = Callable[[Sequence[Any]], Any]


def regrouped(values: Sequence[Any], group: Group = PerReplica) -> Any:
    """One structure for the structures of all replicas, with a `group` for the values of a leaf.

    What is the same object everywhere stays that object.

    Raises:
        AssertionError: the structures are not the same.
    """
    first = values[0]
    if all(value is first for value in values):
        return first
    if isinstance(first, (list, tuple)):
        return _regrouped_sequences(values, group)
    if isinstance(first, Mapping):
        return _regrouped_mappings(values, group)
    return _container_of(values) or group(values)


def _regrouped_sequences(values: Sequence[Any], group: Group) -> Any:
    first = values[0]
    for value in values:
        if not isinstance(value, type(first)):
            raise AssertionError(f"Values to regroup had different types: {value!r}, {first!r}")
        if len(value) != len(first):
            raise AssertionError(
                f"Values to regroup had different lengths: len(v) == {len(value)}, "
                f"len(v0) == {len(first)}, v: {value}, v0: {first}"
            )
    parts = [regrouped(part, group) for part in zip(*values, strict=True)]
    return type(first)(*parts) if hasattr(first, "_fields") else type(first)(parts)


def _regrouped_mappings(values: Sequence[Any], group: Group) -> Any:
    first = values[0]
    keys = set(first)
    for value in values:
        if set(value) != keys:
            raise AssertionError(
                f"Values to regroup had different keys: {sorted(value)}, {sorted(first)}"
            )
    parts = {key: regrouped([value[key] for value in values], group) for key in first}
    return type(first)(**parts) if type(first) is not dict else parts


def _container_of(values: Sequence[Any]) -> Any:
    """The variable whose parts these are, one for each replica; None where they are none."""
    container = getattr(values[0], "_distributed_container", None)
    whole = None if container is None else container()
    if whole is None or len(whole.values) != len(values):
        return None
    pairs = zip(whole.values, values, strict=True)
    return whole if all(own is value for own, value in pairs) else None


def part_of(number: int, value: Any) -> Any:
    """What the replica with that number has, of a structure; variables stay whole."""
    return tree.map_structure(lambda leaf: _part_of(number, leaf), value)


def _part_of(number: int, leaf: Any) -> Any:
    is_part = isinstance(leaf, DistributedValues) and not isinstance(leaf, Variable)
    return leaf.values[number] if is_part else leaf


def component_of(number: int, value: Any) -> Any:
    """The same, but of a variable the part that belongs to the replica."""
    return tree.map_structure(
        lambda leaf: leaf.values[number] if isinstance(leaf, DistributedValues) else leaf, value
    )

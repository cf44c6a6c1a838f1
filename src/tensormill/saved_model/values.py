"""Which values of a bundle belong to which objects of a SavedModel."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from ..checkpoint.restoration import read_object_graph
from ..formats.tensor_bundle import BundleReader

VALUE: Final = "VARIABLE_VALUE"


def attributes_of(reader: BundleReader, saved: Any) -> dict[int, dict[str, str]]:
    """The keys of what is stored of objects, by the numbers of these in a SavedObjectGraph.

    The checkpoint has its own graph of objects: those that the same names lead to are the same.

    Raises:
        DataLossError: the files are damaged.
    """
    stored = read_object_graph(reader)
    found: dict[int, dict[str, str]] = {}
    for number, other in _pairs(saved, stored):
        for attribute in stored.nodes[other].attributes:
            found.setdefault(number, {})[attribute.name] = attribute.checkpoint_key
    return found


def _pairs(saved: Any, stored: Any) -> Iterator[tuple[int, int]]:
    """Numbers of the same object in both graphs."""
    pending, seen = [(0, 0)], {(0, 0)}
    while pending:
        pair = pending.pop()
        yield pair
        for following in _following(saved.nodes[pair[0]], stored.nodes[pair[1]]):
            if following not in seen:
                seen.add(following)
                pending.append(following)


def _following(saved: Any, stored: Any) -> Iterator[tuple[int, int]]:
    children = {child.local_name: child.node_id for child in stored.children}
    for child in saved.children:
        if child.local_name in children:
            yield child.node_id, children[child.local_name]
    slots = {(s.original_variable_node_id, s.slot_name): s for s in stored.slot_variables}
    for slot in saved.slot_variables:
        other = slots.get((slot.original_variable_node_id, slot.slot_name))
        if other is not None:
            yield slot.slot_variable_node_id, other.slot_variable_node_id

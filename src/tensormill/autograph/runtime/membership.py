"""`item in container`, where a tensor is the item or among the items."""

from __future__ import annotations

from typing import Any

from . import tensors

_SEQUENCES = (list, tuple, range)
_COLLECTIONS = (*_SEQUENCES, set, frozenset, dict)


def contains(item: Any, container: Any) -> Any:
    """`item in container`: a bool, or a tensor where one decides."""
    if tensors.is_staged(container):
        return _in_vector(item, container)
    if not isinstance(container, _COLLECTIONS) or not tensors.building_graph():
        return item in container
    is_staged = tensors.is_staged(item)
    if is_staged or (isinstance(container, _SEQUENCES) and any(map(tensors.is_staged, container))):
        return _among(item, container)
    return item in container


def lacks(item: Any, container: Any) -> Any:
    """`item not in container`."""
    found = contains(item, container)
    return tensors.negated(found) if tensors.is_staged(found) else not found


def _among(item: Any, candidates: Any) -> Any:
    found: Any = False
    for candidate in candidates:
        if candidate is item:
            return True
        equal = candidate == item
        if tensors.is_staged(equal):
            equal = tensors.truth(equal, "an item of `in`")
            found = equal if found is False else tensors.either_of(found, equal)
        elif equal:
            return True
    return found


def _in_vector(item: Any, vector: Any) -> Any:
    if vector.shape.rank not in (1, None):
        raise ValueError(
            f"`in` looks into vectors, got a tensor of shape {vector.shape}; "
            "tf.reduce_any(tf.equal(x, item)) looks everywhere"
        )
    return tensors.reduce("any", vector == item)

"""`item in container`, where a tensor may be the item, or among the items."""

from __future__ import annotations

from typing import Any

from . import logic, tensor_rows, tensors

# Not sets and dicts: eagerly, too, these cannot be asked for a tensor.
_SEQUENCES = (list, tuple, range)


def contains(item: Any, container: Any) -> Any:
    """`item in container`: a bool, or a tensor where one decides."""
    if tensors.is_staged_list(container):
        return tensor_rows.reduce("any", container.matches(item))
    if tensors.is_staged(container):
        return _in_vector(item, container)
    if not isinstance(container, _SEQUENCES):
        return item in container
    if tensors.is_staged(item):
        return (
            _among_numbers(item, container) if type(container) is range else _among(item, container)
        )
    holds_tensors = type(container) is not range and any(map(tensors.is_staged, container))
    return _among(item, container) if holds_tensors else item in container


def _among(item: Any, candidates: Any) -> Any:
    found: Any = False
    for candidate in candidates:
        if candidate is item:
            return True
        equal = candidate == item
        if tensors.is_staged(equal):
            equal = logic.truth(equal, "an item of `in`")
            found = equal if found is False else logic.either_of(found, equal)
        elif equal:
            return True
    return found


def _among_numbers(item: Any, numbers: range) -> Any:
    """`item in range(…)`, however long that is."""
    if not numbers:
        return False
    low, high = sorted((numbers[0], numbers[-1]))
    in_step = (item - low) % abs(numbers.step) == 0
    return logic.both(logic.both(item >= low, item <= high), in_step)


def _in_vector(item: Any, vector: Any) -> Any:
    if vector.shape.rank not in (1, None):
        raise ValueError(
            f"`in` looks into vectors, got a tensor of shape {vector.shape}; "
            "tf.reduce_any(tf.equal(x, item)) looks everywhere"
        )
    return tensor_rows.reduce("any", vector == item)

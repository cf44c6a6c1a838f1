"""`min`, `max`, `sum`, `any`, `all` and `sorted`, with tensors as arguments or among the items."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

from . import branches, logic, tensor_rows, tensors
from .staged.iteration import stream_of

Python = Callable[..., Any]


def _stacked(values: Any) -> Any:
    """The elements of a list that grew in the graph, as a tensor."""
    return values.stacked() if tensors.is_staged_list(values) else values


def _vector(value: Any, name: str) -> Any:
    """A tensor that one of the functions below may reduce: they take any iterable in Python."""
    if value.shape.rank not in (1, None):
        raise ValueError(
            f"{name}() of a tensor wants a vector, got shape {value.shape}; "
            f"use tf.reduce_{name}(x, axis=…)"
        )
    tensor_rows.check_has_rows(value)
    return value


# --- min, max ---


def min_(*values: Any, key: Any = None, **default: Any) -> Any:
    return _extreme("min", values, key, default)


def max_(*values: Any, key: Any = None, **default: Any) -> Any:
    return _extreme("max", values, key, default)


def _extreme(name: str, values: tuple[Any, ...], key: Any, default: dict[str, Any]) -> Any:
    python: Python = getattr(builtins, name)
    if len(values) == 1 and tensors.is_staged_list(values[0]):
        return _extreme_element(name, values[0], key, default)
    if len(values) == 1 and tensors.is_staged(values[0]):
        return _extreme_row(name, _vector(values[0], name), key, default)
    if not values or not tensors.building_graph():
        return python(*values, key=key, **default)
    candidates = list(values[0]) if len(values) == 1 else list(values)
    keys = candidates if key is None else [key(one) for one in candidates]
    if not any(map(tensors.is_staged, [*candidates, *keys])):
        # A second evaluation of the key would show, and an iterator cannot be read twice.
        best = python(range(len(keys)), key=keys.__getitem__, default=None)
        return python(candidates, **default) if best is None else candidates[best]
    if key is None:
        return _reduced(candidates, tensor_rows.smaller if name == "min" else tensor_rows.larger)
    return _best(name, candidates, keys)


def _reduced(candidates: list[Any], pairwise: Callable[[Any, Any], Any]) -> Any:
    result = candidates[0]
    for other in candidates[1:]:
        result = pairwise(result, other)
    return result


def _best(name: str, candidates: list[Any], keys: list[Any]) -> Any:
    """The first candidate with the best key."""
    result, best = candidates[0], keys[0]
    for candidate, key in zip(candidates[1:], keys[1:], strict=True):
        is_better = key < best if name == "min" else key > best
        result = branches.either(is_better, candidate, result)
        best = branches.either(is_better, key, best)
    return result


def _extreme_row(name: str, vector: Any, key: Any, default: dict[str, Any]) -> Any:
    if key is not None:
        return tensor_rows.row(vector, tensor_rows.index_of(name, key(vector)))
    result = tensor_rows.reduce(name, vector)
    if not default:
        return result
    has_any = tensors.as_tensor(tensor_rows.first_dimension(vector)) > 0
    return branches.either(has_any, result, default["default"])


def _extreme_element(name: str, values: Any, key: Any, default: dict[str, Any]) -> Any:
    """Of a list that grew."""
    has_any = values.length() > 0
    if default:
        return branches.chosen(has_any, lambda: _extreme_element(name, values, key, {}),
                              lambda: default["default"])  # fmt: skip
    logic.raise_unless(has_any, ValueError(f"{name}() arg is an empty sequence"))
    keys = _vector(values.keys(key), name)
    return (
        tensor_rows.reduce(name, keys) if key is None else values[tensor_rows.index_of(name, keys)]
    )


# --- sum, any, all ---


def sum_(values: Any, start: Any = 0) -> Any:
    values = _stacked(values)
    if not tensors.is_staged(values):
        return sum(values, start)
    tensor_rows.check_has_rows(values)
    total = tensor_rows.reduce("sum", values, axis=0)
    return total if isinstance(start, int) and start == 0 else total + start


def any_(values: Any) -> Any:
    return _joined("any", values)


def all_(values: Any) -> Any:
    return _joined("all", values)


def _joined(name: str, values: Any) -> Any:
    values = _stacked(values)
    if tensors.is_staged(values):
        return tensor_rows.reduce(name, tensors.cast(_vector(values, name), "bool"))
    if not tensors.building_graph():
        return getattr(builtins, name)(values)
    if stream_of(values) is not None and hasattr(values, "reduce"):
        join = logic.either_of if name == "any" else logic.both
        return values.reduce(name == "all", join)
    return _joined_items(name, values)


def _joined_items(name: str, values: Any) -> Any:
    """The value of a Python iterable, whose items may be tensors."""
    decisive, staged = name == "any", []
    for value in values:
        if tensors.is_staged(value):
            staged.append(logic.truth(value, f"{name}()"))
        elif bool(value) is decisive:
            return decisive
    if not staged:
        return not decisive
    return _reduced(staged, logic.either_of if decisive else logic.both)


# --- sorted ---


def sorted_(values: Any, *, key: Any = None, reverse: bool = False) -> Any:
    if tensors.is_staged_list(values):
        made = values.copy()
        made.sort(key=key, reverse=reverse)
        return made
    if tensors.is_staged(values):
        return _sorted_vector(values, key, reverse)
    if not tensors.building_graph():
        return sorted(values, key=key, reverse=reverse)
    items = list(values)
    if not any(map(tensors.is_staged, items)):
        return sorted(items, key=key, reverse=reverse)
    vector = _sorted_vector(tensors.as_tensor(items), key, reverse)
    return [tensor_rows.row(vector, index) for index in range(len(items))]


def _sorted_vector(vector: Any, key: Any, reverse: bool) -> Any:
    if vector.shape.rank not in (1, None):
        raise ValueError(
            f"sorted() takes 1D tensors only, got shape {vector.shape}; tf.sort(x, axis=…) sorts "
            "others along an axis"
        )
    return tensor_rows.sort(vector, key, reverse)

"""Nests of Python values and tensors as templates: their text, with places for the tensors."""

from __future__ import annotations

import pprint
from collections.abc import Callable, Iterable
from typing import Any

from ...core.tree import Composite
from ...core.values import RaggedBase, TensorLike
from .formatting import absent_from


class _Blank:
    """Stands for a tensor in a nest that is about to be written out."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text

    def __lt__(self, other: Any) -> bool:
        return self.text < str(other)


def _described(value: Any, describe: Callable[[Any], Any]) -> Any:
    """A nest with each tensor replaced by what `describe` returns for it."""
    if isinstance(value, (TensorLike, RaggedBase)):
        return describe(value)
    if isinstance(value, Composite) and (parts := _named_parts(value)):
        inner = ", ".join(f"{name}={describe(part)!r}" for name, part in parts)
        return _Blank(f"{type(value).__name__}({inner})")
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_described(one, describe) for one in value))
    if isinstance(value, tuple):
        return tuple(_described(one, describe) for one in value)
    if isinstance(value, (list, range)):
        return [_described(one, describe) for one in value]
    if isinstance(value, dict):
        # Keys in order: tensors are numbered in the order in which they are written.
        changed = {key: _described(value[key], describe) for key in _in_order(value)}
        return changed if type(value) is dict else _like_mapping(value, changed)
    return value


def _named_parts(value: Any) -> list[tuple[str, Any]]:
    """What sparse tensors and slices of tensors consist of."""
    if not hasattr(value, "dense_shape"):
        return []
    parts = ("indices", value.indices), ("values", value.values)
    shape = value.dense_shape
    return list(parts) if shape is None else [*parts, ("shape", shape)]


def _in_order(mapping: dict[Any, Any]) -> Iterable[Any]:
    if type(mapping) is not dict:
        return mapping
    try:
        return sorted(mapping)
    except TypeError:
        return mapping


def _like_mapping(mapping: Any, changed: dict[Any, Any]) -> Any:
    try:
        return type(mapping)(changed)
    except TypeError:  # a defaultdict wants a factory first
        return changed


def templated(inputs: Any, sep: str) -> tuple[str, str, list[Any]]:
    """A template, its placeholder, and the tensors that fill it, in order."""
    found: list[Any] = []

    def describe(tensor: Any) -> _Blank:
        found.append(tensor)
        return _Blank(placeholder)

    plain = sep + "".join(one if isinstance(one, str) else "" for one in inputs)
    others = [one for one in inputs if not isinstance(one, (TensorLike, Composite))]
    placeholder = absent_from(plain + repr(others))
    words = [
        one if isinstance(one, str) else pprint.pformat(_described(one, describe), sort_dicts=True)
        for one in inputs
    ]
    return sep.join(words), placeholder, found

"""Nests of elements, in which lists are leaves: `tensorflow.python.data.util.nest`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...core import tree


class _Leaf:
    """A list, which becomes one tensor."""

    def __init__(self, value: Any) -> None:
        self.value = value


def is_nested(structure: Any) -> bool:
    """Whether it has parts: lists have none."""
    return not isinstance(structure, list) and tree.is_nested(structure)


def flatten(structure: Any) -> list[Any]:
    """The leaves in order, those of dicts by their keys."""
    return [_opened(one) for one in tree.flatten(_with_leaves(structure))]


def assert_same_structure(nest1: Any, nest2: Any, check_types: bool = True) -> None:
    """Refuse nests that are built in two ways.

    Raises:
        ValueError: they have other parts.
        TypeError: they have parts of other types.
    """
    tree.assert_same_structure(_with_leaves(nest1), _with_leaves(nest2), check_types)


def pack_sequence_as(structure: Any, flat_sequence: Sequence[Any]) -> Any:
    """The leaves of `flat_sequence` in a nest as `structure` is.

    Raises:
        ValueError: there are more or fewer.
    """
    leaves, places = [_Leaf(one) for one in flat_sequence], len(flatten(structure))
    if len(leaves) != places:
        raise ValueError(f"a nest of {places} leaves cannot be packed of {len(leaves)}")
    return _without_leaves(tree.pack_sequence_as(_with_leaves(structure), leaves))


def map_structure(func: Callable[..., Any], *structure: Any, **check_types_dict: Any) -> Any:
    """A nest of what `func` makes of the leaves of nests of one structure.

    Raises:
        ValueError: there is no nest, or they are built in several ways.
    """
    if not structure:
        raise ValueError("Must provide at least one structure")
    for other in structure[1:]:
        assert_same_structure(structure[0], other, **check_types_dict)
    rows = zip(*map(flatten, structure), strict=True)
    return pack_sequence_as(structure[0], [func(*row) for row in rows])


def _with_leaves(structure: Any) -> Any:
    if isinstance(structure, list):
        return _Leaf(structure)
    if not tree.is_nested(structure):
        return structure
    return _rebuilt(structure, _with_leaves)


def _without_leaves(structure: Any) -> Any:
    if isinstance(structure, _Leaf):
        return structure.value
    return _rebuilt(structure, _without_leaves) if is_nested(structure) else structure


def _opened(leaf: Any) -> Any:
    return leaf.value if isinstance(leaf, _Leaf) else leaf


def _rebuilt(structure: Any, change: Callable[[Any], Any]) -> Any:
    """The same kind of nest, its parts changed."""
    kind: Any = type(structure)
    if isinstance(structure, Mapping):
        changed = {key: change(one) for key, one in structure.items()}
        return changed if kind is dict else kind(changed)
    parts = [change(one) for one in structure]
    return kind(*parts) if hasattr(structure, "_fields") else kind(parts)


def flatten_up_to(shallow_tree: Any, input_tree: Any) -> list[Any]:
    """The parts of `input_tree` where `shallow_tree` has leaves."""
    found = tree.flatten_up_to(_with_leaves(shallow_tree), _with_leaves(input_tree))
    return [_without_leaves(one) for one in found]


def map_structure_up_to(shallow_tree: Any, func: Callable[..., Any], *inputs: Any) -> Any:
    """A nest as `shallow_tree` is, of what `func` makes of the parts of `inputs` there."""
    rows = zip(*(flatten_up_to(shallow_tree, one) for one in inputs), strict=True)
    return pack_sequence_as(shallow_tree, [func(*row) for row in rows])

"""Arguments and results that hold others: lists, dicts, named tuples, composite tensors.

Tracing opens them in one fixed order (that of `core/tree`), so that the same call always gives the
same list of leaves.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

from ...core import tree
from ...core.process.named_tuples import NamedTuple
from ...core.type_spec import TypeSpec, spec_of


class Opened(NamedTuple):
    """The parts of a container.

    Containers whose `kind` and number of parts are equal may stand for each other; `rebuild` makes
    one like the opened one from other parts. `labels` name the parts in messages.
    """

    kind: Any
    labels: Sequence[Any]
    parts: Sequence[Any]
    rebuild: Callable[[list[Any]], Any]


def open_container(value: Any) -> Opened | None:
    """`value` opened, or None where it is a leaf.

    Raises:
        TypeError: a mapping with keys that have no order, or of a kind that cannot be rebuilt.
    """
    kind: type[Any] = type(value)  # pyright: ignore[reportUnknownVariableType]
    node = tree.node_of(value, expand_composites=True)
    if node is None or kind is range:
        return None
    if hasattr(kind, "__tf_tracing_type__") and node is not tree.FLATTEN:
        return None
    if isinstance(value, (MappingProxyType, collections.deque)):
        raise TypeError(
            f"Could not generate a generic TraceType for {value!r} of type {kind.__name__}: "
            "pass a dict or a list instead, or give the class __tf_flatten__ and __tf_unflatten__"
        )
    labels = node.keys(value)
    return Opened(
        _kind_of(node, value, labels),
        labels,
        node.children(value),
        partial(node.rebuild, value),
    )


def _kind_of(node: tree.StructureKind, value: Any, labels: list[Any]) -> Any:
    """What must be equal where one trace is to serve two containers."""
    if node is tree.SEQUENCE:
        return list if issubclass(type(value), list) else tuple
    if node is tree.MAPPING:
        return (Mapping, tuple(labels))
    if node is tree.FLATTEN:
        return (type(value), value.__tf_flatten__()[0])
    if node is tree.SPEC:
        return value
    if node is tree.COMPOSITE:
        return spec_of(value) or (type(value), value._component_layout())
    return value.__class__


# Given the spec of a composite: how one is made of the changed parts.
Compose = Callable[[TypeSpec], Callable[[list[Any]], Any]]


def map_leaves(change: Callable[[Any], Any], value: Any, compose: Compose | None = None) -> Any:
    """A structure like `value`, with each leaf changed, in the order of tracing.

    Composites are made again by their specs, or as `compose` says.
    """
    opened = open_container(value)
    if opened is None:
        return change(value)
    rebuild = opened.rebuild
    if compose is not None and isinstance(opened.kind, TypeSpec):
        rebuild = compose(opened.kind)
    return rebuild([map_leaves(change, part, compose) for part in opened.parts])


def as_spec(spec: TypeSpec) -> Callable[[list[Any]], Any]:
    """For `map_leaves`: a composite becomes its spec."""
    return lambda parts: spec


def leaves_of(value: Any) -> list[Any]:
    """The leaves of a structure, in the order of tracing."""
    opened = open_container(value)
    if opened is None:
        return [value]
    return [leaf for part in opened.parts for leaf in leaves_of(part)]


def same_contents(left: Any, right: Any) -> bool:
    """Whether two structures have equal containers and the very same leaves.

    What a composite holds does not count: writing to a TensorArray is not changing a container.
    """
    if isinstance(left, tree.Composite):
        return type(left) is type(right)
    mine, theirs = open_container(left), open_container(right)
    if mine is None or theirs is None:
        return left is right
    if mine.kind != theirs.kind or len(mine.parts) != len(theirs.parts):
        return False
    return all(map(same_contents, mine.parts, theirs.parts))

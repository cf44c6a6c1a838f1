"""The objects below a root, numbered, and what a checkpoint says and stores of them.

A tensor's key is the path to its object, `.ATTRIBUTES`, and the tensor's name there, joined by "/":
`model/layers/0/kernel/.ATTRIBUTES/VARIABLE_VALUE`. Keys are made once; who reads a checkpoint finds
objects by the names of children, from its root on, and keys in the graph that is stored with them.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final

from ..core.process.named_tuples import NamedTuple
from ..graph.proto.messages import message
from ..module.data_structures import children_of

OBJECT_GRAPH_KEY: Final = "_CHECKPOINTABLE_OBJECT_GRAPH"
ATTRIBUTES: Final = ".ATTRIBUTES"


class SaveType(StrEnum):
    """What children are asked for."""

    CHECKPOINT = "checkpoint"
    SAVEDMODEL = "savedmodel"


class TrackedObject(NamedTuple):
    """One object. `path` leads to it from the root: the shortest way."""

    number: int
    value: Any
    path: tuple[str, ...]
    children: dict[str, int]


class TrackableView:
    """A root object and everything below it."""

    def __init__(self, root: Any) -> None:
        self._root = root

    @property
    def root(self) -> Any:
        """The object that the view began with."""
        return self._root

    @classmethod
    def children(
        cls, obj: Any, save_type: str = SaveType.CHECKPOINT, **kwargs: Any
    ) -> dict[str, Any]:
        """The children of an object, by name."""
        return children_of(obj, save_type, **kwargs)

    def descendants(self) -> list[Any]:
        """The root and all objects below it, breadth first, each once."""
        return [node.value for node in self.nodes()]

    def nodes(self) -> list[TrackedObject]:
        """The same, with the ways between them."""
        made = [TrackedObject(0, self.root, (), {})]
        numbers = {id(self.root): 0}
        pending = deque(made)
        while pending:
            node = pending.popleft()
            for name, child in self.all_children(node.value).items():
                if id(child) not in numbers:
                    numbers[id(child)] = len(made)
                    made.append(TrackedObject(len(made), child, (*node.path, name), {}))
                    pending.append(made[-1])
                node.children[name] = numbers[id(child)]
        return made

    def all_children(self, value: Any) -> dict[str, Any]:
        """The children of an object in this view, by name."""
        return self.children(value)


class ExtendedView(TrackableView):
    """The same, where the root has further children."""

    def __init__(self, root: Any, extra: Mapping[str, Any]) -> None:
        super().__init__(root)
        self._extra = extra

    def all_children(self, value: Any) -> dict[str, Any]:
        own = self.children(value)
        return {**own, **self._extra} if value is self.root else own


def state_of(value: Any) -> dict[str, Any]:
    """The tensors that an object stores, by name."""
    return value._serialize_to_tensors() if has_state(value) else {}


def state_to_restore(value: Any) -> dict[str, Any]:
    """Tensors like those that an object takes back, by name: what it stores, if it says no more."""
    said = getattr(value, "_tensors_to_restore", None)
    return state_of(value) if said is None else said()


def has_state(value: Any) -> bool:
    return hasattr(value, "_serialize_to_tensors")


def attributes_of(value: Any, path: Sequence[str], state: Mapping[str, Any]) -> dict[str, str]:
    """The attributes that tell of an object's tensors, with their keys.

    Most have one for each tensor. An object that is `saved_as` one attribute (a table) has only
    that: its tensors' keys begin with the key of it.
    """
    names = [value.saved_as] if state and hasattr(value, "saved_as") else [*map(escaped, state)]
    return {name: checkpoint_key(path, name) for name in names}


def tensor_keys(
    value: Any, state: Mapping[str, Any], attributes: Mapping[str, str]
) -> dict[str, str]:
    """The keys of an object's tensors by their names, as far as the attributes tell them."""
    if hasattr(value, "saved_as"):
        begin = attributes.get(value.saved_as)
        return {} if begin is None else {name: begin + name for name in state}
    return {unescaped(name): key for name, key in attributes.items()}


def escaped(name: str) -> str:
    """`name` without a slash, so that it can be a part of a key."""
    return name.replace(".", "..").replace("/", ".S")


def unescaped(name: str) -> str:
    return re.sub(r"\.([.S])", lambda pair: "." if pair[1] == "." else "/", name)


def checkpoint_key(path: Sequence[str], name: str) -> str:
    """The key of the tensor `name` of the object at `path`; the root's path is empty."""
    return f"{'/'.join(map(escaped, path))}/{ATTRIBUTES}/{escaped(name)}"


def serialized(nodes: Sequence[Any]) -> tuple[Any, dict[str, Any]]:
    """The TrackableObjectGraph of objects, and their tensors by key.

    `nodes` have `value`, `path` and `children`, as `TrackedObject` has; their numbers are their
    positions.
    """
    graph = message("TrackableObjectGraph")()
    tensors: dict[str, Any] = {}
    for node in nodes:
        made = graph.nodes.add()
        for name, number in node.children.items():
            made.children.add(local_name=name, node_id=number)
        state = state_of(node.value)
        attributes = attributes_of(node.value, node.path, state)
        full_name = getattr(node.value, "_shared_name", "")  # TensorFlow 1's, of variables
        for name, key in attributes.items():
            made.attributes.add(name=name, checkpoint_key=key, full_name=full_name)
        for name, key in tensor_keys(node.value, state, attributes).items():
            tensors[key] = state[name]
    note_which_have_values(graph)
    return graph, tensors


def note_which_have_values(graph: Any) -> None:
    """Say of every object whether it, or one below it, has values."""
    have = {number for number, node in enumerate(graph.nodes) if node.attributes}
    above: dict[int, list[int]] = {}
    for number, node in enumerate(graph.nodes):
        for child in node.children:
            above.setdefault(child.node_id, []).append(number)
    pending = list(have)
    while pending:
        new = set(above.get(pending.pop(), ())) - have
        have |= new
        pending += new
    for number, node in enumerate(graph.nodes):
        node.has_checkpoint_values.value = number in have


def reachable_objects(graph: Any) -> dict[int, tuple[int, str]]:
    """The objects of a TrackableObjectGraph that the root leads to: each one's owner, and name."""
    found: dict[int, tuple[int, str]] = {0: (0, "")}
    pending = deque(found)
    while pending:
        number = pending.popleft()
        for child in graph.nodes[number].children:
            if child.node_id not in found:
                found[child.node_id] = number, child.local_name
                pending.append(child.node_id)
    return found


def paths_of(graph: Any, numbers: Iterable[int]) -> dict[int, tuple[str, ...]]:
    """The shortest way to each of some objects of a TrackableObjectGraph, if there is one."""
    found = reachable_objects(graph)
    return {number: _path(found, number) for number in numbers if number in found}


def _path(found: Mapping[int, tuple[int, str]], number: int) -> tuple[str, ...]:
    names: list[str] = []
    while number:
        number, name = found[number]
        names.append(name)
    return tuple(reversed(names))

"""The objects that are saved: numbered, with their children by name."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any

from ..core.process.named_tuples import NamedTuple
from ..eager.variable import Variable
from ..function.concrete import ConcreteFunction
from ..function.function import Function
from ..module.data_structures import is_trackable
from ..module.trackable import children_of

SAVED_MODEL = "savedmodel"


class SignatureMap(Mapping[str, Any]):
    """Signatures by name, as a child of the root."""

    def __init__(self, signatures: Mapping[str, ConcreteFunction]) -> None:
        self._signatures = dict(signatures)

    def __getitem__(self, key: str) -> ConcreteFunction:
        return self._signatures[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._signatures)

    def __len__(self) -> int:
        return len(self._signatures)


class SavedNode(NamedTuple):
    """One object. `path` leads to it from the root: the shortest way."""

    number: int
    value: Any
    path: tuple[str, ...]
    children: dict[str, int]


class ObjectView:
    """All objects below a root, in the order in which they are met, breadth first.

    What stands for a variable (as Keras's variables do) is the node of that variable.
    """

    def __init__(self, root: Any) -> None:
        self.nodes: list[SavedNode] = []
        self._numbers: dict[Any, int] = {}
        self._cache: dict[Any, Any] = {}
        self._pending: deque[SavedNode] = deque()
        self._root = root
        # Asked for once: its properties may give other functions each time.
        self.of_root: dict[str, Any] = self.children(root)

    def visit(self, extra: Mapping[str, Any]) -> None:
        """Meet all objects; `extra` are further children of the root."""
        self.of_root |= extra
        self._number(self._root, ())
        while self._pending:
            self._visit(self._pending.popleft())

    def _number(self, value: Any, path: tuple[str, ...]) -> int:
        variable = variable_of(value)
        value = value if variable is None else variable
        key = _identity(value)
        if key not in self._numbers:
            self._numbers[key] = len(self.nodes)
            node = SavedNode(len(self.nodes), value, path, {})
            self.nodes.append(node)
            self._pending.append(node)
        return self._numbers[key]

    def _visit(self, node: SavedNode) -> None:
        children = self.of_root if node.number == 0 else self.children(node.value)
        for name, child in children.items():
            node.children[name] = self._number(child, (*node.path, name))

    def children(self, value: Any) -> dict[str, Any]:
        """The children of an object, by name."""
        if isinstance(value, (Function, ConcreteFunction, Variable)):
            return {}
        if isinstance(value, SignatureMap):
            return dict(value)
        return children_of(value, SAVED_MODEL, cache=self._cache)


def _identity(value: Any) -> Any:
    """Methods are other objects each time they are looked up; their traces are not."""
    return ("traces", id(value.traces)) if isinstance(value, Function) else id(value)


def require_trackable(value: Any) -> None:
    """Raise a ValueError unless `value` can be the root of a SavedModel."""
    if isinstance(value, Function):
        raise ValueError(
            f"a tf.function alone ({value!r}) cannot be saved: make it an attribute of a tf.Module"
        )
    if not isinstance(value, Variable) and (
        isinstance(value, (list, dict, tuple)) or not is_trackable(value)
    ):
        raise ValueError(
            f"Expected an object of type `Trackable` (a tf.Module, a Keras model), not {value!r} "
            f"of type {type(value).__name__}: give it to a module as an attribute, and save that"
        )


def variable_of(value: Any) -> Variable | None:
    """The variable that an object is or, as Keras's do, stands for."""
    if isinstance(value, Variable):
        return value
    if not hasattr(type(value), "_export_to_saved_model_graph"):
        return None
    reference = getattr(value.handle, "variable", None)
    return reference() if reference is not None else None

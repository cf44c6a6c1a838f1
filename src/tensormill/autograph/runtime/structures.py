"""Values taken apart into tensors, and put together around other tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tensormill.core import tree

from .sentinels import Absence


class Apart:
    """The value of a variable, in parts: tensors, constants, and whatever else it holds.

    A composite (a TensorArray, say) can only be taken apart in the graph that it belongs to, so
    this is made there. `names` say where each part is: `"d['a'][0]"`.
    """

    def __init__(self, name: str, value: Any) -> None:
        self.value = value
        self.is_absent = isinstance(value, Absence) or value is None
        self.names: list[str] = []
        self.parts: list[Any] = []
        self._leaves: list[Any] = []
        self._components: list[tuple[Any, ...] | None] = []
        for path, leaf in [] if self.is_absent else tree.flatten_with_path(value):
            components = leaf.components() if isinstance(leaf, tree.Composite) else None
            own = [leaf] if components is None else [one for one in components if one is not None]
            self._leaves.append(leaf)
            self._components.append(components)
            self.parts += own
            self.names += [name + tree.path_text(path)] * len(own)

    def rebuilt(self, parts: Sequence[Any]) -> Any:
        """A value of the same structure around other parts."""
        if self.is_absent:
            return self.value
        rest = iter(parts)
        leaves = [
            next(rest)
            if components is None
            else leaf.with_components([None if one is None else next(rest) for one in components])
            for leaf, components in zip(self._leaves, self._components, strict=True)
        ]
        return tree.pack_sequence_as(self.value, leaves)

    def difference(self, other: Apart) -> str | None:
        """How the structures of two values differ, or None."""
        try:
            tree.assert_same_structure(self.value, other.value)
        except (TypeError, ValueError) as error:
            return str(error).rpartition("More specifically: ")[2]
        for one, another in zip(self._leaves, other._leaves, strict=True):
            if isinstance(one, tree.Composite) or isinstance(another, tree.Composite):
                if type(one) is not type(another):
                    return f"{type(one).__name__} in one, {type(another).__name__} in the other"
        return None

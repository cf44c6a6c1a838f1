"""Values taken apart into tensors, and put together around other tensors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ....core import tree
from ....core.type_spec import TypeSpec, spec_of
from ..sentinels import Absence
from .records import as_dataclasses, as_named_tuples


class TakenApart:
    """The value of a variable, in parts: tensors, constants, and whatever else it holds.

    A composite (a TensorArray, say) can only be taken apart in the graph that it belongs to, so
    this is made there. `names` say where each part is: `"d['a'][0]"`.
    """

    def __init__(self, name: str, value: Any) -> None:
        self.value = value
        self._opened = value if value is None else as_named_tuples(value)
        self.is_absent = isinstance(value, Absence) or value is None
        self.names: list[str] = []
        self.parts: list[Any] = []
        # The shape that a part of a composite keeps, by the composite's spec; else None.
        self.shapes: list[Any] = []
        self._leaves: list[Any] = []
        self._components: list[tuple[Any, ...] | None] = []
        self._specs: list[Any] = []
        for path, leaf in [] if self.is_absent else tree.flatten_with_path(self._opened):
            components = leaf._component_tensors() if isinstance(leaf, tree.Composite) else None
            own = [leaf] if components is None else [one for one in components if one is not None]
            spec = None if components is None else spec_of(leaf)
            self._leaves.append(leaf)
            self._components.append(components)
            self._specs.append(spec)
            self.parts += own
            self.names += [name + tree.path_text(path)] * len(own)
            self.shapes += [None] * len(own) if spec is None else _shapes_of(spec)

    def rebuilt(self, parts: Sequence[Any]) -> Any:
        """A value of the same structure around other parts."""
        if self.is_absent:
            return self.value
        rest = iter(parts)
        rows = zip(self._leaves, self._components, self._specs, strict=True)
        leaves = [
            next(rest) if components is None else _recomposed(leaf, components, spec, rest)
            for leaf, components, spec in rows
        ]
        made = tree.pack_sequence_as(self._opened, leaves)
        return made if self._opened is self.value else as_dataclasses(self.value, made)

    def widen(self, other: TakenApart) -> None:
        """Let composites be rebuilt so that they may also be those of `other`."""
        for place, (spec, theirs) in enumerate(zip(self._specs, other._specs, strict=True)):
            if spec is not None:
                self._specs[place] = spec.most_specific_common_supertype([theirs])
        self.shapes = [
            shape
            for leaf, spec in zip(self._leaves, self._specs, strict=True)
            for shape in _shapes_within(leaf, spec)
        ]

    def keep(self, spec: TypeSpec) -> bool:
        """Let the one composite that this is have a wider spec; whether it can."""
        if len(self._specs) != 1 or not isinstance(self._specs[0], TypeSpec):
            return False
        if not self._specs[0].is_subtype_of(spec):
            return False
        self._specs, self.shapes = [spec], _shapes_of(spec)
        return True

    def common_spec(self, other: TakenApart) -> TypeSpec | None:
        """The spec of what both are, one composite each; None where this one's will do."""
        if len(self._specs) != 1 or self._specs[0] is None:
            return None
        (spec,), (theirs,) = self._specs, other._specs
        return None if theirs.is_subtype_of(spec) else spec.most_specific_common_supertype([theirs])

    def violation(self, other: TakenApart) -> str | None:
        """How a composite of `other` is none of those that this one is rebuilt as, or None."""
        for spec, theirs in zip(self._specs, other._specs, strict=True):
            if spec is not None and not theirs.is_subtype_of(spec):
                return f"{spec!r} before, {theirs!r} after"
        return None

    def difference(self, other: TakenApart) -> str | None:
        """How the structures of two values differ, or None."""
        if found := tree.difference(self._opened, other._opened):
            return found
        for one, another in zip(self._leaves, other._leaves, strict=True):
            if isinstance(one, tree.Composite) or isinstance(another, tree.Composite):
                if type(one) is not type(another):
                    return f"{type(one).__name__} in one, {type(another).__name__} in the other"
                spec, theirs = spec_of(one), spec_of(another)
                if spec is not None and spec.most_specific_common_supertype([theirs]) is None:
                    return f"{spec!r} in one, {theirs!r} in the other"
        return None


def _shapes_of(spec: TypeSpec) -> list[Any]:
    return [part.shape for part in tree.flatten(spec, expand_composites=True)]


def _shapes_within(leaf: Any, spec: TypeSpec | None) -> list[Any]:
    if spec is not None:
        return _shapes_of(spec)
    return [None] * len(tree.flatten(leaf, expand_composites=True))


def _recomposed(
    leaf: Any, components: Sequence[Any], spec: TypeSpec | None, rest: Iterator[Any]
) -> Any:
    filled = [None if one is None else next(rest) for one in components]
    return leaf._with_component_tensors(filled) if spec is None else tree.composite_of(spec, filled)

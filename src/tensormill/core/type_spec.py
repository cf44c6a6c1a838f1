"""What describes a value to those who must know it before it exists: types for `tf.function`.

A spec of one tensor (or handle) is a `LeafSpec`, see `core/specs`. Any other describes a value that
consists of several, and says how it is taken apart and put together again. Such a spec answers

    value_type                 the class of the values
    _serialize()               a tuple of plain values that says all: the constructor's arguments
    _component_specs           a structure of the specs of its parts
    _to_components(value)      the parts of a value, structured in the same way
    _from_components(parts)    a value around other parts
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, cast

from .dtypes import DType
from .shapes import TensorShape
from .tensorflow_names import HasProtoForm


class TypeSpec(HasProtoForm):
    """Base of everything that describes a value."""

    __slots__ = ()
    # Whether values consist of several tensors.
    is_composite: ClassVar[bool] = True

    @property
    def value_type(self) -> type[Any]:
        """The class of the values."""
        raise TypeError(f"{type(self).__name__} does not say which class its values have")

    @property
    def _component_specs(self) -> Any:
        raise TypeError(f"{type(self).__name__} does not say what its values consist of")

    def _serialize(self) -> tuple[Any, ...]:
        raise TypeError(f"{type(self).__name__} does not say what it was made of")

    @classmethod
    def _deserialize(cls, serialization: Any) -> Any:
        return cls(*serialization)

    def _to_components(self, value: Any) -> Any:
        raise TypeError(f"{type(self).__name__} does not say how its values are taken apart")

    def _from_components(self, components: Any) -> Any:
        raise TypeError(f"{type(self).__name__} does not say how its values are made")

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether one value could have this spec and the other (or the spec of that value)."""
        other = spec_of(spec_or_value)
        if type(other) is not type(self):
            return False
        return _all_alike(self._serialize(), other._serialize(), _is_compatible)

    # Specs of TensorFlow Probability, which compare a part of their facts, call both of their base
    # by the names that Python makes of these.

    def _TypeSpec__is_compatible(self, mine: Any, theirs: Any) -> bool:
        return _all_alike(mine, theirs, _is_compatible)

    def _TypeSpec__make_cmp_key(self, fact: Any) -> Any:
        return _frozen(fact)

    def is_subtype_of(self, other: Any) -> bool:
        """Whether every value of this spec also has the spec `other`."""
        if type(other) is not type(self):
            return False
        return _all_alike(self._serialize(), other._serialize(), _is_subtype)

    def most_specific_common_supertype(self, others: Sequence[Any]) -> Any:
        """The narrowest spec that covers this one and all `others`; None if there is none."""
        facts = self._serialize()
        for other in others:
            if type(other) is not type(self):
                return None
            facts = _widened(facts, other._serialize())
            if facts is _NOTHING:
                return None
        return self._deserialize(facts)

    def most_specific_compatible_type(self, other: Any) -> Any:
        """As `most_specific_common_supertype([other])`.

        Raises:
            ValueError: there is none.
        """
        found = self.most_specific_common_supertype([other])
        if found is None:
            raise ValueError(f"No TypeSpec is compatible with both {self!r} and {other!r}")
        return found

    # ---- as a trace type, see tracing_protocol
    def flatten(self) -> list[Any]:
        """The specs of the tensors that the values consist of."""
        from .tree import flatten

        return flatten(self._component_specs, expand_composites=True)

    def to_tensors(self, value: Any) -> list[Any]:
        """The tensors of a value."""
        from .tree import flatten

        return flatten(self._to_components(value), expand_composites=True)

    def from_tensors(self, tensors: Iterator[Any]) -> Any:
        """A value around the next of these tensors."""
        from .tree import composite_of

        return composite_of(self, [next(tensors) for _ in self.flatten()])

    def cast(self, value: Any, casting_context: Any) -> Any:
        """`value` as one of this type: its tensors are converted, each as its spec says.

        Raises:
            ValueError, TypeError: it is no such value, or not of these dtypes.
        """
        from .tree import composite_of, flatten

        if spec_of(value) is None:
            raise ValueError(f"{value!r} is not a value that {self!r} describes")
        parts = flatten(value, expand_composites=True)
        pairs = zip(self.flatten(), parts, strict=True)
        return composite_of(self, [spec.cast(one, casting_context) for spec, one in pairs])

    def placeholder_value(self, placeholder_context: Any) -> Any:
        """What the body of a function sees for a value that this describes, while it is traced."""
        return self.from_tensors(map(placeholder_context.placeholder, self.flatten()))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return type(other) is type(self) and (
            _frozen(self._serialize()) == _frozen(cast(TypeSpec, other)._serialize())
        )

    def __hash__(self) -> int:
        return hash((type(self), _frozen(self._serialize())))

    def __reduce__(self) -> Any:
        return _rebuilt, (type(self), self._serialize())

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self._serialize()!r}"


def _rebuilt(cls: type[TypeSpec], facts: Any) -> Any:
    return cls._deserialize(facts)  # pyright: ignore[reportPrivateUsage]


class LeafSpec(TypeSpec):
    """Base of what describes one tensor, or one handle."""

    __slots__ = ()
    is_composite: ClassVar[bool] = False

    @property
    def _component_specs(self) -> Any:
        return self

    def _to_components(self, value: Any) -> Any:
        return value

    def _from_components(self, components: Any) -> Any:
        return components

    def cast(self, value: Any, casting_context: Any) -> Any:
        """`value` where it is of this type.

        Raises:
            TypeError: it is not.
        """
        if not self.is_compatible_with(value):
            raise TypeError(f"Can not cast {value!r} to {self!r}")
        return value


def spec_of(value: Any) -> Any:
    """The spec of a value that has one; a spec is its own."""
    return value if isinstance(value, TypeSpec) else getattr(value, "_type_spec", None)


# ---------------------------------------------------------------- facts that specs consist of

_NOTHING: Any = object()


def _all_alike(mine: Any, theirs: Any, are_alike: Callable[[Any, Any], bool]) -> bool:
    if isinstance(mine, Mapping):
        left, right = cast(Mapping[Any, Any], mine), theirs
        if not isinstance(theirs, Mapping) or left.keys() != theirs.keys():
            return False
        return all(_all_alike(left[key], right[key], are_alike) for key in left)
    if isinstance(mine, (tuple, list)):
        first = cast(Sequence[Any], mine)
        second = cast(Sequence[Any], theirs if isinstance(theirs, (tuple, list)) else ())
        if len(first) != len(second):
            return False
        return all(_all_alike(a, b, are_alike) for a, b in zip(first, second, strict=True))
    return are_alike(mine, theirs)


def _is_compatible(mine: Any, theirs: Any) -> bool:
    if isinstance(mine, (TypeSpec, TensorShape)):
        return mine.is_compatible_with(theirs)
    return mine is theirs if isinstance(mine, DType) else bool(mine == theirs)


def _is_subtype(mine: Any, theirs: Any) -> bool:
    if isinstance(mine, (TypeSpec, TensorShape)):
        return type(mine) is type(theirs) and mine.is_subtype_of(theirs)
    return bool(mine == theirs)


def _widened(mine: Any, theirs: Any) -> Any:
    """The narrowest fact that covers both, or `_NOTHING`."""
    if isinstance(mine, TensorShape) and isinstance(theirs, TensorShape):
        return mine.relax(theirs)
    if isinstance(mine, TypeSpec):
        return mine.most_specific_common_supertype([theirs]) or _NOTHING
    if isinstance(mine, Mapping):
        left = cast(Mapping[Any, Any], mine)
        if not isinstance(theirs, Mapping) or left.keys() != theirs.keys():
            return _NOTHING
        found = {key: _widened(value, theirs[key]) for key, value in left.items()}
        return _NOTHING if _NOTHING in found.values() else found
    if isinstance(mine, (tuple, list)):
        return _widened_sequence(cast(Sequence[Any], mine), theirs)
    return mine if mine == theirs else _NOTHING


def _widened_sequence(mine: Sequence[Any], theirs: Any) -> Any:
    if not isinstance(theirs, (tuple, list)):
        return _NOTHING
    others = cast(Sequence[Any], theirs)
    if len(mine) != len(others):
        return _NOTHING
    found = [_widened(one, other) for one, other in zip(mine, others, strict=True)]
    if any(one is _NOTHING for one in found):
        return _NOTHING
    kind: Any = type(mine)
    return kind(*found) if hasattr(mine, "_fields") else kind(found)


def _frozen(fact: Any) -> Any:
    """A fact as something that can be hashed and that equals its like."""
    if isinstance(fact, TensorShape):
        return fact.entries
    if isinstance(fact, Mapping):
        pairs = cast(Mapping[Any, Any], fact)
        return frozenset((key, _frozen(value)) for key, value in pairs.items())
    if isinstance(fact, (tuple, list)):
        return tuple(map(_frozen, cast(Sequence[Any], fact)))
    return fact

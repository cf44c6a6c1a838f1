"""What describes a value to those who must know it before it exists: types for `tf.function`.

A spec of one tensor (or handle) is a `LeafSpec`, see `core/specs`. Any other describes a value that
consists of several, and says how it is taken apart and put together again. Such a spec answers

    value_type                 the class of the values
    _serialize()               a tuple of plain values that says all: the constructor's arguments
    _component_specs           a structure of the specs of its parts
    _to_components(value)      the parts of a value, structured in the same way
    _from_components(parts)    a value around other parts

Values of which several make one, as rows make a tensor, have a `BatchableTypeSpec`, which says what
describes so many of them by `_batch(count)`, and what describes one by `_unbatch()`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, ClassVar, Final, cast

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

    # ---- as a list of tensors, which may be stacked and taken apart one by one
    @property
    def _flat_tensor_specs(self) -> list[Any]:
        """What describes the tensors of the list."""
        return [one for part in self._parts() for one in part._flat_tensor_specs]

    def _to_tensor_list(self, value: Any) -> list[Any]:
        """The tensors that stand for a value."""
        pairs = self._parts_of(value)
        return [one for part, inner in pairs for one in part._to_tensor_list(inner)]

    def _from_tensor_list(self, tensor_list: Sequence[Any]) -> Any:
        """The value for which these tensors stand.

        Raises:
            ValueError: they are too many or too few.
        """
        wanted = self._flat_tensor_specs
        if len(wanted) != len(tensor_list):
            raise ValueError(
                f"{self!r} is made of {len(wanted)} tensors, but {len(tensor_list)} came"
            )
        return self._from_compatible_tensor_list(tensor_list)

    def _from_compatible_tensor_list(self, tensor_list: Sequence[Any]) -> Any:
        from .tree import pack_sequence_as

        rest, values = list(tensor_list), list[Any]()
        for part in self._parts():
            count = len(part._flat_tensor_specs)
            values.append(part._from_compatible_tensor_list(rest[:count]))
            del rest[:count]
        return self._from_components(pack_sequence_as(self._component_specs, values))

    def _parts(self) -> list[Any]:
        from .tree import flatten

        return flatten(self._component_specs)

    def _parts_of(self, value: Any) -> Iterator[tuple[Any, Any]]:
        """The spec of each part of a value, and the part."""
        from .tree import flatten_up_to

        components = flatten_up_to(self._component_specs, self._to_components(value))
        return zip(self._parts(), components, strict=True)

    # ---- as elements of datasets were described before there were specs
    def _to_legacy_output_types(self) -> Any:
        raise NotImplementedError(f"{type(self).__name__} does not say which dtype its values have")

    def _to_legacy_output_shapes(self) -> Any:
        raise NotImplementedError(f"{type(self).__name__} does not say which shape its values have")

    def _to_legacy_output_classes(self) -> Any:
        return self.value_type

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

    @property
    def _flat_tensor_specs(self) -> list[Any]:
        return [self]

    def _to_tensor_list(self, value: Any) -> list[Any]:
        return [value]

    def _to_batched_tensor_list(self, value: Any) -> list[Any]:
        return [value]

    def _from_compatible_tensor_list(self, tensor_list: Sequence[Any]) -> Any:
        (value,) = tensor_list
        return value

    def cast(self, value: Any, casting_context: Any) -> Any:
        """`value` where it is of this type.

        Raises:
            TypeError: it is not.
        """
        if not self.is_compatible_with(value):
            raise TypeError(f"Can not cast {value!r} to {self!r}")
        return value


class PartsEncoder:
    """Stacks values, and takes them apart, part by part; as lists of tensors, where their spec says
    which tensors these are.
    """

    def batch(self, spec: Any, batch_size: int | None) -> Any:
        """The spec of `batch_size` values that `spec` describes; None: nobody knows how many."""
        return spec._batch(batch_size)

    def unbatch(self, spec: Any) -> Any:
        """The spec of one of the values that `spec` describes."""
        return spec._unbatch()

    def encoding_specs(self, spec: Any) -> list[Any]:
        """What describes what `encode` gives."""
        if not spec._stacks_parts:
            return spec._flat_tensor_specs
        return [one for part in spec._parts() for one in specs_of_part(part)]

    def encode(self, spec: Any, value: Any, minimum_rank: int = 0) -> list[Any]:
        """The tensors of a value; each has at least `minimum_rank` axes."""
        if spec._stacks_parts:
            pairs = spec._parts_of(value)
            found = [
                one for part, inner in pairs for one in encoded_part(part, inner, minimum_rank)
            ]
        elif minimum_rank:
            found = spec._to_batched_tensor_list(value)
        else:
            found = spec._to_tensor_list(value)
        return require_rows(found, value) if minimum_rank else found

    def decode(self, spec: Any, encoded_value: Any) -> Any:
        """The value of which `encode` gave these tensors, or which they are a batch of."""
        if not spec._stacks_parts:
            return spec._from_tensor_list(list(encoded_value))
        from .tree import pack_sequence_as

        rest = iter(encoded_value)
        parts = [decoded_part(part, rest) for part in spec._parts()]
        return spec._from_components(pack_sequence_as(spec._component_specs, parts))


def require_rows(tensors: list[Any], value: Any) -> list[Any]:
    """The tensors, which have rows.

    Raises:
        ValueError: one is a scalar.
    """
    if any(one.shape.rank == 0 for one in tensors):
        raise ValueError(f"{value!r} is no batch: a part of it is a scalar, which has no rows")
    return tensors


class BatchableTypeSpec(TypeSpec):
    """Base of what describes values that can be stacked, and taken apart, as tensors can."""

    __slots__ = ()
    __batch_encoder__: ClassVar[Any] = PartsEncoder()

    def _batch(self, batch_size: int | None) -> Any:
        """What describes `batch_size` values of this type, as one."""
        raise NotImplementedError(f"{type(self).__name__} does not say what a batch of it is")

    def _unbatch(self) -> Any:
        """What describes one of the values that stand in one value of this type."""
        raise NotImplementedError(f"{type(self).__name__} does not say what it is a batch of")

    def _to_batched_tensor_list(self, value: Any) -> list[Any]:
        """As `_to_tensor_list`, but each tensor has a row for each of the values.

        Raises:
            ValueError: a part is a scalar, which has no rows.
        """
        pairs = self._parts_of(value)
        made = [one for part, inner in pairs for one in part._to_batched_tensor_list(inner)]
        return require_rows(made, value)

    @property
    def _stacks_parts(self) -> bool:
        """Whether a batch of values consists of batches of their parts."""
        kind = type(self)
        return type(kind.__batch_encoder__) is PartsEncoder and all(
            getattr(kind, name) is getattr(BatchableTypeSpec, name) for name in _LISTS
        )


_LISTS: Final = (
    "_flat_tensor_specs",
    "_to_tensor_list",
    "_to_batched_tensor_list",
    "_from_compatible_tensor_list",
)


def encoder_of(spec: Any) -> Any:
    """The encoder of the values that a spec describes; None where they are stacked as they are."""
    if not isinstance(spec, BatchableTypeSpec) or isinstance(spec, (LeafSpec, EncodedSpec)):
        return None
    return spec.__batch_encoder__


def own_encoder_of(spec: Any) -> Any:
    """The encoder that a type says itself, or a part of it; None where parts are stacked."""
    found: Any = encoder_of(spec)
    if found is None or not spec._stacks_parts:
        return found
    return found if any(own_encoder_of(part) is not None for part in spec._parts()) else None


def specs_of_part(part: Any) -> Sequence[Any]:
    """What describes the tensors that stand for a part in batches."""
    encoder = encoder_of(part)
    return (part,) if encoder is None else encoder.encoding_specs(part)


def encoded_part(part: Any, value: Any, minimum_rank: int) -> Sequence[Any]:
    """The tensors that stand for a part of a value in batches."""
    encoder = encoder_of(part)
    return (value,) if encoder is None else encoder.encode(part, value, minimum_rank)


def decoded_part(part: Any, rest: Iterator[Any]) -> Any:
    """The part for which the next of these tensors stand."""
    encoder = encoder_of(part)
    if encoder is None:
        return next(rest)
    return encoder.decode(part, [next(rest) for _ in encoder.encoding_specs(part)])


class EncodedSpec(BatchableTypeSpec):
    """Base of what describes a value that one tensor of strings stands for: what in it is long
    differs from value to value, and strings of any length can be stacked.
    """

    __slots__ = ()

    @property
    def shape(self) -> TensorShape:
        """What is known of the shape."""
        raise NotImplementedError

    @property
    def dtype(self) -> DType:
        """The dtype of the values."""
        raise NotImplementedError

    def _to_legacy_output_types(self) -> Any:
        return self.dtype

    def _to_legacy_output_shapes(self) -> Any:
        return self.shape

    @property
    def _flat_tensor_specs(self) -> list[Any]:
        return [_encoding().described(self)]

    def _to_tensor_list(self, value: Any) -> list[Any]:
        return [_encoding().as_strings(self, value, False)]

    def _to_batched_tensor_list(self, value: Any) -> list[Any]:
        return [_encoding().as_strings(self, value, True)]

    def _from_compatible_tensor_list(self, tensor_list: Sequence[Any]) -> Any:
        (strings,) = tensor_list
        return _encoding().from_strings(self, strings)


def _encoding() -> Any:
    # Its operations write messages, which belong to a later folder.
    return import_module("tensormill.graph.serialized.encoded_tensors")


def with_outer_size(shape: TensorShape, size: int | None) -> TensorShape:
    """The shape of so many values of a shape, as one."""
    return TensorShape((size,)).concatenate(shape)


def without_outer_size(shape: TensorShape) -> TensorShape:
    """The shape of one of the values that lie along the first axis.

    Raises:
        ValueError: there is no axis.
    """
    if shape.rank == 0:
        raise ValueError(
            "Unbatching is only supported for rank >= 1: a scalar is without a first axis"
        )
    return TensorShape(None) if shape.rank is None else shape[1:]


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

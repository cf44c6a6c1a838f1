"""`tf.experimental.ExtensionType`: users' own composites, written as classes with typed fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, wraps
from types import MappingProxyType
from typing import Any, ClassVar, Final, NoReturn

from ..core import tree
from ..core.shapes import TensorShape
from ..core.specs import TensorSpec
from ..core.type_spec import (
    BatchableTypeSpec,
    TypeSpec,
    decoded_part,
    encoded_part,
    require_rows,
    spec_of,
    specs_of_part,
    with_outer_size,
    without_outer_size,
)
from ..core.type_spec_names import ANONYMOUS, OF_EXTENSION_TYPES, register
from ..core.values import TensorLike
from .extension_fields import (
    ImmutableDict,
    annotated,
    as_spec,
    bound,
    converted,
    names_what_is_missing,
    require_defaults,
    require_names,
    same_values,
)
from .math.comparison import logical_not


class ExtensionType(tree.Composite):
    """Base of classes whose annotated fields are tensors, composites and plain values.

        class Masked(tf.experimental.ExtensionType):
            values: tf.Tensor
            mask: tf.Tensor
            name: str = "masked"

    Instances cannot be changed. They go where tensors go: in and out of functions, branches and
    loops, and into `tf.nest` with `expand_composites=True`. `Masked.Spec(values=..., mask=...)`
    describes them. A method `__validate__` is called for every new instance.

    Raises:
        TypeError: a field is missing or unknown, or its value is not of the annotated type; and
            where the class is written: of an annotation that no field can have.
    """

    _fields: ClassVar[Mapping[str, Any]] = {}
    _defaults: ClassVar[Mapping[str, Any]] = {}
    _waits_for_names: ClassVar[bool] = False
    Spec: ClassVar[type[ExtensionTypeSpec]]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        require_names(cls, _kept_names())
        cls._read_annotations()
        cls._defaults = {name: getattr(cls, name) for name in cls._fields if hasattr(cls, name)}
        require_defaults(cls._fields, cls._defaults)
        cls.Spec = _spec_class(cls)
        if "__name__" in vars(cls):  # the name by which files know it
            register(f"{vars(cls)['__name__']}.Spec")(cls.Spec)
        if "__init__" in cls.__dict__:
            _finishing(cls)

    @classmethod
    def _read_annotations(cls) -> None:
        """Look for the fields, and again where annotations name classes that are written later."""
        cls._fields = MappingProxyType(annotated(cls))
        cls._waits_for_names = any(map(names_what_is_missing, cls._fields.values()))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if type(self) is ExtensionType:
            raise AssertionError(
                "Cannot create an instance of ExtensionType because ExtensionType is an abstract "
                "base class: write a class with annotated fields that extends it"
            )
        for name, value in bound(type(self), args, kwargs).items():
            self.__dict__[name] = value
        self._finish()

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in type(self)._fields or "_is_made" in self.__dict__:
            raise AttributeError(
                f"Cannot mutate attribute `{name}` outside the custom constructor of "
                f"ExtensionType `{type(self).__name__}`."
            )
        self.__dict__[name] = value

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(
            f"Cannot mutate attribute `{name}` outside the custom constructor of ExtensionType "
            f"`{type(self).__name__}`."
        )

    def _finish(self) -> None:
        """Check and convert the fields; from now on they stay as they are."""
        cls = type(self)
        if cls._waits_for_names:
            cls._read_annotations()
        if missing := [name for name in cls._fields if name not in self.__dict__]:
            raise ValueError(f"{cls.__name__}: the constructor must set all fields, not {missing}")
        for name, hint in cls._fields.items():
            self.__dict__[name] = converted(self.__dict__[name], hint, name)
        self.__dict__["_is_made"] = True
        self.__validate__()

    def __validate__(self) -> None:
        """To be overridden: raise where the fields do not fit each other."""

    def _own_fields(self) -> dict[str, Any]:
        return {name: self.__dict__[name] for name in type(self)._fields}

    @property
    def _type_spec(self) -> ExtensionTypeSpec:
        fields = self._own_fields().items()
        described = {name: tree.map_structure(_described, one) for name, one in fields}
        return type(self).Spec.of_fields(described)

    def __eq__(self, other: object) -> Any:
        if type(other) is not type(self):
            return False
        mine, theirs = self._own_fields(), other._own_fields()
        return same_values([*mine.values()], [*theirs.values()]) if [*mine] == [*theirs] else False

    def __ne__(self, other: object) -> Any:
        equal = self == other
        return logical_not(equal) if isinstance(equal, TensorLike) else not equal

    def __hash__(self) -> NoReturn:
        raise TypeError(f"{type(self).__name__} holds tensors: it is unhashable")

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={one!r}" for name, one in self._own_fields().items())
        return f"{type(self).__name__}({fields})"


def _finishing(cls: Any) -> None:
    """Let a constructor of the user's end with the checks."""
    constructor = cls.__init__

    @wraps(constructor)
    def construct(self: Any, *args: Any, **kwargs: Any) -> None:
        constructor(self, *args, **kwargs)
        if type(self) is cls:
            self._finish()

    cls.__init__ = construct


def _described(value: Any) -> Any:
    """The spec of what consists of tensors; any other value itself."""
    if isinstance(value, TensorLike):
        return TensorSpec(value.shape, value.dtype)
    return value if isinstance(value, TypeSpec) else spec_of(value) or value


def as_dict(value: ExtensionType) -> dict[str, Any]:
    """The fields of an extension type, by name.

    >>> class Pair(tf.experimental.ExtensionType):
    ...     first: int
    ...     second: str = "b"
    >>> tf.experimental.extension_type.as_dict(Pair(1))
    {'first': 1, 'second': 'b'}

    Raises:
        AttributeError: it is of no extension type.
    """
    return value._own_fields()


class ExtensionTypeSpec(TypeSpec):
    """Describes the values of one ExtensionType: the specs of its tensors, and its other values."""

    _kind_in_files = OF_EXTENSION_TYPES
    _value_type: ClassVar[Any] = ExtensionType

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        # A default is a value; a spec describes one.
        self._values = _described_fields(self._value_type, args, kwargs, has_defaults=False)

    @classmethod
    def from_value(cls, value: Any) -> Any:
        """What describes a value of the extension type."""
        return value._type_spec

    @classmethod
    def of_fields(cls, fields: Mapping[str, Any]) -> Any:
        """A spec with these fields, whatever a constructor of the user's takes."""
        made = cls.__new__(cls)
        made._values = bound(cls._value_type, (), fields)
        return made

    def __getattr__(self, name: str) -> Any:
        if name in self.__dict__.get("_values", ()):
            return self._values[name]
        raise AttributeError(f"{type(self).__name__} has no field {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        self._keep_field(name)
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        self._keep_field(name)
        super().__delattr__(name)

    def _keep_field(self, name: str) -> None:
        if name in self.__dict__.get("_values", ()):
            raise AttributeError(
                f"Cannot mutate attribute `{name}` outside the custom constructor of "
                f"ExtensionTypeSpec `{type(self).__name__}`."
            )

    @property
    def value_type(self) -> type[Any]:
        return self._value_type

    @property
    def described_fields(self) -> Mapping[str, Any]:
        """The spec of each tensor, and the other values, by their names."""
        return self._values

    def _serialize(self) -> tuple[Any, ...]:
        return tuple(self._values.items())

    @classmethod
    def _deserialize(cls, serialization: Any) -> Any:
        return cls.of_fields(dict(serialization))

    @property
    def _component_specs(self) -> list[Any]:
        return [leaf for leaf in _leaves(self._values) if isinstance(leaf, TypeSpec)]

    def _to_components(self, value: Any) -> list[Any]:
        leaves = _leaves({name: value.__dict__[name] for name in self._values})
        pairs = zip(leaves, _leaves(self._values), strict=True)
        return [leaf for leaf, spec in pairs if isinstance(spec, TypeSpec)]

    def _from_components(self, components: Any) -> Any:
        rest: Iterator[Any] = iter(components)

        def filled(leaf: Any) -> Any:
            return next(rest) if isinstance(leaf, TypeSpec) else leaf

        made = self._value_type.__new__(self._value_type)
        made.__dict__.update(_each(filled, self._values))
        made.__dict__["_is_made"] = True
        return made

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={_plain(one)!r}" for name, one in self._values.items())
        return f"{self._value_type.__name__}.Spec({fields})"


def _leaves(fields: Mapping[str, Any]) -> list[Any]:
    """What the fields consist of, in the order in which the class has them."""
    return [leaf for field in fields.values() for leaf in tree.flatten(field)]


def _each(change: Callable[[Any], Any], fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields with other leaves; these are changed in the order of `_leaves`."""
    return {name: tree.map_structure(change, field) for name, field in fields.items()}


def _plain(value: Any) -> Any:
    is_mapping = isinstance(value, ImmutableDict)
    return {key: _plain(one) for key, one in value.items()} if is_mapping else value


def _spec_class(cls: type[ExtensionType]) -> type[ExtensionTypeSpec]:
    """The class `cls.Spec`: the user's, where there is one, is its first base."""
    own = cls.__dict__.get("Spec")
    if own is not None and not isinstance(own, type):
        raise ValueError(f"{cls.__name__}.Spec must be a nested class, got {own!r}")
    base = getattr(cls, "_spec_base", ExtensionTypeSpec)
    bases = (base,) if own is None else (own, base)
    name = f"{cls.__name__}.Spec"
    body = {
        "_value_type": cls,
        "value_type": cls,
        "__module__": cls.__module__,
        "__qualname__": name,
    }
    if (encoder := getattr(cls, "__batch_encoder__", None)) is not None:
        body["__batch_encoder__"] = encoder
    if own is not None and "__init__" in own.__dict__:
        body["__init__"] = _collecting(own.__init__)
    return type(name, bases, body)


def _collecting(constructor: Any) -> Any:
    """A constructor that takes the fields from the attributes that the user's one sets."""

    @wraps(constructor)
    def construct(self: Any, *args: Any, **kwargs: Any) -> None:
        constructor(self, *args, **kwargs)
        given = {name: value for name, value in vars(self).items() if name != "_values"}
        for name in given:
            delattr(self, name)
        if missing := {*self._value_type._fields} - {*given}:
            raise ValueError(f"Missing required fields: {missing}")
        self._values = _described_fields(self._value_type, (), given)

    return construct


def _described_fields(
    cls: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], has_defaults: bool = True
) -> dict[str, Any]:
    """What a user's spec of values of `cls` has for each field."""
    if cls._waits_for_names:
        cls._read_annotations()
    values = bound(cls, args, kwargs, has_defaults)
    return {name: converted(one, cls._fields[name], name, as_spec) for name, one in values.items()}


@cache
def _kept_names() -> frozenset[str]:
    """Names that a field cannot have: the library's own of an extension type."""
    own = {*vars(ExtensionType), "Spec", "_is_made"}
    return frozenset(name for name in own if not name.startswith("__"))


class ExtensionTypeBatchEncoder:
    """How values of a BatchableExtensionType are stacked and taken apart: as tensors that encode
    them. This one takes the fields as they are; a subclass may say otherwise, and is then the
    attribute `__batch_encoder__` of the type.

        class Sums(tf.experimental.ExtensionTypeBatchEncoder):
            def encode(self, spec, value, minimum_rank=0):
                return (value.terms,)
            ...

        class Summed(tf.experimental.BatchableExtensionType):
            terms: tf.Tensor
            total: tf.Tensor
            __batch_encoder__ = Sums()

    >>> class Pair(tf.experimental.BatchableExtensionType):
    ...     x: tf.Tensor
    ...     shape: tf.TensorShape
    >>> spec = Pair.Spec(tf.TensorSpec([2], tf.int32), tf.TensorShape([2]))
    >>> tf.experimental.ExtensionTypeBatchEncoder().batch(spec, 3).shape
    TensorShape([3, 2])
    """

    def batch(self, spec: Any, batch_size: int | None) -> Any:
        """The spec of `batch_size` values that `spec` describes; None: nobody knows how many."""
        return _each_field(spec, lambda field: stacked_field(field, batch_size))

    def unbatch(self, spec: Any) -> Any:
        """The spec of one of the values that `spec` describes."""
        return _each_field(spec, single_field)

    def encoding_specs(self, spec: Any) -> Any:
        """What describes the tensors that `encode` gives."""
        return tuple([one for field in _fields_of(spec) for one in specs_of_part(field)])

    def encode(self, spec: Any, value: Any, minimum_rank: int = 0) -> Any:
        """The tensors of a value; each has at least `minimum_rank` axes."""
        leaves = _leaves({name: value.__dict__[name] for name in spec.described_fields})
        pairs = zip(leaves, _leaves(spec.described_fields), strict=True)
        return tuple(
            [
                one
                for leaf, field in pairs
                if isinstance(field, TypeSpec)
                for one in encoded_part(field, leaf, minimum_rank)
            ]
        )

    def decode(self, spec: Any, encoded_value: Any) -> Any:
        """The value of which `encode` gave these tensors, or which they are a batch of."""
        rest = iter(encoded_value)

        def filled(field: Any) -> Any:
            return decoded_part(field, rest) if isinstance(field, TypeSpec) else field

        made = spec.value_type.__new__(spec.value_type)
        made.__dict__.update(_each(filled, spec.described_fields))
        made.__dict__["_is_made"] = True
        return made


BY_FIELDS: Final = ExtensionTypeBatchEncoder()


class BatchableExtensionTypeSpec(ExtensionTypeSpec, BatchableTypeSpec):
    """Describes the values of one BatchableExtensionType."""

    __batch_encoder__: ClassVar[Any] = BY_FIELDS

    def _batch(self, batch_size: int | None) -> Any:
        return self.__batch_encoder__.batch(self, batch_size)

    def _unbatch(self) -> Any:
        return self.__batch_encoder__.unbatch(self)

    @property
    def _flat_tensor_specs(self) -> list[Any]:
        return [one for spec in self._encodings() for one in spec._flat_tensor_specs]

    def _to_tensor_list(self, value: Any) -> list[Any]:
        encoded = tree.flatten(self.__batch_encoder__.encode(self, value))
        pairs = zip(self._encodings(), encoded, strict=True)
        return [one for spec, part in pairs for one in spec._to_tensor_list(part)]

    def _to_batched_tensor_list(self, value: Any) -> list[Any]:
        encoded = tree.flatten(self.__batch_encoder__.encode(self, value, 1))
        pairs = zip(self._encodings(), encoded, strict=True)
        made = [one for spec, part in pairs for one in spec._to_batched_tensor_list(part)]
        return require_rows(made, value)

    def _from_compatible_tensor_list(self, tensor_list: Sequence[Any]) -> Any:
        wanted = self.__batch_encoder__.encoding_specs(self)
        rest, values = iter(tensor_list), list[Any]()
        for spec in self._encodings():
            mine = [next(rest) for _ in spec._flat_tensor_specs]
            values.append(spec._from_compatible_tensor_list(mine))
        return self.__batch_encoder__.decode(self, tree.pack_sequence_as(wanted, values))

    def _encodings(self) -> list[Any]:
        return tree.flatten(self.__batch_encoder__.encoding_specs(self))

    @property
    def _stacks_parts(self) -> bool:
        return type(self.__batch_encoder__) is ExtensionTypeBatchEncoder


class BatchableExtensionType(ExtensionType):
    """An ExtensionType of which one value can stand for several: all its tensors, and fields that
    are shapes, have one axis more. Datasets batch such values and take them apart.

    Where that is not what the fields mean, `__batch_encoder__` is an `ExtensionTypeBatchEncoder`.
    """

    _spec_base: ClassVar[Any] = BatchableExtensionTypeSpec
    __batch_encoder__: ClassVar[Any] = BY_FIELDS


def _each_field(spec: Any, change: Any) -> Any:
    return type(spec).of_fields(_each(change, spec.described_fields))


def _fields_of(spec: Any) -> list[Any]:
    return [one for one in _leaves(spec.described_fields) if isinstance(one, TypeSpec)]


def stacked_field(field: Any, size: int | None) -> Any:
    """The spec of `size` values of a field, or any other field as it is."""
    if isinstance(field, TensorShape):
        return with_outer_size(field, size)
    return field._batch(size) if isinstance(field, BatchableTypeSpec) else field


def single_field(field: Any) -> Any:
    """The spec of one of the values of a field, or any other field as it is."""
    if isinstance(field, TensorShape):
        return without_outer_size(field)
    return field._unbatch() if isinstance(field, BatchableTypeSpec) else field


class AnonymousExtensionType(ExtensionType):
    """A value with the fields that a file tells of, and nothing else of its class.

    Functions of a SavedModel take and give such values where nobody has imported the class.
    """

    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)
        self.__dict__["_is_made"] = True

    def _own_fields(self) -> dict[str, Any]:
        return {name: one for name, one in self.__dict__.items() if name != "_is_made"}


@register(f"{ANONYMOUS}.Spec")
class AnonymousExtensionTypeSpec(ExtensionTypeSpec):
    """Describes such values."""

    _value_type: ClassVar[Any] = AnonymousExtensionType
    value_type: ClassVar[Any] = AnonymousExtensionType

    def __init__(self, **fields: Any) -> None:
        self._values = fields

    @classmethod
    def of_fields(cls, fields: Mapping[str, Any]) -> Any:
        """A spec with these fields."""
        return cls(**fields)

    def __repr__(self) -> str:
        return super().__repr__().replace(".Spec(", "Spec(", 1)


AnonymousExtensionType.Spec = AnonymousExtensionTypeSpec

"""Structures of specs and Python values as StructuredValue protos, and back."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, Final, cast

import numpy as np

from ...core import tree
from ...core.dtypes import DType
from ...core.process.locks import serialised
from ...core.shapes import TensorShape
from ...core.specs import BoundedTensorSpec, TensorSpec, VariableSpec
from ...core.type_spec import TypeSpec
from ...core.type_spec_names import (
    ANONYMOUS,
    OF_EXTENSION_TYPES,
    OF_REGISTERED_TYPES,
    get_name,
    is_registered,
    lookup,
)
from ...core.values import TensorLike
from ...eager.tensor import wrap
from ...ops.array.indexed_slices import IndexedSlicesSpec
from ...ops.ragged.ragged_tensor import RaggedTensorSpec
from ...ops.ragged.row_partition import RowPartitionSpec
from ...ops.sparse.sparse_tensor import SparseTensorSpec
from .messages import message
from .values import (
    array_of,
    contiguous_array,
    dtype_of,
    shape_of,
    shape_proto,
    tensor_proto,
)

# TensorFlow's numbers of its own classes of specs (struct.proto), by the class's name.
SPEC_CLASSES: Final = {
    "SparseTensorSpec": 1,
    "IndexedSlicesSpec": 2,
    "RaggedTensorSpec": 3,
    "TensorArraySpec": 4,
    "DatasetSpec": 5,
    "IteratorSpec": 6,
    "OptionalSpec": 7,
    "VariableSpec": 9,
    "RowPartitionSpec": 10,
}
_BY_NUMBER: Final = {number: name for name, number in SPEC_CLASSES.items()}


class NotEncodableError(TypeError):
    """A value that no StructuredValue can hold."""


class NamelessSpecError(NotEncodableError):
    """A type spec that files know by no name."""


def encoded(value: Any) -> Any:
    """The proto for a structure.

    Raises:
        NotEncodableError: a leaf is something that cannot be written.
    """
    proto = message("StructuredValue")()
    encode_into(proto, value)
    return proto


def encode_into(proto: Any, value: Any) -> None:
    """Fill a StructuredValue."""
    if value is None:
        proto.none_value.SetInParent()
    elif isinstance(value, (list, tuple)):
        _encode_sequence(proto, cast(Sequence[Any], value))
    elif isinstance(value, Mapping):
        _encode_mapping(proto, cast(Mapping[Any, Any], value))
    elif isinstance(value, (TensorSpec, TensorShape, DType, TypeSpec)):
        _encode_spec(proto, value)
    elif isinstance(value, (TensorLike, np.ndarray)):
        _encode_array(proto, value)
    else:
        _encode_plain(proto, value)


_PLAIN: Final[tuple[tuple[type, str], ...]] = (
    (bool, "bool_value"),  # before int, of which it is a subclass
    (int, "int64_value"),
    (float, "float64_value"),
    (str, "string_value"),
)


def _encode_plain(proto: Any, value: Any) -> None:
    for kind, field in _PLAIN:
        if isinstance(value, kind):
            try:
                setattr(proto, field, value)
            except ValueError as error:  # more than 64 bits
                raise NotEncodableError(f"{value!r}: {error}") from None
            return
    raise NotEncodableError(f"{value!r} of type {type(value).__name__} cannot be written")


def _encode_sequence(proto: Any, value: Sequence[Any]) -> None:
    if hasattr(value, "_fields"):
        fields: Any = value
        proto.named_tuple_value.name = type(value).__name__
        for name, item in zip(fields._fields, value, strict=True):
            encode_into(proto.named_tuple_value.values.add(key=name).value, item)
        return
    made = proto.list_value if isinstance(value, list) else proto.tuple_value
    made.SetInParent()
    for item in value:
        encode_into(made.values.add(), item)


def _encode_mapping(proto: Any, value: Mapping[Any, Any]) -> None:
    proto.dict_value.SetInParent()
    for key, item in value.items():
        if not isinstance(key, str):
            raise NotEncodableError(f"the key {key!r} of a dict is no string")
        encode_into(proto.dict_value.fields[key], item)


def _encode_spec(proto: Any, value: Any) -> None:
    if isinstance(value, DType):
        proto.tensor_dtype_value = value.as_datatype_enum
    elif isinstance(value, TensorShape):
        proto.tensor_shape_value.CopyFrom(shape_proto(value))
    elif isinstance(value, BoundedTensorSpec):
        _encode_tensor_spec(proto.bounded_tensor_spec_value, value)
        for name in ("minimum", "maximum"):
            bound = tensor_proto(getattr(value, name))
            getattr(proto.bounded_tensor_spec_value, name).CopyFrom(bound)
    elif isinstance(value, TensorSpec):
        _encode_tensor_spec(proto.tensor_spec_value, value)
    else:
        _encode_type_spec(proto.type_spec_value, value)


def _encode_tensor_spec(spec: Any, value: TensorSpec) -> None:
    spec.name, spec.dtype = value.name or "", value.dtype.as_datatype_enum
    spec.shape.CopyFrom(shape_proto(value.shape))


def _encode_type_spec(proto: Any, spec: Any) -> None:
    kind = cast("type[Any]", type(spec))
    name = kind.__name__
    if name in SPEC_CLASSES:
        proto.type_spec_class = SPEC_CLASSES[name]
    elif is_registered(kind):
        number = getattr(kind, "_kind_in_files", OF_REGISTERED_TYPES)
        proto.type_spec_class, name = number, get_name(kind)
    else:
        raise NamelessSpecError(
            f"No encoder for object {spec!r} of type {kind}: files know it by no name. Give an "
            'ExtensionType one by `__name__ = "package.Name"` in its class, another TypeSpec by '
            "`type_spec_registry.register`"
        )
    proto.type_spec_class_name = name
    proto.num_flat_components = len(tree.flatten(spec, expand_composites=True))
    encode_into(proto.type_state, _state_of(spec))


def _state_of(spec: Any) -> tuple[Any, ...]:
    if isinstance(spec, VariableSpec):
        return (spec.shape, spec.dtype, spec.trainable, spec.alias_id)
    return tuple(spec._serialize())


def _encode_array(proto: Any, value: Any) -> None:
    if isinstance(value, np.ndarray):
        proto.numpy_value.CopyFrom(tensor_proto(cast(Any, value)))
        return
    payload = getattr(value, "_array", None)
    if not isinstance(payload, np.ndarray):
        raise NotEncodableError(f"{value!r} has no value that could be written")
    proto.tensor_value.CopyFrom(tensor_proto(cast(Any, payload)))


# ---------------------------------------------------------------- reading


def _made_as(kind: Any) -> Callable[[Any], Any]:
    return kind._deserialize


_MAKERS: Final[dict[str, Callable[[Any], Any]]] = {
    "IndexedSlicesSpec": _made_as(IndexedSlicesSpec),
    "RaggedTensorSpec": lambda state: RaggedTensorSpec(*state[:4]),  # the rest is of flat values
    "RowPartitionSpec": _made_as(RowPartitionSpec),
    "SparseTensorSpec": _made_as(SparseTensorSpec),
    "VariableSpec": lambda state: VariableSpec(*state),
}


def decoded(proto: Any) -> Any:
    """The structure in a StructuredValue.

    Raises:
        NotEncodableError: it holds something that is unknown here.
    """
    kind = proto.WhichOneof("kind")
    if kind is None or kind == "none_value":
        return None
    value = getattr(proto, kind)
    decode = _DECODERS.get(kind)
    return value if decode is None else decode(value)


def _decode_list(proto: Any) -> Any:
    return [decoded(item) for item in proto.values]


def _decode_tuple(proto: Any) -> Any:
    return tuple(decoded(item) for item in proto.values)


def _decode_dict(proto: Any) -> Any:
    return {key: decoded(proto.fields[key]) for key in sorted(proto.fields)}


def _decode_named_tuple(proto: Any) -> Any:
    kind = named_tuple(proto.name, tuple(pair.key for pair in proto.values))
    return kind(*(decoded(pair.value) for pair in proto.values))


@serialised
@lru_cache(256)
def named_tuple(name: str, fields: tuple[str, ...]) -> Any:
    """The class that stands for the named tuples with this name and these fields."""
    return namedtuple(name, fields)  # pyright: ignore[reportUntypedNamedTuple]


def _decode_tensor_spec(proto: Any) -> TensorSpec:
    return TensorSpec(shape_of(proto.shape), dtype_of(proto.dtype), proto.name or None)


def _decode_bounded_spec(proto: Any) -> BoundedTensorSpec:
    bounds = array_of(proto.minimum), array_of(proto.maximum)
    return BoundedTensorSpec(
        shape_of(proto.shape), dtype_of(proto.dtype), *bounds, proto.name or None
    )


def _decode_type_spec(proto: Any) -> Any:
    name = _BY_NUMBER.get(proto.type_spec_class) or proto.type_spec_class_name
    make: Any = _MAKERS.get(name)
    if make is None:  # of later folders, or of users
        with suppress(ValueError):  # there is no such name
            own = proto.type_spec_class in (OF_REGISTERED_TYPES, OF_EXTENSION_TYPES)
            make = _made_as(lookup(name if own else f"tf.{name}"))
    if make is None and proto.type_spec_class == OF_EXTENSION_TYPES:
        make = _made_as(lookup(f"{ANONYMOUS}.Spec"))
    if make is None:
        raise NotEncodableError(f"values of the type {name} are not supported")
    return make(decoded(proto.type_state))


def _decode_tensor(proto: Any) -> Any:
    return wrap(contiguous_array(array_of(proto)))


_DECODERS: Final[dict[str, Callable[[Any], Any]]] = {
    "list_value": _decode_list,
    "tuple_value": _decode_tuple,
    "dict_value": _decode_dict,
    "named_tuple_value": _decode_named_tuple,
    "tensor_spec_value": _decode_tensor_spec,
    "bounded_tensor_spec_value": _decode_bounded_spec,
    "type_spec_value": _decode_type_spec,
    "tensor_shape_value": shape_of,
    "tensor_dtype_value": dtype_of,
    "tensor_value": _decode_tensor,
    "numpy_value": lambda proto: contiguous_array(array_of(proto)),
}

"""Dtypes, shapes and specs as messages by themselves: what `core/tensorflow_names.py` gives."""

from __future__ import annotations

from typing import Any

from ...core.dtypes import DType
from ...core.shapes import TensorShape
from ...core.specs import BoundedTensorSpec, TensorSpec
from .messages import message
from .structured import decoded, encoded
from .values import dtype_of, shape_of, shape_proto


def type_proto(cls: type[Any]) -> Any:
    """The class of the messages that say objects of `cls`."""
    for kind, name in (
        (DType, "SerializedDType"),
        (TensorShape, "TensorShapeProto"),
        (BoundedTensorSpec, "BoundedTensorSpecProto"),
        (TensorSpec, "TensorSpecProto"),
    ):
        if issubclass(cls, kind):
            return message(name)
    return message("TypeSpecProto")


def as_proto(value: Any) -> Any:
    """The message for a dtype, shape or spec."""
    if isinstance(value, DType):
        return message("SerializedDType")(datatype=value.as_datatype_enum)
    if isinstance(value, TensorShape):
        return shape_proto(value)
    return getattr(encoded(value), _field(value.__class__))


def from_proto(cls: type[Any], proto: Any) -> Any:
    """What the message says.

    Raises:
        TypeError: it is of another class.
    """
    made: Any = type_proto(cls)
    own = made.FromString(proto.SerializeToString())
    if issubclass(cls, DType):
        return dtype_of(own.datatype)
    if issubclass(cls, TensorShape):
        return shape_of(own)
    structured = message("StructuredValue")()
    getattr(structured, _field(cls)).CopyFrom(own)
    found = decoded(structured)
    if not isinstance(found, cls):
        raise TypeError(f"the message describes a {type(found).__name__}, not a {cls.__name__}")
    return found


def _field(cls: type[Any]) -> str:
    """Where a StructuredValue has the message of such specs."""
    if issubclass(cls, BoundedTensorSpec):
        return "bounded_tensor_spec_value"
    return "tensor_spec_value" if issubclass(cls, TensorSpec) else "type_spec_value"

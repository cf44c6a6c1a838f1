"""Composites that are one value each: their components, and what TensorFlow calls them."""

# Rules of operations, as in ops/.
# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

from typing import Any, Final, cast

import numpy as numpy_module
from google.protobuf.message import DecodeError

from ...core.dtypes import DType, of_storage, variant
from ...core.shapes import UNKNOWN
from ...core.specs import ObjectSpec, TensorSpec, ValueSpec
from ...errors import InvalidArgumentError
from ...ops.array.fill import zeros_like
from ...ops.bind import bind
from ...ops.demands import refuse
from ...ops.op import Attr, In, Op, Out
from ..proto.messages import message

SPEC: Final = ObjectSpec("composite", is_value=True)


class CompositeComponents:
    """The components of a composite, and the number of its kind of spec."""

    __slots__ = ("components", "kind")
    spec: Final = SPEC

    def __init__(self, components: list[Any], kind: int) -> None:
        self.components: Final = components
        self.kind: Final = kind


def _kind_in(metadata: Any) -> int:
    """The number of the kind of spec that a message says.

    Raises:
        InvalidArgumentError: it is no such message.
    """
    data = metadata.encode("latin-1") if isinstance(metadata, str) else metadata
    try:
        said = message("CompositeTensorVariantMetadata").FromString(data)
    except DecodeError:
        refuse(InvalidArgumentError, "Error parsing metadata")
    return said.type_spec_proto.type_spec_class


class CompositeTensorVariantFromComponents(Op):
    """A composite as one value; `metadata` is a message that says what it is."""

    components = In("[Tcomponents]")
    encoded = Out("variant")
    metadata = Attr()

    def infer(self) -> ObjectSpec:
        return SPEC

    def eager(self, np: Any) -> CompositeComponents:
        # Arrays may lie in memory that a compiled program takes back.
        kept = [one.copy() if isinstance(one, np.ndarray) else one for one in self.components]
        return CompositeComponents(kept, _kind_in(self.metadata))

    def vjp(self, dencoded: Any) -> Any:
        dtypes = tuple([one.dtype for one in self.components])
        op = CompositeTensorVariantToComponents
        found = bind(op, dencoded, metadata=self.metadata, Tcomponents=dtypes)
        return tuple([one if one.dtype.is_differentiable else None for one in found])


class CompositeTensorVariantToComponents(Op):
    """The components of such a value.

    Raises:
        InvalidArgumentError: it is something else than `metadata` says, or has other components.
    """

    encoded = In("variant")
    components = Out("[Tcomponents]")
    metadata = Attr()
    Tcomponents = Attr()

    def infer(self) -> tuple[ValueSpec, ...]:
        return tuple([SPEC if one is variant else TensorSpec(UNKNOWN, one)
                      for one in self.Tcomponents])  # fmt: skip

    def eager(self, np: Any) -> tuple[Any, ...]:
        found = self.encoded
        if not isinstance(found, CompositeComponents):
            refuse(InvalidArgumentError, NO_COMPOSITE, repr(found)[:100])
        if found.kind != (wanted := _kind_in(self.metadata)):
            refuse(InvalidArgumentError, OTHER_KIND, wanted, found.kind)
        if len(found.components) != len(self.Tcomponents):
            refuse(InvalidArgumentError, OTHER_COUNT, len(found.components), len(self.Tcomponents))
        for place, (one, kind) in enumerate(zip(found.components, self.Tcomponents, strict=True)):
            if (own := _dtype_of(one)) is not kind:
                refuse(InvalidArgumentError, OTHER_DTYPE, place, own.name, kind.name)
        return tuple([one.copy() if isinstance(one, np.ndarray) else one
                      for one in found.components])  # fmt: skip

    def vjp(self, *dcomponents: Any) -> Any:
        pairs = zip(dcomponents, self.components, strict=True)
        whole = tuple([zeros_like(one) if d is None else d for d, one in pairs])
        return bind(CompositeTensorVariantFromComponents, whole, metadata=self.metadata)


def _dtype_of(value: Any) -> DType:
    if not isinstance(value, numpy_module.ndarray):
        return variant
    return of_storage(cast("numpy_module.ndarray[Any, Any]", value).dtype)


NO_COMPOSITE = "The input `encoded` is not a valid CompositeTensorVariant tensor, got {}"
OTHER_KIND = "Expected a spec of kind {} (based on `type_spec`), but `encoded` contains one of {}"
OTHER_COUNT = "Encoded value has {} tensor components; expected {} components based on type_spec"
OTHER_DTYPE = "Tensor component {} had dtype {}; expected dtype {}"

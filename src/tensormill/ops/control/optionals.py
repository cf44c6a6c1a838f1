"""Values that may be missing, as operations: what branches hand to their gradients in TensorFlow.

Such a value is an object that compiled code hands on. What is in it is told where it is taken out:
the same result of several branches may hold another dtype in each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ...core import dtypes
from ...core.dtypes import DType, variant
from ...core.shapes import as_shape
from ...core.specs import ObjectSpec, TensorSpec, ValueSpec
from ...errors import InvalidArgumentError
from ..op import Attr, In, Op, Out

SPEC: Final = ObjectSpec("optional", is_value=True)


class MaybeComponents:
    """What there may be: components, or None."""

    __slots__ = ("components",)
    spec: Final = SPEC

    def __init__(self, components: Sequence[Any] | None = None) -> None:
        self.components = components


class OptionalFromValue(Op):
    """An optional that has these components."""

    components = In("[Toutput_types]")
    optional = Out("variant")
    differentiable = False

    def infer(self) -> ObjectSpec:
        return SPEC

    def eager(self, np: Any) -> MaybeComponents:
        # Arrays may lie in memory that a compiled program takes back.
        kept = [one.copy() if isinstance(one, np.ndarray) else one for one in self.components]
        return MaybeComponents(kept)


class OptionalNone(Op):
    """An optional that has no value."""

    optional = Out("variant")
    differentiable = False

    def infer(self) -> ObjectSpec:
        return SPEC

    def eager(self, np: Any) -> MaybeComponents:
        return MaybeComponents()


class OptionalHasValue(Op):
    """Whether an optional has a value."""

    optional = In("variant")
    has_value = Out("bool")
    differentiable = False

    def infer(self) -> TensorSpec:
        return TensorSpec((), dtypes.bool_)

    def eager(self, np: Any) -> Any:
        return np.asarray(_of(self).components is not None)


class OptionalGetValue(Op):
    """The components of an optional.

    Raises:
        InvalidArgumentError: it has no value, or one of other dtypes.
    """

    optional = In("variant")
    components = Out("[output_types]")
    output_types = Attr()
    output_shapes = Attr()
    differentiable = False

    def infer(self) -> tuple[ValueSpec, ...]:
        return tuple(map(_spec_of, self.output_types, self.output_shapes))

    def eager(self, np: Any) -> tuple[Any, ...]:
        found = _of(self).components
        if found is None:
            raise InvalidArgumentError("The given optional does not have a value.")
        for one, wanted in zip(found, self.infer(), strict=True):
            _require(one, wanted)
        return tuple(found)


def _spec_of(kind: DType, shape: Any) -> ValueSpec:
    return SPEC if kind is variant else TensorSpec(as_shape(shape), kind)


def _of(application: Any) -> MaybeComponents:
    found = application.optional
    if not isinstance(found, MaybeComponents):
        raise InvalidArgumentError(f"{application.name}: this is no optional: {found!r:.100}")
    return found


def _require(value: Any, wanted: ValueSpec) -> None:
    if isinstance(value, np.ndarray) and isinstance(wanted, TensorSpec):
        fits = value.dtype == wanted.dtype.storage and wanted.shape.is_compatible_with(value.shape)
    else:
        fits = getattr(value, "spec", None) == wanted
    if not fits:
        raise InvalidArgumentError(f"the optional has {value!r:.100}, and not {wanted.short}")

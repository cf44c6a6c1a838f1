"""Values that native code carries but does not look into: Python objects behind a pointer."""

from __future__ import annotations

from dataclasses import dataclass

from ...core import dtypes
from ...core.dtypes import DType
from ...core.specs import ListSpec, TensorSpec
from ..loops.ir import Expression


@dataclass(frozen=True, slots=True, eq=False)
class Opaque:
    """What Python keeps: an array of strings or of unknown rank, or a list of strings."""

    pointer: Expression
    spec: TensorSpec | ListSpec

    @property
    def dtype(self) -> DType:
        return dtypes.variant if isinstance(self.spec, ListSpec) else self.spec.dtype

"""Values that native code carries but does not look into: Python objects behind a pointer."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.dtypes import DType
from ...core.specs import TensorSpec
from ..loops.ir import Expression


@dataclass(frozen=True, slots=True, eq=False)
class Opaque:
    """A NumPy array that Python keeps: strings, or a tensor of unknown rank."""

    pointer: Expression
    spec: TensorSpec

    @property
    def dtype(self) -> DType:
        return self.spec.dtype

"""Values that native code carries but does not look into: Python objects behind a pointer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.dtypes import DType
from ...core.specs import ListSpec, ObjectSpec, TensorSpec
from ..loops.ir import Expression


@dataclass(frozen=True, slots=True, eq=False)
class Opaque:
    """What Python keeps: an array of strings or of unknown rank, a list of strings, an object.

    `constant`: the array, where the trace knows it.
    """

    pointer: Expression
    spec: TensorSpec | ListSpec | ObjectSpec
    constant: np.ndarray[Any, Any] | None = None

    @property
    def dtype(self) -> DType:
        return self.spec.dtype

"""The operation that has no operands: a value written into the graph."""

from __future__ import annotations

from typing import Any

from ..core.specs import TensorSpec
from .op import Attr, Op, Out


class Const(Op):
    """A constant. `value` is a canonical array that nobody writes to."""

    output = Out("dtype ...")
    value = Attr()
    dtype = Attr()
    differentiable = False

    def infer(self) -> TensorSpec:
        return TensorSpec(self.value.shape, self.dtype)

    def eager(self, np: Any) -> Any:
        return self.value

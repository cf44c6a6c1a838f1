"""What operations pass on besides arrays: objects of Python, lists, variables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ...core import dtypes
from ...core.dtypes import DType
from ...core.specs import ListSpec, ObjectSpec, TensorSpec
from ..loops.ir import Buffer, Expression, Literal
from .arrays import Size

NULL: Final = Literal(0, "ptr")


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


@dataclass(frozen=True, slots=True, eq=False)
class List:
    """A native list behind `pointer`.

    `sizes`: those of every element that was written, where they are known and last (None: not
    known). `is_unwritten`: nothing was written yet.
    """

    pointer: Expression
    spec: ListSpec
    sizes: tuple[Size, ...] | None = None
    is_unwritten: bool = False

    @property
    def dtype(self) -> DType:
        return dtypes.variant

    @property
    def element_sizes(self) -> tuple[Size, ...] | None:
        """The sizes of every element that was written: what the trace knows, or `sizes`."""
        if not self.is_strict:
            return self.sizes
        return tuple([size or 0 for size in self.spec.element.shape.as_tuple()])

    @property
    def is_unknown(self) -> bool:
        """Whether there are elements of which no sizes are known."""
        return self.sizes is None and not self.is_unwritten

    @property
    def is_strict(self) -> bool:
        """Whether all elements have one shape, which the trace knows."""
        return self.spec.element.shape.is_fully_defined()


@dataclass(frozen=True, slots=True, eq=False)
class Handle:
    """A variable: its memory is `buffer`. `number` tells callbacks which one it is.

    Where its shape may change, or it holds strings, `native` is false: only Python looks into it.
    """

    buffer: Buffer
    dtype: DType
    shape: tuple[Size, ...]
    number: int
    native: bool = True

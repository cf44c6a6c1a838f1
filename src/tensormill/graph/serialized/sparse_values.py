"""Sparse tensors as values that functions and datasets hand on whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ...core.dtypes import DType
from ...core.process.named_tuples import NamedTuple
from ...core.specs import ObjectSpec, TensorSpec

Array = np.ndarray[Any, Any]


class Parts(NamedTuple):
    """The parts of a sparse tensor."""

    indices: Array
    values: Array
    dense_shape: Array


class SparseValues:
    """One sparse tensor, or several along axes of the sizes `outer`; of the dtype of their values.

    TensorFlow has a tensor of three variants for each, of which no operation takes one alone.
    """

    __slots__ = ("dtype", "items", "outer")

    def __init__(self, items: Sequence[Parts], outer: tuple[int, ...], dtype: DType) -> None:
        self.items: Final = items
        self.outer: Final = outer
        self.dtype: Final = dtype

    @property
    def spec(self) -> ObjectSpec:
        return sparse_values_spec(self.dtype, self.outer)


def sparse_values_spec(dtype: DType, outer: tuple[int | None, ...] = ()) -> ObjectSpec:
    """What graphs know of such a value."""
    return ObjectSpec("sparse", (TensorSpec((None,), dtype),), is_value=True, sizes=(*outer, 3))

"""Sizes of tensors as private functions give them, and shapes of which little is known."""

from __future__ import annotations

from typing import Any

from ....core import dtypes
from ....core.dimension import Dimension
from ....core.shapes import TensorShape
from ....ops.array.shapes import rank as plain_rank
from ....version_one.functions.arrays import shape, size


def unknown_shape(rank: int | None = None) -> TensorShape:
    """A shape of which only the rank is known, or nothing."""
    return TensorShape(None if rank is None else [None] * rank)


def as_dimension(value: Any) -> Dimension:
    """A size as a Dimension."""
    return value if isinstance(value, Dimension) else Dimension(value)


def sizes_of(
    input: Any, name: str | None = None, optimize: bool = True, out_type: Any = None
) -> Any:
    """The sizes of a tensor, a vector."""
    return shape(input, name, out_type)


def rank_of(input: Any, name: str | None = None, optimize: bool = True) -> Any:
    """How many axes a tensor has, int32."""
    return plain_rank(input, name)


def element_count(
    input: Any, name: str | None = None, optimize: bool = True, out_type: Any = dtypes.int32
) -> Any:
    """How many elements a tensor has."""
    return size(input, name, out_type)

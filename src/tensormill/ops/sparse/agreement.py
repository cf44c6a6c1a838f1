"""What several operands of one sparse operation must agree in.

What tracing knows is asked there and then; the rest is asked when the program runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.shapes import TensorShape
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..array.shapes import shape_of
from ..checks.assertions import Assert, require_equal
from ..conversion import static_value
from ..math.reduce import reduce_max, reduce_min
from .linear_indices import wide
from .sparse_tensor import SparseTensor


def require_same_shape(sparse: SparseTensor, other: TensorShape, sizes: Any) -> None:
    """Refuse an operand of another shape than `sparse` has: `other`, at run time `sizes`.

    Raises:
        InvalidArgumentError: ranks or sizes differ, when the program runs.
        ShapeMismatchError: they do as far as tracing knows.
    """
    one = sparse.shape
    if one.rank is None or other.rank is None:
        require_length(sizes, sparse, "Operands' ranks do not match: ")
    elif one.rank != other.rank:
        raise ShapeMismatchError(
            f"Operands' ranks do not match: got {one.rank} and {other.rank} (shapes {one} and "
            f"{other})"
        )
    else:
        _require_known_alike(one, other)
    if not (one.is_fully_defined() and other.is_fully_defined()):
        require_equal(sparse.dense_shape, wide(sizes), "Operands' shapes do not match: ")


def _require_known_alike(one: TensorShape, other: TensorShape) -> None:
    for k, (a, b) in enumerate(zip(one, other, strict=True)):
        if None not in (a, b) and a != b:
            raise ShapeMismatchError(
                f"Operands' shapes do not match: got {a} and {b} for dimension {k}"
            )


def require_length(vector: Any, sparse: SparseTensor, message: str) -> None:
    """Refuse a vector that has not one entry for each axis of `sparse`.

    Raises:
        InvalidArgumentError: it has more or fewer; `message` begins the text.
    """
    length, rank = vector.shape[0] if vector.shape.rank else None, sparse.shape.rank
    if length is None or rank is None:
        require_equal(shape_of(vector)[0], shape_of(sparse.dense_shape)[0], message)
    elif length != rank:
        raise InvalidArgumentError(f"{message}{length} and {rank}")


def require_within(sparse: SparseTensor) -> None:
    """Refuse indices outside of the shape: as single numbers they would be those of other places.
    What is told are numbers, not arrays: native code tells no others.

    Raises:
        InvalidArgumentError: one is below 0, or not below the size of its axis.
    """
    indices, sizes = sparse.indices, sparse.dense_shape
    least, most = reduce_min(indices), reduce_max(indices - sizes)
    told = ["Indices of a sparse tensor are within its shape; the least one is ", least]
    Assert((least >= 0) & (most < 0), [*told, ", the farthest one beyond the end by ", most + 1])


def require_alike_but_along(unit: Any, listed: Sequence[SparseTensor]) -> None:
    """Refuse tensors of one rank whose sizes differ elsewhere than along the axis that `unit` has.

    Raises:
        InvalidArgumentError: they do.
    """
    first, here = listed[0], static_value(unit)
    for position, other in enumerate(listed[1:], 1):
        message = f"Input shapes must match, at position {position}: "
        if here is None or None in (first.shape.rank, other.shape.rank):
            require_equal(shape_of(first.dense_shape)[0], shape_of(other.dense_shape)[0], message)
            pairs = [(0, None, None)]
        else:
            sizes = enumerate(zip(first.shape, other.shape, strict=True))
            pairs = [(k, *both) for k, both in sizes if not here[k]]
        for k, one, size in pairs:
            if None not in (one, size) and one != size:
                raise InvalidArgumentError(
                    f"Input shapes must match: expected {one} for dimension {k} but got {size} at "
                    f"position {position}"
                )
        if any(None in (one, size) for _, one, size in pairs):
            elsewhere = 1 - unit
            require_equal(first.dense_shape * elsewhere, other.dense_shape * elsewhere, message)

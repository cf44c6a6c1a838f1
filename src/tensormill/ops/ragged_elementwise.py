"""Elementwise operations on ragged tensors: applied to what is inside."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import InvalidArgumentError, ShapeMismatchError
from .comparison import equal
from .conversion import as_tensor, static_value
from .debugging import Assert
from .gather import gather
from .ragged_tensor import RaggedTensor
from .reduce import reduce_all
from .shapes import reshape, shape_of

# Operations that look at one element at a time, and are not defined by a scalar rule.
TEXTS = frozenset("StringLower StringUpper StringStrip AsString StringLength RegexReplace".split())
HASHES = frozenset("StringToHashBucketFast StringToHashBucketStrong StringToNumber Cast".split())


def apply(op: Any, operands: Sequence[Any], attrs: Mapping[str, Any]) -> Any:
    """`op` of operands of which some are ragged; NotImplemented where it is not elementwise."""
    from .bind import bind

    if not (op.by_element or op.name in TEXTS | HASHES):
        return NotImplemented
    return broadcast(lambda *parts: bind(op, *parts, **attrs), operands)


def broadcast(function: Callable[..., Any], operands: Sequence[Any]) -> Any:
    """`function` of the innermost values; tensors beside them are broadcast along the rows.

    Raises:
        InvalidArgumentError: rows differ in length.
        ValueError: numbers of ragged axes differ.
    """
    ragged = [one for one in operands if isinstance(one, RaggedTensor)]
    first = ragged[0]
    for other in ragged[1:]:
        require_same_rows(first, other)
    parts = [
        one.flat_values if isinstance(one, RaggedTensor) else _along(first, one) for one in operands
    ]
    return first.with_flat_values(function(*parts))


def require_same_rows(one: RaggedTensor, other: RaggedTensor) -> None:
    """Refuse two ragged tensors whose rows differ in length."""
    if one.ragged_rank != other.ragged_rank:
        raise ValueError(
            f"Unable to broadcast: ragged ranks {one.ragged_rank} and {other.ragged_rank} differ "
            "(Inputs must have identical ragged splits)"
        )
    pairs = zip(one.nested_row_splits, other.nested_row_splits, strict=True)
    for mine, theirs in pairs:
        if mine is theirs:
            continue
        left, right = static_value(mine), static_value(theirs)
        if left is None or right is None:
            Assert(reduce_all(equal(mine, theirs)), ["Inputs must have identical ragged splits"])
        elif not np.array_equal(left, right):
            raise InvalidArgumentError(
                f"Inputs must have identical ragged splits: {left.tolist()} and {right.tolist()} "
                "(Unable to broadcast: dimension size mismatch)"
            )


def _along(ragged: RaggedTensor, operand: Any) -> Any:
    """A tensor as the innermost values see it: scalars are, a column [rows, 1] is repeated.

    Raises:
        ShapeMismatchError: it has a size other than 1 where rows have sizes of their own.
    """
    tensor = as_tensor(operand, ragged.dtype if not hasattr(operand, "dtype") else None)
    rank, inner = tensor.shape.rank, ragged.flat_values.shape.rank
    if rank == 0:
        return tensor
    if rank is None or inner is None:
        raise ValueError("ragged rows and a tensor need known ranks to be combined")
    if rank < inner:
        return tensor
    beside = rank - inner + 1  # axes for those that the rows and numbers of rows have
    sizes = tensor.shape.as_list()
    if all(size == 1 for size in sizes[:beside]):
        return reshape(tensor, shape_of(tensor)[beside:])
    if rank == 1 + inner and sizes[1:beside] == [1]:
        return gather(tensor[:, 0], ragged.value_rowids())
    raise ShapeMismatchError(
        f"Unable to broadcast a tensor of shape {tensor.shape} to the ragged shape {ragged.shape}"
    )

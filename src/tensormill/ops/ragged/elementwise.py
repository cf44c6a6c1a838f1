"""Elementwise operations on ragged tensors: applied to what is inside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...core.dtypes import DType
from ...core.values import TensorLike
from ...errors import InvalidArgumentError, KnownDTypeError
from ..array.shapes import rank, size
from ..checks.assertions import Assert, require_equal
from ..conversion import as_tensor, static_value
from ..dispatch.meanings import elements_mean
from ..math.cast import cast
from ..math.comparison import equal
from ..math.reduce import reduce_all
from .broadcasting import together, with_rows
from .checks import one_splits_dtype
from .ragged_tensor import RaggedTensor


@elements_mean(RaggedTensor)
def of_elements(function: Callable[..., Any], operands: tuple[Any, ...]) -> Any:
    """Any elementwise function of the values inside."""
    if not any(isinstance(one, RaggedTensor) for one in operands):
        return NotImplemented
    return broadcast(function, operands)


@elements_mean(RaggedTensor, assertions=True)
def asserted(function: Callable[..., Any], operands: tuple[Any, ...]) -> None:
    """Any assertion about two operands, of their values brought to one shape."""
    flat, _ = together(_tensors(operands))
    function(*flat)


def broadcast(function: Callable[..., Any], operands: Sequence[Any]) -> Any:
    """`function` of the innermost values, after all operands are brought to one shape.

    Raises:
        InvalidArgumentError: the shapes do not go together.
        ValueError: a rank is not known, or row splits have different dtypes.
    """
    tensors = _tensors(operands)
    ragged = [one for one in tensors if isinstance(one, RaggedTensor)]
    others_are_scalars = all(isinstance(x, RaggedTensor) or x.shape.rank == 0 for x in tensors)
    if others_are_scalars and have_rows_of(ragged):
        flat = [one.flat_values if isinstance(one, RaggedTensor) else one for one in tensors]
        return ragged[0].with_flat_values(function(*flat))
    flat, rows = together(tensors)
    return with_rows(function(*flat), rows)


def _tensors(operands: Sequence[Any]) -> list[Any]:
    """Operands as tensors, ragged or not, Python's and NumPy's with the dtype of the first ragged
    one, which the numbers must have.
    """
    kind = next(one.dtype for one in operands if isinstance(one, RaggedTensor))
    return [one if isinstance(one, RaggedTensor) else _tensor_beside(one, kind) for one in operands]


def _tensor_beside(operand: Any, kind: DType) -> Any:
    """`operand` with the dtype `kind`; where it cannot have it with its own: `function` refuses."""
    if isinstance(operand, TensorLike):
        return as_tensor(operand)
    try:
        return as_tensor(operand, kind)
    except KnownDTypeError:
        return as_tensor(operand)


def have_rows_of(ragged: Sequence[RaggedTensor]) -> bool:
    """Whether all have the very rows of the first one, and elements of its rank.

    Then no axis has to be found, and no rank to be known; ranks are compared when it runs.
    """
    first = ragged[0]
    for other in ragged[1:]:
        pairs = zip(first.nested_row_splits, other.nested_row_splits, strict=False)
        if other.ragged_rank != first.ragged_rank or any(a is not b for a, b in pairs):
            return False
        ranks = [one.flat_values.shape.rank for one in (first, other)]
        if ranks[0] == ranks[1] is None and other.flat_values is not first.flat_values:
            message = "Unable to broadcast: elements of ragged rows have other ranks: "
            require_equal(rank(first.flat_values), rank(other.flat_values), message)
        elif ranks[0] != ranks[1]:
            return False
    return True


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
            message = "Inputs must have identical ragged splits"
            Assert(equal(size(mine), size(theirs)), [message])
            Assert(reduce_all(equal(cast(mine, theirs.dtype), theirs)), [message])
        elif not np.array_equal(left, right):
            raise InvalidArgumentError(
                f"Inputs must have identical ragged splits: {left.tolist()} and {right.tolist()} "
                "(Unable to broadcast: dimension size mismatch)"
            )


def map_flat_values(op: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """`op` of the innermost values of ragged arguments; the result has their rows.

    The arguments have the same rows; others than ragged ones are handed on as they are.

    >>> rows = tf.ragged.constant([[1, 2], [], [3]])
    >>> tf.ragged.map_flat_values(tf.multiply, rows, 10).to_list()
    [[10, 20], [], [30]]

    Raises:
        ValueError: ragged arguments have different numbers of ragged axes or of values, or the
            result has another number of values.
        InvalidArgumentError: the rows of ragged arguments differ in length.
    """
    ragged = [one for one in (*args, *kwargs.values()) if isinstance(one, RaggedTensor)]
    if not ragged:
        return op(*args, **kwargs)
    if len({one.ragged_rank for one in ragged}) > 1:
        raise ValueError("All ragged inputs must have the same ragged_rank.")
    one_splits_dtype(ragged)
    lengths = {one.flat_values.shape[0] for one in ragged} - {None}
    if len(lengths) > 1:
        raise ValueError(f"All ragged inputs must have as many values. Got sizes: {lengths}")
    for other in ragged[1:]:
        require_same_rows(ragged[0], other)

    def flat(one: Any) -> Any:
        return one.flat_values if isinstance(one, RaggedTensor) else one

    result = op(*map(flat, args), **{name: flat(one) for name, one in kwargs.items()})
    return ragged[0].with_flat_values(result)

"""Jacobians: one reverse pass for each element of the target."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ..core import context, dtypes
from ..ops.bind import bind
from ..ops.conversion import as_tensor
from ..ops.op import REGISTRY
from . import backward
from .accumulate import as_dense
from .constants import zeros_like
from .recording import Recording

# In a trace, the reverse passes for more elements than these are a loop.
LARGEST_UNROLLED: Final = 4


def jacobian(recording: Recording, target: Any, sources: Sequence[Any]) -> list[Any]:
    """d target / d source for each source, of shape target.shape + source.shape; or None."""
    rows = rows_of(recording, target, sources)
    return [None if row is None else _with_leading(row, shape_of(target)) for row in rows]


def batch_jacobian(recording: Recording, target: Any, source: Any, value: Any) -> Any:
    """d target[b] / d source[b] for every b, of shape target.shape + source.shape[1:].

    `value` is the source, or what is in the variable that it is. Zeros where nothing depends.
    """
    (rows,) = rows_of(recording, target, [source], batched=True)
    shape = joined(shape_of(target), shape_of(value)[1:])
    if rows is None:
        return bind(REGISTRY["Fill"], shape, np.zeros((), value.dtype.storage))
    inner = bind(REGISTRY["Transpose"], rows, _batch_first(value.shape.rank))
    return bind(REGISTRY["Reshape"], inner, shape)


def rows_of(
    recording: Recording, target: Any, sources: Sequence[Any], batched: bool = False
) -> list[Any]:
    """For each source its gradients by one element of the target after the other, stacked.

    With `batched`, by one element of every example of the target.
    """
    shape = target.shape
    if not target.dtype.is_differentiable:
        return [None] * len(sources)
    inner = shape[1:] if batched else shape
    count = inner.num_elements()
    if context.building_graph() and (count is None or count > LARGEST_UNROLLED):
        from .jacobian_loop import looped_rows

        return looped_rows(recording, target, sources, batched)
    assert count is not None
    seeds = np.eye(count, dtype=target.dtype.storage)
    each: list[list[Any]] = []
    for seed in seeds:
        pulled = seed.reshape(inner.entries)
        start = _broadcast(pulled, target) if batched else as_tensor(pulled, target.dtype)
        found = backward.gradients(recording, [target], [start], sources)
        each.append([as_dense(gradient) for gradient in found])
    if not each:
        return [_no_rows(source) for source in sources]
    return [_stacked(rows) for rows in zip(*each, strict=True)]


def _broadcast(seed: Any, target: Any) -> Any:
    return bind(REGISTRY["BroadcastTo"], as_tensor(seed, target.dtype), shape_of(target))


def _stacked(rows: Sequence[Any]) -> Any:
    return None if rows[0] is None else bind(REGISTRY["Pack"], rows)


def _no_rows(source: Any) -> Any:
    zeros = bind(REGISTRY["ExpandDims"], zeros_like(source), 0)
    return zeros[:0]


def _with_leading(rows: Any, leading: Any) -> Any:
    return bind(REGISTRY["Reshape"], rows, joined(leading, shape_of(rows)[1:]))


def _batch_first(rank: int) -> list[int]:
    """From [element, example, ...] to [example, element, ...]."""
    return [1, 0, *range(2, rank + 1)]


def shape_of(tensor: Any) -> Any:
    """The shape as an int32 vector, a NumPy array where it is known."""
    if tensor.shape.is_fully_defined():
        return np.array(tensor.shape.entries, np.int32)
    return bind(REGISTRY["Shape"], tensor)


def joined(first: Any, second: Any) -> Any:
    if isinstance(first, np.ndarray) and isinstance(second, np.ndarray):
        return np.concatenate([first, second])
    return bind(REGISTRY["ConcatV2"], [first, second], 0)


def zeros_of(target: Any, source: Any) -> Any:
    """The jacobian of a target by a source that it does not depend on."""
    shape = joined(shape_of(as_tensor(target)), shape_of(source))
    return bind(REGISTRY["Fill"], shape, np.zeros((), source.dtype.storage))


def check_batched(target: Any, source: Any) -> None:
    """Raise a ValueError where target and source are not batches of one size."""
    for name, tensor in (("target", target), ("source", source)):
        if tensor.dtype is dtypes.resource or (
            tensor.shape.rank is not None and tensor.shape.rank < 2
        ):
            raise ValueError(
                f"{name} of batch_jacobian must have rank at least 2, but its shape is "
                f"{tensor.shape}"
            )
    sizes = (target.shape[0], source.shape[0])
    if None not in sizes and sizes[0] != sizes[1]:
        raise ValueError(
            f"Need first dimension of target shape ({target.shape}) and source shape "
            f"({source.shape}) to match."
        )

"""Ragged tensors of nested lists."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import dtypes
from ...core.dtypes import as_dtype
from ..array.shapes import reshape
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from .ragged_tensor import RaggedTensor

_LISTS = (list, tuple, np.ndarray)


@dispatchable
def constant(
    pylist: Any,
    dtype: Any = None,
    ragged_rank: int | None = None,
    inner_shape: Any = None,
    name: str | None = None,
    row_splits_dtype: Any = dtypes.int64,
) -> Any:
    """A RaggedTensor of nested lists; a tensor where nothing is nested.

    Args:
        pylist: lists in lists, as deep everywhere.
        dtype: by default what the elements are.
        ragged_rank: how many axes are ragged; by default, all but the innermost.
        inner_shape: the shape of the elements of the innermost rows, which are lists themselves.

    >>> rows = tf.ragged.constant([[1, 2], [], [3]])
    >>> rows.shape, rows.to_list()
    (TensorShape([3, None]), [[1, 2], [], [3]])
    >>> tf.ragged.constant([[[1, 2]], []], inner_shape=(2,)).shape
    TensorShape([2, None, 2])

    Raises:
        ValueError: scalars stand beside lists.
    """
    if not isinstance(pylist, _LISTS):
        return as_tensor(pylist, None if dtype is None else as_dtype(dtype))
    depth = _depth(pylist) - 1 if ragged_rank is None else ragged_rank
    if inner_shape is not None and ragged_rank is None:
        depth -= len(tuple(inner_shape))
    flat, lengths = list(pylist), []
    for _ in range(depth):
        _check_lists(flat)
        lengths.append([len(row) for row in flat])
        flat = [one for row in flat for one in row]
    wanted = None if dtype is None else as_dtype(dtype)
    values = as_tensor(flat, wanted if flat or wanted else dtypes.float32)
    if inner_shape is not None:
        values = reshape(values, [-1, *inner_shape])
    kind = dtypes.int32 if row_splits_dtype is None else as_dtype(row_splits_dtype)
    for row_lengths in reversed(lengths):
        splits = np.concatenate([[0], np.cumsum(row_lengths)]).astype(kind.as_numpy_dtype)
        values = RaggedTensor(values, as_tensor(splits))
    return values


def _check_lists(rows: list[Any]) -> None:
    for row in rows:
        if not isinstance(row, _LISTS):
            raise ValueError(
                f"all elements of a ragged constant must be nested equally deep: {row!r} stands "
                "where other elements are lists"
            )


def _depth(nested: Any) -> int:
    """How deep lists are nested, where they are deepest."""
    if isinstance(nested, np.ndarray) and nested.dtype != object:
        return nested.ndim
    if not isinstance(nested, _LISTS):
        return 0
    return 1 + max(map(_depth, nested), default=0)

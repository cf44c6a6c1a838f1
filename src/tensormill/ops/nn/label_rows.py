"""Rows of labels, as losses over sequences want them: each once, or without repetitions."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ..array.concatenation import concat, stack
from ..array.fill import range as numbers
from ..array.gather import gather
from ..array.grids import sequence_mask
from ..array.scatter import scatter_nd
from ..array.select import boolean_mask, where
from ..array.shapes import expand_dims, shape_of
from ..control.flow import ensure_shape
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..math.cast import cast
from ..math.comparison import equal, logical_and, not_equal
from ..math.reduce import reduce_max, reduce_sum
from ..math.scan import argmax, cumsum


@dispatchable
def ctc_unique_labels(labels: Any, name: str | None = None) -> list[Any]:
    """Each label of every row once, and where in that row of distinct labels each one is.

    labels: integers [n, time]. The result is a list of two: int64 [n, time], the labels in the
    order in which they come first, and zeros; int32 [n, time].

    >>> unique, places = tf.nn.ctc_unique_labels([[3, 4, 4, 3], [7, 7, 8, 0]])
    >>> unique.numpy().tolist(), places.numpy().tolist()
    ([[3, 4, 0, 0], [7, 8, 0, 0]], [[0, 1, 1, 0], [0, 0, 1, 2]])

    Raises:
        InvalidArgumentError: the rank is not 2.
    """
    labels = ensure_shape(labels, [None, None])
    time = numbers(shape_of(labels)[1])
    alike = equal(expand_dims(labels, 2), expand_dims(labels, 1))
    first = argmax(cast(alike, dtypes.int32), -1, dtypes.int32)
    is_first = equal(first, time)
    rank = cumsum(cast(is_first, dtypes.int32), 1) - 1
    places = gather(rank, first, batch_dims=1, name=name)
    is_here = logical_and(expand_dims(is_first, 1), equal(expand_dims(rank, 1), time[:, None]))
    wide = cast(labels, dtypes.int64)
    zero = as_tensor(0, dtypes.int64)
    return [reduce_sum(where(is_here, expand_dims(wide, 1), zero), 2), places]


@dispatchable
def collapse_repeated(labels: Any, seq_length: Any, name: str | None = None) -> tuple[Any, Any]:
    """Labels of which several equal ones beside each other became one.

    labels: integers [n, time]. seq_length: integers [n], how many of each row count. The result is
    a pair: [n, longest], zeros behind the last one; [n], how many they are now.

    >>> collapsed, lengths = tf.nn.collapse_repeated([[1, 1, 2, 1], [3, 3, 3, 9]], [4, 3])
    >>> collapsed.numpy().tolist(), lengths.numpy().tolist()
    ([[1, 2, 1], [3, 0, 0]], [3, 1])

    Raises:
        InvalidArgumentError: the shapes do not fit.
    """
    labels, lengths = ensure_shape(labels, [None, None]), ensure_shape(seq_length, [None])
    begins = labels[:, :1]
    changes = concat([equal(begins, begins), not_equal(labels[:, 1:], labels[:, :-1])], 1)
    is_kept = logical_and(changes, sequence_mask(lengths, shape_of(labels)[1]))
    counted = cast(is_kept, dtypes.int32)
    counts = reduce_sum(counted, 1)
    count = shape_of(labels)[0]
    rows = expand_dims(numbers(count), 1) + counted * 0
    places = boolean_mask(stack([rows, cumsum(counted, 1) - 1], 2), is_kept)
    width = reduce_max(concat([counts, [0]], 0))
    collapsed = scatter_nd(places, boolean_mask(labels, is_kept), stack([count, width]))
    return collapsed, cast(counts, lengths.dtype, name)

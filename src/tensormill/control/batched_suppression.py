"""`tf.image.non_max_suppression_padded`: the best boxes of each image of a batch."""

from __future__ import annotations

from typing import Any

from ..core import dtypes
from ..core.specs import TensorSpec
from ..ops.array.concatenation import concat
from ..ops.array.fill import range as numbers
from ..ops.array.fill import zeros_like
from ..ops.array.select import where
from ..ops.array.shapes import reshape, shape_of
from ..ops.array.sorting import argsort
from ..ops.bind import bind
from ..ops.conversion import as_tensor, static_value
from ..ops.dispatch.meanings import dispatchable
from ..ops.image.suppression import LOWEST, NonMaxSuppressionV4
from ..ops.math.arithmetic import minimum
from ..ops.math.cast import cast
from ..ops.math.comparison import equal, greater, logical_and, logical_or, not_equal
from ..ops.math.reduce import reduce_any
from ..ops.math.special import nextafter
from .map import map_fn


@dispatchable
def non_max_suppression_padded(
    boxes: Any,
    scores: Any,
    max_output_size: Any,
    iou_threshold: Any = 0.5,
    score_threshold: Any = LOWEST,
    pad_to_max_output_size: bool = False,
    name: str | None = None,
    sorted_input: bool = False,
    canonicalized_coordinates: bool = False,
    tile_size: int = 512,
) -> tuple[Any, Any]:
    """The numbers of the best boxes of one or several images, and how many they are.

    Args:
        boxes: float32 [..., n, 4], rows y1, x1, y2, x2, two corners that lie opposite each other.
            Boxes in which no number is positive count as none.
        scores: float32 [..., n].
        max_output_size: how many at most, an int32 scalar.
        iou_threshold: where a common area is as large a part of both, the worse one goes (the
            other functions of this family leave it); numbers above 1 leave all, and 0 leaves the
            best `tile_size` boxes: any two have as much as nothing in common.
        score_threshold: only boxes with higher scores are looked at.
        pad_to_max_output_size: whether zeros follow behind the last one; batches need that.
        sorted_input: whether the boxes stand in the order of their scores, which are not looked at
            any more then.
        tile_size: how many of the best boxes 0 leaves.
        canonicalized_coordinates: of no consequence here.

    Returns:
        A pair: int32 [..., found], or [..., max_output_size], best first; int32 [...].

    >>> boxes = [[0.0, 0.0, 1.0, 1.0], [0.0, 0.1, 1.0, 1.0], [0.5, 0.0, 1.0, 0.2]]
    >>> found, count = tf.image.non_max_suppression_padded(
    ...     [boxes, boxes], [[0.8, 0.9, 0.7], [0.9, 0.8, 0.95]], 3, pad_to_max_output_size=True)
    >>> found.numpy().tolist(), count.numpy().tolist()
    ([[1, 2, 0], [2, 0, 0]], [2, 2])

    Raises:
        ValueError: a batch without `pad_to_max_output_size`.
        InvalidArgumentError: the shapes do not fit, or the size is negative.
    """
    boxes, scores = as_tensor(boxes), as_tensor(scores)
    limit = as_tensor(max_output_size, dtypes.int32)
    rank = boxes.shape.rank
    if not pad_to_max_output_size and rank not in (None, 2):
        raise ValueError(
            f"'pad_to_max_output_size' (value {pad_to_max_output_size}) must be True for batched "
            "input"
        )
    threshold = as_tensor(iou_threshold, dtypes.float32)
    worth = _worth(boxes, scores, score_threshold, sorted_input)
    if (known := static_value(threshold)) is None or not known:
        first = _place(scores, score_threshold, sorted_input) < as_tensor(tile_size, dtypes.int32)
        worth = where(logical_or(first, not_equal(threshold, 0.0)), worth, _lowest(worth))
    largest = _largest_left(threshold)

    def of_one(pair: Any) -> tuple[Any, Any]:
        return bind(
            NonMaxSuppressionV4, *pair, limit, largest, LOWEST,
            pad_to_max_output_size=pad_to_max_output_size,
        )  # fmt: skip

    if rank == 2 or not pad_to_max_output_size:
        return of_one((boxes, worth))
    outer = shape_of(boxes)[:-2]
    rows = reshape(boxes, concat([[-1], shape_of(boxes)[-2:]], 0))
    each = reshape(worth, concat([[-1], shape_of(worth)[-1:]], 0))
    spec = (TensorSpec((None,), dtypes.int32), TensorSpec((), dtypes.int32))
    found, counts = map_fn(of_one, (rows, each), fn_output_signature=spec)
    return reshape(found, concat([outer, reshape(limit, [1])], 0)), reshape(counts, outer)


def _worth(boxes: Any, scores: Any, threshold: Any, sorted_input: bool) -> Any:
    """Scores of the boxes that count, minus infinity of the others."""
    is_there = reduce_any(greater(boxes, 0.0), -1)
    counts = logical_and(is_there, greater(scores, as_tensor(threshold, scores.dtype)))
    if sorted_input:
        order = numbers(shape_of(scores)[-1])
        scores = cast(-order, scores.dtype) + zeros_like(scores)
    return where(counts, scores, _lowest(scores))


def _lowest(scores: Any) -> Any:
    return as_tensor(LOWEST, scores.dtype)


def _place(scores: Any, threshold: Any, sorted_input: bool) -> Any:
    """The how-manieth each box is by its score; those that do not count are last or, sorted, where
    they are.
    """
    if sorted_input:
        return numbers(shape_of(scores)[-1]) + zeros_like(scores, dtypes.int32)
    counts = greater(scores, as_tensor(threshold, scores.dtype))
    best = argsort(where(counts, scores, _lowest(scores)), -1, "DESCENDING", stable=True)
    return argsort(best, -1, stable=True)


def _largest_left(threshold: Any) -> Any:
    """The largest overlap that is left, if none that reaches the threshold is."""
    below = minimum(nextafter(threshold, -1.0), 1.0)
    return where(equal(threshold, 0.0), 1.0, below)

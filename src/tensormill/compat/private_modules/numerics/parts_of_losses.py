"""Parts of losses, metrics and similarities of images, as functions of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ....core import context
from ....eager.convert import convert_to_tensor
from ....ops.array.broadcasting import broadcast_to
from ....ops.array.shapes import shape as sizes_of
from ....ops.array.shapes import size, squeeze
from ....ops.math.cast import cast
from ....ops.math.comparison import not_equal
from ....ops.math.division import divide_no_nan
from ....ops.math.reduce import reduce_sum
from ....ops.nn.sampled_losses import sampled_logits

SCALES: Final = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)


def without_last_axis(
    labels: Any, predictions: Any, weights: Any = None, expected_rank_diff: int = 0
) -> tuple[Any, Any, Any]:
    """All of one rank, but for `expected_rank_diff` more of predictions: a last axis of 1 goes."""
    labels, predictions = convert_to_tensor(labels), convert_to_tensor(predictions)
    more = _ranks_more(predictions, labels)
    if more is not None and more == expected_rank_diff + 1:
        predictions = _without_one(predictions)
    elif more is not None and more == expected_rank_diff - 1:
        labels = _without_one(labels)
    if weights is None:
        return labels, predictions, None
    weights = convert_to_tensor(weights)
    if _ranks_more(weights, predictions) == 1:
        weights = _without_one(weights)
    return labels, predictions, weights


def without_last_axes(
    labels: Any, predictions: Any, expected_rank_diff: int = 0, name: str | None = None
) -> tuple[Any, Any]:
    """The same of labels and predictions alone."""
    return without_last_axis(labels, predictions, None, expected_rank_diff)[:2]


def _ranks_more(one: Any, other: Any) -> int | None:
    if one.shape.rank is None or other.shape.rank is None:
        return None
    return one.shape.rank - other.shape.rank


def _without_one(tensor: Any) -> Any:
    return squeeze(tensor, [-1]) if tensor.shape[-1] in (1, None) else tensor


def sums_of_rows(x: Any) -> Any:
    """The sum of each row of a matrix."""
    return reduce_sum(x, 1)


def logits_of_samples(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: int,
    num_classes: int,
    num_true: int = 1,
    sampled_values: Any = None,
    subtract_log_q: bool = True,
    remove_accidental_hits: bool = False,
    partition_strategy: str = "mod",
    name: str | None = None,
    seed: int | None = None,
) -> tuple[Any, Any]:
    """What `tf.nn.sampled_softmax_loss` and `tf.nn.nce_loss` compare: logits and their targets."""
    return sampled_logits(
        weights, biases, labels, inputs, num_sampled, num_classes, num_true, sampled_values,
        remove_accidental_hits, seed, subtract_log_q, partition_strategy,
    )  # fmt: skip


def element_count(losses: Any) -> Any:
    """How many elements there are, as their dtype."""
    return cast(size(losses), losses.dtype)


def present_count(losses: Any, weights: Any, per_batch: bool = False) -> Any:
    """How many elements have a weight: of each example, or of all.

    Eagerly, where one weight is for all, all are counted whatever is asked for, as in TensorFlow.
    """
    weights = convert_to_tensor(weights, losses.dtype)
    if weights.shape.rank == 0 and not context.building_graph():
        return element_count(losses)
    counted = cast(not_equal(weights, 0.0), losses.dtype)
    present = broadcast_to(counted, sizes_of(losses))
    if not per_batch:
        return reduce_sum(present)
    axes = [*range(1, losses.shape.rank)]
    return reduce_sum(present, axes, keepdims=True)


def mean_of_present(losses: Any, num_present: Any) -> Any:
    """The sum over so many; 0 where none is."""
    return divide_no_nan(reduce_sum(losses), cast(num_present, losses.dtype))


def similarity_of(
    x: Any,
    y: Any,
    reducer: Callable[[Any], Any],
    max_val: float,
    compensation: float = 1.0,
    k1: float = 0.01,
    k2: float = 0.03,
) -> tuple[Any, Any]:
    """How alike images are in luminance, and in contrast and structure; `reducer` takes means."""
    low, high = (k1 * max_val) ** 2, (k2 * max_val) ** 2
    mean_x, mean_y = reducer(x), reducer(y)
    both, squares = mean_x * mean_y * 2.0, mean_x * mean_x + mean_y * mean_y
    luminance = (both + low) / (squares + low)
    high *= compensation
    shared, own = reducer(x * y) * 2.0, reducer(x * x + y * y)
    return luminance, (shared - both + high) / (own - squares + high)

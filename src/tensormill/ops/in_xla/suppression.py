"""Boxes that are chosen one after the other, in XLA's words: loops over arrays of a known size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Conflict = Callable[[Any, Any], Any]


def chosen_in_xla(
    xla: Any, scores: Any, threshold: Any, limit: int, conflict: Conflict
) -> tuple[Any, Any]:
    """The numbers of what is chosen, then zeros, [limit]; and how many there are.

    `conflict(every, one)` says which boxes are left out because of one.
    """
    np, every = xla.np, xla.np.arange(len(scores))
    found = np.zeros(limit, np.int64)
    if not len(scores):
        return found, np.zeros((), np.int64)

    def step(number: Any, state: Any) -> Any:
        left, found, count = state
        best = np.argmax(left)
        some = left[best] > -np.inf
        found = found.at[number].set(np.where(some, best, 0))
        gone = conflict(every, best) | (every == best)
        return np.where(some & gone, -np.inf, left), found, count + some

    left = np.where(scores > threshold, scores.astype(np.float64), -np.inf)
    start = left, found, np.zeros((), np.int64)
    _, found, count = xla.lax.fori_loop(0, limit, step, start)
    return found, count


def overlapping_in_xla(xla: Any, overlap: Any, boxes: Any, threshold: Any) -> Conflict:
    """Whether the `overlap` of boxes is more than a part of what they cover."""
    columns = tuple(boxes.astype(xla.np.float32).T)
    limit = xla.np.asarray(threshold).astype(xla.np.float32)

    def conflict(places: Any, one: Any) -> Any:
        some, other = (tuple(column[at] for column in columns) for at in (places, one))
        return overlap(xla.scalars, some, other) > limit

    return conflict


def best_of_classes(xla: Any, op: Any, overlap: Any, total: int, per_class: int) -> tuple[Any, ...]:
    """Of every image the best boxes, of at most `per_class` of each class: the boxes, their scores
    and classes, and how many there are.
    """

    def of_image(boxes: Any, scores: Any) -> Any:
        return _best_of_image(xla, op, overlap, boxes, scores, total, per_class)

    return xla.jax.vmap(of_image)(op.boxes, op.scores)


def _best_of_image(
    xla: Any, op: Any, overlap: Any, boxes: Any, scores: Any, total: int, per_class: int
) -> tuple[Any, ...]:
    np, classes, own_boxes = xla.np, scores.shape[1], boxes.shape[1] > 1
    if not scores.size:
        nothing = np.zeros(total, np.float32)
        return np.zeros((total, 4), np.float32), nothing, nothing, np.zeros((), np.int32)

    def of_class(k: Any) -> Any:
        own = boxes[:, k if own_boxes else 0]
        conflict = overlapping_in_xla(xla, overlap, own, op.iou_threshold)
        return chosen_in_xla(xla, scores[:, k], op.score_threshold, per_class, conflict)

    places, counts = xla.jax.vmap(of_class)(np.arange(classes))
    there = np.arange(per_class) < counts[:, None]
    column = np.broadcast_to(np.arange(classes)[:, None], places.shape)
    own = np.where(there, scores[places, column], -np.inf).reshape(-1)
    order = np.argsort(-own, stable=True)[:total]
    order = np.pad(order, (0, max(total - len(order), 0)))
    best, kinds, taken = own[order], column.reshape(-1)[order], places.reshape(-1)[order]
    inside = np.arange(total) < np.minimum(counts.sum(), total)
    rows = boxes[taken, kinds if own_boxes else 0]
    return (
        np.where(inside[:, None], rows, 0).astype(np.float32),
        np.where(inside, best, 0).astype(np.float32),
        np.where(inside, kinds, 0).astype(np.float32), inside.sum().astype(np.int32),
    )  # fmt: skip

"""Boxes chosen by their scores, where those that overlap a better one too much are left out.

All ways choose greedily: the box with the highest score first, of equal ones that with the lower
number. A box is y1, x1, y2, x2, two corners that lie opposite each other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from ...core import dtypes
from ...core.native_operations import FEW
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..bind import bind
from ..composed import composed
from ..conversion import as_tensor
from ..demands import dims
from ..dispatch.meanings import dispatchable
from ..in_xla.suppression import chosen_in_xla, overlapping_in_xla
from ..op import Attr, In, Op, Out, types, usually
from ..sizes import minimum
from ..underivable import no_derivative

Conflict = Callable[[Any, Any], Any]
LOWEST = float("-inf")

HALVES = types("f16 f32")
NOT_COUNT = "{}: output size must be non-negative, got {}"
NOT_PART = "{}: iou_threshold must be in [0, 1], got {it}"
NO_BOXES = "{}: boxes must have 4 columns, got shape {}"
OTHER_COUNT = "{}: scores has incompatible shape: there are {} boxes and {} scores"


def overlap(s: Any, one: tuple[Any, ...], other: tuple[Any, ...]) -> Any:
    """The common area of two boxes, as a part of all that they cover; 0 of empty boxes."""
    tops, bottoms, lefts, rights = (
        [way(box[k], box[k + 2]) for box in (one, other)]
        for k in (0, 1)
        for way in (s.minimum, s.maximum)
    )
    areas = [
        (bottom - top) * (right - left)
        for top, bottom, left, right in zip(tops, bottoms, lefts, rights, strict=True)
    ]
    zero = s.constant(0, areas[0])
    height = s.maximum(s.minimum(*bottoms) - s.maximum(*tops), zero)
    width = s.maximum(s.minimum(*rights) - s.maximum(*lefts), zero)
    common = height * width
    some = (areas[0] > zero) & (areas[1] > zero)
    covered = s.where(some, areas[0] + areas[1] - common, s.constant(1, zero))
    return s.where(some, common / covered, zero)


class Suppression(Op, abstract=True):
    """Indices of what is chosen, best first: at most `max_output_size`."""

    boxes: Any
    scores: Any
    max_output_size: Any
    iou_threshold: Any
    score_threshold: Any
    native_from = FEW  # NumPy looks at all boxes for each one that is chosen
    pad_to_max_output_size: Any = False
    tells_count: ClassVar[bool] = False
    differentiable = False

    def demands(self, sizes: Any) -> Any:
        """How many are wanted."""
        (limit,) = sizes.numbers(self.max_output_size)
        sizes.require_late(limit >= 0, InvalidArgumentError, NOT_COUNT, self.name, limit)
        self.demand_fitting(sizes)
        return limit

    def demand_fitting(self, sizes: Any) -> None:
        demand_scored_boxes(sizes, self, self.boxes, self.scores)
        demand_part(sizes, self, self.iou_threshold)

    def infer(self) -> Any:
        shape = (None,)
        if self.pad_to_max_output_size and self.found is not None:
            shape = dims((self.found,))
        indices = TensorSpec(shape, dtypes.int32)
        return (indices, TensorSpec((), dtypes.int32)) if self.tells_count else indices

    def eager(self, np: Any) -> Any:
        conflict = self.conflict(np)
        found = greedy(np, self.scores, self.score_threshold, self.found, conflict)
        indices = np.zeros(self.found if self.pad_to_max_output_size else len(found), np.int32)
        indices[: len(found)] = found
        return (indices, np.array(len(found), np.int32)) if self.tells_count else indices

    def xla(self, xla: Any) -> Any:
        if not self.pad_to_max_output_size:
            xla.refuse("how many boxes are chosen depends on them")
        limit = xla.fixed(self.found, "how many boxes are wanted")
        found, count = chosen_in_xla(
            xla, self.scores, self.score_threshold, limit, self.conflict_in_xla(xla)
        )
        return found.astype(xla.np.int32), count.astype(xla.np.int32)

    def conflict_in_xla(self, xla: Any) -> Conflict:
        """The same of all boxes and of one in XLA."""
        return overlapping_in_xla(xla, overlap, self.boxes, self.iou_threshold)

    def conflict(self, np: Any) -> Conflict:
        """Whether some boxes (their numbers) are left out because of one."""
        return overlapping(np, self.boxes, self.iou_threshold)

    def lower(self, loops: Any) -> Any:
        s, scores = loops.scalars, masked(loops, self.scores, self.score_threshold[()])
        limit = minimum(loops, self.found, scores.shape[0])
        conflict = self.lowered_conflict(loops)
        places, count = loops.chosen(scores, limit, lambda _, one, other: conflict(one, other))
        (found,) = loops.sizes(count)
        room = self.found if self.pad_to_max_output_size else found
        indices = filled(loops, places, found, room, dtypes.int32)
        if not self.tells_count:
            return indices
        return indices, loops.scalar(s.cast(found, dtypes.int32))

    def lowered_conflict(self, loops: Any) -> Conflict:
        """The same of two boxes in compiled code."""
        return conflicting(loops, self.boxes, self.iou_threshold[()])


def demand_scored_boxes(sizes: Any, op: Any, boxes: Any, scores: Any) -> None:
    shape, own = sizes.shape(boxes, 2), sizes.shape(scores, 1)
    if len(shape) != 2 or len(own) != 1:
        return  # the patterns refuse that
    sizes.require(sizes.equal(shape[1], 4), ShapeMismatchError, NO_BOXES, op.name, shape)
    alike = sizes.equal(shape[0], own[0])
    sizes.require(alike, ShapeMismatchError, OTHER_COUNT, op.name, shape[0], own[0])


def demand_part(sizes: Any, op: Any, threshold: Any) -> None:
    if isinstance(threshold, float):
        sizes.require_late(0 <= threshold <= 1, InvalidArgumentError, NOT_PART, op.name)
        return
    sizes.each(threshold, lambda it: (it >= 0) & (it <= 1), InvalidArgumentError, NOT_PART, op.name)


# ---------------------------------------------------------------- by NumPy


def greedy(np: Any, scores: Any, threshold: Any, limit: int, conflict: Conflict) -> Any:
    """The numbers of what is chosen."""
    left = np.flatnonzero(scores > threshold)
    left = left[np.argsort(-scores[left].astype(np.float64), kind="stable")]
    found: list[int] = []
    while len(left) and len(found) < limit:
        best, left = left[0], left[1:]
        found.append(best)
        left = left[~conflict(left, best)]
    return np.array(found, np.int64)


def overlapping(np: Any, boxes: Any, threshold: Any) -> Conflict:
    from ..scalar import NUMPY

    columns = tuple(boxes.astype(np.float32).T)
    limit = np.float32(threshold)

    def conflict(places: Any, one: Any) -> Any:
        some, other = (tuple(column[at] for column in columns) for at in (places, one))
        return overlap(NUMPY, some, other) > limit

    return conflict


# ---------------------------------------------------------------- in compiled code


def masked(loops: Any, scores: Any, threshold: Any) -> Any:
    """Scores as float32, minus infinity where they are not above the threshold."""
    s, lowest = loops.scalars, loops.constant(LOWEST, dtypes.float32)
    limit = s.cast(threshold, dtypes.float32)

    def element(*index: Any) -> Any:
        score = s.cast(scores[index], dtypes.float32)
        return s.where(score > limit, score, lowest)

    return loops.map(scores.shape, dtypes.float32, element)


def filled(loops: Any, x: Any, found: Any, room: Any, dtype: Any) -> Any:
    """The elements that were found, which are followed by zeros."""
    s, nothing = loops.scalars, loops.constant(0, dtype)
    last = s.maximum(found - 1, loops.constant(0, dtypes.int64))

    def element(k: Any) -> Any:
        return s.where(k < found, s.cast(x[(s.minimum(k, last),)], dtype), nothing)

    return loops.map((room,), dtype, element)


def box_at(loops: Any, boxes: Any, *place: Any) -> tuple[Any, ...]:
    s = loops.scalars
    return tuple(s.cast(boxes[(*place, k)], dtypes.float32) for k in range(4))


def conflicting(loops: Any, boxes: Any, threshold: Any) -> Conflict:
    s, boxes = loops.scalars, loops.kept(boxes)
    limit = s.cast(threshold, dtypes.float32)

    def conflict(one: Any, other: Any) -> Any:
        return overlap(s, box_at(loops, boxes, one), box_at(loops, boxes, other)) > limit

    return conflict


# ---------------------------------------------------------------- operations


class NonMaxSuppressionV3(Suppression):
    """Boxes whose overlap with a better one is at most `iou_threshold`."""

    boxes = In("T n 4")
    scores = In("T n")
    max_output_size = In("i32")
    iou_threshold = In("T_threshold")
    score_threshold = In("T_threshold")
    selected_indices = Out("i32 ...")
    T = HALVES
    T_threshold = HALVES
    usual = usually(T="f32", T_threshold="f32")


class NonMaxSuppressionWithOverlaps(Suppression):
    """Boxes of which a matrix tells how much they overlap."""

    overlaps = In("f32 n n")
    scores = In("f32 n")
    max_output_size = In("i32")
    overlap_threshold = In("f32")
    score_threshold = In("f32")
    selected_indices = Out("i32 ...")

    def demand_fitting(self, sizes: Any) -> None:
        shape, own = sizes.shape(self.overlaps, 2), sizes.shape(self.scores, 1)
        if len(shape) != 2 or len(own) != 1:
            return  # the patterns refuse that
        is_square = sizes.equal(shape[0], shape[1])
        sizes.require(is_square, ShapeMismatchError, NOT_SQUARE, self.name, shape)
        alike = sizes.equal(shape[0], own[0])
        sizes.require(alike, ShapeMismatchError, OTHER_COUNT, self.name, shape[0], own[0])

    def conflict(self, np: Any) -> Conflict:
        return lambda some, one: self.overlaps[some, one] > self.overlap_threshold

    def lowered_conflict(self, loops: Any) -> Conflict:
        overlaps, limit = loops.kept(self.overlaps), self.overlap_threshold[()]
        return lambda one, other: overlaps[(one, other)] > limit


NOT_SQUARE = "{}: overlaps must be square, got shape {}"


class NonMaxSuppression(Op):
    """Boxes whose overlap with a better one is at most `iou_threshold`."""

    boxes = In("f32 n 4")
    scores = In("f32 n")
    max_output_size = In("i32")
    selected_indices = Out("i32 ...")
    iou_threshold = Attr(0.5)
    differentiable = False

    def infer(self) -> TensorSpec:
        return TensorSpec((None,), dtypes.int32)

    def expand(self) -> Any:
        return bind(
            NonMaxSuppressionV3, self.boxes, self.scores, self.max_output_size, self.iou_threshold,
            LOWEST,
        )  # fmt: skip


class NonMaxSuppressionV2(Op):
    """Boxes whose overlap with a better one is at most `iou_threshold`."""

    boxes = In("T n 4")
    scores = In("T n")
    max_output_size = In("i32")
    iou_threshold = In("T_threshold")
    selected_indices = Out("i32 ...")
    T = HALVES
    T_threshold = HALVES
    usual = usually(T="f32", T_threshold="f32")
    differentiable = False

    def infer(self) -> TensorSpec:
        return TensorSpec((None,), dtypes.int32)

    def expand(self) -> Any:
        return bind(
            NonMaxSuppressionV3, self.boxes, self.scores, self.max_output_size, self.iou_threshold,
            as_tensor(LOWEST, self.iou_threshold.dtype),
        )  # fmt: skip


class NonMaxSuppressionV4(Suppression):
    """The same, and how many there are: with `pad_to_max_output_size`, zeros follow."""

    boxes = In("T n 4")
    scores = In("T n")
    max_output_size = In("i32")
    iou_threshold = In("T_threshold")
    score_threshold = In("T_threshold")
    selected_indices = Out("i32 ...")
    valid_outputs = Out("i32")
    pad_to_max_output_size = Attr(False)
    T = HALVES
    T_threshold = HALVES
    usual = usually(T="f32", T_threshold="f32")
    tells_count = True


class NonMaxSuppressionV5(Op):
    """Boxes and their scores, which overlaps with better ones make smaller by a Gaussian of
    `soft_nms_sigma`; where this is 0, as NonMaxSuppressionV4.
    """

    boxes = In("T n 4")
    scores = In("T n")
    max_output_size = In("i32")
    iou_threshold = In("T")
    score_threshold = In("T")
    soft_nms_sigma = In("T")
    selected_indices = Out("i32 ...")
    selected_scores = Out("T ...")
    valid_outputs = Out("i32")
    pad_to_max_output_size = Attr(False)
    T = HALVES
    usual = usually(T="f32")
    native_from = FEW  # NumPy looks at all boxes for each one that is chosen
    vjp = no_derivative

    def demands(self, sizes: Any) -> Any:
        """How many are wanted."""
        (limit,) = sizes.numbers(self.max_output_size)
        sizes.require_late(limit >= 0, InvalidArgumentError, NOT_COUNT, self.name, limit)
        demand_scored_boxes(sizes, self, self.boxes, self.scores)
        demand_part(sizes, self, self.iou_threshold)
        sizes.each(
            self.soft_nms_sigma, lambda it: it >= 0, InvalidArgumentError, NO_SIGMA, self.name
        )
        return limit

    def infer(self) -> tuple[TensorSpec, ...]:
        shape = (None,) if self.found is None else dims((self.found,))
        if not self.pad_to_max_output_size:
            shape = (None,)
        return (
            TensorSpec(shape, dtypes.int32), TensorSpec(shape, self.scores.dtype),
            TensorSpec((), dtypes.int32),
        )  # fmt: skip

    def eager(self, np: Any) -> Any:
        sigma, weigh = np.float32(self.soft_nms_sigma), self.weighed(np)
        threshold = np.float32(self.score_threshold)
        left = self.scores.astype(np.float32)
        left = np.where(left > threshold, left, np.float32(LOWEST))
        found: list[int] = []
        values: list[Any] = []
        while len(left) and len(found) < self.found:
            best = int(left.argmax())
            if left[best] == LOWEST:
                break
            found.append(best)
            values.append(left[best])
            left = weigh(left, best, sigma)
            left[best] = LOWEST
            left[~(left > threshold)] = LOWEST
        room = self.found if self.pad_to_max_output_size else len(found)
        indices, scores = np.zeros(room, np.int32), np.zeros(room, self.scores.dtype)
        indices[: len(found)], scores[: len(found)] = found, values
        return indices, scores, np.array(len(found), np.int32)

    def weighed(self, np: Any) -> Callable[..., Any]:
        from ..scalar import NUMPY

        columns = tuple(self.boxes.astype(np.float32).T)
        limit, kept = np.float32(self.iou_threshold), self.scores.dtype

        def weigh(scores: Any, best: int, sigma: Any) -> Any:
            shared = overlap(NUMPY, columns, tuple(column[best] for column in columns))
            if sigma > 0:
                weights = np.exp(np.float32(-0.5) / sigma * shared * shared).astype(kept)
                return (scores.astype(kept) * weights).astype(np.float32)
            return np.where(shared > limit, np.float32(LOWEST), scores)

        return weigh

    def lower(self, loops: Any) -> Any:
        s, boxes, single = loops.scalars, loops.kept(self.boxes), dtypes.float32
        scores = masked(loops, self.scores, self.score_threshold[()])
        lowest, zero = loops.constant(LOWEST, single), loops.constant(0, single)
        threshold, limit, sigma = (
            s.cast(one[()], single)
            for one in (self.score_threshold, self.iou_threshold, self.soft_nms_sigma)
        )
        is_soft, kept = sigma > zero, self.scores.dtype
        factor = loops.constant(-0.5, single) / s.where(is_soft, sigma, loops.constant(1, single))

        def weighed(score: Any, place: Any, best: Any) -> Any:
            shared = overlap(s, box_at(loops, boxes, place), box_at(loops, boxes, best))
            weight = s.cast(s.exp(factor * shared * shared), kept)
            soft = s.cast(s.cast(score * s.cast(weight, single), kept), single)
            hard = s.where(shared > limit, lowest, score)
            left = s.where(is_soft, soft, hard)
            return s.where(left > threshold, left, lowest)

        places, values, count = loops.strongest(
            scores, minimum(loops, self.found, scores.shape[0]), weighed
        )
        (found,) = loops.sizes(count)
        room = self.found if self.pad_to_max_output_size else found
        return (
            filled(loops, places, found, room, dtypes.int32),
            filled(loops, values, found, room, self.scores.dtype),
            loops.scalar(s.cast(found, dtypes.int32)),
        )  # fmt: skip


NO_SIGMA = "{}: soft_nms_sigma must be >= 0, got {it}"


# ---------------------------------------------------------------- functions


@dispatchable
@composed("non_max_suppression")
def non_max_suppression(
    boxes: Any,
    scores: Any,
    max_output_size: Any,
    iou_threshold: Any = 0.5,
    score_threshold: Any = LOWEST,
    name: str | None = None,
) -> Any:
    """The numbers of the best boxes, without those that a better one overlaps too much.

    Args:
        boxes: float32 or float16 [n, 4], rows y1, x1, y2, x2, two corners that lie opposite each
            other.
        scores: [n], of the same dtype.
        max_output_size: how many at most, an int32 scalar.
        iou_threshold: how large a part of both a common area may be, in [0, 1].
        score_threshold: only boxes with higher scores are looked at.

    Returns:
        int32 [found], best first; of equal ones the first.

    >>> boxes = [[0.0, 0.0, 1.0, 1.0], [0.0, 0.1, 1.0, 1.0], [0.5, 0.0, 1.0, 0.2]]
    >>> tf.image.non_max_suppression(boxes, [0.8, 0.9, 0.7], max_output_size=3).numpy()
    array([1, 2], dtype=int32)

    Raises:
        InvalidArgumentError: the shapes do not fit, the size is negative, or the threshold is not
            in [0, 1].
    """
    return bind(
        NonMaxSuppressionV3, boxes, scores, max_output_size, iou_threshold, score_threshold,
        name=name,
    )  # fmt: skip


@dispatchable
def non_max_suppression_with_scores(
    boxes: Any,
    scores: Any,
    max_output_size: Any,
    iou_threshold: Any = 0.5,
    score_threshold: Any = LOWEST,
    soft_nms_sigma: Any = 0.0,
    name: str | None = None,
) -> tuple[Any, Any]:
    """The best boxes and their scores, which better boxes that overlap make smaller.

    A score is multiplied with exp(-overlap**2 / (2 soft_nms_sigma)) for every better box (Bodla et
    al. 2017); where `soft_nms_sigma` is 0, boxes are left out, as by `non_max_suppression`, whose
    arguments the others are.

    Returns:
        A pair: int32 [found] and, of the dtype of `scores`, [found], best first.

    >>> boxes = [[0.0, 0.0, 1.0, 1.0], [0.0, 0.5, 1.0, 1.0], [0.5, 0.0, 1.0, 0.2]]
    >>> indices, scores = tf.image.non_max_suppression_with_scores(
    ...     boxes, [0.9, 0.8, 0.7], max_output_size=3, soft_nms_sigma=0.5)
    >>> indices.numpy(), scores.numpy().round(3)
    (array([0, 2, 1], dtype=int32), array([0.9  , 0.693, 0.623], dtype=float32))

    Raises:
        InvalidArgumentError: the shapes do not fit, the size or `soft_nms_sigma` is negative, or
            the threshold is not in [0, 1].
    """
    indices, chosen, _ = bind(
        NonMaxSuppressionV5, boxes, scores, max_output_size, iou_threshold, score_threshold,
        soft_nms_sigma, name=name,
    )  # fmt: skip
    return indices, chosen


@dispatchable
def non_max_suppression_overlaps(
    overlaps: Any,
    scores: Any,
    max_output_size: Any,
    overlap_threshold: Any = 0.5,
    score_threshold: Any = LOWEST,
    name: str | None = None,
) -> Any:
    """The numbers of the best boxes, of which a matrix tells how much they overlap.

    Args:
        overlaps: float32 [n, n].
        scores: float32 [n].
        max_output_size: how many at most, an int32 scalar.
        overlap_threshold: a box goes where its overlap (its row) with a better one is larger.
        score_threshold: only boxes with higher scores are looked at.

    Returns:
        int32 [found], best first; of equal ones the first.

    >>> overlaps = [[1.0, 0.6, 0.1], [0.6, 1.0, 0.2], [0.1, 0.2, 1.0]]
    >>> tf.image.non_max_suppression_overlaps(overlaps, [0.8, 0.9, 0.7], 3).numpy()
    array([1, 2], dtype=int32)

    Raises:
        InvalidArgumentError: the shapes do not fit, or the size is negative.
    """
    return bind(
        NonMaxSuppressionWithOverlaps, overlaps, scores, max_output_size, overlap_threshold,
        score_threshold, name=name,
    )  # fmt: skip

"""Boxes of all classes of every image, chosen by their scores: the last step of a detector."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from ...core import dtypes
from ...core.native_operations import FEW
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..array.ranks import descending_ranks
from ..bind import bind
from ..demands import UNKNOWN, dims, either
from ..dispatch.meanings import dispatchable
from ..in_xla.suppression import best_of_classes
from ..op import Attr, In, Op, Out
from ..sizes import choose, maximum, minimum, scalar
from ..underivable import no_derivative
from .suppression import LOWEST, demand_part, greedy, masked, overlap, overlapping

# Called as TensorFlow calls it.
Combined = namedtuple(
    "CombinedNonMaxSuppression", "nmsed_boxes nmsed_scores nmsed_classes valid_detections"
)


class CombinedNonMaxSuppression(Op):
    """The best boxes of each class whose overlap with a better one of that class is at most
    `iou_threshold`, and of all of these the best.
    """

    boxes = In("f32 n boxes q 4")
    scores = In("f32 n boxes classes")
    max_output_size_per_class = In("i32")
    max_total_size = In("i32")
    iou_threshold = In("f32")
    score_threshold = In("f32")
    nmsed_boxes = Out("f32 ...")
    nmsed_scores = Out("f32 ...")
    nmsed_classes = Out("f32 ...")
    valid_detections = Out("i32 ...")
    pad_per_class = Attr(False)
    clip_boxes = Attr(True)
    native_from = FEW
    vjp = no_derivative

    def demands(self, sizes: Any) -> Any:
        """How many are chosen of an image, and of a class."""
        boxes, scores = sizes.shape(self.boxes, 4), sizes.shape(self.scores, 3)
        if len(boxes) == 4 and len(scores) == 3:  # else the patterns refuse them
            self.demand_alike(sizes, boxes, scores)
        (per_class,) = sizes.numbers(self.max_output_size_per_class)
        sizes.require(per_class > 0, InvalidArgumentError, NO_CLASS_SIZE, self.name, per_class)
        (total,) = sizes.numbers(self.max_total_size)
        sizes.require(total > 0, InvalidArgumentError, NO_TOTAL_SIZE, self.name, total)
        demand_part(sizes, self, self.iou_threshold)
        if self.pad_per_class:
            total = sizes.minimum(total, per_class * scores[2])
        return total, per_class

    def demand_alike(self, sizes: Any, boxes: Any, scores: Any) -> None:
        for size, own, message in (
            (boxes[0], scores[0], OTHER_BATCH), (boxes[1], scores[1], OTHER_COUNT),
            (boxes[3], 4, NO_BOXES),
        ):  # fmt: skip
            fits = sizes.equal(size, own)
            sizes.require(fits, ShapeMismatchError, message, self.name, boxes, scores)
        fits = either(sizes.equal(boxes[2], 1), sizes.equal(boxes[2], scores[2]))
        sizes.require(fits, ShapeMismatchError, NO_CLASSES, self.name, boxes, scores)

    def infer(self) -> tuple[TensorSpec, ...]:
        boxes, scores = self.boxes.shape.entries, self.scores.shape.entries
        batch = boxes[0] if boxes else scores and scores[0]
        total = UNKNOWN if self.found is None else self.found[0]
        shape = (batch, *dims((total,)))
        floats = (TensorSpec(one, dtypes.float32) for one in ((*shape, 4), shape, shape))
        return *floats, TensorSpec((batch,), dtypes.int32)

    def eager(self, np: Any) -> Any:
        total, _ = self.found
        batch = len(self.boxes)
        boxes = np.zeros((batch, total, 4), np.float32)
        scores, classes = (np.zeros((batch, total), np.float32) for _ in range(2))
        counts = np.zeros(batch, np.int32)
        for image in range(batch):
            pairs = self.chosen(np, image)
            own = self.scores[image, pairs[:, 1], pairs[:, 0]]
            best = np.argsort(-own, kind="stable")[:total]
            (of_class, place), count = pairs[best].T, len(best)
            if not count:
                continue
            column = of_class if self.boxes.shape[2] > 1 else 0
            boxes[image, :count] = self.boxes[image, place, column]
            scores[image, :count], classes[image, :count] = own[best], of_class
            counts[image] = count
        return boxes.clip(0, 1) if self.clip_boxes else boxes, scores, classes, counts

    def xla(self, xla: Any) -> Any:
        total, per_class = (xla.fixed(one, "how many boxes are wanted") for one in self.found)
        found = best_of_classes(xla, self, overlap, total, per_class)
        boxes, scores, classes, counts = found
        return xla.np.clip(boxes, 0, 1) if self.clip_boxes else boxes, scores, classes, counts

    def chosen(self, np: Any, image: int) -> Any:
        """The classes and the numbers of boxes that are chosen of an image: [n, 2]."""
        found = [np.zeros((0, 2), np.int64)]
        for k in range(self.scores.shape[2]):
            boxes = self.boxes[image, :, k if self.boxes.shape[2] > 1 else 0]
            conflict = overlapping(np, boxes, self.iou_threshold)
            own = self.scores[image, :, k]
            places = greedy(np, own, self.score_threshold, self.found[1], conflict)
            found.append(np.stack([np.full_like(places, k), places], 1))
        return np.concatenate(found)

    def lower(self, loops: Any) -> Any:
        s, boxes = loops.scalars, loops.kept(self.boxes)
        total, per_class = self.found
        batch, count, classes = self.scores.shape
        single, lowest = dtypes.float32, loops.constant(LOWEST, dtypes.float32)
        limit = s.cast(self.iou_threshold[()], single)

        def box(image: Any, place: Any, of_class: Any) -> tuple[Any, ...]:
            column = choose(loops, boxes.shape[2] > 1, of_class, 0)
            return tuple(boxes[(image, place, column, k)] for k in range(4))

        def conflict(row: Any, one: Any, other: Any) -> Any:
            image, of_class = row
            pair = (box(image, place, of_class) for place in (one, other))
            return overlap(s, *pair) > limit

        by_box = masked(loops, self.scores, self.score_threshold[()])
        by_class = loops.kept(
            loops.view((batch, classes, count), single, lambda n, c, k: by_box[(n, k, c)])
        )
        most = minimum(loops, per_class, count)
        places, counts = loops.chosen(by_class, most, conflict)
        width = maximum(loops, most, 1)

        def score(image: Any, k: Any) -> Any:
            of_class, place = k // width, k % width
            found = by_class[(image, of_class, places[(image, of_class, place)])]
            return s.where(place < counts[(image, of_class)], found, lowest)

        everything = loops.kept(loops.map((batch, classes * most), single, score))
        ranked = loops.order(descending_ranks(loops, everything))
        found = loops.reduce(
            "sum", (batch,), (classes,), dtypes.int64,
            lambda outer, inner: counts[(*outer, *inner)],
        )  # fmt: skip

        def best(dtype: Any, value: Any, *more: Any) -> Any:
            """Zeros with the values of the best in front: there may be none at all."""
            zero, last = loops.constant(0, dtype), scalar(loops, total) - 1
            return loops.scatter(
                "set", loops.map((batch, total, *more), dtype, lambda *_: zero),
                (batch, classes * most, *more),
                lambda n, i, *rest: (n, s.minimum(i, last), *rest),
                lambda n, i, *rest: value(n, ranked[(n, i)], *rest),
                lambda n, i, *rest: (i <= last) & (i < found[(n,)]),
            )  # fmt: skip

        def corner(image: Any, k: Any, axis: Any) -> Any:
            of_class = k // width
            column = choose(loops, boxes.shape[2] > 1, of_class, 0)
            value = boxes[(image, places[(image, of_class, k % width)], column, axis)]
            if not self.clip_boxes:
                return value
            zero, one = (loops.constant(bound, single) for bound in (0, 1))
            return s.minimum(s.maximum(value, zero), one)

        counted = loops.map(
            (batch,), dtypes.int32,
            lambda n: s.cast(s.minimum(found[(n,)], scalar(loops, total)), dtypes.int32),
        )  # fmt: skip
        return (
            best(single, corner, 4), best(single, lambda n, k: everything[(n, k)]),
            best(single, lambda n, k: s.cast(k // width, single)), counted,
        )  # fmt: skip


OTHER_BATCH = "{}: boxes and scores must have same batch size, got shapes {} and {}"
OTHER_COUNT = "{}: scores has incompatible shape: boxes are {}, scores {}"
NO_BOXES = "{}: boxes must have 4 columns: they are {}, scores {}"
NO_CLASSES = "{}: third dimension of boxes must be either 1 or num classes: boxes are {}, scores {}"
NO_CLASS_SIZE = "{}: max_size_per_class must be positive, got {}"
NO_TOTAL_SIZE = "{}: max_total_size must be > 0, got {}"


@dispatchable
def combined_non_max_suppression(
    boxes: Any,
    scores: Any,
    max_output_size_per_class: Any,
    max_total_size: Any,
    iou_threshold: Any = 0.5,
    score_threshold: Any = LOWEST,
    pad_per_class: bool = False,
    clip_boxes: bool = True,
    name: str | None = None,
) -> Combined:
    """The best boxes of every image: of each class those that no better one overlaps too much.

    Args:
        boxes: float32 [n, boxes, q, 4], rows y1, x1, y2, x2, two corners that lie opposite each
            other. `q` is 1, or the number of classes.
        scores: float32 [n, boxes, classes].
        max_output_size_per_class, max_total_size: how many at most, int32.
        iou_threshold: how large a part of both a common area may be, in [0, 1].
        score_threshold: only boxes with higher scores are looked at.
        pad_per_class: results have `max_output_size_per_class` * classes rows, where these are
            fewer than `max_total_size`.
        clip_boxes: move corners of results into [0, 1].

    Returns:
        A tuple: `nmsed_boxes` [n, rows, 4], `nmsed_scores` [n, rows] and `nmsed_classes` [n, rows],
        float32, zeros behind the last one; `valid_detections`, int32 [n], how many there are.

    >>> boxes = [[[[0.0, 0.0, 1.0, 1.0]], [[0.0, 0.1, 1.0, 1.0]], [[0.5, 0.0, 1.0, 0.2]]]]
    >>> found = tf.image.combined_non_max_suppression(boxes, [[[0.9], [0.8], [0.7]]], 3, 3)
    >>> found.nmsed_scores.numpy(), found.valid_detections.numpy()
    (array([[0.9, 0.7, 0. ]], dtype=float32), array([2], dtype=int32))

    Raises:
        InvalidArgumentError: the shapes do not fit, a number is not positive, or the threshold is
            not in [0, 1].
    """
    found = bind(
        CombinedNonMaxSuppression, boxes, scores, max_output_size_per_class, max_total_size,
        iou_threshold, score_threshold, pad_per_class=pad_per_class, clip_boxes=clip_boxes,
        name=name,
    )  # fmt: skip
    return Combined(*found)

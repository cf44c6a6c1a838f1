"""From steps of logits to labels: the most probable class of each step, or a search for the most
probable sequences, a beam of paths through a tree.

What a path is worth depends on which others are followed, so the order in which paths enter and
leave the beam is TensorFlow's: kept paths first, then new ones, by the paths that they extend.
"""

from __future__ import annotations

import heapq
import math
from itertools import count, groupby, pairwise
from types import MappingProxyType
from typing import Any

import numpy as np

from ...core import dtypes
from ...core.native_operations import SOME
from ...core.process.named_tuples import NamedTuple
from ...core.specs import TensorSpec
from ...errors import FailedPreconditionError, InvalidArgumentError
from ..bind import bind
from ..dispatch.meanings import dispatchable
from ..lowering import NotStatic
from ..math.cast import cast
from ..op import Attr, In, Op, Out, types, usually
from ..origins import Origin
from ..sparse.sparse_tensor import SparseTensor
from .ctc import log_softmax

Array = np.ndarray[Any, Any]
LOWEST = -math.inf


class Ends(NamedTuple):
    """Logarithms of how probable a path is with a blank, and with its last label, at its end."""

    blank: float
    label: float
    total: float


NOWHERE = Ends(LOWEST, LOWEST, LOWEST)


class LabelPath:
    """Some labels: a node of the tree of all paths that were looked at."""

    __slots__ = ("before", "children", "label", "now", "parent")

    def __init__(self, parent: LabelPath | None, label: int, now: Ends) -> None:
        self.parent, self.label = parent, label
        self.before, self.now = NOWHERE, now  # at the last step, and at this one
        self.children: dict[int, LabelPath] = {}

    @property
    def labels(self) -> list[int]:
        found: list[int] = []
        path = self
        while path.parent is not None:
            found.append(path.label)
            path = path.parent
        return found[::-1]


class Beam:
    """The `width` most probable paths."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._heap: list[tuple[float, int, LabelPath]] = []  # the least probable one first
        self._order = count(0, -1)

    @property
    def least(self) -> float:
        """A path has to be more probable than this."""
        return self._heap[0][0] if len(self._heap) == self._width else LOWEST

    def add(self, path: LabelPath) -> None:
        """Take a path in; if there is no room, the least probable one goes."""
        entry = (path.now.total, next(self._order), path)
        if len(self._heap) < self._width:
            heapq.heappush(self._heap, entry)
            return
        _, _, gone = heapq.heapreplace(self._heap, entry)
        gone.now = NOWHERE

    def ranked(self) -> list[LabelPath]:
        """The paths, the most probable one first."""
        return [path for _, _, path in sorted(self._heap, reverse=True)]


def most_probable(steps: Array, width: int) -> list[LabelPath]:
    """The paths of a beam through steps [time, classes], logarithms of probabilities, the best one
    first; the last class is the blank.
    """
    beam = Beam(width)
    beam.add(LabelPath(None, -1, Ends(0.0, LOWEST, 0.0)))
    for scores in steps:
        beam = _stepped(beam.ranked(), scores, Beam(width))
    return beam.ranked()


def _stepped(paths: list[LabelPath], scores: Array, beam: Beam) -> Beam:
    for path in paths:
        path.before = path.now
    for path in paths:
        path.now = _kept(path, scores)
        beam.add(path)
    for path in paths:
        if path.before.total > beam.least:
            _extend(path, scores, beam)
    return beam


def _kept(path: LabelPath, scores: Array) -> Ends:
    """The path one step later: after a blank, its last label again, or that label for the first
    time, if the path before that label is followed, too.
    """
    blank = path.before.total + float(scores[-1])
    label, parent = path.before.label, path.parent
    if parent is not None:
        if parent.now.total > LOWEST:
            repeats = parent.label == path.label
            label = log_sum(label, parent.before.blank if repeats else parent.before.total)
        label += float(scores[path.label])
    return Ends(blank, label, log_sum(blank, label))


def _extend(path: LabelPath, scores: Array, beam: Beam) -> None:
    """Put the path with one more label into the beam, for each label that is probable enough."""
    totals = scores[:-1] + path.before.total
    if path.parent is not None:
        totals[path.label] = scores[path.label] + path.before.blank
    for label in sorted({*np.flatnonzero(totals > beam.least).tolist(), *path.children}):
        child, total = path.children.get(label), float(totals[label])
        if child is not None and child.now.total > LOWEST:
            continue
        if total > beam.least:
            child = path.children.setdefault(label, child or LabelPath(path, label, NOWHERE))
            child.now = Ends(LOWEST, total, total)
            beam.add(child)
        elif child is not None:
            child.before = child.now = NOWHERE


def log_sum(x: float, y: float) -> float:
    """log(exp(x) + exp(y))."""
    low, high = (x, y) if x < y else (y, x)
    return high if low == LOWEST else high + math.log1p(math.exp(low - high))


def sparse_rows(np: Any, rows: list[list[int]]) -> tuple[Array, Array, Array]:
    """Rows of different lengths as indices, values and shape."""
    places = [(b, k) for b, row in enumerate(rows) for k in range(len(row))]
    indices = np.array(places, np.int64).reshape(-1, 2)
    values = np.array([label for row in rows for label in row], np.int64)
    return indices, values, np.array([len(rows), max(map(len, rows), default=0)], np.int64)


def batch_of(inputs: Any, lengths: Any) -> int | None:
    """How many sequences there are, as far as it is known."""
    known = [shape[1] for shape in (inputs.shape.entries,) if shape]
    known += [shape[0] for shape in (lengths.shape.entries,) if shape]
    return next((size for size in known if size is not None), None)


def demand_steps(sizes: Any, inputs: Any, lengths: Any) -> None:
    """A length for each sequence, none beyond the time."""
    steps, batch, _ = sizes.shape(inputs, 3)
    (given,) = sizes.shape(lengths)
    fits = sizes.equal(given, batch)
    sizes.require(fits, FailedPreconditionError, ONE_EACH, given, batch)
    sizes.each(
        lengths, lambda length: length <= steps, FailedPreconditionError, TOO_LONG, steps
    )  # fmt: skip


ONE_EACH = "len(sequence_length) != batch_size. len(sequence_length): {} batch_size: {}"
TOO_LONG = "sequence_length{at} = {it}, but must be <= {}"


class CTCGreedyDecoder(Op):
    """The most probable class of each step, repetitions and blanks left out."""

    inputs_ = In("T t b c")
    sequence_length = In("i32 b")
    decoded_indices = Out("i64 n two")
    decoded_values = Out("i64 n")
    decoded_shape = Out("i64 two")
    log_probability = Out("T b one")
    merge_repeated = Attr(False)
    blank_index = Attr(-1)
    T = types("f32 f64")
    usual = usually(T="f32")
    keeps_taken = True
    differentiable = False
    native_from = SOME

    def infer(self) -> Any:
        batch = batch_of(self.inputs_, self.sequence_length)
        return (
            TensorSpec((None, 2), dtypes.int64), TensorSpec((None,), dtypes.int64),
            TensorSpec((2,), dtypes.int64), TensorSpec((batch, 1), self.inputs_.dtype),
        )  # fmt: skip

    def demands(self, sizes: Any) -> None:
        demand_steps(sizes, self.inputs_, self.sequence_length)

    def eager(self, np: Any) -> Any:
        inputs, lengths = self.inputs_, np.maximum(self.sequence_length, 0)
        blank = self.blank_index % inputs.shape[2]
        best = inputs.argmax(2)
        within = np.arange(len(inputs))[:, None] < lengths
        scores = -np.where(within, inputs.max(2), 0).sum(0)[:, None]
        rows = [self.row(best[:length, b].tolist(), blank) for b, length in enumerate(lengths)]
        return (*sparse_rows(np, rows), scores.astype(inputs.dtype))

    def lower(self, loops: Any) -> Any:
        """Labels of one example after the other, in the order of time."""
        s, (steps, batch, classes), long = loops.scalars, self.inputs_.shape, dtypes.int64
        x, lengths, zero = loops.kept(self.inputs_), self.sequence_length, loops.constant(0, long)
        best = loops.kept(loops.arg_reduce("max", x, 2, long))
        blank = self.blank_index
        blank = loops.constant(blank, long) if blank >= 0 else (blank % classes) + zero
        room = steps * batch
        indices, values = loops.memory((room, 2), long), loops.memory((room,), long)
        shape, place = loops.memory((2,), long), loops.memory((2,), long)

        def one(b: Any, t: Any) -> None:
            label = loops.held(best[(t, b)])
            is_label = (t < s.cast(lengths[(b,)], long)) & (label != blank)
            if self.merge_repeated:
                is_label = is_label & ((t == 0) | (label != best[(s.where(t > 0, t - 1, t), b)]))
            loops.repeat(
                (loops.held(is_label),), lambda goes_on: goes_on, lambda _: put(b, t, label)
            )

        def put(b: Any, t: Any, label: Any) -> tuple[Any]:
            at, column = loops.held(place[(0,)]), loops.held(place[(1,)])
            loops.put(indices, (at, 0), b + zero)
            loops.put(indices, (at, 1), column)
            loops.put(values, (at,), label)
            loops.put(place, (0,), at + 1)
            loops.put(place, (1,), column + 1)
            return (label < label,)

        def example(b: Any) -> None:
            loops.put(place, (1,), zero)
            loops.for_each((steps,), lambda t: one(b, t), in_order=True)
            loops.put(shape, (1,), s.maximum(loops.held(shape[(1,)]), loops.held(place[(1,)])))

        loops.for_each((batch,), example, in_order=True)
        loops.put(shape, (0,), loops.held(zero + batch))
        total = loops.held(place[(0,)])
        return (
            loops.view((total, 2), long, lambda k, side: indices[(k, side)]),
            loops.view((total,), long, lambda k: values[(k,)]), shape, self._scores(loops, x, best),
        )  # fmt: skip

    def _scores(self, loops: Any, x: Any, best: Any) -> Any:
        s, (steps, batch, _) = loops.scalars, x.shape
        nothing = loops.constant(0, x.dtype)

        def largest(at: Any, step: Any) -> Any:
            (b, _), (t,) = at, step
            is_within = t < s.cast(self.sequence_length[(b,)], dtypes.int64)
            return s.where(is_within, x[(t, b, best[(t, b)])], nothing)

        total = loops.reduce("sum", (batch, 1), (steps,), x.dtype, largest)
        return loops.map((batch, 1), x.dtype, lambda *at: -total[at])

    def row(self, classes: list[int], blank: int) -> list[int]:
        pairs = pairwise([None, *classes])
        return [
            label for before, label in pairs
            if label is not None and label != blank
            and not (self.merge_repeated and label == before)
        ]  # fmt: skip


@dispatchable
def ctc_greedy_decoder(
    inputs: Any, sequence_length: Any, merge_repeated: bool = True, blank_index: int | None = None
) -> tuple[list[SparseTensor], Any]:
    """The most probable class of each step, repetitions and blanks left out.

    Args:
        inputs: logits, float32 or float64 [time, batch, classes].
        sequence_length: integers [batch], how many steps count.
        merge_repeated: leave out a class that is that of the step before.
        blank_index: the class that is no label, by default the last one.

    Returns:
        [a SparseTensor of int64 [batch, longest]], and minus the sums of the largest logits,
        [batch, 1].

    >>> inputs = tf.one_hot([[0], [0], [2], [0], [1]], 3) * 8.0
    >>> (decoded,), score = tf.nn.ctc_greedy_decoder(inputs, [5])
    >>> decoded.values.numpy(), score.numpy()
    (array([0, 0, 1]), array([[-40.]], dtype=float32))

    Raises:
        FailedPreconditionError: a length is beyond the time; not one length for each sequence.
    """
    indices, values, shape, score = bind(
        CTCGreedyDecoder, inputs, cast(sequence_length, dtypes.int32),
        merge_repeated=merge_repeated, blank_index=-1 if blank_index is None else blank_index,
    )  # fmt: skip
    return [SparseTensor.of_parts(indices, values, shape)], score


class BeamSearch(Op, tf_name="TensormillCTCBeamSearch"):
    """The `top_paths` most probable label sequences, one after the other; the last class is the
    blank. TensorFlow's operation has three lists of outputs.
    """

    native_from = 1 << 10  # the kernel goes from path to path in Python
    native_axes = MappingProxyType({"sequence_length": slice(0)})

    inputs_ = In("T t b c")
    sequence_length = In("i32 b")
    path = Out("i64 n")
    indices = Out("i64 n two")
    values = Out("i64 n")
    shapes = Out("i64 k two")
    log_probability = Out("T b k")
    beam_width = Attr()
    top_paths = Attr()
    merge_repeated = Attr(False)
    T = types("f32 f64")
    origin = Origin.GRAPHS
    usual = usually(T="f32")
    keeps_taken = True
    differentiable = False

    def infer(self) -> Any:
        batch = batch_of(self.inputs_, self.sequence_length)
        return (
            TensorSpec((None,), dtypes.int64), TensorSpec((None, 2), dtypes.int64),
            TensorSpec((None,), dtypes.int64), TensorSpec((self.top_paths, 2), dtypes.int64),
            TensorSpec((batch, self.top_paths), self.inputs_.dtype),
        )  # fmt: skip

    def demands(self, sizes: Any) -> None:
        demand_steps(sizes, self.inputs_, self.sequence_length)
        fits = self.top_paths <= self.beam_width
        sizes.require_late(fits, InvalidArgumentError, TOO_MANY_PATHS)

    def eager(self, np: Any) -> Any:
        inputs, lengths = self.inputs_, np.maximum(self.sequence_length, 0)
        wide = log_softmax(inputs.astype(np.float64))
        found = [self.best(wide[:length, b]) for b, length in enumerate(lengths.tolist())]
        parts = [
            sparse_rows(np, [self.shown(paths[k].labels) for paths in found])
            for k in range(self.top_paths)
        ]
        owner = np.concatenate([np.full(len(one[1]), k) for k, one in enumerate(parts)])
        scores = [[path.now.total for path in paths] for paths in found]
        return (
            owner.astype(np.int64), np.concatenate([one[0] for one in parts]),
            np.concatenate([one[1] for one in parts]), np.stack([one[2] for one in parts]),
            np.array(scores, inputs.dtype).reshape(len(found), self.top_paths),
        )  # fmt: skip

    def lower(self, loops: Any) -> Any:
        if self.beam_width < 1:
            raise NotStatic("a beam without paths")
        s, best, long = loops.scalars, self.top_paths, dtypes.int64
        (_, batch, _), given = self.inputs_.shape, self.sequence_length
        zero = loops.constant(0, long)
        lengths = loops.map((batch,), long, lambda b: s.maximum(s.cast(given[(b,)], long), zero))
        labels, counts, wide, found = loops.most_probable(
            self._logarithms(loops), lengths, self.beam_width, best, self.merge_repeated
        )
        loops.check_all(
            (batch,), lambda b: found[(b,)] >= best, InvalidArgumentError, TOO_FEW_PATHS,
            lambda b: (lengths[(b,)], found[(b,)], best),
        )  # fmt: skip
        kind = self.inputs_.dtype
        scores = loops.map((batch, best), kind, lambda *at: s.cast(wide[at], kind))
        return (*self._rows(loops, labels, counts), scores)

    def _logarithms(self, loops: Any) -> Any:
        """Of the classes' probabilities, float64."""
        s, x, wide = loops.scalars, loops.kept(self.inputs_), dtypes.float64
        outer, classes = x.shape[:2], x.shape[2:]

        def given(at: Any, k: Any) -> Any:
            return s.cast(x[(*at, *k)], wide)

        largest = loops.kept(loops.reduce("max", outer, classes, wide, given))
        total = loops.kept(
            loops.reduce(
                "sum", outer, classes, wide, lambda at, k: s.exp(given(at, k) - largest[at])
            )
        )
        return loops.map(
            x.shape, wide, lambda t, b, k: (given((t, b), (k,)) - largest[(t, b)])
            - s.log(total[(t, b)]),
        )  # fmt: skip

    def _rows(self, loops: Any, labels: Any, counts: Any) -> Any:
        """The labels of all paths, one after the other: whose, where, which; and their shapes."""
        s, long, (paths, batch, steps) = loops.scalars, dtypes.int64, labels.shape
        zero, room = loops.constant(0, long), paths * batch * steps
        path, column = loops.memory((room,), long), loops.memory((room, 2), long)
        values, shapes = loops.memory((room,), long), loops.memory((paths, 2), long)
        place = loops.memory((1,), long)

        def row(k: Any, b: Any) -> None:
            count, first = loops.held(counts[(k, b)]), loops.held(place[(0,)])

            def one(n: Any) -> None:
                loops.put(path, (first + n,), k + zero)
                loops.put(column, (first + n, 0), b + zero)
                loops.put(column, (first + n, 1), n + zero)
                loops.put(values, (first + n,), labels[(k, b, n)])

            loops.for_each((count,), one, in_order=True)
            loops.put(place, (0,), first + count)
            loops.put(shapes, (k, 0), zero + batch)
            loops.put(shapes, (k, 1), s.maximum(loops.held(shapes[(k, 1)]), count))

        loops.for_each((paths, batch), row, in_order=True)
        total = loops.held(place[(0,)])
        return (
            loops.view((total,), long, lambda n: path[(n,)]),
            loops.view((total, 2), long, lambda n, side: column[(n, side)]),
            loops.view((total,), long, lambda n: values[(n,)]), shapes,
        )  # fmt: skip

    def shown(self, labels: list[int]) -> list[int]:
        """The labels of a path; of equal ones in a row only one, where they are to be merged."""
        return [label for label, _ in groupby(labels)] if self.merge_repeated else labels

    def best(self, steps: Array) -> list[LabelPath]:
        """The best paths of one example."""
        found = most_probable(steps, self.beam_width)
        if len(found) < self.top_paths:
            told = TOO_FEW_PATHS.format(len(steps), len(found), self.top_paths)
            raise InvalidArgumentError(told)
        return found[: self.top_paths]


TOO_MANY_PATHS = "Requested more paths than the beam width"
TOO_FEW_PATHS = (
    "Less leaves in the beam search than requested: {} steps have {} paths that are not "
    "impossible, and top_paths is {}"
)


@dispatchable
def ctc_beam_search_decoder(
    inputs: Any, sequence_length: Any, beam_width: int = 100, top_paths: int = 1
) -> tuple[list[SparseTensor], Any]:
    """The `top_paths` most probable label sequences, whose probability is that of all ways to them.

    Args:
        inputs: logits, float32 or float64 [time, batch, classes]; the last class is the blank.
        sequence_length: integers [batch], how many steps count.
        beam_width: how many sequences are followed at a time.

    Returns:
        A list of SparseTensors of int64 [batch, longest], and the logarithms of their probabilities
        [batch, top_paths].

    >>> inputs = tf.math.log([[[0.6, 0.4]], [[0.6, 0.4]]])
    >>> (best, second), scores = tf.nn.ctc_beam_search_decoder(inputs, [2], top_paths=2)
    >>> best.values.numpy(), tf.exp(scores).numpy().round(2)
    (array([0]), array([[0.84, 0.16]], dtype=float32))

    Raises:
        FailedPreconditionError: a length is beyond the time; not one length for each sequence.
        InvalidArgumentError: there are more paths than beams.
    """
    return decoded_paths(inputs, sequence_length, beam_width, top_paths)


def decoded_paths(
    inputs: Any, sequence_length: Any, beam_width: int, top_paths: int, merge_repeated: bool = False
) -> tuple[list[SparseTensor], Any]:
    """The labels of the best paths, equal ones in a row merged if wanted, and their scores."""
    from ..array.select import boolean_mask

    path, indices, values, shapes, scores = bind(
        BeamSearch, inputs, cast(sequence_length, dtypes.int32), beam_width=beam_width,
        top_paths=top_paths, merge_repeated=merge_repeated,
    )  # fmt: skip
    decoded = [
        SparseTensor.of_parts(
            boolean_mask(indices, path == k), boolean_mask(values, path == k), shapes[k]
        )
        for k in range(top_paths)
    ]
    return decoded, scores

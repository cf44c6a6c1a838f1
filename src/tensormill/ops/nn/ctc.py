"""Connectionist temporal classification: sequences of labels without an alignment.

Graves et al. 2006. NumPy runs over time, all examples and labels of a step at once; compiled
functions take one example after the other, and call back for beams.
"""

from __future__ import annotations

from typing import Any

import numpy as numpy_module

from ...core import dtypes
from ...errors import InvalidArgumentError, RowKeyError
from ..array.rearrangement import transpose
from ..array.select import where
from ..array.shapes import shape_of
from ..bind import bind
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..in_xla.label_walk import XlaWalk
from ..math.arithmetic import maximum
from ..math.cast import cast
from ..math.comparison import equal
from ..op import Attr, In, Op, Out, types
from ..origins import Origin
from ..sparse.sparse_tensor import SparseTensor

Array = Any
LOWEST = -numpy_module.inf
LONG, WIDE = dtypes.int64, dtypes.float64
# TensorFlow's, for dense labels: those that are impossible in so few steps have a finite loss.
UNFINISHED = numpy_module.log(1e-307)


class CtcLoss(Op, tf_name="TensormillCTCLoss"):
    """-log of the probability of label sequences, and its gradient by the logits.

    TensorFlow makes it of some hundred operations.
    """

    logits = In("T t b c")
    labels = In("i32 b l")
    label_length = In("i32 b")
    logit_length = In("i32 b")
    loss = Out("T b")
    gradient = Out("T t b c")
    blank_index = Attr(0)
    strict = Attr(False)  # refuses labels that are blanks, none, or too many for the steps
    merges = Attr(True)  # equal outputs in a row are one label
    T = types("f32 f64")
    origin = Origin.GRAPHS

    def demands(self, sizes: Any) -> None:
        steps, batch, classes = sizes.shape(self.logits, 3)
        most, lengths = sizes.shape(self.labels, 2)[1], self.label_length
        for name in ("labels", "label_length", "logit_length"):
            fits = sizes.equal(sizes.shape(getattr(self, name))[0], batch)
            sizes.require(fits, InvalidArgumentError, WRONG_BATCH, name, batch)
        for name, limit in (("logit_length", steps), ("label_length", most)):
            sizes.each(
                getattr(self, name), lambda one, limit=limit: (one >= 0) & (one <= limit),
                InvalidArgumentError, OUT_OF_RANGE, name, limit,
            )  # fmt: skip

        def is_class(label: Any, batch: Any, place: Any) -> Any:
            return (place >= sizes.scalars.cast(lengths[(batch,)], LONG)) | (label >= 0) & (
                label < classes
            )

        sizes.each(
            self.labels, is_class, InvalidArgumentError, OUT_OF_RANGE,
            "labels, of the classes,", classes - 1, placed=True,
        )  # fmt: skip
        if self.strict:
            self._demand_possible(sizes, classes)

    def _demand_possible(self, sizes: Any, classes: Any) -> None:
        """No labels that are blanks, at least one, and no more than there are steps."""
        lengths, steps, blank = self.label_length, self.logit_length, self.blank_index
        blank = blank if blank >= 0 else blank + classes

        def is_other(label: Any, batch: Any, place: Any) -> Any:
            return (
                (place >= sizes.scalars.cast(lengths[(batch,)], LONG))
                | (label < blank)
                | (label > blank)
            )

        sizes.each(self.labels, is_other, InvalidArgumentError, IS_BLANK, placed=True)
        sizes.each(lengths, lambda count: count > 0, InvalidArgumentError, NO_LABELS)

        def is_possible(count: Any, batch: Any) -> Any:
            return count <= sizes.scalars.cast(steps[(batch,)], LONG)

        sizes.each(lengths, is_possible, InvalidArgumentError, TOO_MANY, placed=True)

    def eager(self, np: Any) -> Any:
        logits = self.logits
        steps, _, classes = logits.shape
        walk = LabelWalk(self.labels, self.label_length, self.blank_index % classes, self.merges)
        wide = log_softmax(logits.astype(np.float64))
        with np.errstate(all="ignore"):
            unfinished = LOWEST if self.strict else UNFINISHED
            loss, expected = walk.run(wide, self.logit_length, unfinished)
        within = np.arange(steps)[:, None] < self.logit_length
        gradient = np.where(within[:, :, None], np.exp(wide) - expected, 0.0)
        return loss.astype(logits.dtype), gradient.astype(logits.dtype)

    def xla(self, xla: Any) -> Any:
        np, logits = xla.np, self.logits
        wide = xla.jax.nn.log_softmax(logits.astype(np.float64))
        lengths, blank = self.logit_length, self.blank_index % logits.shape[2]
        walk = XlaWalk(xla, self.labels, self.label_length, lengths, blank, LOWEST, self.merges)
        loss, expected = walk.run(wide, LOWEST if self.strict else UNFINISHED)
        within = np.arange(logits.shape[0])[:, None] < lengths
        gradient = np.where(within[:, :, None], np.exp(wide) - expected, 0.0)
        return loss.astype(logits.dtype), gradient.astype(logits.dtype)

    def lower(self, loops: Any) -> Any:
        walk = CompiledWalk(loops, self)
        loops.for_each((self.logits.shape[1],), walk.one_example)
        return tuple(
            loops.map(one.shape, self.logits.dtype, narrowed(loops, one, self.logits.dtype))
            for one in (walk.loss, walk.gradient)
        )

    def vjp(self, dloss: Any, dgradient: Any) -> Any:
        return self.gradient * dloss[None, :, None], None, None, None


WRONG_BATCH = "ctc_loss: {} must have batch size {}"
OUT_OF_RANGE = "ctc_loss: {} must be 0 to {}, not {it}"
IS_BLANK = "ctc_loss: labels{at} is the blank, {it}"
NO_LABELS = "ctc_loss: Labels length is zero in batch{at}"
TOO_MANY = (
    "ctc_loss: Not enough time for target transition sequence (required: {it}) in batch{at}: "
    "logit_length is less"
)


def log_softmax(x: Array) -> Array:
    shifted = x - x.max(-1, keepdims=True)
    return shifted - numpy_module.log(numpy_module.exp(shifted).sum(-1, keepdims=True))


class LabelWalk:
    """The ways through the labels with blanks between them: [batch, states].

    merges: whether a way may stay at a label for several steps.
    """

    def __init__(self, labels: Array, lengths: Array, blank: int, merges: bool) -> None:
        np = numpy_module
        batch, count = labels.shape
        self.blank, self.last = blank, 2 * lengths.astype(np.int64)
        self.states = np.full((batch, 2 * count + 1), blank, np.int64)
        self.is_real = np.arange(2 * count + 1) <= self.last[:, None]
        self.states[:, 1::2] = np.where(self.is_real[:, 1::2], labels, blank)
        self.rows = np.arange(batch)
        is_label = np.arange(2 * count + 1) % 2 == 1
        self.stays = merges | ~is_label
        # The blank between two labels may be left out, unless they are the same and would merge.
        self.skips = np.zeros(self.states.shape, bool)
        differ = self.states[:, 2:] != self.states[:, :-2]
        self.skips[:, 2:] = differ if merges else is_label[2:]

    def run(
        self, log_probabilities: Array, lengths: Array, unfinished: float
    ) -> tuple[Array, Array]:
        """The losses, and how often each class is expected at each step.

        unfinished: what ways weigh that end before the last label, where no other are possible.
        """
        np = numpy_module
        steps, batch, classes = log_probabilities.shape
        scores = log_probabilities[:, self.rows[:, None], self.states]
        forward = self._forward(scores)
        ends = self._ends(LOWEST)
        final = self._final(forward, lengths, ends)
        impossible = (final == LOWEST)[:, None]
        ends = np.where(impossible, self._ends(unfinished), ends)
        final = self._final(forward, lengths, ends)
        backward = self._backward(scores, lengths, ends)
        each = np.exp(forward + backward - final[None, :, None])
        each = np.where(np.isfinite(each), each, 0.0)
        expected = np.zeros((steps, batch, classes))
        for state in range(self.states.shape[1]):
            expected[:, self.rows, self.states[:, state]] += each[:, :, state]
        return -final, expected

    def _ends(self, otherwise: float) -> Array:
        """0 for the last label and the blank after it."""
        places = numpy_module.arange(self.states.shape[1])
        is_end = (places == self.last[:, None]) | (places == self.last[:, None] - 1)
        return numpy_module.where(is_end, 0.0, otherwise)

    def _final(self, forward: Array, lengths: Array, ends: Array) -> Array:
        """The logarithms of the probabilities of all ways together."""
        np = numpy_module
        reached = forward[np.maximum(lengths - 1, 0), self.rows] + ends
        # Before the first step one is where the blank before the first label is.
        return np.where(lengths > 0, np.logaddexp.reduce(reached, 1), ends[:, 0])

    def _forward(self, scores: Array) -> Array:
        np = numpy_module
        found = np.full(scores.shape, LOWEST)
        found[0, :, :2] = np.where(self.is_real[:, :2], scores[0, :, :2], LOWEST)
        for step in range(1, len(scores)):
            before = found[step - 1]
            total = np.where(self.stays, before, LOWEST)
            total[:, 1:] = np.logaddexp(total[:, 1:], before[:, :-1])
            jumped = np.where(self.skips[:, 2:], before[:, :-2], LOWEST)
            total[:, 2:] = np.logaddexp(total[:, 2:], jumped)
            found[step] = np.where(self.is_real, total + scores[step], LOWEST)
        return found

    def _backward(self, scores: Array, lengths: Array, ends: Array) -> Array:
        """Without the score of the step itself."""
        np = numpy_module
        found = np.full(scores.shape, LOWEST)
        for step in range(len(scores) - 1, -1, -1):
            after = LOWEST if step + 1 == len(scores) else found[step + 1] + scores[step + 1]
            moved = np.broadcast_to(after, ends.shape)
            total = np.where(self.stays, moved, LOWEST)
            total[:, :-1] = np.logaddexp(total[:, :-1], moved[:, 1:])
            jumped = np.where(self.skips[:, 2:], moved[:, 2:], LOWEST)
            total[:, :-2] = np.logaddexp(total[:, :-2], jumped)
            total = np.where(self.is_real, total, LOWEST)
            found[step] = np.where((step == lengths - 1)[:, None], ends, total)
            found[step][step >= lengths] = LOWEST
        return found


def narrowed(loops: Any, x: Any, dtype: Any) -> Any:
    """The elements of an array in another dtype."""
    return lambda *at: loops.scalars.cast(x[at], dtype)


class CompiledWalk:
    """`LabelWalk.run` in the loop language. Scores have two columns more: before the first state,
    and after the last one, nobody is.
    """

    def __init__(self, loops: Any, op: CtcLoss) -> None:
        self.loops, self.s, self.op = loops, loops.scalars, op
        self.steps, self.batch, self.classes = op.logits.shape
        blank = op.blank_index
        self.blank = loops.constant(blank, LONG) if blank >= 0 else blank + self.classes
        self.states = 2 * op.labels.shape[1] + 1
        room = (self.batch, self.states + 2)
        self.wide = loops.kept(self._log_probabilities(op.logits))
        self.symbols = loops.memory(room, LONG)
        self.forward = loops.memory((self.batch, self.steps, self.states + 2), WIDE)
        self.backward = loops.memory((self.batch, 2, self.states + 2), WIDE)
        self.loss = loops.memory((self.batch,), WIDE)
        self.gradient = loops.memory((self.steps, self.batch, self.classes), WIDE)
        self.lowest = loops.constant(LOWEST, WIDE)

    def _log_probabilities(self, logits: Any) -> Any:
        loops, s = self.loops, self.s
        x = loops.kept(loops.map(logits.shape, WIDE, narrowed(loops, logits, WIDE)))
        rows, inner = logits.shape[:2], logits.shape[2:]
        most = loops.kept(
            loops.reduce("max", rows, inner, WIDE, lambda row, place: x[(*row, *place)])
        )
        total = loops.reduce(
            "sum", rows, inner, WIDE, lambda row, at: s.exp(x[(*row, *at)] - most[tuple(row)])
        )
        shift = loops.kept(loops.map(rows, WIDE, lambda *at: most[at] + s.log(total[at])))
        return loops.map(logits.shape, WIDE, lambda t, b, c: x[(t, b, c)] - shift[(t, b)])

    def one_example(self, b: Any) -> None:
        """The loss and the gradient of example b."""
        loops, s, op = self.loops, self.s, self.op
        last = loops.held(s.cast(op.label_length[(b,)], LONG) * 2)
        length = loops.held(s.cast(op.logit_length[(b,)], LONG))
        self._name_states(b, last)
        self._go_forward(b, last, length)
        end = loops.held(s.where(length > 0, length - 1, length))
        final, otherwise = self._final(b, last, length, end)
        loops.put(self.loss, (b,), -final)
        loops.for_each((self.steps, self.classes), lambda t, c: self._fill(t, b, c, length))
        self._go_back(b, last, length, final, otherwise)

    def _fill(self, t: Any, b: Any, c: Any, length: Any) -> None:
        share, zero = self.s.exp(self.wide[(t, b, c)]), self.loops.constant(0, WIDE)
        self.loops.put(self.gradient, (t, b, c), self.s.where(t < length, share, zero))

    def _name_states(self, b: Any, last: Any) -> None:
        """Labels at odd places, blanks between them and behind."""
        loops, s, labels = self.loops, self.s, self.op.labels

        def name(place: Any) -> None:
            is_label = (place % 2 == 1) & (place < last)
            label = s.where(is_label, s.cast(labels[(b, place // 2)], LONG), self.blank)
            loops.put(self.symbols, (b, place), label)

        loops.for_each((self.states,), name)

    def _skips(self, b: Any, place: Any) -> Any:
        """Whether a way may leave out the state before this one."""
        if not self.op.merges:
            return (place >= 2) & (place % 2 == 1)
        return (place >= 2) & (self.symbols[(b, place)] != self.symbols[(b, place - 2)])

    def _staying(self, place: Any, weight: Any) -> Any:
        """What ways weigh that were at a state before, if they may stay there."""
        if self.op.merges:
            return self.loops.held(weight)
        return self.loops.held(self.s.where(place % 2 == 0, weight, self.lowest))

    def _score(self, t: Any, b: Any, place: Any) -> Any:
        return self.wide[(t, b, self.symbols[(b, place)])]

    def _sum(self, one: Any, other: Any, third: Any) -> Any:
        """log(exp(one) + exp(other) + exp(third))."""
        loops, s = self.loops, self.s
        most = loops.held(s.maximum(s.maximum(one, other), third))
        total = s.exp(one - most) + s.exp(other - most) + s.exp(third - most)
        return s.where(most == LOWEST, most, most + s.log(total))

    def _go_forward(self, b: Any, last: Any, length: Any) -> None:
        loops, s, lowest = self.loops, self.s, self.lowest
        memory, states = self.forward, self.states

        def begin(place: Any) -> None:
            is_first = (place < 2) & (place <= last)
            score = s.where(is_first, self._score(0, b, place), lowest)
            loops.put(memory, (b, 0, place + 2), score)

        def step(t: Any) -> tuple[Any]:
            def one(place: Any) -> None:
                before = self._staying(place, memory[(b, t - 1, place + 2)])
                moved = loops.held(memory[(b, t - 1, place + 1)])
                skipped = s.where(self._skips(b, place), memory[(b, t - 1, place)], lowest)
                total = self._sum(before, moved, loops.held(skipped))
                score = s.where(place <= last, total + self._score(t, b, place), lowest)
                loops.put(memory, (b, t, place + 2), score)

            loops.for_each((states,), one)
            return (t + 1,)

        loops.for_each((self.steps, 2), lambda t, k: loops.put(memory, (b, t, k), lowest))
        some = loops.held(s.where(length > 0, length * 0 + states, length * 0))
        loops.for_each((some,), begin)
        loops.repeat((loops.constant(1, LONG),), lambda t: t < length, step)

    def _final(self, b: Any, last: Any, length: Any, end: Any) -> tuple[Any, Any]:
        """What all ways weigh together, and what those weigh that do not end where they should:
        nothing, unless there are no others.
        """
        loops, s, lowest = self.loops, self.s, self.lowest
        unfinished = lowest if self.op.strict else loops.constant(UNFINISHED, WIDE)

        def reached(place: Any, otherwise: Any) -> Any:
            is_end = (place == last) | (place == last - 1)
            weight = s.where(is_end, loops.constant(0, WIDE), otherwise)
            at_start = s.where(place == 0, weight, lowest)
            return s.where(length > 0, self.forward[(b, end, place + 2)] + weight, at_start)

        def whole(otherwise: Any) -> Any:
            (most,) = self._folded(last, lowest, lambda k, so: s.maximum(so, reached(k, otherwise)))
            shift = loops.held(s.where(most == LOWEST, loops.constant(0, WIDE), most))
            (total,) = self._folded(
                last, loops.constant(0, WIDE),
                lambda k, so: so + s.exp(reached(k, otherwise) - shift),
            )  # fmt: skip
            return loops.held(shift + s.log(total))

        final = whole(lowest)
        otherwise = loops.held(s.where(final == LOWEST, unfinished, lowest))
        return whole(otherwise), otherwise

    def _folded(self, last: Any, start: Any, more: Any) -> tuple[Any]:
        """`more(place, so far)` for all states."""
        zero = self.loops.constant(0, LONG)
        found = self.loops.repeat(
            (zero, start), lambda k, _: k <= last, lambda k, so: (k + 1, more(k, so))
        )
        return (self.loops.held(found[1]),)

    def _go_back(self, b: Any, last: Any, length: Any, final: Any, otherwise: Any) -> None:
        loops, s, lowest, memory = self.loops, self.s, self.lowest, self.backward
        zero = loops.constant(0, WIDE)

        def begin(place: Any) -> None:
            is_end = (place == last) | (place == last - 1)
            weight = s.where(place <= last, s.where(is_end, zero, otherwise), lowest)
            loops.put(memory, (b, (length - 1) % 2, place), weight)

        def step(left: Any) -> tuple[Any]:
            t = loops.held(left - 1)
            here, after = loops.held(t % 2), loops.held((t + 1) % 2)

            def weighed(place: Any) -> Any:
                inside = place <= last
                score = self._score(t + 1, b, place)
                return s.where(inside, memory[(b, after, place)] + score, lowest)

            def one(place: Any) -> None:
                two = s.where(place + 2 <= last, self._skips(b, place + 2), place < 0)
                skipped = loops.held(s.where(two, weighed(place + 2), lowest))
                stays = self._staying(place, weighed(place))
                moved = loops.held(weighed(place + 1))
                total = s.where(place <= last, self._sum(stays, moved, skipped), lowest)
                loops.put(memory, (b, here, place), total)

            loops.repeat(
                (left,),
                lambda k: (k == left) & (t < length - 1),
                lambda k: (loops.for_each((self.states,), one), (k - 1,))[1],
            )
            self._expect(t, b, last, final, here)
            return (t,)

        some = loops.held(s.where(length > 0, last + 1, length * 0))
        loops.for_each((some,), begin)
        loops.repeat((length,), lambda left: left > 0, step)

    def _expect(self, t: Any, b: Any, last: Any, final: Any, here: Any) -> None:
        """Take what is expected of each class from its gradient."""
        loops, s = self.loops, self.s
        gradient = self.gradient

        def one(place: Any) -> None:
            weight = self.forward[(b, t, place + 2)] + self.backward[(b, here, place)] - final
            share = loops.held(s.exp(weight))
            share = s.where(s.is_finite(share), share, loops.constant(0, WIDE))
            at = (t, b, loops.held(self.symbols[(b, place)]))
            loops.put(gradient, at, gradient[at] - share)

        loops.for_each((last + 1,), one, in_order=True)


@dispatchable
def ctc_loss(
    labels: Any,
    logits: Any,
    label_length: Any,
    logit_length: Any,
    logits_time_major: bool = True,
    unique: Any = None,
    blank_index: int | None = None,
    name: str | None = None,
) -> Any:
    """-log of the probability of label sequences, [batch].

    labels: int [batch, length], of which the first label_length[b] count; or a SparseTensor.
    logits: [time, batch, classes], or [batch, time, classes] unless logits_time_major.
    blank_index: the class that is no label; by default 0, below 0 from the end. unique: two int
    tensors that tell which labels there are, and where; they change nothing.

    Labels that are too many for the steps cost about 700, in a SparseTensor with repetitions inf.
    A label that is the blank, if that is not class 0, is the class before it, as in TensorFlow.

    >>> logits = tf.zeros([2, 1, 2])  # of 4 equal ways to go, 3 spell the label
    >>> tf.exp(-tf.nn.ctc_loss([[1]], logits, [1], [2])).numpy().round(3)
    array([0.75], dtype=float32)

    Raises:
        ValueError: a SparseTensor without a blank_index; `unique` is no pair.
        InvalidArgumentError: lengths or labels out of range; in a SparseTensor also labels that are
            the blank 0, too many for the steps, or none of a sequence; also an IndexError where the
            ranks of `labels` or `logits` are too low.
    """
    strict = isinstance(labels, SparseTensor)
    if isinstance(labels, SparseTensor):
        if blank_index is None:
            raise ValueError(
                "Argument `blank_index` must be provided when labels is a SparseTensor."
            )
        labels, label_length = _dense(labels)
    elif unique:
        _check_unique(unique)
    logits = as_tensor(logits)
    _check_ranks(logits, labels)
    time_major = logits if logits_time_major else transpose(logits, [1, 0, 2])
    narrow = time_major.dtype.size < 4
    operand = cast(time_major, dtypes.float32) if narrow else time_major
    found = _with_no_blank(cast(labels, dtypes.int32), blank_index or 0, time_major)
    loss, _ = bind(
        CtcLoss, operand, found, cast(label_length, dtypes.int32),
        cast(logit_length, dtypes.int32), blank_index=blank_index or 0, strict=strict,
        name=name,
    )  # fmt: skip
    return cast(loss, logits.dtype) if narrow else loss


def _check_ranks(logits: Any, labels: Any) -> None:
    for name, tensor, rank in (("logits", logits, 3), ("labels", as_tensor(labels), 2)):
        if (tensor.shape.rank or rank) < rank or tensor.shape.rank == 0:
            raise RowKeyError(f"ctc_loss: `{name}` must have {rank} axes, got shape {tensor.shape}")


def _with_no_blank(labels: Any, blank_index: int, logits: Any) -> Any:
    """Labels in which the class before the blank stands for the blank."""
    if blank_index == 0:
        return labels
    count = 0 if blank_index > 0 else shape_of(logits)[2]
    blank = as_tensor(blank_index, dtypes.int32) + count
    return where(equal(labels, blank), maximum(labels - 1, 0), labels)


def _check_unique(unique: Any) -> None:
    if not isinstance(unique, (tuple, list)) or len(unique) != 2:
        error = ValueError if hasattr(unique, "__iter__") else TypeError
        raise error(f"`unique` must be a pair of int tensors, got {unique!r}")
    for one in map(as_tensor, unique):
        if not one.dtype.is_integer:
            raise InvalidArgumentError(
                f"`unique` must be a pair of int tensors, got one of dtype {one.dtype.name}"
            )


def dense_labels(indices: Any, values: Any, rows: Any) -> tuple[Any, Any]:
    """Labels of a sparse matrix as a matrix of as many rows, and how many there are in each."""
    from ..array.concatenation import concat
    from ..array.scatter import scatter_nd
    from ..math.reduce import reduce_max

    counts = _counted(indices, values, rows)
    longest = cast(reduce_max(concat([[0], counts], 0)), dtypes.int64)
    return scatter_nd(indices, values, [rows, longest]), counts


def _dense(labels: SparseTensor) -> tuple[Any, Any]:
    """Labels as a matrix, and how many there are in each row."""
    from ..array.scatter import scatter_nd

    shape = cast(labels.dense_shape, dtypes.int64)
    values = cast(labels.values, dtypes.int32)
    return scatter_nd(labels.indices, values, shape), _counted(labels.indices, values, shape[0])


def _counted(indices: Any, values: Any, rows: Any) -> Any:
    from ..math.segments import unsorted_segment_sum

    return unsorted_segment_sum(values * 0 + 1, indices[:, 0], rows)

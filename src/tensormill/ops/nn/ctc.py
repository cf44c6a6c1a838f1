"""Connectionist temporal classification: sequences of labels without an alignment.

Graves et al. 2006. NumPy runs over time, all examples and labels of a step at once: compiled
functions call back.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as numpy_module

from ...core import dtypes
from ...core.specs import TensorSpec
from ...errors import FailedPreconditionError, InvalidArgumentError
from ..array.rearrangement import transpose
from ..bind import bind
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..math.cast import cast
from ..op import Attr, In, Op, Out, types, usually
from ..sparse.sparse_tensor import SparseTensor
from .beam_search import LabelPath, most_probable

Array = Any
LOWEST = -numpy_module.inf
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
    strict = Attr(False)  # refuses labels that are blanks, or too many for the steps
    T = types("f32 f64")

    def eager(self, np: Any) -> Any:
        logits = self.logits
        steps, batch, classes = logits.shape
        for name in ("labels", "label_length", "logit_length"):
            if len(getattr(self, name)) != batch:
                raise InvalidArgumentError(f"ctc_loss: {name} must have batch size {batch}")
        require_within("logit_length", self.logit_length, steps)
        require_within("label_length", self.label_length, self.labels.shape[1])
        walk = LabelWalk(self.labels, self.label_length, self.blank_index % classes)
        require_within("labels, of the classes,", walk.states, classes - 1)
        if self.strict:
            walk.require_possible(self.logit_length)
        wide = log_softmax(logits.astype(np.float64))
        with np.errstate(all="ignore"):
            unfinished = LOWEST if self.strict else UNFINISHED
            loss, expected = walk.run(wide, self.logit_length, unfinished)
        within = np.arange(steps)[:, None] < self.logit_length
        gradient = np.where(within[:, :, None], np.exp(wide) - expected, 0.0)
        return loss.astype(logits.dtype), gradient.astype(logits.dtype)

    def vjp(self, dloss: Any, dgradient: Any) -> Any:
        return self.gradient * dloss[None, :, None], None, None, None


def require_within(what: str, numbers: Array, most: int) -> None:
    """Refuse numbers below 0 or above `most`, naming the first.

    Raises:
        InvalidArgumentError: there is one.
    """
    wrong = numbers[(numbers < 0) | (numbers > most)]
    if wrong.size:
        raise InvalidArgumentError(f"ctc_loss: {what} must be 0 to {most}, not {wrong[0]}")


def log_softmax(x: Array) -> Array:
    shifted = x - x.max(-1, keepdims=True)
    return shifted - numpy_module.log(numpy_module.exp(shifted).sum(-1, keepdims=True))


class LabelWalk:
    """The ways through the labels with blanks between them: [batch, states]."""

    def __init__(self, labels: Array, lengths: Array, blank: int) -> None:
        np = numpy_module
        batch, count = labels.shape
        self.blank, self.last = blank, 2 * lengths.astype(np.int64)
        self.states = np.full((batch, 2 * count + 1), blank, np.int64)
        self.is_real = np.arange(2 * count + 1) <= self.last[:, None]
        self.states[:, 1::2] = np.where(self.is_real[:, 1::2], labels, blank)
        self.rows = np.arange(batch)
        # The blank between two labels may be left out, unless they are the same.
        self.skips = np.zeros(self.states.shape, bool)
        self.skips[:, 2:] = self.states[:, 2:] != self.states[:, :-2]

    def require_possible(self, steps: Array) -> None:
        """Refuse labels that are blanks, and those for which there are too few steps.

        Raises:
            InvalidArgumentError: there are some.
        """
        labels, is_real = self.states[:, 1::2], self.is_real[:, 1::2]
        for batch, place in numpy_module.argwhere(is_real & (labels == self.blank)):
            raise InvalidArgumentError(
                f"ctc_loss: label {place} of batch {batch} is the blank, {self.blank}"
            )
        required = self.last // 2
        for batch in numpy_module.flatnonzero(required > steps):
            raise InvalidArgumentError(
                "ctc_loss: Not enough time for target transition sequence (required: "
                f"{required[batch]}, available: {steps[batch]}) in batch {batch}"
            )

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
            total = before.copy()
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
            total = np.broadcast_to(after, ends.shape).copy()
            moved = total.copy()
            total[:, :-1] = np.logaddexp(total[:, :-1], moved[:, 1:])
            jumped = np.where(self.skips[:, 2:], moved[:, 2:], LOWEST)
            total[:, :-2] = np.logaddexp(total[:, :-2], jumped)
            total = np.where(self.is_real, total, LOWEST)
            found[step] = np.where((step == lengths - 1)[:, None], ends, total)
            found[step][step >= lengths] = LOWEST
        return found


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
    A label that is the blank is a class like others.

    >>> logits = tf.zeros([2, 1, 2])  # of 4 equal ways to go, 3 spell the label
    >>> tf.exp(-tf.nn.ctc_loss([[1]], logits, [1], [2])).numpy().round(3)
    array([0.75], dtype=float32)

    Raises:
        ValueError: a SparseTensor without a blank_index; `unique` is no pair.
        InvalidArgumentError: lengths or labels out of range; in a SparseTensor also labels that are
            the blank, or too many for the steps.
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
    time_major = logits if logits_time_major else transpose(logits, [1, 0, 2])
    narrow = time_major.dtype.size < 4
    operand = cast(time_major, dtypes.float32) if narrow else time_major
    loss, _ = bind(
        CtcLoss, operand, cast(labels, dtypes.int32), cast(label_length, dtypes.int32),
        cast(logit_length, dtypes.int32), blank_index=blank_index or 0, strict=strict,
        name=name,
    )  # fmt: skip
    return cast(loss, logits.dtype) if narrow else loss


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


# ---------------------------------------------------------------- decoding


def sparse_rows(np: Any, rows: list[list[int]]) -> tuple[Array, Array, Array]:
    """Rows of different lengths as indices, values and shape."""
    places = [(b, k) for b, row in enumerate(rows) for k in range(len(row))]
    indices = np.array(places, np.int64).reshape(-1, 2)
    values = np.array([label for row in rows for label in row], np.int64)
    return indices, values, np.array([len(rows), max(map(len, rows), default=0)], np.int64)


def steps_of(np: Any, inputs: Array, lengths: Array) -> Array:
    """How many steps of each sequence count: none where the number is negative."""
    if len(lengths) != inputs.shape[1]:
        raise FailedPreconditionError(
            f"len(sequence_length) != batch_size. len(sequence_length): {len(lengths)} "
            f"batch_size: {inputs.shape[1]}"
        )
    wrong = np.nonzero(lengths > len(inputs))[0]
    if len(wrong):
        raise FailedPreconditionError(f"sequence_length({wrong[0]}) <= {len(inputs)}")
    return np.maximum(lengths, 0)


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

    def infer(self) -> Any:
        batch = None if self.inputs_.shape.entries is None else self.inputs_.shape.entries[1]
        return (
            TensorSpec((None, 2), dtypes.int64), TensorSpec((None,), dtypes.int64),
            TensorSpec((2,), dtypes.int64), TensorSpec((batch, 1), self.inputs_.dtype),
        )  # fmt: skip

    def eager(self, np: Any) -> Any:
        inputs, lengths = self.inputs_, steps_of(np, self.inputs_, self.sequence_length)
        blank = self.blank_index % inputs.shape[2]
        best = inputs.argmax(2)
        within = np.arange(len(inputs))[:, None] < lengths
        scores = -np.where(within, inputs.max(2), 0).sum(0)[:, None]
        rows = [self.row(best[:length, b].tolist(), blank) for b, length in enumerate(lengths)]
        return (*sparse_rows(np, rows), scores.astype(inputs.dtype))

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

    inputs_ = In("T t b c")
    sequence_length = In("i32 b")
    path = Out("i64 n")
    indices = Out("i64 n two")
    values = Out("i64 n")
    shapes = Out("i64 k two")
    log_probability = Out("T b k")
    beam_width = Attr()
    top_paths = Attr()
    T = types("f32 f64")
    usual = usually(T="f32")
    keeps_taken = True
    differentiable = False

    def infer(self) -> Any:
        batch = None if self.inputs_.shape.entries is None else self.inputs_.shape.entries[1]
        return (
            TensorSpec((None,), dtypes.int64), TensorSpec((None, 2), dtypes.int64),
            TensorSpec((None,), dtypes.int64), TensorSpec((self.top_paths, 2), dtypes.int64),
            TensorSpec((batch, self.top_paths), self.inputs_.dtype),
        )  # fmt: skip

    def eager(self, np: Any) -> Any:
        inputs, lengths = self.inputs_, steps_of(np, self.inputs_, self.sequence_length)
        if self.top_paths > self.beam_width:
            raise InvalidArgumentError("Requested more paths than the beam width")
        wide = log_softmax(inputs.astype(np.float64))
        found = [self.best(wide[:length, b]) for b, length in enumerate(lengths.tolist())]
        parts = [
            sparse_rows(np, [paths[k].labels for paths in found]) for k in range(self.top_paths)
        ]
        owner = np.concatenate([np.full(len(one[1]), k) for k, one in enumerate(parts)])
        scores = [[path.now.total for path in paths] for paths in found]
        return (
            owner.astype(np.int64), np.concatenate([one[0] for one in parts]),
            np.concatenate([one[1] for one in parts]), np.stack([one[2] for one in parts]),
            np.array(scores, inputs.dtype).reshape(len(found), self.top_paths),
        )  # fmt: skip

    def best(self, steps: Array) -> list[LabelPath]:
        """The best paths of one example."""
        found = most_probable(steps, self.beam_width)
        if len(found) < self.top_paths:
            raise InvalidArgumentError(
                f"Less leaves in the beam search than requested: {len(steps)} steps have "
                f"{len(found)} paths that are not impossible, and top_paths is {self.top_paths}"
            )
        return found[: self.top_paths]


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
    from ..array.select import boolean_mask

    path, indices, values, shapes, scores = bind(
        BeamSearch, inputs, cast(sequence_length, dtypes.int32), beam_width=beam_width,
        top_paths=top_paths,
    )  # fmt: skip
    decoded = [
        SparseTensor.of_parts(
            boolean_mask(indices, path == k), boolean_mask(values, path == k), shapes[k]
        )
        for k in range(top_paths)
    ]
    return decoded, scores

"""Softmax and the cross entropies, along the last axis."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...core import dtypes
from ...core.native_operations import SLOW
from ...core.shapes import broadcast_dims
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, KnownShapeError, ShapeMismatchError
from ..array.broadcasting import broadcast_to, spread_like, unbroadcast
from ..bind import bind
from ..checks.fitting import fitting
from ..composed import composed
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..math.cast import in_dtype
from ..op import FLOATS, In, Op, Out, as_eager, types

if TYPE_CHECKING:
    from ..results import Tensor


class LastAxis(Op, abstract=True):
    """Normalises the last axis. Members say what becomes of the shifted logits."""

    logits = In("T *s n")
    T = FLOATS


def _shifted(np: Any, x: Any) -> tuple[Any, Any]:
    """`x` less its largest in each row, and the sums of the exponentials; wide for half floats."""
    wide = x.astype(np.float32) if x.dtype.itemsize == 2 else x
    shifted = wide - np.max(wide, -1, keepdims=True, initial=-np.inf)
    return shifted, np.sum(np.exp(shifted), -1, keepdims=True)


class SoftmaxRows:
    """The rows of a loop array: the largest element and the sum of exponentials of each.

    Exponentials are `kept` where all are wanted again: a row of them is in the cache when its sum
    is there, and a store costs less than an exponential.
    """

    def __init__(self, loops: Any, x: Any, kept: bool = False) -> None:
        self.x, self.s = loops.settled(x), loops.scalars
        narrow = x.dtype in (dtypes.float16, dtypes.bfloat16)
        self.dtype = dtypes.float32 if narrow else x.dtype
        lead, width = x.shape[:-1], [x.shape[-1]]
        self.largest = loops.reduce("max", lead, width, self.dtype, lambda o, r: self.at((*o, *r)))
        self.power: Callable[[Any], Any] = self._power
        if kept:
            powers = loops.kept(loops.map(x.shape, self.dtype, lambda *at: self._power(at)))
            self.power = powers.__getitem__
        self.total = loops.reduce("sum", lead, width, self.dtype, lambda o, r: self.power((*o, *r)))

    def at(self, index: Any) -> Any:
        return self.s.cast(self.x[index], self.dtype)

    def shifted(self, index: Any) -> Any:
        return self.at(index) - self.largest[index[:-1]]

    def _power(self, index: Any) -> Any:
        return self.s.exp(self.shifted(index))

    def probability(self, index: Any) -> Any:
        return self.power(index) / self.total[index[:-1]]

    def log_total(self, lead: Any) -> Any:
        return self.s.log(self.total[lead])


class Softmax(LastAxis):
    """exp(x) divided by its sum along the last axis."""

    native_from = SLOW

    softmax = Out("T *s n")
    xla = as_eager

    def eager(self, np: Any) -> Any:
        shifted, total = _shifted(np, self.logits)
        return (np.exp(shifted) / total).astype(self.logits.dtype)

    def lower(self, loops: Any) -> Any:
        rows, x = SoftmaxRows(loops, self.logits, kept=True), self.logits
        return loops.map(
            x.shape, x.dtype, lambda *index: rows.s.cast(rows.probability(index), x.dtype)
        )

    def vjp(self, dy: Any) -> Any:
        from ..math.reduce import reduce_sum

        y = self.softmax
        return (dy - reduce_sum(dy * y, -1, keepdims=True)) * y


class LogSoftmax(LastAxis):
    """x less the logarithm of the sum of exp(x) along the last axis."""

    logsoftmax = Out("T *s n")
    xla = as_eager
    native_from = SLOW

    def eager(self, np: Any) -> Any:
        shifted, total = _shifted(np, self.logits)
        return (shifted - np.log(total)).astype(self.logits.dtype)

    def lower(self, loops: Any) -> Any:
        rows, x = SoftmaxRows(loops, self.logits), self.logits

        def element(*index: Any) -> Any:
            return rows.s.cast(rows.shifted(index) - rows.log_total(index[:-1]), x.dtype)

        return loops.map(x.shape, x.dtype, element)

    def vjp(self, dy: Any) -> Any:
        from ..math.elementwise import exp
        from ..math.reduce import reduce_sum

        return dy - exp(self.logsoftmax) * reduce_sum(dy, -1, keepdims=True)


class SoftmaxCrossEntropyWithLogits(Op):
    """For each row: -sum(labels * log_softmax(features)), and its gradient by the features.

    Features and labels broadcast.
    """

    features = In("T n c")
    labels = In("T m d")
    loss = Out("T n")
    backprop = Out("T n c")
    T = FLOATS
    xla = as_eager

    def infer(self) -> tuple[TensorSpec, TensorSpec]:
        one, other = (x.shape.entries or (None, None) for x in (self.features, self.labels))
        dims = broadcast_dims(one, other)
        dtype = self.features.dtype
        return TensorSpec(dims[:1], dtype), TensorSpec(dims, dtype)

    def eager(self, np: Any) -> Any:
        features, labels = np.broadcast_arrays(self.features, self.labels)
        shifted, total = _shifted(np, features)
        labels = labels.astype(shifted.dtype)
        # Where a label is 0 its term is 0, even if the probability is 0 too.
        terms = np.where(labels == 0, 0, labels * (np.log(total) - shifted))
        dtype = self.features.dtype
        return np.sum(terms, -1).astype(dtype), (np.exp(shifted) / total - labels).astype(dtype)

    def lower(self, loops: Any) -> Any:
        shape = loops.broadcast_shape(self.features.shape, self.labels.shape)
        x, labels = (loops.broadcast(one, shape) for one in (self.features, self.labels))
        rows = SoftmaxRows(loops, x)
        s = loops.scalars

        def term(outer: Any, inner: Any) -> Any:
            index = (*outer, *inner)
            label = s.cast(labels[index], rows.dtype)
            zero = s.constant(0, label)
            value = label * (rows.log_total(outer) - rows.shifted(index))
            return s.where(label == zero, zero, value)

        loss = loops.reduce("sum", x.shape[:1], x.shape[1:], rows.dtype, term)
        backprop = loops.map(
            x.shape, x.dtype,
            lambda *i: s.cast(rows.probability(i) - s.cast(labels[i], rows.dtype), x.dtype),
        )  # fmt: skip
        return loops.map(loss.shape, x.dtype, lambda *i: s.cast(loss[i], x.dtype)), backprop

    takes_none = True

    def vjp(self, dloss: Any, dbackprop: Any) -> Any:
        from ..array.shapes import expand_dims
        from ..math.reduce import reduce_sum

        one, other = self.features, self.labels
        wide = spread_like(one, self.backprop)
        column = None if dloss is None else expand_dims(dloss, -1)

        def dfeatures() -> Any:
            first = None if column is None else column * self.backprop
            if dbackprop is None:
                return first
            y = softmax(wide)  # the second derivative, by the softmax in backprop
            second = (dbackprop - reduce_sum(dbackprop * y, -1, keepdims=True)) * y
            return second if first is None else first + second

        def dlabels() -> Any:
            first = None if column is None else -column * log_softmax(wide)
            if dbackprop is None:
                return first
            return -dbackprop if first is None else first - dbackprop

        return (
            lambda: unbroadcast(dfeatures(), one, other),
            lambda: unbroadcast(dlabels(), other, one),
        )


LABEL_OUTSIDE = "Received a label value of {it} which is outside the valid range of [0, {})"
UNLIKE_LABELS = "logits and labels must have the same first dimension, got {} and {}"


class SparseSoftmaxCrossEntropyWithLogits(Op):
    """For each row: -log_softmax(features)[label], and its gradient by the features."""

    native_from = SLOW

    features = In("T n c")
    labels = In("Tlabels n")
    loss = Out("T n")
    backprop = Out("T n c")
    T = FLOATS
    Tlabels = types("i32 i64")
    takes_none = True

    def demands(self, sizes: Any) -> None:
        rows, classes = sizes.shape(self.features, 2)
        count = sizes.shape(self.labels, 1)[0]
        sizes.require(sizes.equal(rows, count), KnownShapeError, UNLIKE_LABELS, rows, count)
        sizes.each(
            self.labels, lambda label: (label >= 0) & (label < classes), InvalidArgumentError,
            LABEL_OUTSIDE, classes,
        )  # fmt: skip

    def eager(self, np: Any) -> Any:
        labels = self.labels
        shifted, total = _shifted(np, self.features)
        here = np.arange(len(labels)), labels
        loss = np.log(total)[:, 0] - shifted[here]
        backprop = np.exp(shifted) / total
        backprop[here] -= 1
        dtype = self.features.dtype
        return loss.astype(dtype), backprop.astype(dtype)

    def xla(self, xla: Any) -> Any:
        np, dtype = xla.np, self.features.dtype
        shifted, total = _shifted(np, self.features)
        here = self.labels[:, None] == np.arange(self.features.shape[1])
        loss = np.log(total)[:, 0] - np.sum(np.where(here, shifted, 0), -1)
        return loss.astype(dtype), (np.exp(shifted) / total - here).astype(dtype)

    def lower(self, loops: Any) -> Any:
        x, s = self.features, loops.scalars

        def label(row: Any) -> Any:
            return s.cast(self.labels[(row,)], dtypes.int64)

        rows = SoftmaxRows(loops, x)

        def loss(i: Any) -> Any:
            return s.cast(rows.log_total((i,)) - rows.shifted((i, label(i))), x.dtype)

        def backprop(i: Any, j: Any) -> Any:
            p = rows.probability((i, j))
            right = s.where(label(i) == j, s.constant(1, p), s.constant(0, p))
            return s.cast(p - right, x.dtype)

        return loops.map(x.shape[:1], x.dtype, loss), loops.map(x.shape, x.dtype, backprop)

    def vjp(self, dloss: Any, dbackprop: Any) -> Any:
        from ..array.shapes import expand_dims
        from ..math.reduce import reduce_sum

        dfeatures = None
        if dloss is not None:
            dfeatures = expand_dims(dloss, -1) * self.backprop
        if dbackprop is not None:
            y = softmax(self.features)
            second = (dbackprop - reduce_sum(dbackprop * y, -1, keepdims=True)) * y
            dfeatures = second if dfeatures is None else dfeatures + second
        return dfeatures, None


# ---------------------------------------------------------------- functions


@dispatchable
def softmax(logits: Any, axis: int | None = None, name: str | None = None) -> Tensor:
    """exp(x) divided by its sum along `axis` (the last one by default): positive, with sum 1.

    logits: floats with at least one axis; the result has their shape and dtype. Large numbers do
    not overflow.

    >>> tf.nn.softmax([[0.0, 0.0], [0.0, 1000.0]]).numpy()
    array([[0.5, 0.5],
           [0. , 1. ]], dtype=float32)

    Raises:
        InvalidArgumentError: `logits` has no such axis.
    """
    return _along(Softmax, logits, axis, name)


@dispatchable
def log_softmax(logits: Any, axis: int | None = None, name: str | None = None) -> Tensor:
    """The logarithm of `softmax`, computed without it: small probabilities do not become -inf.

    logits: floats with at least one axis; the result has their shape and dtype. `axis`: the last
    one by default.

    >>> tf.nn.log_softmax([[0.0, 1000.0]]).numpy()
    array([[-1000.,     0.]], dtype=float32)

    Raises:
        InvalidArgumentError: `logits` has no such axis.
    """
    return _along(LogSoftmax, logits, axis, name)


def _along(op: type[Op], logits: Any, axis: int | None, name: str | None) -> Any:
    from ..array.rearrangement import transpose

    x = as_tensor(logits)
    rank = x.shape.rank
    if axis is None or axis == -1 or (rank is not None and axis == rank - 1):
        return bind(op, x, name=name)
    if rank is None:
        from ..array.folded_axes import around

        return around(x, axis, lambda folded: _along(op, folded, 1, name))
    if not -rank <= axis < rank:
        raise InvalidArgumentError(f"axis {axis} is not in [{-rank}, {rank}) for shape {x.shape}")
    order = list(range(rank))
    order[axis], order[-1] = order[-1], order[axis]
    return transpose(bind(op, transpose(x, order)), order, name=name)


@dispatchable
@composed("SparseSoftmaxCrossEntropyWithLogits", keeps_name=True)
def sparse_softmax_cross_entropy_with_logits(
    labels: Any, logits: Any, name: str | None = None
) -> Tensor:
    """-log_softmax(logits)[label] along the last axis: the loss where one class is right.

    labels: int32 or int64 of shape [*s], each in [0, classes). logits: floats [*s, classes]. The
    result has the shape [*s] and the dtype of logits.

    >>> tf.nn.sparse_softmax_cross_entropy_with_logits([0, 1], [[0.0, 99.0], [0.0, 99.0]]).numpy()
    array([99.,  0.], dtype=float32)

    Raises:
        InvalidArgumentError: a label is outside of its range.
        ShapeMismatchError: the shapes do not go together.
    """
    from ..array.shapes import reshape, shape
    from ..checks.assertions import require_equal

    x, y = as_tensor(logits), as_tensor(labels)
    if x.shape.rank is not None and y.shape.rank not in (None, x.shape.rank - 1):
        raise KnownShapeError(
            f"`labels.shape.rank` must equal `logits.shape.rank - 1`, but the shapes are "
            f"{y.shape} and {x.shape}"
        )
    if x.shape.rank == 2:
        return bind(SparseSoftmaxCrossEntropyWithLogits, x, y, name=name)[0]
    if not y.shape.is_compatible_with(x.shape[:-1]):
        raise KnownShapeError(
            f"labels of shape {y.shape} are not one for each row of logits of shape {x.shape}"
        )
    if not (x.shape[:-1].is_fully_defined() and y.shape.is_fully_defined()):
        # As many labels as rows are not enough: of other sizes they would belong to other rows.
        require_equal(shape(y), shape(x)[:-1], "labels and rows of logits differ in their sizes: ")
    rows = reshape(x, _rows_shape(x))
    (loss, _) = bind(SparseSoftmaxCrossEntropyWithLogits, rows, reshape(y, [-1]), name=name)
    return reshape(loss, shape(y))


@dispatchable
def softmax_cross_entropy_with_logits(
    labels: Any, logits: Any, axis: int = -1, name: str | None = None
) -> Tensor:
    """-sum(labels * log_softmax(logits)) along `axis`; differentiable by both.

    logits: floats. labels: numbers of the same shape (or rows that broadcast) and of any dtype,
    each row a probability distribution. The result has this shape without `axis`, and the dtype of
    logits.

    >>> tf.nn.softmax_cross_entropy_with_logits([[0.75, 0.25]], [[0.0, 100.0]]).numpy()
    array([75.], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not go together, or are those of scalars.
    """
    from ..array.rearrangement import transpose
    from ..array.shapes import reshape, shape

    x = as_tensor(logits)
    y = in_dtype(labels, x.dtype)
    rank = x.shape.rank
    if rank == 0:
        raise ShapeMismatchError("`logits` are rows of classes, but their shape is ()")
    if rank is not None and (y.shape.rank or 0) > rank:
        raise ShapeMismatchError(f"labels of shape {y.shape} for logits of shape {x.shape}")
    if rank is not None and axis not in (-1, rank - 1):
        order = [k for k in range(rank) if k != axis % rank] + [axis % rank]
        x, y = transpose(x, order), transpose(broadcast_to(y, shape(x)), order)
    elif rank is None and axis != -1:
        order = _with_last(axis, x)
        x, y = transpose(x, order), transpose(broadcast_to(y, shape(x)), order)
    rows, wanted = x, y
    if rank != 2 or y.shape.rank != 2:
        rows, wanted = reshape(x, _rows_shape(x)), reshape(y, _rows_shape(y))
    rows, wanted = fitting(
        "softmax_cross_entropy_with_logits", logits=(rows, "n k"), labels=(wanted, "n? k?")
    )
    (loss, _) = bind(SoftmaxCrossEntropyWithLogits, rows, wanted, name=name)
    return loss if rank == 2 else reshape(loss, shape(x)[:-1])


def _with_last(axis: int, x: Any) -> Any:
    """The axes of a tensor of unknown rank, that one behind all others."""
    from ..array.concatenation import concat
    from ..array.fill import range as range_tensor
    from ..array.shapes import rank

    count = rank(x)
    place = axis if axis >= 0 else count + axis
    axes = range_tensor(count)
    return concat([axes[:place], axes[place:][1:], axes[place:][:1]], 0)


def _rows_shape(x: Any) -> Any:
    from ..array.concatenation import stack
    from ..array.shapes import shape

    if x.shape.rank is not None and x.shape[-1] is not None:
        return [-1, x.shape[-1]]
    return stack([-1, shape(x)[-1]])


def require_alike(logits: Any, labels: Any) -> None:
    """Refuse labels whose shape differs from that of the logits: nothing broadcasts."""
    if not logits.shape.is_compatible_with(labels.shape):
        raise KnownShapeError(
            "`logits` and `labels` must have the same shape, received "
            f"({logits.shape} vs {labels.shape})."
        )


@dispatchable(elements=2)
@composed("logistic_loss", names_result=True)
def sigmoid_cross_entropy_with_logits(
    labels: Any = None, logits: Any = None, name: str | None = None
) -> Tensor:
    """-labels log(sigmoid(x)) - (1 - labels) log(1 - sigmoid(x)), for each element x of `logits`.

    labels, logits: floats of one shape, which the result has too. Large logits do not overflow.

    >>> tf.nn.sigmoid_cross_entropy_with_logits([1.0, 0.0], [-1000.0, -1000.0]).numpy()
    array([1000.,    0.], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes differ.
    """
    from ..array.fill import zeros_like
    from ..array.select import where
    from ..math.arithmetic import add
    from ..math.comparison import greater_equal
    from ..math.elementwise import exp, log1p

    x = as_tensor(logits)
    y = as_tensor(labels, x.dtype)
    require_alike(x, y)
    # Both choices by one condition: the slopes at 0 then add up to sigmoid(0) - y.
    positive = greater_equal(x, 0.0)
    above = where(positive, x, zeros_like(x))
    return add(above - x * y, log1p(exp(where(positive, -x, x))), name=name)

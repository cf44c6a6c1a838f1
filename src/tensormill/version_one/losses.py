"""`tf.compat.v1.losses`: losses with weights, which the graph collects."""

from __future__ import annotations

from typing import Any, Final

from ..core import context, dtypes
from ..eager.scopes import name_scope
from ..graph.by_hand.collections import GraphKeys
from ..graph.by_hand.default_graph import get_default_graph
from ..ops.array.broadcasting import broadcast_to
from ..ops.array.concatenation import concat
from ..ops.array.fill import ones_like
from ..ops.array.select import where
from ..ops.array.shapes import expand_dims, rank, shape, size, squeeze
from ..ops.checks.assertions import Assert, require_equal
from ..ops.checks.fitting import fitting
from ..ops.control.flow import stop_gradient
from ..ops.conversion import as_tensor, known_rank
from ..ops.math.arithmetic import maximum, square
from ..ops.math.cast import cast
from ..ops.math.comparison import equal, not_equal
from ..ops.math.division import divide_no_nan
from ..ops.math.elementwise import log
from ..ops.math.reduce import reduce_all, reduce_sum
from ..ops.math.signs import abs as absolute
from ..ops.math.sums import add_n
from ..ops.nn.activations import relu
from ..ops.nn.softmax import (
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
)
from .functions.arguments import either, required


class LossReduction:
    """How the losses of examples become one number."""

    NONE: Final = "none"
    SUM: Final = "weighted_sum"
    SUM_OVER_BATCH_SIZE: Final = "weighted_sum_over_batch_size"
    MEAN: Final = "weighted_mean"
    SUM_BY_NONZERO_WEIGHTS: Final = "weighted_sum_by_nonzero_weights"
    SUM_OVER_NONZERO_WEIGHTS: Final = SUM_BY_NONZERO_WEIGHTS

    @classmethod
    def all(cls) -> tuple[str, ...]:
        """All of them."""
        return (
            cls.NONE, cls.SUM, cls.MEAN, cls.SUM_OVER_BATCH_SIZE, cls.SUM_OVER_NONZERO_WEIGHTS,
            cls.SUM_BY_NONZERO_WEIGHTS,
        )  # fmt: skip

    @classmethod
    def validate(cls, key: str) -> None:
        """Raise a ValueError where there is no such way."""
        if key not in cls.all():
            raise ValueError(f"Invalid Reduction Key {key}.")


_USUAL: Final = LossReduction.SUM_BY_NONZERO_WEIGHTS
_LOSSES: Final = GraphKeys.LOSSES


def add_loss(loss: Any, loss_collection: str | None = _LOSSES) -> None:
    """Let the graph collect a loss; eagerly nothing.

    >>> with tf.Graph().as_default():
    ...     tf.compat.v1.losses.add_loss(tf.constant(1.0))
    ...     print(len(tf.compat.v1.losses.get_losses()))
    1

    Raises:
        TypeError: the collection has no name that can be looked up.
    """
    if loss_collection and context.building_graph():
        get_default_graph().add_to_collection(loss_collection, loss)


def get_losses(scope: str | None = None, loss_collection: str = _LOSSES) -> list[Any]:
    """The losses that the graph has collected.

    >>> with tf.Graph().as_default():
    ...     print(tf.compat.v1.losses.get_losses())
    []

    Raises:
        TypeError: `scope` is no string.
        re.error: it is no regular expression.
    """
    return get_default_graph().get_collection(loss_collection, scope)


def get_regularization_losses(scope: str | None = None) -> list[Any]:
    """What regularizers of variables have added to the graph.

    >>> with tf.Graph().as_default():
    ...     print(tf.compat.v1.losses.get_regularization_losses())
    []

    Raises:
        TypeError: `scope` is no string.
        re.error: it is no regular expression.
    """
    return get_default_graph().get_collection(GraphKeys.REGULARIZATION_LOSSES, scope)


def get_regularization_loss(
    scope: str | None = None, name: str = "total_regularization_loss"
) -> Any:
    """The sum of what regularizers have added to the graph; 0 if there is nothing.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     print(session.run(tf.compat.v1.losses.get_regularization_loss()))
    0.0

    Raises:
        TypeError: `scope` is no string.
        ShapeMismatchError: the losses have different shapes.
        DTypeMismatchError: they have different dtypes.
    """
    found = get_regularization_losses(scope)
    return add_n(found, name=name) if found else as_tensor(0.0)


def get_total_loss(
    add_regularization_losses: bool = True, name: str = "total_loss", scope: str | None = None
) -> Any:
    """The sum of all losses that the graph has collected.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     tf.compat.v1.losses.add_loss(tf.constant(2.0))
    ...     print(session.run(tf.compat.v1.losses.get_total_loss()))
    2.0

    Raises:
        ValueError: there are none.
    """
    found = get_losses(scope)
    if add_regularization_losses:
        found += get_regularization_losses(scope)
    if not found:
        raise ValueError("there are no losses to add up")
    return add_n(found, name=name)


def compute_weighted_loss(
    losses: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = _LOSSES,
    reduction: str = _USUAL,
) -> Any:
    """Losses times weights as one number, which the graph collects.

    weights: a number, or a tensor whose axes have the sizes of those of the losses, or 1.

    >>> float(tf.compat.v1.losses.compute_weighted_loss([1.0, 3.0], [1.0, 0.0]))
    1.0

    Raises:
        ValueError: there is no such reduction, or the shapes do not fit.
    """
    LossReduction.validate(reduction)
    with name_scope(scope or "weighted_loss"):
        given = as_tensor(losses)
        values = cast(given, dtypes.float32)
        weighing = cast(weights, dtypes.float32)
        weighing = _fitting_weights(weighing, values)
        weighted = values * weighing
        loss = cast(_reduced(weighted, weighing, reduction), given.dtype)
    add_loss(loss, loss_collection)
    return loss


def _fitting_weights(weights: Any, values: Any) -> Any:
    """The weights: one number, or as many axes as the values have, each of their size or 1.

    Raises:
        ValueError: they are known to be others (an InvalidArgumentError where only a run knows).
    """
    ours, theirs = weights.shape.rank, values.shape.rank
    if ours == 0:
        return weights
    if ours is None or theirs is None:
        Assert(equal(rank(weights), 0) | equal(rank(weights), rank(values)), [_WEIGHTS])
        given = concat([shape(weights), shape(values)], 0)[: rank(values)]
        Assert(reduce_all(equal(given, 1) | equal(given, shape(values))), [_WEIGHTS, given])
        return weights
    sizes = zip(weights.shape.as_list(), values.shape.as_list(), strict=False)
    if ours != theirs or any(a not in (1, b, None) and b is not None for a, b in sizes):
        raise ValueError(f"{_WEIGHTS}: shapes {weights.shape} and {values.shape}")
    axes = [f"a{k}" for k in range(ours)]
    allowed = " ".join(f"{axis}?" for axis in axes)
    return fitting("losses", values=(values, " ".join(axes)), weights=(weights, allowed))[1]


_WEIGHTS: Final = "weights can not be broadcast to values"


def _reduced(weighted: Any, weights: Any, reduction: str) -> Any:
    if reduction == LossReduction.NONE:
        return weighted
    total = reduce_sum(weighted)
    if reduction == LossReduction.SUM:
        return total
    if reduction == LossReduction.SUM_OVER_BATCH_SIZE:
        return _divided(total, reduce_sum(ones_like(weighted)))
    if reduction == LossReduction.MEAN:
        return _divided(total, reduce_sum(ones_like(weighted) * weights))
    counts = cast(not_equal(weights, 0.0), dtypes.float32)
    return _divided(total, reduce_sum(broadcast_to(counts, shape(weighted))))


def _divided(total: Any, count: Any) -> Any:
    """The quotient, 0 where there is nothing."""
    return divide_no_nan(total, count, name="value")


def absolute_difference(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = _LOSSES,
    reduction: str = _USUAL,
) -> Any:
    """How far predictions are off.

    labels and predictions: numbers of one shape, which become float32. The result is a float32
    scalar, or with the reduction "none" of their shape.

    >>> float(tf.compat.v1.losses.absolute_difference([1.0, 2.0], [1.0, 4.0]))
    1.0

    Raises:
        ValueError: the shapes do not fit.
    """
    with name_scope(scope or "absolute_difference") as scope:
        wanted, given = _pair(labels, predictions)
        losses = absolute(given - wanted)
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def mean_squared_error(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = _LOSSES,
    reduction: str = _USUAL,
) -> Any:
    """The squares of how far predictions are off.

    labels and predictions: numbers of one shape, which become float32. The result is a float32
    scalar, or with the reduction "none" of their shape.

    >>> float(tf.compat.v1.losses.mean_squared_error([1.0, 2.0], [1.0, 4.0]))
    2.0

    Raises:
        ValueError: the shapes do not fit.
    """
    with name_scope(scope or "mean_squared_error") as scope:
        wanted, given = _pair(labels, predictions)
        losses = square(given - wanted)
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def huber_loss(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    delta: float = 1.0,
    scope: str | None = None,
    loss_collection: str | None = _LOSSES,
    reduction: str = _USUAL,
) -> Any:
    """Half the squares of what is off by up to `delta`, and a line beyond (Huber 1964).

    labels and predictions: numbers of one shape, which become float32. The result is a float32
    scalar, or with the reduction "none" of their shape.

    >>> float(tf.compat.v1.losses.huber_loss([1.0, 2.0], [1.0, 4.0]))
    0.75

    Raises:
        ValueError: the shapes do not fit.
    """
    with name_scope(scope or "huber_loss") as scope:
        wanted, given = _pair(labels, predictions)
        off = absolute(given - wanted)
        near = where(off <= delta, off, ones_like(off) * delta)
        losses = 0.5 * near * near + delta * (off - near)
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def log_loss(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    epsilon: float = 1e-7,
    scope: str | None = None,
    loss_collection: str | None = _LOSSES,
    reduction: str = _USUAL,
) -> Any:
    """The logarithms of probabilities that were given to what was true.

    labels and predictions: numbers of one shape, which become float32. The result is a float32
    scalar, or with the reduction "none" of their shape.

    >>> round(float(tf.compat.v1.losses.log_loss([1.0, 0.0], [0.5, 0.5])), 4)
    0.6931

    Raises:
        ValueError: the shapes do not fit.
    """
    with name_scope(scope or "log_loss") as scope:
        wanted, given = _pair(labels, predictions)
        losses = -wanted * log(given + epsilon) - (1 - wanted) * log(1 - given + epsilon)
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def hinge_loss(
    labels: Any,
    logits: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = _LOSSES,
    reduction: str = _USUAL,
) -> Any:
    """How much is missing to 1 on the right side; labels are 0 and 1.

    logits: floats. labels: numbers of their shape. The result has the dtype of the logits, and is a
    scalar, or with the reduction "none" of their shape.

    >>> float(tf.compat.v1.losses.hinge_loss([1.0, 0.0], [2.0, 0.5]))
    0.75

    Raises:
        ValueError: the shapes do not fit.
    """
    with name_scope(scope or "hinge_loss") as scope:
        wanted, given = _pair(labels, logits)
        losses = relu(1.0 - (2 * wanted - 1) * given)
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def cosine_distance(
    labels: Any,
    predictions: Any,
    axis: Any = None,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = _LOSSES,
    reduction: str = _USUAL,
    dim: Any = None,
) -> Any:
    """1 - the cosine between vectors of length 1 along an axis.

    labels and predictions: numbers of one shape, which become float32. The result is a float32
    scalar, or with the reduction "none" of their shape, 1 along the axis.

    >>> float(tf.compat.v1.losses.cosine_distance([[1.0, 0.0]], [[0.0, 1.0]], 1))
    1.0

    Raises:
        ValueError: no axis is given, or the shapes do not fit.
    """
    along = required("axis", either("axis", axis, "dim", dim))
    with name_scope(scope or "cosine_distance_loss") as scope:
        wanted, given = _pair(labels, predictions)
        losses = 1 - reduce_sum(wanted * given, [along], True)
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def sigmoid_cross_entropy(
    multi_class_labels: Any,
    logits: Any,
    weights: Any = 1.0,
    label_smoothing: float = 0,
    scope: str | None = None,
    loss_collection: str | None = _LOSSES,
    reduction: str = _USUAL,
) -> Any:
    """The cross entropy of independent classes.

    logits: floats. multi_class_labels: numbers of their shape. The result has the dtype of the
    logits, and is a scalar, or with the reduction "none" of their shape.

    label_smoothing: how far labels are moved towards one half.

    >>> round(float(tf.compat.v1.losses.sigmoid_cross_entropy([[1.0]], [[0.0]])), 4)
    0.6931

    Raises:
        ValueError: the shapes do not fit.
    """
    with name_scope(scope or "sigmoid_cross_entropy_loss") as scope:
        given = as_tensor(logits)
        wanted = cast(multi_class_labels, given.dtype)
        wanted, given = alike(wanted, given)
        if label_smoothing > 0:
            wanted = wanted * (1 - label_smoothing) + 0.5 * label_smoothing
        losses = sigmoid_cross_entropy_with_logits(wanted, given)
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def softmax_cross_entropy(
    onehot_labels: Any,
    logits: Any,
    weights: Any = 1.0,
    label_smoothing: float = 0,
    scope: str | None = None,
    loss_collection: str | None = _LOSSES,
    reduction: str = _USUAL,
) -> Any:
    """The cross entropy of distributions.

    logits: floats [..., classes]. onehot_labels: numbers of their shape. The result has the dtype
    of the logits, and is a scalar, or with the reduction "none" one loss for each row of classes.

    label_smoothing: how far labels are moved towards all classes being alike.

    >>> round(float(tf.compat.v1.losses.softmax_cross_entropy([[1.0, 0.0]], [[0.0, 0.0]])), 4)
    0.6931

    Raises:
        ValueError: the shapes do not fit.
    """
    with name_scope(scope or "softmax_cross_entropy_loss") as scope:
        given = as_tensor(logits)
        wanted = cast(onehot_labels, given.dtype)
        wanted, given = alike(wanted, given)
        if label_smoothing > 0:
            classes = cast(shape(wanted)[1], given.dtype)
            wanted = wanted * (1 - label_smoothing) + label_smoothing / classes
        losses = softmax_cross_entropy_with_logits(stop_gradient(wanted), given)
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def sparse_softmax_cross_entropy(
    labels: Any,
    logits: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = _LOSSES,
    reduction: str = _USUAL,
) -> Any:
    """The cross entropy of classes.

    logits: floats [..., classes]. labels: integers [...] or [..., 1]. The result has the dtype of
    the logits, and is a scalar, or with the reduction "none" one loss for each label.

    >>> round(float(tf.compat.v1.losses.sparse_softmax_cross_entropy([1], [[0.0, 0.0]])), 4)
    0.6931

    Raises:
        ValueError: the shapes do not fit.
    """
    with name_scope(scope or "sparse_softmax_cross_entropy_loss") as scope:
        wanted, given, weighing = as_tensor(labels), as_tensor(logits), as_tensor(weights)
        axes = given.shape.rank
        if axes is not None and wanted.shape.rank == axes:
            wanted = squeeze(wanted, [-1])
        if weighing.shape.rank == axes and axes:
            weighing = squeeze(weighing, [-1])
        losses = sparse_softmax_cross_entropy_with_logits(wanted, given)
        return compute_weighted_loss(losses, weighing, scope, loss_collection, reduction)


def mean_pairwise_squared_error(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = _LOSSES,
) -> Any:
    """How far the differences between the elements of an example are off, squared.

    labels and predictions: numbers of one shape [examples, ...], which become float32. The result
    is a float32 scalar.

    >>> float(tf.compat.v1.losses.mean_pairwise_squared_error([[1.0, 2.0]], [[1.0, 4.0]]))
    4.0

    Raises:
        ValueError: the shapes do not fit.
    """
    with name_scope(scope or "mean_pairwise_squared_error") as scope:
        wanted, given = _pair(labels, predictions)
        off = given - wanted
        axes = list(range(1, known_rank(off, "mean_pairwise_squared_error")))
        weighing = _fitting_weights(cast(weights, dtypes.float32), off)
        count = _present(off, weighing, axes)
        others = maximum(count - 1, 0.0)
        squares = _divided(2.0 * reduce_sum(square(off), axes, True), others)
        mean = _divided(2.0 * square(reduce_sum(off, axes, True)), count * others)
        loss = reduce_sum((squares - mean) * _beside(weighing, off))
    add_loss(loss, loss_collection)
    return loss


def _present(values: Any, weights: Any, axes: list[int]) -> Any:
    """How many elements count: of each example, or eagerly, where one weight is for all, of all.

    (TensorFlow does not divide by the examples then: its loss depends on the batch.)
    """
    if weights.shape.rank == 0 and not context.building_graph():
        return cast(size(values), dtypes.float32)
    counted = cast(not_equal(_beside(weights, values), 0.0), dtypes.float32)
    return reduce_sum(broadcast_to(counted, shape(values)), axes, True)


def _beside(weights: Any, values: Any) -> Any:
    """Weights of examples with as many axes as the values have."""
    axes = known_rank(values, "mean_pairwise_squared_error")
    while weights.shape.rank and weights.shape.rank < axes:
        weights = expand_dims(weights, -1)
    return weights


def _pair(labels: Any, predictions: Any) -> tuple[Any, Any]:
    """Both as float32, of one shape.

    Raises:
        ValueError: they are not of one shape, or one is None.
    """
    wanted = cast(required("labels", labels), dtypes.float32)
    given = cast(required("predictions", predictions), dtypes.float32)
    return alike(wanted, given)


def alike(wanted: Any, given: Any) -> tuple[Any, Any]:
    """Both, of unlike shapes refused, which losses would broadcast; unknown sizes as it runs.

    Raises:
        ValueError: they are known to be unlike.
    """
    given.shape.assert_is_compatible_with(wanted.shape)
    if given.shape.rank is None or wanted.shape.rank is None:
        require_equal(rank(given), rank(wanted), _UNLIKE)
        require_equal(shape(given), shape(wanted), _UNLIKE)
        return wanted, given
    axes = " ".join(f"a{k}" for k in range(given.shape.rank))
    both = fitting("losses", labels=(wanted, axes), predictions=(given, axes))
    return both[0], both[1]


_UNLIKE: Final = "predictions and labels are of unlike shapes: "

"""Losses and look-ups made of other operations."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ...core.process.replicas import replicas_that_share
from ..array.fill import zeros_like
from ..array.select import where
from ..array.shapes import expand_dims, shape_of, squeeze
from ..composed import composed
from ..conversion import as_tensor, as_tensors
from ..dispatch.meanings import dispatchable
from ..math.arithmetic import add
from ..math.cast import cast, in_dtype
from ..math.comparison import greater_equal, less_equal, logical_and
from ..math.elementwise import exp, log, log1p
from ..math.reduce import reduce_sum

if TYPE_CHECKING:
    pass


@dispatchable
def crelu(features: Any, axis: int = -1, name: str | None = None) -> Any:
    """relu(x) and relu(-x), joined along `axis`, which becomes twice as long.

    features: real numbers with at least one axis (Shang et al. 2016,
    https://arxiv.org/abs/1603.05201).

    >>> tf.nn.crelu([[-1, 2]]).numpy()
    array([[0, 2, 1, 0]], dtype=int32)

    Raises:
        DTypeMismatchError: features are not real numbers that have a sign.
        InvalidArgumentError: there is no such axis.
    """
    from ..array.concatenation import concat
    from .activations import relu

    features = as_tensor(features)
    return relu(concat([features, -features], axis), name=name)


@dispatchable
def log_poisson_loss(
    targets: Any, log_input: Any, compute_full_loss: bool = False, name: str | None = None
) -> Any:
    """exp(c) - z c for each element c of `log_input` and z of `targets`.

    It is minus the logarithm of the probability of z where e**c are expected, but for log(z!);
    `compute_full_loss` adds Stirling's approximation of that where z is above 1. targets,
    log_input: floats of one shape, which the result has too.

    >>> tf.nn.log_poisson_loss([3.0, 5.0], [0.0, 0.0]).numpy()
    array([1., 1.], dtype=float32)
    >>> tf.nn.log_poisson_loss([3.0, 5.0], [0.0, 0.0], compute_full_loss=True).numpy().round(3)
    array([2.764, 5.771], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes differ.
    """
    from .softmax import require_alike

    log_input, targets = as_tensors(log_input, targets)
    require_alike(log_input, targets)
    loss = exp(log_input) - log_input * targets
    if not compute_full_loss:
        return loss
    stirling = targets * log(targets) - targets + 0.5 * log(2.0 * math.pi * targets)
    small = logical_and(greater_equal(targets, 0.0), less_equal(targets, 1.0))
    return loss + where(small, zeros_like(targets), stirling)


@dispatchable
@composed("logistic_loss", names_result=True)
def weighted_cross_entropy_with_logits(
    labels: Any, logits: Any, pos_weight: Any, name: str | None = None
) -> Any:
    """The sigmoid cross entropy with the term of positive labels multiplied by `pos_weight`.

    labels, logits: floats of one shape, which the result has too. pos_weight: broadcasts to it;
    above 1 it makes a missed positive dearer.

    >>> tf.nn.weighted_cross_entropy_with_logits([1.0, 0.0], [-99.0, 99.0], pos_weight=3.0).numpy()
    array([297.,  99.], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes of labels and logits differ.
    """
    from ..math.signs import abs
    from .activations import relu
    from .softmax import require_alike

    logits, labels = as_tensors(logits, labels)
    require_alike(logits, labels)
    weight = 1 + (pos_weight - 1) * labels
    below = weight * (log1p(exp(-abs(logits))) + relu(-logits))
    return add((1 - labels) * logits, below, name=name)


@dispatchable
def compute_average_loss(
    per_example_loss: Any, sample_weight: Any = None, global_batch_size: Any = None
) -> Any:
    """The sum of the losses, each multiplied by its weight, divided by the batch size.

    per_example_loss: floats [n, ...]. sample_weight: broadcasts to them, but weights with one axis
    fewer or more are for the leading axes: [n] weighs the rows of [n, m]. global_batch_size: by
    default n times the replicas of `tf.distribute` that train together; not the sum of the weights.
    The result is a scalar.

    >>> float(tf.nn.compute_average_loss([1.0, 2.0, 3.0, 4.0], sample_weight=[1, 1, 0, 0]))
    0.75

    Raises:
        ValueError: the losses have no axis, or the batch size is no scalar.
        TypeError: the batch size is not an integer.
        InvalidArgumentError: the batch size is below 0, or weights do not broadcast.
        RuntimeError: it is called above the replicas of a strategy.
    """
    replicas = replicas_that_share("compute_average_loss")
    loss = as_tensor(per_example_loss)
    if sample_weight is not None:
        loss = loss * _beside_losses(in_dtype(sample_weight, loss.dtype), loss.shape.rank)
    if loss.shape.rank == 0:
        raise ValueError("per_example_loss has no axis, and one at least is wanted: [batch, ...]")
    own_size = shape_of(loss)[0] * replicas
    count = own_size if global_batch_size is None else _batch_size(global_batch_size)
    return reduce_sum(loss) / cast(count, loss.dtype)


def _batch_size(given: Any) -> Any:
    """A batch size as a scalar.

    Raises:
        TypeError: it is no integer.
        ValueError: it is no scalar.
        InvalidArgumentError: it is below 0.
    """
    from ..checks.assertions import assert_non_negative

    count = as_tensor(given)
    if not count.dtype.is_integer:
        raise TypeError(f"global_batch_size must be an integer, got {given!r}")
    if count.shape.rank not in (0, None):
        raise ValueError(f"global_batch_size must be a scalar, got shape {count.shape}")
    assert_non_negative(count, "global_batch_size must not be negative")
    return count


def _beside_losses(weights: Any, rank: int | None) -> Any:
    """Weights with an axis of size 1 at the end where the losses, of `rank`, have one more."""
    known = weights.shape.rank
    if known == 0:
        return weights
    if rank is None or known is None:
        raise ValueError(
            "compute_average_loss needs losses and weights of known rank: whether weights are of "
            "rows depends on it; tf.ensure_shape tells it"
        )
    if known == rank - 1:
        return expand_dims(weights, -1)
    return squeeze(weights, [-1]) if known == rank + 1 else weights


@dispatchable
def scale_regularization_loss(regularization_loss: Any) -> Any:
    """The sum of a regularisation loss of any shape, divided by the number of replicas of
    `tf.distribute` that train together, all of which add it.

    >>> float(tf.nn.scale_regularization_loss([0.5, 0.25]))
    0.75

    Raises:
        DTypeMismatchError: the loss is not a number.
        RuntimeError: it is called above the replicas of a strategy.
    """
    replicas = replicas_that_share("scale_regularization_loss")
    total = reduce_sum(regularization_loss)
    return total if replicas == 1 else total / cast(replicas, total.dtype)

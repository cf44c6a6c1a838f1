"""Calls of several threads that are answered by one: `tf.nondifferentiable_batch_function`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..control.joined_calls import CallJoiner, run_sizes
from ..core import tree
from ..core.specs import TensorSpec
from ..core.values import TensorLike
from ..eager.convert import convert_to_tensor
from ..eager.variable import Variable
from ..graph.payload import payload_of
from ..ops.control.python_functions import numpy_function
from .decorator import function


def nondifferentiable_batch_function(
    num_batch_threads: int,
    max_batch_size: int,
    batch_timeout_micros: int,
    allowed_batch_sizes: Sequence[int] | None = None,
    max_enqueued_batches: int = 10,
    autograph: bool = True,
    enable_large_batch_splitting: bool = True,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorate a function of batches: calls of several threads are joined, and run as one.

    Args:
        num_batch_threads: how many batches run at once.
        max_batch_size: how many rows a call has at most.
        batch_timeout_micros: how long the first call waits for others.
        allowed_batch_sizes: ascending; a batch is padded to the next of these sizes by copies of
            its first row, of which nobody sees the results. By default, batches are not padded.
        max_enqueued_batches: how many batches may wait to be run.
        autograph: whether the function is converted.
        enable_large_batch_splitting: whether the last allowed size may be less than
            `max_batch_size`: calls of more rows are then several runs.

    The function takes tensors that have a first axis, and returns tensors with as many rows. There
    is no gradient.

    >>> @tf.nondifferentiable_batch_function(1, 8, 1000)
    ... def doubled(x):
    ...     return x * 2
    >>> doubled(tf.constant([1, 2])).numpy()
    array([2, 4], dtype=int32)

    Raises:
        InvalidArgumentError: the allowed sizes do not ascend, or are larger than a batch; when it
            is called: a call has more rows than a batch.
        ValueError: an argument is no tensor.
        UnavailableError: too many batches are waiting.
        FailedPreconditionError: the function does not return one row for each.
    """
    sizes = run_sizes(allowed_batch_sizes, max_batch_size, enable_large_batch_splitting)

    def decorate(fn: Callable[..., Any]) -> Callable[..., Any]:
        traced = function(fn, autograph=autograph)

        def compute(*arrays: Any) -> list[Any]:
            leaves = tree.flatten(traced(*map(convert_to_tensor, arrays)))
            return [np.asarray(payload_of(convert_to_tensor(one))) for one in leaves]

        join = CallJoiner(
            compute,
            num_batch_threads,
            sizes,
            max_batch_size,
            batch_timeout_micros,
            max_enqueued_batches,
        )

        def call(*args: Any) -> Any:
            tensors = [_tensor(one) for one in args]
            specs = [_rows_spec(one) for one in tensors]
            like = traced.get_concrete_function(*specs).structured_outputs
            kinds = tree.flatten(like)
            found = numpy_function(join, tensors, [one.dtype for one in kinds])
            for one, kind, spec in zip(found, kinds, [specs[0]] * len(kinds), strict=True):
                one.set_shape([spec.shape[0], *kind.shape[1:]] if kind.shape.rank else None)
            return tree.pack_sequence_as(like, list(found))

        return call

    return decorate


def _tensor(value: Any) -> Any:
    if isinstance(value, Variable) or not isinstance(value, TensorLike | np.ndarray):
        raise ValueError(
            f"all arguments of a batch function must be Tensors, not {type(value).__name__}; give "
            "it tf.convert_to_tensor of the value"
        )
    return convert_to_tensor(value)


def _rows_spec(tensor: Any) -> TensorSpec:
    shape = tensor.shape
    return TensorSpec([None, *shape[1:]] if shape.rank else shape, tensor.dtype)

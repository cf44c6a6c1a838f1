"""Calls of several threads that are answered by one: `tf.nondifferentiable_batch_function`."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ..core import tree
from ..core.specs import TensorSpec
from ..core.values import TensorLike
from ..eager.convert import convert_to_tensor
from ..eager.variable import Variable
from ..errors import FailedPreconditionError, InvalidArgumentError, UnavailableError
from ..graph.payload import payload_of
from ..ops.control.python_functions import numpy_function
from .decorator import function


class JoinedCalls:
    """Rows of several calls that one run will answer."""

    def __init__(self) -> None:
        self.tasks: list[Sequence[Any]] = []
        self.rows = 0
        self.closed = False
        self.answered = threading.Event()
        self.results: list[list[Any]] = []
        self.error: BaseException | None = None

    def take(self, arrays: Sequence[Any]) -> int:
        """Add a call's arrays; its number."""
        self.tasks.append(arrays)
        self.rows += len(arrays[0])
        return len(self.tasks) - 1


class CallJoiner:
    """Lets the first of several callers wait for others, and run `compute` for all of them."""

    def __init__(
        self, compute: Callable[..., list[Any]], threads: int, sizes: Sequence[int], micros: int,
        most_waiting: int,
    ) -> None:  # fmt: skip
        self._compute = compute
        self._sizes = sizes
        self._seconds = micros / 1e6
        self._most_waiting = most_waiting
        self._running = threading.Semaphore(threads)
        self._changed = threading.Condition()
        self._open: dict[Any, JoinedCalls] = {}
        self._waiting = 0

    def __call__(self, *arrays: Any) -> list[Any]:
        """The rows of the results that belong to these rows.

        Raises:
            InvalidArgumentError: there are too many rows, or not as many in all arrays.
            UnavailableError: too many runs are waiting.
            FailedPreconditionError: the function did not return a row for each.
        """
        self._check(arrays)
        joined, number = self._join(arrays)
        if number == 0:
            self._lead(joined)
        joined.answered.wait()
        if joined.error is not None:
            raise joined.error
        return joined.results[number]

    def _check(self, arrays: Sequence[Any]) -> None:
        shapes = [np.shape(one) for one in arrays]
        if not all(shapes):
            raise InvalidArgumentError("all arguments of a batch function need a first axis")
        if len({shape[0] for shape in shapes}) > 1:
            raise InvalidArgumentError(
                f"the arguments of one call must have as many rows, got the shapes {shapes}"
            )
        if shapes[0][0] > self._sizes[-1]:
            raise InvalidArgumentError(
                f"a call has {shapes[0][0]} rows, but a batch may have {self._sizes[-1]}: call it "
                "with less"
            )

    def _join(self, arrays: Sequence[Any]) -> tuple[JoinedCalls, int]:
        kind = tuple([(one.dtype, np.shape(one)[1:]) for one in arrays])
        with self._changed:
            found = self._open.get(kind)
            if found is not None and found.rows + len(arrays[0]) > self._sizes[-1]:
                self._close(found)
            if found is None or found.closed:
                if self._waiting >= self._most_waiting:
                    raise UnavailableError(
                        f"{self._waiting} batches are waiting, and no more may: try again later"
                    )
                found = self._open[kind] = JoinedCalls()
                self._waiting += 1
            number = found.take(arrays)
            if found.rows >= self._sizes[-1]:
                self._close(found)
            return found, number

    def _close(self, joined: JoinedCalls) -> None:
        joined.closed = True
        self._changed.notify_all()

    def _lead(self, joined: JoinedCalls) -> None:
        try:
            end = time.monotonic() + self._seconds
            with self._changed:
                while not joined.closed and (left := end - time.monotonic()) > 0:
                    self._changed.wait(left)
                joined.closed = True
            with self._running:
                with self._changed:
                    self._waiting -= 1
                self._run(joined)
        except BaseException as error:
            joined.error = error
        finally:
            joined.closed = True
            joined.answered.set()

    def _run(self, joined: JoinedCalls) -> None:
        parts = [np.concatenate(one) for one in zip(*joined.tasks, strict=True)]
        size = next(size for size in self._sizes if size >= joined.rows) if joined.rows else 0
        more = size - joined.rows
        whole = [np.concatenate([one, one[np.zeros(more, np.int64)]]) for one in parts]
        results = self._compute(*whole)
        for one in results:
            _check_rows(one, size)
        places = np.cumsum([0, *(len(arrays[0]) for arrays in joined.tasks)])
        joined.results = [[one[start:end] for one in results] for start, end in pairwise(places)]


def _check_rows(result: Any, size: int) -> None:
    shape = np.shape(result)
    if not shape or shape[0] != size:
        raise FailedPreconditionError(
            f"a batch function returned a tensor of shape {shape} for {size} rows: it must return "
            "one row for each"
        )


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
        max_batch_size: how many rows a batch has at most.
        batch_timeout_micros: how long the first call waits for others.
        allowed_batch_sizes: ascending; a batch is padded to the next of these sizes by copies of
            its first row, of which nobody sees the results. By default, batches are not padded.
        max_enqueued_batches: how many batches may wait to be run.
        autograph: whether the function is converted.
        enable_large_batch_splitting: whether the last allowed size may be less than
            `max_batch_size`.

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
    sizes = _sizes(allowed_batch_sizes, max_batch_size, enable_large_batch_splitting)

    def decorate(fn: Callable[..., Any]) -> Callable[..., Any]:
        traced = function(fn, autograph=autograph)

        def compute(*arrays: Any) -> list[Any]:
            leaves = tree.flatten(traced(*map(convert_to_tensor, arrays)))
            return [np.asarray(payload_of(convert_to_tensor(one))) for one in leaves]

        join = CallJoiner(
            compute, num_batch_threads, sizes, batch_timeout_micros, max_enqueued_batches
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


def _sizes(allowed: Sequence[int] | None, most: int, splits: bool) -> Sequence[int]:
    if allowed is None:
        return range(1, most + 1)
    ascend = all(one < other for one, other in pairwise(allowed))
    fits = allowed[-1] <= most if splits else allowed[-1] == most
    if not (ascend and fits):
        raise InvalidArgumentError(
            f"allowed_batch_sizes must ascend and end with max_batch_size={most}, got {allowed}"
        )
    return allowed


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

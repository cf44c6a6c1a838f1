"""Calls of several threads that one run answers."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ..errors import (
    CancelledError,
    FailedPreconditionError,
    InvalidArgumentError,
    UnavailableError,
)


class JoinedCalls:
    """Rows of several calls that one run will answer."""

    def __init__(self, kind: Any) -> None:
        self.kind = kind
        self.tasks: list[Sequence[Any]] = []
        self.captured: Sequence[Any] = ()
        self.rows = 0
        self.closed = False
        self.waits = True  # for a turn to run
        self.answered = threading.Event()
        self.results: list[list[Any]] = []
        self.error: BaseException | None = None

    def take(self, arrays: Sequence[Any], captured: Sequence[Any]) -> int:
        """Add a call's arrays; its number. What the last call captured is for all of them."""
        self.tasks.append(arrays)
        self.captured = captured
        self.rows += len(arrays[0])
        return len(self.tasks) - 1


class CallJoiner:
    """Lets the first of several callers wait for others, and run `compute` for all of them.

    sizes: those of runs, ascending. most: how many rows a call may have: what is more than the
    largest size goes into runs of its own. divide: what each call gets of the results of a run of
    so many rows, of which it gave so many.
    """

    def __init__(
        self, compute: Callable[..., list[Any]], threads: int, sizes: Sequence[int], most: int,
        micros: int, most_waiting: int,
        divide: Callable[[list[Any], int, Sequence[int]], list[list[Any]]] | None = None,
    ) -> None:  # fmt: skip
        self._compute = compute
        self._divide = divide or rows_of_each
        self._sizes = sizes
        self._most = most
        self._seconds = micros / 1e6
        self._most_waiting = most_waiting if most_waiting >= 0 else sys.maxsize
        self._running = threading.Semaphore(max(threads, 1))
        self._changed = threading.Condition()
        self._open: dict[Any, JoinedCalls] = {}
        self._waiting = 0

    def __call__(self, *arrays: Any, captured: Sequence[Any] = ()) -> list[Any]:
        """The rows of the results that belong to these rows.

        Raises:
            InvalidArgumentError: there are too many rows, or not as many in all arrays.
            UnavailableError: too many runs are waiting.
            FailedPreconditionError: the function did not return a row for each.
            CancelledError: whoever was to run it for all was interrupted.
        """
        self._check(arrays)
        rows, largest = len(arrays[0]), self._sizes[-1]
        if rows <= largest:
            return self._answer(arrays, captured)
        starts = range(0, rows, largest)
        parts = [[one[start : start + largest] for one in arrays] for start in starts]
        several = [self._answer(part, captured) for part in parts]
        return [np.concatenate(one) for one in zip(*several, strict=True)]

    def _answer(self, arrays: Sequence[Any], captured: Sequence[Any]) -> list[Any]:
        joined, number = self._join(arrays, captured)
        if number == 0:
            self._lead(joined)
        joined.answered.wait()
        if isinstance(joined.error, Exception) or (joined.error and number == 0):
            raise joined.error
        if joined.error is not None:
            raise CancelledError(
                "the run that was to answer this call was interrupted in another thread: call again"
            )
        return joined.results[number]

    def _check(self, arrays: Sequence[Any]) -> None:
        shapes = [np.shape(one) for one in arrays]
        if not all(shapes):
            raise InvalidArgumentError("all arguments of a batch function need a first axis")
        if len({shape[0] for shape in shapes}) > 1:
            raise InvalidArgumentError(
                f"the arguments of one call must have as many rows, got the shapes {shapes}"
            )
        if shapes[0][0] > self._most:
            raise InvalidArgumentError(
                f"a call has {shapes[0][0]} rows, but a batch may have {self._most}: call it "
                "with less"
            )

    def _join(self, arrays: Sequence[Any], captured: Sequence[Any]) -> tuple[JoinedCalls, int]:
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
                found = self._open[kind] = JoinedCalls(kind)
                self._waiting += 1
            number = found.take(arrays, captured)
            if found.rows >= self._sizes[-1]:
                self._close(found)
            return found, number

    def _close(self, joined: JoinedCalls) -> None:
        joined.closed = True
        self._changed.notify_all()

    def _lead(self, joined: JoinedCalls) -> None:
        try:
            self._wait_for_others(joined)
            with self._running:
                self._begin(joined)
                self._run(joined)
        except BaseException as error:
            joined.error = error
        finally:
            self._begin(joined)
            joined.answered.set()

    def _begin(self, joined: JoinedCalls) -> None:
        """It waits no more, and nobody joins; a second time, nothing changes."""
        with self._changed:
            joined.closed = True
            self._waiting -= joined.waits
            joined.waits = False
            if self._open.get(joined.kind) is joined:
                del self._open[joined.kind]

    def _wait_for_others(self, joined: JoinedCalls) -> None:
        end = time.monotonic() + self._seconds
        with self._changed:
            while not joined.closed and (left := end - time.monotonic()) > 0:
                self._changed.wait(left)
            joined.closed = True

    def _run(self, joined: JoinedCalls) -> None:
        parts = [np.concatenate(one) for one in zip(*joined.tasks, strict=True)]
        size = next(size for size in self._sizes if size >= joined.rows) if joined.rows else 0
        more = size - joined.rows
        whole = [np.concatenate([one, one[np.zeros(more, np.int64)]]) for one in parts]
        results = self._compute(*whole, *joined.captured)
        joined.results = self._divide(results, size, [len(arrays[0]) for arrays in joined.tasks])


def rows_of_each(results: list[Any], size: int, counts: Sequence[int]) -> list[list[Any]]:
    """The rows of the results that belong to the rows of each call.

    Raises:
        FailedPreconditionError: there is not one for each.
    """
    for one in results:
        _check_rows(one, size)
    places = pairwise(np.cumsum([0, *counts]))
    return [[one[start:end] for one in results] for start, end in places]


def _check_rows(result: Any, size: int) -> None:
    shape = np.shape(result)
    if not shape or shape[0] != size:
        raise FailedPreconditionError(
            f"a batch function returned a tensor of shape {shape} for {size} rows: it must return "
            "one row for each"
        )


def run_sizes(allowed: Sequence[int] | None, most: int, splits: bool) -> Sequence[int]:
    """The sizes of runs, ascending; `splits`: the last may be less than `most`.

    Raises:
        InvalidArgumentError: they do not ascend, or end otherwise.
    """
    if not allowed:
        return range(1, most + 1)
    ascend = all(one < other for one, other in pairwise(allowed))
    fits = allowed[-1] <= most if splits else allowed[-1] == most
    if not (ascend and fits):
        raise InvalidArgumentError(
            f"allowed_batch_sizes must ascend and end with max_batch_size={most}, got {allowed}"
        )
    return allowed

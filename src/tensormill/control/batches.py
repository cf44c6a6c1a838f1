"""Batches of the rows that several threads have, and what each gets back, as operations."""

# Rules of operations, as in ops/.
# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

import itertools
import random
import threading
import time
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np

from ..core import dtypes
from ..core.process.locks import AwaitedLock
from ..core.shapes import TensorShape
from ..core.specs import TensorSpec
from ..errors import DeadlineExceededError, InvalidArgumentError, ShapeMismatchError
from ..ops.effects import World
from ..ops.op import ANY, Attr, In, Op, Out
from ..ops.underivable import no_derivative
from .joined_calls import CallJoiner, run_sizes

_serial: Final = itertools.count()
_lock: Final = AwaitedLock(is_short=True)
_joiners: Final[dict[Any, CallJoiner]] = {}
_numbers: Final = random.SystemRandom()


class OfPlace(Op, abstract=True):
    """What it shares with other threads is of its name, or of its place in a graph."""

    container: Any
    shared_name: Any
    _node: Any
    effects = (World.PYTHON,)
    vjp = no_derivative

    @staticmethod
    def attrs_of_name(name: str) -> dict[str, str]:
        return {"_node": f"{name}@{next(_serial)}"}

    @property
    def place(self) -> tuple[str, str, str]:
        return (self.name, self.container, self.shared_name or f"/{self._node}")


class Batch(OfPlace):
    """The rows of several calls, for the last of them; the others get none of them.

    batch_index: of each call its `id`, where its rows begin and where they end.
    """

    in_tensors = In("[T]")
    batched_tensors = Out("[T]")
    batch_index = Out("i64 n 3")
    id = Out("i64")
    num_batch_threads = Attr(int)
    max_batch_size = Attr(int)
    batch_timeout_micros = Attr(int)
    grad_timeout_micros = Attr(int)
    max_enqueued_batches = Attr(10)
    allowed_batch_sizes = Attr((), of=list[int])
    container = Attr("")
    shared_name = Attr("")
    batching_queue = Attr("")
    _node = Attr("")

    def demands(self, sizes: Any) -> None:
        for one in self.in_tensors:
            sizes.require(sizes.rank(one) > 0, ShapeMismatchError, NO_ROWS)

    def infer(self) -> tuple[TensorSpec, ...]:
        given = [TensorSpec(_of_any_count(one.shape), one.dtype) for one in self.in_tensors]
        return (*given, TensorSpec((None, 3), dtypes.int64), TensorSpec((), dtypes.int64))

    def eager(self, np: Any) -> tuple[Any, ...]:
        if not self.in_tensors:
            raise InvalidArgumentError(f"{self.name}: a tensor at least is wanted")
        for name, least in LEAST.items():
            if getattr(self, name) < least:
                raise InvalidArgumentError(
                    f"{self.name}: {name} must be at least {least}, not {getattr(self, name)}"
                )
        return tuple(self._joiner()(*self.in_tensors))

    def _joiner(self) -> CallJoiner:
        key = (
            self.place, self.batching_queue, self.num_batch_threads, self.max_batch_size,
            self.batch_timeout_micros, self.max_enqueued_batches, tuple(self.allowed_batch_sizes),
        )  # fmt: skip
        with _lock():
            if key not in _joiners:
                sizes = run_sizes(self.allowed_batch_sizes, self.max_batch_size, False)
                _joiners[key] = CallJoiner(
                    lambda *rows: list(rows), self.num_batch_threads, sizes, self.max_batch_size,
                    self.batch_timeout_micros, self.max_enqueued_batches, all_for_the_last,
                )  # fmt: skip
            return _joiners[key]


LEAST = {"max_batch_size": 1, "num_batch_threads": 1, "batch_timeout_micros": 0}
NO_ROWS = "Batching input tensors must have at least one dimension"


def _of_any_count(shape: TensorShape) -> TensorShape:
    if shape.entries is None:
        return shape
    return TensorShape([None]).concatenate(shape[1:])


def all_for_the_last(whole: list[Any], size: int, counts: Sequence[int]) -> list[list[Any]]:
    """What each call gets of the rows of all: no rows, but the last one all, and whose they are."""
    numbers = [np.int64(_numbers.getrandbits(64) - 2**63) for _ in counts]
    places = pairwise(np.cumsum([0, *counts]))
    index = [(one, *ends) for one, ends in zip(numbers, places, strict=True)]
    nothing = [*(one[:0] for one in whole), np.zeros((0, 3), np.int64)]
    everything = [*whole, np.array(index, np.int64)]
    return [*([*nothing, one] for one in numbers[:-1]), [*everything, numbers[-1]]]


class Mail:
    """Arrays for calls of other threads, by the numbers of these."""

    def __init__(self) -> None:
        self._arrived = threading.Condition()
        self._arrays: dict[int, tuple[Any, float]] = {}  # and until when they are kept

    def put(self, arrays: dict[int, Any], seconds: float) -> None:
        """Let the calls of these numbers have these."""
        now = time.monotonic()
        with self._arrived:
            self._arrays = {
                number: kept for number, kept in self._arrays.items() if kept[1] > now
            } | {number: (array, now + seconds) for number, array in arrays.items()}
            self._arrived.notify_all()

    def take(self, numbers: Sequence[int], seconds: float) -> list[Any] | None:
        """The arrays of all these numbers, once they are there; None: they do not come in time."""
        with self._arrived:
            if not self._arrived.wait_for(
                lambda: all(one in self._arrays for one in numbers), seconds
            ):
                return None
            return [self._arrays.pop(one)[0] for one in numbers]


_mail: Final[dict[Any, Mail]] = {}


class Unbatch(OfPlace):
    """The rows that belong to the call `id`: of these, or of what another thread gives here."""

    batched_tensor = In("T ...")
    batch_index = In("i64 ...")
    id = In("i64")
    unbatched_tensor = Out("T ...")
    timeout_micros = Attr(int)
    container = Attr("")
    shared_name = Attr("")
    _node = Attr("")
    T = ANY

    def infer(self) -> TensorSpec:
        return TensorSpec(_of_any_count(self.batched_tensor.shape), self.batched_tensor.dtype)

    def eager(self, np: Any) -> Any:
        mail, seconds = _mail.setdefault(self.place, Mail()), self.timeout_micros / 1e6
        if len(index := required_index(self.name, self.batch_index)):
            mail.put(_parts(self.name, self.batched_tensor, index), seconds)
        found = mail.take([int(self.id)], seconds)
        if found is None:
            raise DeadlineExceededError(
                f"{self.name}: Batched data did not arrive within timeout window."
            )
        return found[0]


def _parts(name: str, rows: Any, index: Any) -> dict[int, Any]:
    counts = index[:, 2] - index[:, 1]
    if not rows.ndim or (counts < 0).any() or counts.sum() > len(rows):
        raise InvalidArgumentError(
            f"{name}: Sum of split sizes must not exceed dim0-size of input tensor: "
            f"{counts.tolist()} rows are wanted of a tensor of shape {list(rows.shape)}"
        )
    places = pairwise(np.cumsum([0, *counts]))
    pairs = zip(index[:, 0].tolist(), places, strict=True)
    return {number: rows[start:end].copy() for number, (start, end) in pairs}


def required_index(name: str, index: Any) -> Any:
    """`batch_index`, a matrix.

    Raises:
        InvalidArgumentError: it has no rows of three numbers.
    """
    if index.ndim != 2 or index.shape[1] != 3:
        raise InvalidArgumentError(
            f"{name}: Wrong shape for index tensor. Expected 1st dimension size to be 3; Got: "
            f"{list(index.shape)}"
        )
    return index


class UnbatchGrad(OfPlace):
    """The gradients of all calls of a batch, for the one that had its rows."""

    original_input = In("T ...")
    batch_index = In("i64 ...")
    grad = In("T ...")
    id = In("i64")
    batched_grad = Out("T ...")
    container = Attr("")
    shared_name = Attr("")
    _node = Attr("")
    T = ANY

    def infer(self) -> TensorSpec:
        return TensorSpec(_of_any_count(self.original_input.shape), self.original_input.dtype)

    def eager(self, np: Any) -> Any:
        mail = _mail.setdefault(self.place, Mail())
        mail.put({int(self.id): self.grad.copy()}, FOREVER)
        if not len(index := required_index(self.name, self.batch_index)):
            return self.original_input[:0]
        return np.concatenate(mail.take(index[:, 0].tolist(), FOREVER))


# As long as a thread may wait in CPython.
FOREVER: Final = threading.TIMEOUT_MAX / 2

"""The processes that train together, and what they exchange.

Before any data, all of them tell each other what they are about to exchange: a row of bytes of one
length. Where these differ the programs differ, and everybody is told so, by name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from ...core.dtypes import as_dtype
from ...errors import (
    DeadlineExceededError,
    FailedPreconditionError,
    InternalError,
    InvalidArgumentError,
    OpError,
    UnavailableError,
    UnimplementedError,
)
from .exchange_thread import ExchangeThread
from .membership import Membership

HEADER: Final = 256  # bytes
# How long a worker waits for the others where nothing says otherwise: seconds.
PATIENCE: Final = 600.0


class Carrier(Protocol):
    """How arrays get to the others, of one dtype and length everywhere."""

    def rows(self, row: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        """The bytes of all, by rank: uint8[size, n]."""
        ...

    def reduced(self, numbers: npt.NDArray[Any], merge: str) -> npt.NDArray[Any]:
        """Their sum ("Add"), product ("Mul"), or the least ("Min") or largest ("Max") of each."""
        ...


def header(what: str, rows: int) -> npt.NDArray[np.uint8]:
    """What a worker is about to exchange, and the rows that it brings: uint8[HEADER]."""
    text = f"{rows} {what}".encode()
    if len(text) > HEADER:
        raise UnimplementedError(f"what workers exchange has too long a name: {what}")
    return np.frombuffer(text.ljust(HEADER), np.uint8)


def agreed(headers: npt.NDArray[np.uint8], member: Membership) -> list[int]:
    """How many rows each worker brings, by rank.

    Raises:
        InvalidArgumentError: the workers are about to exchange different things.
    """
    told = [bytes(row).decode().rstrip().partition(" ") for row in headers]
    wanted = told[member.rank][2]
    for rank, (rows, _, what) in enumerate(told):
        if what != wanted:
            raise InvalidArgumentError(
                f"the workers run different programs: {member.named(member.rank)} is at {wanted} "
                f"of {told[member.rank][0]} rows, {member.named(rank)} at {what} of {rows} rows. "
                "All of them must exchange the same tensors in the same order"
            )
    return [int(rows) for rows, _, _ in told]


class Group:
    """All processes, as this one sees them."""

    def __init__(
        self,
        member: Membership,
        connection: Carrier,
        turns: ExchangeThread,
        patience: float = PATIENCE,
    ) -> None:
        self.member: Final = member
        self.size: Final = member.size
        self.rank: Final = member.rank
        self.patience = patience
        self._connection: Final = connection
        self._turns: Final = turns
        self._fault: OpError | None = None

    def reduce(
        self, value: npt.NDArray[Any], merge: str, final: str = "Id", seconds: float = 0.0
    ) -> npt.NDArray[Any]:
        """The sum ("Add"), product, least or largest ("Mul", "Min", "Max") of what all have.

        value: the same shape and dtype everywhere. final: "Div" divides by the number of workers.
        seconds: how long to wait for the others; 0: as long as the group is told.

        Raises:
            InvalidArgumentError: another worker exchanges something else.
            UnavailableError: another worker is gone.
            DeadlineExceededError: another one did not come in time.
        """
        what = f"CollectiveReduce {merge} {final} {_described(value)}"
        flat = np.ascontiguousarray(value).reshape(-1)
        found = self._exchange(
            what, flat.size, seconds,
            lambda _: self._connection.reduced(flat, merge),
        ).reshape(value.shape)  # fmt: skip
        if final == "Id":
            return found
        divide: Any = np.floor_divide if found.dtype.kind in "iu" else np.true_divide
        return divide(found, found.dtype.type(self.size)).astype(found.dtype, copy=False)

    def gather(self, value: npt.NDArray[Any], seconds: float = 0.0) -> npt.NDArray[Any]:
        """What all have, joined along the first axis by rank; that axis may differ in size.

        Raises:
            InvalidArgumentError: another worker exchanges something else.
            UnavailableError: another worker is gone.
            DeadlineExceededError: another one did not come in time.
        """
        what = f"CollectiveGather {_described(value, from_axis=1)}"
        data = _bytes_of(value)
        width = value.dtype.itemsize * int(np.prod(value.shape[1:], dtype=np.int64))
        counts: list[int] = []

        def exchange(found: list[int]) -> npt.NDArray[np.uint8]:
            counts.extend(found)
            room = max(found) if len(set(found)) == 1 else _rounded(max(found))
            return self._connection.rows(_padded(data, room * width))

        rows = self._exchange(what, len(value), seconds, exchange)
        parts = [row[: count * width] for row, count in zip(rows, counts, strict=True)]
        joined = np.concatenate(parts).view(value.dtype)
        return joined.reshape(sum(counts), *value.shape[1:])

    def broadcast(self, value: npt.NDArray[Any], seconds: float = 0.0) -> npt.NDArray[Any]:
        """What the first worker has: the others give an array of that shape and dtype.

        Raises:
            InvalidArgumentError: another worker exchanges something else.
            UnavailableError: another worker is gone.
            DeadlineExceededError: another one did not come in time.
        """
        data = _padded(_bytes_of(value), -(-value.nbytes // 4) * 4).view(np.uint32)
        mine = data if self.rank == 0 else np.zeros_like(data)
        what = f"CollectiveBcast {_described(value)}"
        found = self._exchange(
            what, data.size, seconds, lambda _: self._connection.reduced(mine, "Add")
        )
        return found.view(np.uint8)[: value.nbytes].view(value.dtype).reshape(value.shape)

    def count_of(self, holds: bool) -> int:
        """For how many workers something holds."""
        return int(self.reduce(np.array(holds, np.int32), "Add"))

    def barrier(self, name: str, seconds: float = 0.0) -> None:
        """Wait until all workers are here.

        Raises:
            InvalidArgumentError: another worker exchanges something.
            UnavailableError: another worker is gone.
            DeadlineExceededError: another one did not come in time.
        """
        self._exchange(f"barrier {name}", 0, seconds, lambda _: None)

    def _exchange(
        self, what: str, rows: int, seconds: float, exchange: Callable[[list[int]], Any]
    ) -> Any:
        if self._fault is not None:
            raise FailedPreconditionError(
                f"nothing is exchanged any more, after {type(self._fault).__name__}: "
                f"{self._fault.message}"
            )
        told = header(what, rows)

        def work() -> Any:
            counts = agreed(self._connection.rows(told), self.member)
            return exchange(counts)

        limit = seconds or self.patience
        try:
            return self._turns.wait_for(work, limit)
        except InvalidArgumentError as error:
            self._fault = error
            raise
        except DeadlineExceededError:
            self._fault = DeadlineExceededError(
                f"{what}: not all of the {self.size} workers were here within {limit:g} s; "
                "CommunicationOptions(timeout_seconds=...) waits longer"
            )
            raise self._fault from None
        except OpError as error:
            self._fault = error
            raise
        except Exception as error:  # JAX's, of no class of their own
            self._fault = _fault(what, error)
            raise self._fault from None


def _fault(what: str, error: Exception) -> OpError:
    """What an error of JAX's means."""
    text = str(error)
    if "Gloo" not in text and "gloo" not in text:
        return InternalError(f"{what}: {text}")
    return UnavailableError(
        f"{what}: another worker is gone: it ended or was killed, or its machine cannot be "
        f"reached. Start all workers again; training goes on from the last checkpoint. ({text})"
    )


def _described(value: npt.NDArray[Any], from_axis: int = 0) -> str:
    sizes: Sequence[Any] = ["?"] * from_axis + list(value.shape[from_axis:])
    return f"{as_dtype(value.dtype).name}[{', '.join(map(str, sizes))}]"


def _bytes_of(value: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    if value.dtype.hasobject:
        raise UnimplementedError("workers exchange numbers: strings stay where they are")
    return np.ascontiguousarray(value).reshape(-1).view(np.uint8)


def _padded(data: npt.NDArray[np.uint8], size: int) -> npt.NDArray[np.uint8]:
    if data.size == size:
        return data
    made = np.zeros(size, np.uint8)
    made[: data.size] = data
    return made


def _rounded(count: int) -> int:
    """A size that serves many: one program each is made, and kept."""
    return 1 << (count - 1).bit_length()

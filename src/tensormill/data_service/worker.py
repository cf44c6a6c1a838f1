"""Workers: they make datasets of definitions and give their elements."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable
from typing import Any, Final

from ..core.process.locks import ForkedLock
from ..core.process.named_tuples import NamedTuple
from ..data.files import FileNode
from ..data.iterator_handles import Running
from ..data.nodes.node import INFINITE, UNKNOWN, Elements, Node, tensor
from ..data.nodes.sharding import ShardNode
from ..data.snapshots.components import Codec
from ..errors import FailedPreconditionError, InvalidArgumentError, UnavailableError
from ..formats.snappy import compress
from ..graph.proto.messages import message
from ..graph.proto.structured import decoded
from .configs import none_stands_for
from .definitions import made_of
from .policies import STATIC, ShardingPolicy
from .rounds import ENDS, RoundTable
from .wire import Connection, Message, MessageServer, packed, unpacked

# How many elements trainers of one cache may be apart.
WINDOW: Final = 512


@none_stands_for(
    worker_address="localhost:%port%",
    protocol="grpc",
    heartbeat_interval_ms=0,
    dispatcher_timeout_ms=0,
    data_transfer_address="localhost:%dts_port%",
)
class WorkerConfig(NamedTuple):
    """How a worker is set up.

    dispatcher_address: "localhost:5000", without the protocol. port: where it listens; 0:
    anywhere. worker_address: what clients call it by, where "%port%" stands for the port. The
    others are TensorFlow's.
    """

    dispatcher_address: str
    worker_address: str | None = None
    port: int = 0
    protocol: str | None = None
    heartbeat_interval_ms: int | None = None
    dispatcher_timeout_ms: int | None = None
    data_transfer_protocol: str | None = None
    data_transfer_address: str | None = None


class WorkerServer:
    """A worker of a data service, which runs in threads of this process.

    Raises:
        ValueError: `config` does not say where the dispatcher is.
        UnavailableError: there is none, or the port cannot be listened at.
    """

    def __init__(self, config: WorkerConfig, start: bool = True) -> None:
        if not getattr(config, "dispatcher_address", None):
            raise ValueError(f"a WorkerConfig with a dispatcher_address is wanted, not {config!r}")
        self._config = config
        self._server: MessageServer | None = None
        self._dispatcher: Connection | None = None
        self._asking, self._lock = ForkedLock(), ForkedLock()
        self._tasks: dict[int, _Task] = {}
        if start:
            self.start()

    def start(self) -> None:
        """Begin to answer, and tell the dispatcher."""
        if self._server is not None:
            return
        self._dispatcher = Connection(self._config.dispatcher_address)
        self._server = MessageServer(self._answer, self._config.port)
        self._ask("worker", address=self._address)

    @property
    def _address(self) -> str:
        told = self._config.worker_address or "localhost:%port%"
        return told.replace("%port%", str(self._running().port))

    def join(self) -> None:
        """Wait until it is stopped."""
        self._running().join()

    def stop(self) -> None:
        """End it; clients are told that it is not available."""
        if self._server is not None:
            self._server.stop()
            self._server = None
        if self._dispatcher is not None:
            self._dispatcher.close()
            self._dispatcher = None

    _stop = stop

    def __del__(self) -> None:
        if getattr(self, "_server", None) is not None:
            self.stop()

    def _running(self) -> MessageServer:
        if self._server is None:
            raise UnavailableError("the worker is not started, or was stopped: call `start()`")
        return self._server

    def _num_tasks(self) -> int:
        return len(self._tasks)

    # ---- what is asked
    def _ask(self, what: str, **facts: Any) -> Message:
        with self._asking():
            if self._dispatcher is None:
                raise UnavailableError("the worker was stopped")
            return self._dispatcher.call(what, **facts)

    def _answer(self, header: dict[str, Any], payload: bytes, connection: Any) -> Message:
        task = self._task(header["job"], header["dataset"], header["mode"])
        if header["consumers"] is None:
            return task.next(header["trainer"])
        return task.of_round(header["round"], header["consumer"], header["consumers"])

    def _task(self, job: int, dataset: str, mode: int) -> _Task:
        with self._lock():
            if job not in self._tasks:
                self._tasks[job] = self._made(job, dataset, ShardingPolicy(mode))
            return self._tasks[job]

    def _made(self, job: int, dataset: str, policy: ShardingPolicy) -> _Task:
        header, payload = self._ask("dataset", dataset=dataset)
        definition, spec = unpacked(payload)
        node = made_of(definition)
        if policy is ShardingPolicy.DYNAMIC:

            def split(source: int, turn: int) -> int:
                return self._ask("split", job=job, source=source, turn=turn)[0]["split"]

            node = in_splits(node, split)
        elif policy in STATIC:
            place, _ = self._ask("place", address=self._address)
            node = sharded(node, policy, place["count"], place["index"])
        told = decoded(message("StructuredValue").FromString(spec))
        return _Task(node, Codec(told), header["facts"].get("compression"))


class _Task:
    """One pass of a worker over a dataset."""

    def __init__(self, node: Node, codec: Codec, compression: str | None) -> None:
        self._running, self._codec, self._compression = Running(node), codec, compression
        self._lock, self._rounds = ForkedLock(), RoundTable(self._computed)
        self._ends = node.cardinality() not in (INFINITE, UNKNOWN)
        self._kept: deque[Message] = deque()  # for trainers that share a cache
        self._gone = 0  # how many of those were left out again
        self._places: dict[str, int] = {}

    def next(self, trainer: str | None) -> Message:
        """The next element: of all, or of those that a trainer has not had."""
        if trainer is None:
            return self._computed()
        with self._lock():
            place = max(self._places.get(trainer, 0), self._gone)
            if place == self._gone + len(self._kept):
                self._kept.append(self._computed())
                if len(self._kept) > WINDOW:
                    self._kept.popleft()
                    self._gone += 1
            self._places[trainer] = place + 1
            return self._kept[place - self._gone]

    def of_round(self, number: int, consumer: int, consumers: int) -> Message:
        """What a consumer is given of a round.

        Raises:
            FailedPreconditionError: the dataset ends, or there is no such consumer.
        """
        if self._ends:
            raise FailedPreconditionError(ENDS.format("has as many elements as it has"))
        return self._rounds.given(number, consumer, consumers)

    def _computed(self) -> Message:
        element = self._running.next()
        if element is None:
            return {"end": True}, b""
        parts = packed(self._codec.records(element))
        return {"end": False}, compress(parts) if self._compression == "SNAPPY" else parts


# ---------------------------------------------------------------- parts of datasets


class SplitNode(Node):
    """The elements of a source that `split` says; of each pass over it by itself."""

    def __init__(self, source: Node, number: int, split: Callable[[int, int], int]) -> None:
        super().__init__(source.specs)
        self._source, self._number, self._split = source, number, split
        self._turns = itertools.count()

    def iterate(self) -> Elements:
        turn = next(self._turns)
        return _Splits(self._source.iterate(), lambda: self._split(self._number, turn))


class _Splits:
    def __init__(self, elements: Elements, following: Callable[[], int]) -> None:
        self._elements, self._following, self._at = elements, following, 0

    def __iter__(self) -> Elements:
        return self

    def __next__(self) -> Any:
        wanted = self._following()
        for _ in range(wanted - self._at):
            next(self._elements)
        self._at = wanted + 1
        return next(self._elements)


def in_splits(node: Node, split: Callable[[int, int], int]) -> Node:
    """The dataset, each of whose sources gives what is split off for it."""
    numbers = itertools.count()
    made: dict[Node, Node] = {}

    def changed(one: Node) -> Node:
        if one not in made:
            if one.inputs:
                one.inputs = tuple([changed(other) for other in one.inputs])
                made[one] = one
            else:
                made[one] = SplitNode(one, next(numbers), split)
        return made[one]

    return changed(node)


def sharded(node: Node, policy: ShardingPolicy, count: int, index: int) -> Node:
    """The dataset of every `count`-th file or element.

    Raises:
        InvalidArgumentError: there are no files to be divided.
    """
    files = [one for one in _tree(node) if isinstance(one, FileNode)]
    if policy is not ShardingPolicy.DATA and files:
        for one in files:
            one.files = one.files[index::count]
        return node
    if policy is ShardingPolicy.FILE:
        raise InvalidArgumentError(
            "FILE sharding: the dataset reads no files by itself (functions of it may): choose "
            "another ShardingPolicy"
        )
    return ShardNode(node, tensor(count), tensor(index), specs=node.specs)


def _tree(node: Node) -> list[Node]:
    return [node, *(below for one in node.inputs for below in _tree(one))]

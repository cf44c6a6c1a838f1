"""The dispatcher: it knows datasets, workers and jobs, and who is given what of sources."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ..core.process.named_tuples import NamedTuple
from ..errors import (
    FailedPreconditionError,
    InvalidArgumentError,
    NotFoundError,
    UnavailableError,
    UnimplementedError,
)
from .configs import none_stands_for
from .policies import STATIC, ShardingPolicy
from .wire import Message, MessageServer, packed

# How long a question for further workers is kept before the connection is looked at again.
PATIENCE: Final = 1.0
# The numbers of datasets that have no name.
FIRST_ID: Final = 1000


@none_stands_for(protocol="grpc", job_gc_check_interval_ms=0, job_gc_timeout_ms=0)
class DispatcherConfig(NamedTuple):
    """How a dispatcher is set up.

    port: where it listens; 0: anywhere. worker_addresses: those of all workers, in the order in
    which static sharding numbers them. The others are TensorFlow's: one protocol is spoken here,
    and nothing is kept in files.
    """

    port: int = 0
    protocol: str | None = None
    work_dir: str | None = None
    fault_tolerant_mode: bool = False
    worker_addresses: Sequence[str] | None = None
    job_gc_check_interval_ms: int | None = None
    job_gc_timeout_ms: int | None = None
    worker_timeout_ms: int | None = None
    worker_max_concurrent_snapshots: int = 0


@dataclass
class _Job:
    dataset: str
    mode: ShardingPolicy
    consumers: int | None
    members: list[str] = field(default_factory=list[str])  # who gives rounds to consumers
    splits: dict[tuple[int, int], int] = field(default_factory=dict[tuple[int, int], int])


class DispatchServer:
    """The dispatcher of a data service, which runs in a thread of this process.

    >>> dispatcher = tf.data.experimental.service.DispatchServer()
    >>> address = dispatcher.target.partition("://")[2]
    >>> config = tf.data.experimental.service.WorkerConfig(dispatcher_address=address)
    >>> worker = tf.data.experimental.service.WorkerServer(config)
    >>> mode = tf.data.experimental.service.ShardingPolicy.OFF
    >>> remote = tf.data.experimental.service.distribute(mode, dispatcher.target)
    >>> [int(n) for n in tf.data.Dataset.range(3).apply(remote)]
    [0, 1, 2]

    Raises:
        ValueError: fault tolerance is wanted without a `work_dir`.
        UnimplementedError: fault tolerance is wanted: nothing is kept in files.
        UnavailableError: the port cannot be listened at.
    """

    def __init__(self, config: DispatcherConfig | None = None, start: bool = True) -> None:
        self._config = config or DispatcherConfig()
        if self._config.fault_tolerant_mode and not self._config.work_dir:
            raise ValueError(
                "Cannot enable fault tolerant mode without configuring a work dir. Make sure to "
                "set `work_dir` in the `config` object passed to `DispatcherServer`."
            )
        if self._config.fault_tolerant_mode:
            raise UnimplementedError(
                "fault_tolerant_mode: the dispatcher keeps nothing in files; start it again, and "
                "let its clients begin anew"
            )
        # All workers that ever came, and which of them are there, by their connections.
        self._workers: list[str] = []
        self._present: dict[Any, int] = {}
        self._places: dict[int, str] = {}  # whose places among `worker_addresses` these are
        self._datasets: dict[str, tuple[bytes, bytes, dict[str, Any]]] = {}
        self._jobs: dict[int, _Job] = {}
        self._named: dict[tuple[str, int], int] = {}  # by name, and how often it was begun before
        self._changed = threading.Condition()
        self._server: MessageServer | None = None
        self._is_over = False
        if start:
            self.start()

    def start(self) -> None:
        """Begin to answer."""
        if self._server is None:
            self._server = MessageServer(self._answer, self._config.port, self._ended)

    @property
    def target(self) -> str:
        """What clients call it by: "grpc://localhost:5000", as in TensorFlow.

        Raises:
            UnavailableError: it has not been started.
        """
        return f"{self._config.protocol or 'grpc'}://localhost:{self._running().port}"

    def join(self) -> None:
        """Wait until it is stopped."""
        self._running().join()

    def stop(self) -> None:
        """End it; clients are told that it is not available."""
        with self._changed:
            self._is_over = True
            self._changed.notify_all()
        if self._server is not None:
            self._server.stop()
            self._server = None

    _stop = stop

    def _running(self) -> MessageServer:
        if self._server is None:
            raise UnavailableError("the dispatcher is not started, or was stopped: call `start()`")
        return self._server

    def __del__(self) -> None:
        if getattr(self, "_server", None) is not None:
            self.stop()

    def _num_workers(self) -> int:
        return len(self._present)

    # ---- what is asked
    def _answer(self, header: dict[str, Any], payload: bytes, connection: Any) -> Message:
        with self._changed:
            what = header.pop("what")
            if what == "worker":
                return self._add_worker(header["address"], connection)
            return getattr(self, f"_answer_{what}")(payload=payload, **header)

    def _add_worker(self, address: str, connection: Any) -> Message:
        self._present[connection] = len(self._workers)
        self._workers.append(address)
        self._changed.notify_all()
        return {}, b""

    def _ended(self, connection: Any) -> None:
        with self._changed:
            self._present.pop(connection, None)

    def _answer_define(
        self, payload: bytes, dataset: str | None, spec: str, facts: dict[str, Any]
    ) -> Message:
        name = dataset or str(FIRST_ID + len(self._datasets))
        known = self._datasets.get(name)
        given = bytes.fromhex(spec)
        if known is not None and known[1] != given:
            raise InvalidArgumentError(
                "Failed to register dataset: Datasets with the same ID should have the same "
                f"structure, got other elements for dataset ID {name}"
            )
        self._datasets.setdefault(name, (payload, given, facts))
        return {"dataset": name}, b""

    def _answer_dataset(self, payload: bytes, dataset: str) -> Message:
        if dataset not in self._datasets:
            raise NotFoundError(
                f"Dataset id {dataset} not found. It must be registered with `register_dataset` "
                "before calling `from_dataset_id`."
            )
        definition, spec, facts = self._datasets[dataset]
        return {"facts": facts}, packed([definition, spec])

    def _answer_job(
        self, payload: bytes, name: str | None, dataset: str, mode: int, turn: int,
        consumers: int | None,
    ) -> Message:  # fmt: skip
        policy = ShardingPolicy(mode)
        if policy in STATIC and not self._config.worker_addresses:
            raise NotFoundError(
                f"{policy.name} sharding needs to know all workers: tell `worker_addresses` in the "
                "DispatcherConfig"
            )
        number = None if name is None else self._named.get((name, turn))
        if number is None:
            number = len(self._jobs)
            self._jobs[number] = _Job(dataset, policy, consumers)
            if name is not None:
                self._named[name, turn] = number
        elif self._jobs[number].mode is not policy:
            raise FailedPreconditionError(
                f"Tried to create job '{name}' with the processing mode {policy.name}, but there "
                f"is one of that name with {self._jobs[number].mode.name}"
            )
        elif self._jobs[number].consumers != consumers:
            raise FailedPreconditionError(
                f"Tried to create job '{name}' with num_consumers {consumers}, but there is one of "
                f"that name with {self._jobs[number].consumers}"
            )
        # Jobs of one name go over the dataset that was given first.
        return {"job": number, "dataset": self._jobs[number].dataset}, b""

    def _answer_tasks(self, payload: bytes, known: int) -> Message:
        """The workers from number `known` on, once there are any."""
        while len(self._workers) <= known and not self._is_over:
            if not self._changed.wait(PATIENCE):
                break
        there = [place for place in self._present.values() if place >= known]
        every = {"workers": [self._workers[place] for place in sorted(there)]}
        return {**every, "known": len(self._workers)}, b""

    def _answer_members(self, payload: bytes, job: int) -> Message:
        """The workers that were there when a job with consumers was first asked for, if any."""
        one = self._jobs[job]
        if not one.members:
            self._changed.wait_for(lambda: self._present or self._is_over, PATIENCE)
            one.members = [self._workers[place] for place in sorted(self._present.values())]
        return {"workers": one.members}, b""

    def _answer_place(self, payload: bytes, address: str) -> Message:
        """Which of how many workers one is."""
        every = list(self._config.worker_addresses or ())
        for place, told in enumerate(every):
            if self._places.get(place, address) == address and _describes(told, address):
                self._places[place] = address
                return {"count": len(every), "index": place}, b""
        raise InvalidArgumentError(f"Worker {address} is not in the list of workers {every}.")

    def _answer_split(self, payload: bytes, job: int, source: int, turn: int) -> Message:
        """The number of an element of a source that nobody else is given."""
        splits = self._jobs[job].splits
        number = splits.get((source, turn), 0)
        splits[source, turn] = number + 1
        return {"split": number}, b""


def _describes(told: str, address: str) -> bool:
    """Whether this is a worker's address, or one with any port."""
    host, _, port = told.partition(":")
    return told == address or (port in ("", "%port%") and host == address.partition(":")[0])

"""Datasets of what workers compute."""

from __future__ import annotations

import itertools
import selectors
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Final

from ..core import dtypes
from ..core.process.named_tuples import NamedTuple
from ..data.dataset import DatasetV2, new_dataset
from ..data.nodes.node import INFINITE, UNKNOWN, Element, Elements, Node, Specs
from ..data.snapshots.components import Codec
from ..errors import (
    FailedPreconditionError,
    InvalidArgumentError,
    NotFoundError,
    OpError,
    UnavailableError,
    UnimplementedError,
)
from ..formats.snappy import decompress
from ..graph.proto.messages import message
from ..graph.proto.structured import decoded, encoded
from ..ops.conversion import as_tensor
from .definitions import defined
from .policies import ShardingPolicy, policy_of
from .rounds import ConsumerRounds
from .wire import Connection, unpacked

COMPRESSIONS: Final = ("AUTO", None, "SNAPPY")
TARGETS: Final = ("AUTO", "ANY", "LOCAL")


class CrossTrainerCache:
    """Says that jobs of one name give their elements to several trainers: each worker keeps the
    latest, so that what was computed for one is there for the others.

    trainer_id: whose elements these are; those of one id are shared out.

    Raises:
        ValueError: the id is empty.
    """

    def __init__(self, trainer_id: str) -> None:
        if not trainer_id:
            raise ValueError("tf.data service cross-trainer cache requires a non-empty trainer ID.")
        self.trainer_id = trainer_id


class JobRequest(NamedTuple):
    """What a client says of a job."""

    address: str
    mode: ShardingPolicy
    name: str | None
    outstanding: int | None
    trainer: str | None
    consumer: int | None
    consumers: int | None


class ServiceNode(Node):
    """The elements of a dataset that workers compute."""

    def __init__(
        self,
        dataset: Any,
        *,
        wanted: JobRequest,
        spec: Any,
        compressed: bool,
        count: int,
        specs: Specs,
    ) -> None:
        super().__init__(specs)
        self._dataset, self._wanted, self._spec = dataset.numpy().decode(), wanted, spec
        self._compressed, self._count = compressed, count
        self._turns = itertools.count()

    def iterate(self) -> Elements:
        wanted, codec = self._wanted, Codec(self._spec)
        dispatcher = Connection(wanted.address)
        facts = {
            "name": wanted.name, "dataset": self._dataset, "mode": int(wanted.mode),
            "turn": next(self._turns), "consumers": wanted.consumers,
        }  # fmt: skip
        try:
            job, _ = dispatcher.call("job", **facts)
        except OpError:
            dispatcher.close()
            raise
        question = {
            "job": job["job"], "dataset": job["dataset"], "mode": int(wanted.mode),
            "trainer": wanted.trainer, "consumer": wanted.consumer, "consumers": wanted.consumers,
        }  # fmt: skip
        if wanted.consumers is not None:
            return ConsumerRounds(dispatcher, job["job"], question, codec, self._compressed)
        return _Received(dispatcher, question, wanted.outstanding, codec, self._compressed)

    def cardinality(self) -> int:
        return self._count


class _Received:
    """Elements as they come, of whichever worker is first."""

    def __init__(
        self, dispatcher: Connection, question: dict[str, Any], outstanding: int | None,
        codec: Codec, compressed: bool,
    ) -> None:  # fmt: skip
        self._codec, self._compressed, self._outstanding = codec, compressed, outstanding
        self._running: set[Connection] = set()
        self._idle: list[Connection] = []  # those that are not asked: enough others are
        self._ready: list[Connection] = []
        self._met = False  # whether there was a worker
        self._selector = selectors.DefaultSelector()
        self._dispatcher, self._question = dispatcher, question
        self._selector.register(self._dispatcher.socket, selectors.EVENT_READ, self._dispatcher)
        self._dispatcher.ask("tasks", known=0)

    def __iter__(self) -> Elements:
        return self

    def __next__(self) -> Element:
        while self._running or not self._met:
            if not self._ready:
                self._ready = [key.data for key, _ in self._selector.select()]
            one = self._ready.pop()
            if one is self._dispatcher:
                self._add_workers()
            elif (element := self._taken(one)) is not None:
                return element
        self.close()
        raise StopIteration

    def _add_workers(self) -> None:
        header, _ = self._dispatcher.answer()
        for address in header["workers"]:
            with suppress(UnavailableError):  # it has just gone, and had given nothing
                one = Connection(address)
                self._met = True
                self._running.add(one)
                self._selector.register(one.socket, selectors.EVENT_READ, one)
                self._idle.append(one)
        self._dispatcher.ask("tasks", known=header["known"])
        self._ask()

    def _ask(self) -> None:
        most = self._outstanding or len(self._running)
        while self._idle and len(self._running) - len(self._idle) < most:
            self._idle.pop(0).ask("next", **self._question)

    def _taken(self, one: Connection) -> Element | None:
        """The element that a worker gives; None where it has no more."""
        self._idle.append(one)
        try:
            header, payload = one.answer()
        except OpError:
            self._ask()  # of an element alone
            raise
        if header["end"]:
            self._idle.remove(one)
            self._running.discard(one)
            self._selector.unregister(one.socket)
            one.close()
            self._ask()
            return None
        self._ask()
        parts = unpacked(decompress(payload) if self._compressed else payload)
        return next(self._codec.elements(iter(parts), one.address))

    def close(self) -> None:
        """Let go of the servers."""
        for one in (self._dispatcher, *self._running):
            one.close()
        self._running.clear()
        self._selector.close()

    def __del__(self) -> None:
        if hasattr(self, "_dispatcher"):
            self.close()


# ---------------------------------------------------------------- what users call


def _address(service: Any) -> str:
    """Where the dispatcher is.

    Raises:
        ValueError: it is no string, or empty, or another protocol.
    """
    _require_text("service", service)
    protocol, found, rest = service.partition("://")
    if found and protocol != "grpc":
        raise ValueError(
            f"`service` is 'grpc://host:port', as `DispatchServer.target`: {service!r}"
        )
    return rest if found else service


def _require_text(what: str, value: Any) -> None:
    if not isinstance(value, str):
        raise ValueError(
            f"`{what}` must be a string, but `{what}` was of type {type(value)}. {what}={value}"
        )
    if not value:
        raise ValueError(f"`{what}` must not be empty")


def _require_compression(compression: Any) -> None:
    if compression not in COMPRESSIONS:
        raise ValueError(
            f"Invalid `compression` argument: {compression}. Must be one of {[*COMPRESSIONS]}."
        )


def _wanted(
    mode: Any,
    service: Any,
    job_name: Any,
    consumer: Any,
    consumers: Any,
    outstanding: Any,
    cache: Any,
    target: Any,
) -> JobRequest:
    policy = policy_of(mode)
    address = _address(service)
    if job_name is not None:
        _require_text("job_name", job_name)
    if consumers is not None:
        if job_name is None:
            raise ValueError(
                "`job_name` must be set when setting `num_consumers`. num_consumers was set to "
                f"{consumers}."
            )
        _require_consumer(consumer, consumers)
    if policy is ShardingPolicy.HINT:
        raise UnimplementedError("ShardingPolicy.HINT: shard the dataset by `shard`, or by DATA")
    if target not in TARGETS:
        raise InvalidArgumentError(f"Unrecognized target workers: {target}")
    most = None if outstanding in (None, -1) else int(outstanding)
    if most is not None and most < 1:
        raise InvalidArgumentError(f"max_outstanding_requests must be positive, got {most}")
    trainer = None if cache is None else cache.trainer_id
    if consumers is None:
        return JobRequest(address, policy, job_name, most, trainer, None, None)
    return JobRequest(address, policy, job_name, most, trainer, int(consumer), int(consumers))


def _require_consumer(consumer: Any, consumers: Any) -> None:
    if int(consumers) < 1:
        raise ValueError(f"`num_consumers` must be positive, got {consumers}")
    if consumer is None:
        raise ValueError(f"`consumer_index` says which of {consumers} consumers this is: tell it")
    if not 0 <= int(consumer) < int(consumers):
        raise FailedPreconditionError(
            f"consumer_index {consumer} is not in [0, {consumers}), as num_consumers says"
        )


def distribute(
    processing_mode: Any,
    service: str,
    job_name: str | None = None,
    consumer_index: int | None = None,
    num_consumers: int | None = None,
    max_outstanding_requests: int | None = None,
    data_transfer_protocol: str | None = None,
    compression: str | None = "AUTO",
    cross_trainer_cache: CrossTrainerCache | None = None,
    target_workers: str = "AUTO",
) -> Callable[[DatasetV2], DatasetV2]:
    """For `Dataset.apply`: the elements, computed by the workers of a data service.

    processing_mode: a `ShardingPolicy`, "parallel_epochs" (each worker gives all elements) or
    "distributed_epoch" (they share them out). service: the dispatcher's `target`. job_name: those
    who iterate under one name share the elements. consumer_index, num_consumers: which of how many
    this is that read in rounds: in each, one worker gives all of them an element, the first to the
    first, once all have asked; workers take turns. The dataset has no end then, and those workers
    give that are there at the beginning. max_outstanding_requests: how many elements are
    asked for at a time; otherwise one of each worker. compression: "SNAPPY", or "AUTO" and None,
    which mean none. cross_trainer_cache: gives several trainers the same elements.

    >>> dispatcher = tf.data.experimental.service.DispatchServer()
    >>> address = dispatcher.target.partition("://")[2]
    >>> config = tf.data.experimental.service.WorkerConfig(dispatcher_address=address)
    >>> workers = [tf.data.experimental.service.WorkerServer(config) for _ in range(2)]
    >>> data = tf.data.Dataset.range(5).apply(
    ...     tf.data.experimental.service.distribute("distributed_epoch", dispatcher.target))
    >>> sorted(int(n) for n in data)
    [0, 1, 2, 3, 4]

    Raises:
        ValueError: a mode, name or compression is none.
        UnavailableError: there is no dispatcher.
        FailedPreconditionError: the dataset calls Python or uses variables, which workers have not.
    """
    wanted = _wanted(
        processing_mode, service, job_name, consumer_index, num_consumers,
        max_outstanding_requests, cross_trainer_cache, target_workers,
    )  # fmt: skip
    _require_compression(compression)

    def applied(dataset: DatasetV2) -> DatasetV2:
        name = register_dataset(service, dataset, compression)
        infinite = int(dataset.cardinality()) == INFINITE
        return _received(name, wanted, dataset.element_spec, compression == "SNAPPY", infinite)

    return applied


def _received(
    name: Any, wanted: JobRequest, spec: Any, compressed: bool, infinite: bool
) -> DatasetV2:
    count = INFINITE if infinite else UNKNOWN
    kind = partial(ServiceNode, wanted=wanted, spec=spec, compressed=compressed, count=count)
    return new_dataset("_DataServiceDatasetV4", kind, spec, (), [name])


def register_dataset(
    service: str, dataset: DatasetV2, compression: str | None = "AUTO", dataset_id: Any = None
) -> Any:
    """Give a dataset to a data service: its id there, a string scalar, for `from_dataset_id`.

    dataset_id: what it is to be called; a second dataset of that name is not looked at.

    >>> dispatcher = tf.data.experimental.service.DispatchServer()
    >>> tf.data.experimental.service.register_dataset(
    ...     dispatcher.target, tf.data.Dataset.range(5), dataset_id="five").numpy()
    b'five'

    Raises:
        InvalidArgumentError: the first of that name has other elements.
        UnavailableError: there is no dispatcher.
        FailedPreconditionError: the dataset calls Python or uses variables, which workers have not.
    """
    _require_compression(compression)
    connection = Connection(_address(service))
    try:
        header, _ = connection.call(
            "define", defined(dataset), dataset=None if dataset_id is None else _text(dataset_id),
            spec=encoded(dataset.element_spec).SerializeToString(deterministic=True).hex(),
            facts={"compression": compression},
        )  # fmt: skip
    finally:
        connection.close()
    return as_tensor(header["dataset"], dtypes.string)


def _text(value: Any) -> str:
    return as_tensor(value, dtypes.string).numpy().decode()


def from_dataset_id(
    processing_mode: Any,
    service: str,
    dataset_id: Any,
    element_spec: Any = None,
    job_name: str | None = None,
    consumer_index: int | None = None,
    num_consumers: int | None = None,
    max_outstanding_requests: int | None = None,
    data_transfer_protocol: str | None = None,
    cross_trainer_cache: CrossTrainerCache | None = None,
    target_workers: str = "AUTO",
) -> DatasetV2:
    """The elements of a dataset that was given to a data service by `register_dataset`.

    dataset_id: what that returned, or the name that it was told. element_spec: what describes the
    elements, where the service is not to say so. The others are those of `distribute`.

    >>> dispatcher = tf.data.experimental.service.DispatchServer()
    >>> numbers = tf.data.Dataset.range(5)
    >>> name = tf.data.experimental.service.register_dataset(dispatcher.target, numbers)
    >>> tf.data.experimental.service.from_dataset_id(
    ...     "parallel_epochs", dispatcher.target, name).element_spec
    TensorSpec(shape=(), dtype=tf.int64, name=None)

    Raises:
        ValueError: a mode or name is none; there is no such dataset, and no `element_spec`.
        NotFoundError: there is no such dataset.
        UnavailableError: there is no dispatcher.
    """
    wanted = _wanted(
        processing_mode, service, job_name, consumer_index, num_consumers,
        max_outstanding_requests, cross_trainer_cache, target_workers,
    )  # fmt: skip
    name = _text(dataset_id)
    connection = Connection(wanted.address)
    try:
        header, payload = connection.call("dataset", dataset=name)
    except NotFoundError as error:
        if element_spec is not None:
            raise
        raise ValueError(
            f"the data service does not know the elements of the dataset {name}: {error.message}"
        ) from error
    finally:
        connection.close()
    spec = element_spec
    if spec is None:
        spec = decoded(message("StructuredValue").FromString(unpacked(payload)[1]))
    compressed = header["facts"].get("compression") == "SNAPPY"
    return _received(as_tensor(name), wanted, spec, compressed, False)


def distributed_save(
    dataset: DatasetV2, path: Any, data_service_address: str, compression: str | None = "AUTO"
) -> None:
    """Have the workers of a data service compute the elements, which share them out, and write them
    into the folder `path`, as `Dataset.save` does; it is complete when this returns.

    compression: "GZIP", "SNAPPY" (and "AUTO") or None.

    >>> dispatcher = tf.data.experimental.service.DispatchServer()
    >>> address = dispatcher.target.partition("://")[2]
    >>> config = tf.data.experimental.service.WorkerConfig(dispatcher_address=address)
    >>> worker = tf.data.experimental.service.WorkerServer(config)
    >>> tf.data.experimental.distributed_save(
    ...     tf.data.Dataset.range(3), "computed", dispatcher.target)
    >>> [int(n) for n in tf.data.Dataset.load("computed", compression="SNAPPY")]
    [0, 1, 2]

    Raises:
        ValueError: the address is none.
        UnavailableError: there is no dispatcher.
        FailedPreconditionError: the dataset calls Python or uses variables, which workers have not.
        InvalidArgumentError: an unknown compression.
    """
    remote = dataset.apply(distribute(ShardingPolicy.DYNAMIC, data_service_address))
    remote.save(path, "SNAPPY" if compression == "AUTO" else compression)

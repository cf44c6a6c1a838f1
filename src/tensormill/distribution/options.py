"""What programs ask of strategies. One device has nothing to exchange: it is kept as it is."""

from __future__ import annotations

from enum import Enum
from typing import Any

from ..core.process.named_tuples import NamedTuple


class InputReplicationMode(Enum):
    """For whom a function that makes a dataset is called: for each process, or each replica."""

    PER_WORKER = "PER_WORKER"
    PER_REPLICA = "PER_REPLICA"


class _InputFields(NamedTuple):
    experimental_fetch_to_device: bool
    experimental_replication_mode: InputReplicationMode
    experimental_place_dataset_on_device: bool
    experimental_per_replica_buffer_size: int


class InputOptions(_InputFields):
    """How datasets are distributed; `experimental_fetch_to_device` is True unless it is given."""

    __slots__ = ()

    def __new__(
        cls,
        experimental_fetch_to_device: bool | None = None,
        experimental_replication_mode: Any = InputReplicationMode.PER_WORKER,
        experimental_place_dataset_on_device: bool = False,
        experimental_per_replica_buffer_size: int = 1,
    ) -> Any:
        return super().__new__(
            cls,
            True if experimental_fetch_to_device is None else experimental_fetch_to_device,
            experimental_replication_mode,
            experimental_place_dataset_on_device,
            experimental_per_replica_buffer_size,
        )


class RunOptions(NamedTuple):
    """How `Strategy.run` compiles."""

    experimental_enable_dynamic_batch_size: bool = True
    experimental_bucketizing_dynamic_shape: bool = False
    experimental_xla_options: Any = None


class CommunicationImplementation(Enum):
    """By which library replicas exchange tensors."""

    AUTO = "AUTO"
    RING = "RING"
    NCCL = "NCCL"


class CommunicationOptions:
    """How replicas exchange tensors.

    bytes_per_pack: how much is sent at once; 0 lets the library choose. timeout_seconds: how long a
    replica waits for the others; None: for ever.

    Raises:
        ValueError: `bytes_per_pack` is negative, or there is no such `implementation`.
    """

    def __init__(
        self,
        bytes_per_pack: int = 0,
        timeout_seconds: float | None = None,
        implementation: Any = CommunicationImplementation.AUTO,
    ) -> None:
        if bytes_per_pack < 0:
            raise ValueError(f"Argument `bytes_per_pack` must be >=0, Received {bytes_per_pack}.")
        if isinstance(implementation, str):
            implementation = CommunicationImplementation(implementation.upper())
        self.bytes_per_pack = bytes_per_pack
        self.timeout_seconds = timeout_seconds
        self.implementation: CommunicationImplementation = implementation

    def __repr__(self) -> str:
        return (
            f"CommunicationOptions(bytes_per_pack={self.bytes_per_pack}, "
            f"timeout_seconds={self.timeout_seconds}, implementation={self.implementation})"
        )


class CollectiveHints(CommunicationOptions):
    """An older name of `CommunicationOptions`, which takes no implementation.

    Raises:
        ValueError: `bytes_per_pack` is negative.
    """

    def __init__(self, bytes_per_pack: int = 0, timeout_seconds: float | None = None) -> None:
        super().__init__(bytes_per_pack, timeout_seconds)

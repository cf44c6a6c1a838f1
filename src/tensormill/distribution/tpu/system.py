"""What programs say of TPUs and are told of them."""

from __future__ import annotations

from enum import Enum
from typing import Any

from ...core.process.named_tuples import NamedTuple


class XLAOptions(NamedTuple):
    """How a program for TPUs would be compiled; `tf.distribute.RunOptions` takes it.

    >>> tf.tpu.XLAOptions(use_spmd_for_xla_partitioning=False).enable_xla_dynamic_padder
    True
    """

    use_spmd_for_xla_partitioning: bool = True
    enable_xla_dynamic_padder: bool = True
    use_shardy_partitioner: bool = False


class TPUSystemMetadata(NamedTuple):
    """How many TPUs there are, and on how many hosts.

    >>> tf.tpu.experimental.TPUSystemMetadata(8, 1, 8, None, ()).num_cores
    8
    """

    num_cores: int
    num_hosts: int
    num_of_cores_per_host: int
    topology: Any
    devices: tuple[Any, ...]


class EmbeddingFeature(Enum):
    """Which generation of hardware for embeddings a TPU has."""

    UNSUPPORTED = "UNSUPPORTED"
    V1 = "V1"
    V2 = "V2"


class HardwareFeature:
    """What a TPU says of its hardware for embeddings, in the message `TPUHardwareFeature`."""

    EmbeddingFeature = EmbeddingFeature

    def __init__(self, tpu_hardware_feature_proto: Any) -> None:
        self._told = tpu_hardware_feature_proto

    @property
    def embedding_feature(self) -> EmbeddingFeature:
        """The generation; UNSUPPORTED where the number is not known here."""
        kinds = dict(enumerate(EmbeddingFeature))
        return kinds.get(self._told.embedding_feature, EmbeddingFeature.UNSUPPORTED)

    @property
    def num_embedding_devices_per_chip(self) -> int:
        """How many such devices a chip has."""
        return self._told.num_embedding_devices_per_chip

"""What programs say of TPUs and are told of them."""

from __future__ import annotations

from typing import Any, NamedTuple


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

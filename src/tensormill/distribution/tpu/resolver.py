"""Who knows the TPUs of this machine: those that JAX has, where XLA is the back end.

Where there are none, programs learn it by a ValueError of each of these names:

    try:
        resolver = tf.distribute.cluster_resolver.TPUClusterResolver()
        tf.config.experimental_connect_to_cluster(resolver)
        tf.tpu.experimental.initialize_tpu_system(resolver)
        strategy = tf.distribute.TPUStrategy(resolver)
    except ValueError:
        strategy = tf.distribute.get_strategy()
"""

from __future__ import annotations

from typing import Any, Final, Self

import numpy as np

from ...eager.devices import LogicalDevice, logical_devices, visible
from ...errors import UnimplementedError
from ...graph.proto.clusters import ClusterSpec
from ..cluster_resolvers import ClusterResolver
from .system import TPUSystemMetadata
from .topology import Topology

NAMELESS: Final = "Please provide a TPU Name to connect to."
ABSENT: Final = "there are no TPUs here; use tf.distribute.MirroredStrategy"
OF_THIS_MACHINE: Final = ("", "local")


def local_tpus(asked: Any) -> list[LogicalDevice]:
    """The TPUs of this machine.

    asked: the name of TPUs, or the resolver that knows them; None for these.

    Raises:
        ValueError: there are none, or others are asked for. It begins as TensorFlow's does where
            no TPU is named.
    """
    found = logical_devices("TPU")
    if not found:
        raise ValueError(f"{asked!r}: {ABSENT}" if asked else f"{NAMELESS} But {ABSENT}")
    if asked is not None and asked not in OF_THIS_MACHINE and type(asked) is not TPUClusterResolver:
        raise ValueError(
            f"{asked!r}: only the {len(found)} TPUs of this machine are there; leave the name out, "
            "or call them 'local'"
        )
    return found


class TPUClusterResolver(ClusterResolver):
    """Knows the TPUs of this machine.

    tpu: None, "" or "local". What else clouds want to know is not looked at.

    Raises:
        ValueError: there are no TPUs, or others are asked for.
    """

    rpc_layer: str | None = None

    def __init__(
        self,
        tpu: str | None = None,
        zone: str | None = None,
        project: str | None = None,
        job_name: str = "worker",
        coordinator_name: str | None = None,
        coordinator_address: str | None = None,
        credentials: Any = "default",
        service: Any = None,
        discovery_url: str | None = None,
    ) -> None:
        local_tpus(tpu)
        self.task_type = job_name
        self.task_id = 0

    @classmethod
    def connect(
        cls, tpu: str | None = None, zone: str | None = None, project: str | None = None
    ) -> Self:
        """A resolver whose TPUs are ready.

        Raises:
            ValueError: there are no TPUs, or others are asked for.
        """
        made = cls(tpu, zone, project)
        initialize_tpu_system(made)
        return made

    def cluster_spec(self) -> Any:
        """No addresses: the TPUs are of this process."""
        return ClusterSpec({})

    def master(
        self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None
    ) -> str:
        """Nothing: this process has no address."""
        return ""

    def get_master(self) -> str:
        """The same as `master()`."""
        return self.master()

    def get_job_name(self) -> str | None:
        """The job of this process."""
        return self.task_type

    def num_accelerators(
        self, task_type: str | None = None, task_id: int | None = None, config_proto: Any = None
    ) -> dict[str, int]:
        """How many TPUs there are."""
        return {"TPU": len(local_tpus(None))}

    def get_tpu_system_metadata(self) -> TPUSystemMetadata:
        """How many TPUs there are, on this one host."""
        found = local_tpus(None)
        return TPUSystemMetadata(len(found), 1, len(found), None, tuple(found))

    def set_tpu_topology(self, serialized_tpu_topology: bytes) -> None:
        """Nothing: the TPUs of this machine say how they lie."""


def initialize_tpu_system(cluster_resolver: Any = None) -> Topology:
    """The TPUs of this machine, ready, and how they lie.

    >>> tf.tpu.experimental.initialize_tpu_system("mine")
    Traceback (most recent call last):
    ...
    ValueError: 'mine': there are no TPUs here; use tf.distribute.MirroredStrategy

    Raises:
        ValueError: there are no TPUs, or others are asked for.
    """
    local_tpus(cluster_resolver)
    places = [_place(number, one) for number, one in enumerate(visible("TPU"))]
    cores = np.array([places], np.int32)
    return Topology(mesh_shape=cores.max((0, 1)) + 1, device_coordinates=cores)


def _place(number: int, device: Any) -> list[int]:
    """x, y, z and the number of a core in its chip; in a row where JAX does not know them."""
    chip = getattr(device, "coords", None)
    return [number, 0, 0, 0] if chip is None else [*chip, device.core_on_chip]


def shutdown_tpu_system(cluster_resolver: Any = None) -> None:
    """Nothing is left to be done: JAX gives TPUs back when the process ends.

    >>> tf.tpu.experimental.shutdown_tpu_system("mine")
    Traceback (most recent call last):
    ...
    ValueError: 'mine': there are no TPUs here; use tf.distribute.MirroredStrategy

    Raises:
        ValueError: there are no TPUs, or others are asked for.
    """
    local_tpus(cluster_resolver)


def experimental_connect_to_cluster(
    cluster_spec_or_resolver: Any,
    job_name: str = "localhost",
    task_index: int = 0,
    protocol: str | None = None,
    make_master_device_default: bool = True,
    cluster_device_filters: Any = None,
) -> None:
    """Nothing, for a resolver of this process's devices: it has them already.

    >>> resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
    >>> tf.config.experimental_connect_to_cluster(resolver)

    Raises:
        ValueError: it is neither a resolver nor a `tf.train.ClusterSpec`.
        UnimplementedError: there would be other processes, whose devices this one cannot have.
    """
    asked = cluster_spec_or_resolver
    if isinstance(asked, ClusterResolver) and asked.master() in OF_THIS_MACHINE:
        return
    if not isinstance(asked, (ClusterResolver, ClusterSpec)):
        raise ValueError(
            "`cluster_spec_or_resolver` must be a `ClusterSpec` or a `ClusterResolver`, not "
            f"{asked!r}"
        )
    raise UnimplementedError(
        "experimental_connect_to_cluster: a process has no devices of others; run the program in "
        "each of them with tf.distribute.MultiWorkerMirroredStrategy"
    )

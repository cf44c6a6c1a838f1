"""Strategies by name. Over one device they do the same, and are told apart by programs that ask."""

from __future__ import annotations

import copy
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager
from itertools import count
from typing import Any, Final

from ..core import tree
from ..core.device_specs import DeviceSpec
from ..core.process.with_blocks import block
from ..eager.creation import variable_creator_scope
from ..eager.placement import device as on_device
from ..errors import UnimplementedError
from .cluster_resolvers import TFConfigClusterResolver
from .contexts import ValueContext
from .extended import DeviceExtended
from .input import OneReplicaDataset, distributed
from .options import CommunicationImplementation
from .strategy import Strategy
from .values import PerReplica

_count: Final = count()
CPU: Final = "/job:localhost/replica:0/task:0/device:CPU:0"
HERE: Final = DeviceSpec.from_string("/job:localhost/replica:0/task:0")
ONE_DEVICE: Final = "there is one device here, the CPU: give one device, or leave `devices` out"


def full_name(device: Any) -> str:
    """The whole name of a device of this process.

    Raises:
        ValueError: it is no name of a device.
    """
    spec = DeviceSpec.from_string(device or "/cpu:0")
    if spec.device_index is None:
        spec = spec.replace(device_index=0)
    return HERE.make_merged_spec(spec).to_string()


class DeviceStrategy(Strategy):
    """Abstract: one replica on a device that is named."""

    def __init__(self, device: str) -> None:
        self._device: Final = device
        super().__init__(DeviceExtended(self, device))

    def scope(self) -> AbstractContextManager[Any]:
        return self._within(super().scope())

    @block
    def _within(self, frame: AbstractContextManager[Any]) -> Generator[Any]:
        with frame, variable_creator_scope(self._made), on_device(self._device):
            yield self

    def _made(self, next_creator: Callable[..., Any], **kwargs: Any) -> Any:
        variable = next_creator(**kwargs)
        variable._distribute_strategy = self
        return variable

    def experimental_distribute_dataset(
        self, dataset: Any, options: Any = None
    ) -> OneReplicaDataset:
        """A dataset whose elements are divided between the replicas: the only one gets all.

        >>> strategy = tf.distribute.MirroredStrategy()
        >>> data = strategy.experimental_distribute_dataset(tf.data.Dataset.range(2))
        >>> [n.numpy() for n in data]
        [np.int64(0), np.int64(1)]

        Raises:
            TypeError: it is no dataset.
        """
        return distributed(dataset)


class OneDeviceStrategy(DeviceStrategy):
    """Runs everything on one device.

    device: its name.

    >>> strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
    >>> with strategy.scope():
    ...     v = tf.Variable(1.0)
    >>> strategy.run(lambda x: v * x, args=(tf.constant(3.0),)).numpy()
    np.float32(3.0)

    Raises:
        ValueError: it is no name of a device.
    """

    def __init__(self, device: str) -> None:
        super().__init__(full_name(device))


class PerReplicaStrategy(DeviceStrategy):
    """Abstract: a strategy for several devices, over one."""

    def __init__(self, device: str) -> None:
        super().__init__(device)
        self.surroundings = f"replica {next(_count)}"

    def experimental_distribute_values_from_function(self, value_fn: Callable[[Any], Any]) -> Any:
        """What `value_fn(ValueContext())` returns for each replica: `PerReplica` values.

        >>> strategy = tf.distribute.MirroredStrategy()
        >>> values = strategy.experimental_distribute_values_from_function(lambda context: 5)
        >>> strategy.experimental_local_results(values)
        (5,)
        """
        return tree.map_structure(lambda leaf: PerReplica([leaf]), value_fn(ValueContext()))

    def update_config_proto(self, config_proto: Any) -> Any:
        """A copy of a `tf.compat.v1.ConfigProto` that keeps what sessions have apart."""
        made = copy.deepcopy(config_proto)
        made.isolate_session_state = True
        return made


class MirroredStrategy(PerReplicaStrategy):
    """Runs a replica on each device of this process, which have copies of all variables.

    There is one device, the CPU: one replica, whose variables are plain ones.

    devices: a list with the name of one device; None: that which there is. cross_device_ops: how
    replicas' values are added up.

    >>> strategy = tf.distribute.MirroredStrategy()
    >>> strategy.num_replicas_in_sync
    1

    Raises:
        ValueError: a device has no such name.
        AssertionError: a device is named twice.
        UnimplementedError: there are several devices.
    """

    def __init__(self, devices: Sequence[str] | None = None, cross_device_ops: Any = None) -> None:
        self.cross_device_ops: Final = cross_device_ops
        super().__init__(_only_device(devices, type(self).__name__))


class CentralStorageStrategy(PerReplicaStrategy):
    """Runs a replica on each device, with variables on one of them: here, the only one.

    compute_devices, parameter_device: names of devices; None: that which there is.

    >>> tf.distribute.experimental.CentralStorageStrategy().num_replicas_in_sync
    1

    Raises:
        ValueError: a device has no such name.
        UnimplementedError: there are several devices.
    """

    def __init__(
        self, compute_devices: Sequence[str] | None = None, parameter_device: str | None = None
    ) -> None:
        if parameter_device is not None:
            _only_device([parameter_device], type(self).__name__)
        super().__init__(_only_device(compute_devices, type(self).__name__))


class MultiWorkerMirroredStrategy(PerReplicaStrategy):
    """Runs a replica on each device of several processes: here, of one.

    cluster_resolver: what knows the processes; None: `TFConfigClusterResolver()`, which reads the
    environment variable TF_CONFIG. communication_options: how replicas' values are added up.

    >>> tf.distribute.MultiWorkerMirroredStrategy().num_replicas_in_sync
    1

    Raises:
        UnimplementedError: there are several processes.
    """

    def __init__(self, cluster_resolver: Any = None, communication_options: Any = None) -> None:
        self._resolver: Final = cluster_resolver or TFConfigClusterResolver()
        self.communication_options: Final = communication_options
        cluster = self._resolver.cluster_spec().as_dict()
        workers = sum(len(tasks) for job, tasks in cluster.items() if job in ("chief", "worker"))
        if workers > 1:
            raise UnimplementedError(
                f"MultiWorkerMirroredStrategy: there is one process here, not {workers} workers; "
                "start one, without TF_CONFIG"
            )
        super().__init__(CPU)

    @property
    def cluster_resolver(self) -> Any:
        """What knows the processes."""
        return self._resolver


class ExperimentalMultiWorkerMirroredStrategy(MultiWorkerMirroredStrategy):
    """An older form of `tf.distribute.MultiWorkerMirroredStrategy`.

    communication: how replicas' values are added up.

    Raises:
        UnimplementedError: there are several processes.
    """

    def __init__(
        self,
        communication: Any = CommunicationImplementation.AUTO,
        cluster_resolver: Any = None,
    ) -> None:
        super().__init__(cluster_resolver, communication)


class TPUStrategy(Strategy):
    """For machines with TPUs: programs ask whether a strategy is one.

    Raises:
        UnimplementedError: always.
    """

    def __init__(
        self,
        tpu_cluster_resolver: Any = None,
        experimental_device_assignment: Any = None,
        experimental_spmd_xla_partitioning: bool = False,
    ) -> None:
        raise UnimplementedError("there is one device, the CPU: a TPUStrategy cannot be made")


def _only_device(devices: Any, name: str) -> str:
    """The whole name of the one device of a list, or of the one that there is.

    Raises:
        ValueError: it is no list of names of devices.
        AssertionError: one is named twice.
        UnimplementedError: there are several.
    """
    if not devices:
        return CPU
    if isinstance(devices, str):
        raise ValueError(f"{name}: devices is a list of names, [{devices!r}], not {devices!r}")
    names = [full_name(one) for one in devices]
    if len(set(names)) < len(names):
        raise AssertionError(f"No duplicates allowed in `devices` argument: {tuple(names)}")
    if len(names) > 1:
        raise UnimplementedError(f"{name} over {len(names)} devices: {ONE_DEVICE}")
    return names[0]

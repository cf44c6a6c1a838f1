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
from ..eager.devices import logical_devices
from .contexts import ValueContext
from .extended import DeviceExtended, StrategyExtended
from .replicated import CentralExtended, ReplicatedExtended
from .strategy import Strategy
from .values import PerReplica

_count: Final = count()
CPU: Final = "/job:localhost/replica:0/task:0/device:CPU:0"
HERE: Final = DeviceSpec.from_string("/job:localhost/replica:0/task:0")


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
    """Abstract: a replica on each of some devices that are named."""

    def __init__(self, devices: Sequence[str], operations: Any = None) -> None:
        self._devices: Final = tuple(devices)
        super().__init__(self._extended_for(devices, operations))

    def _extended_for(self, devices: Sequence[str], operations: Any) -> StrategyExtended:
        if devices[1:]:
            return ReplicatedExtended(self, devices, operations)
        return DeviceExtended(self, devices[0])

    def scope(self) -> AbstractContextManager[Any]:
        return self._within(super().scope())

    @block
    def _within(self, frame: AbstractContextManager[Any]) -> Generator[Any]:
        with frame, variable_creator_scope(self.extended.made_variable):
            yield self


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
        super().__init__([full_name(device)])


class PerReplicaStrategy(DeviceStrategy):
    """Abstract: a strategy that may have several devices."""

    def __init__(self, devices: Sequence[str], operations: Any = None) -> None:
        super().__init__(devices, operations)
        self.surroundings = f"replica {next(_count)}"

    def experimental_distribute_values_from_function(self, value_fn: Callable[[Any], Any]) -> Any:
        """What `value_fn(ValueContext())` returns for each replica: `PerReplica` values.

        >>> strategy = tf.distribute.MirroredStrategy()
        >>> values = strategy.experimental_distribute_values_from_function(lambda context: 5)
        >>> strategy.experimental_local_results(values)
        (5,)
        """
        if self.num_replicas_in_sync > 1:
            return super().experimental_distribute_values_from_function(value_fn)
        return tree.map_structure(lambda leaf: PerReplica([leaf]), value_fn(ValueContext()))

    def update_config_proto(self, config_proto: Any) -> Any:
        """A copy of a `tf.compat.v1.ConfigProto` that keeps what sessions have apart.

        >>> strategy = tf.distribute.MirroredStrategy(['/cpu:0'])
        >>> strategy.update_config_proto(tf.compat.v1.ConfigProto()).isolate_session_state
        True
        """
        made = copy.deepcopy(config_proto)
        made.isolate_session_state = True
        return made


class MirroredStrategy(PerReplicaStrategy):
    """Runs a replica on each device of this process, which have copies of all variables.

    Replicas run in turn, in one thread of execution; within a tf.function they are one graph.

    devices: the names of devices; None: all GPUs, or all logical CPUs (see
    `tf.config.set_logical_device_configuration`). cross_device_ops: how replicas' values are added
    up.

    >>> strategy = tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
    >>> with strategy.scope():
    ...     total = tf.Variable(0.0, aggregation=tf.VariableAggregation.SUM)
    >>> def step():
    ...     number = tf.distribute.get_replica_context().replica_id_in_sync_group
    ...     return total.assign_add(1.0 + tf.cast(number, tf.float32))
    >>> strategy.run(step)
    PerReplica:{
      0: <tf.Tensor: shape=(), dtype=float32, numpy=3.0>,
      1: <tf.Tensor: shape=(), dtype=float32, numpy=3.0>
    }

    Raises:
        ValueError: a device has no such name, or is one of another process that says no task.
        AssertionError: a device is named twice.
        RuntimeError: they are devices of several processes.
    """

    def __init__(self, devices: Sequence[str] | None = None, cross_device_ops: Any = None) -> None:
        self.cross_device_ops: Final = cross_device_ops
        names = named_devices(devices, type(self).__name__)
        _require_one_process(devices or names)
        super().__init__(names, cross_device_ops)

    def _extended_for(self, devices: Sequence[str], operations: Any) -> StrategyExtended:
        return ReplicatedExtended(self, devices, operations)


class CentralStorageStrategy(PerReplicaStrategy):
    """Runs a replica on each device, with variables on one of them, which all replicas share.

    compute_devices, parameter_device: names of devices; None: all GPUs, or the first CPU; and
    the first CPU.

    >>> strategy = tf.distribute.experimental.CentralStorageStrategy(["/cpu:0", "/cpu:1"])
    >>> strategy.num_replicas_in_sync
    2

    Raises:
        ValueError: a device has no such name.
        AssertionError: a device is named twice.
    """

    def __init__(
        self, compute_devices: Sequence[str] | None = None, parameter_device: str | None = None
    ) -> None:
        self._center: Final = full_name(parameter_device)
        usual = [one.name for one in logical_devices("GPU")] or [CPU]
        super().__init__(named_devices(compute_devices or usual, type(self).__name__))

    def _extended_for(self, devices: Sequence[str], operations: Any) -> StrategyExtended:
        if devices[1:]:
            return CentralExtended(self, devices, self._center)
        return super()._extended_for(devices, operations)


def _require_one_process(devices: Sequence[str]) -> None:
    specs = [DeviceSpec.from_string(one) for one in devices]
    for one in specs:
        if one.job not in (None, "localhost") and one.task is None:
            raise ValueError(
                f"Remote device string must have task specified, as in /job:worker/task:0: got "
                f"'{one.to_string()}'"
            )
    if len({(one.job or "localhost", one.replica or 0, one.task or 0) for one in specs}) > 1:
        raise RuntimeError(
            "In-graph multi-worker training with `MirroredStrategy` is not supported in eager "
            "mode: give it the devices of one process, or use MultiWorkerMirroredStrategy"
        )


def named_devices(devices: Any, name: str) -> list[str]:
    """The whole names of the devices of a list, or of all GPUs, or where there are none of all
    logical CPUs.

    Raises:
        ValueError: it is no list of names of devices.
        AssertionError: one is named twice.
    """
    if not devices:
        return [full_name(one.name) for one in logical_devices("GPU") or logical_devices("CPU")]
    if isinstance(devices, str):
        raise ValueError(f"{name}: devices is a list of names, [{devices!r}], not {devices!r}")
    names = [full_name(one) for one in devices]
    if len(set(names)) < len(names):
        raise AssertionError(f"No duplicates allowed in `devices` argument: {tuple(names)}")
    return names

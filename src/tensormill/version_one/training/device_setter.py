"""Where the variables of a graph go that workers and parameter servers share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from ...core.device_specs import DeviceSpec
from ...graph.proto.clusters import ClusterSpec

if TYPE_CHECKING:
    from ...graph.operation import Operation

# Operations that have state, which parameter servers keep.
WITH_STATE: Final = (
    "Variable", "VariableV2", "AutoReloadVariable", "MutableHashTable", "MutableHashTableV2",
    "MutableHashTableOfTensors", "MutableHashTableOfTensorsV2", "MutableDenseHashTable",
    "MutableDenseHashTableV2", "VarHandleOp", "BoostedTreesEnsembleResourceHandleOp",
    "BoostedTreesQuantileStreamResourceHandleOp", "ResourceConditionalAccumulator",
    "DecisionTreeResource",
)  # fmt: skip


def replica_device_setter(
    ps_tasks: int = 0,
    ps_device: str = "/job:ps",
    worker_device: str = "/job:worker",
    merge_devices: bool = True,
    cluster: Any = None,
    ps_ops: Sequence[str] | None = None,
    ps_strategy: Callable[[Operation], int] | None = None,
) -> Callable[[Operation], str] | None:
    """A function for `tf.compat.v1.device`: variables go to parameter servers in turn, all else to
    the worker. None where there are no parameter servers.

    ps_tasks: how many there are, or `cluster`: a dict, message or `tf.train.ClusterSpec` that has
    the job of `ps_device`. merge_devices: whether what operations say of devices is kept for the
    parts that it names, or stands alone. ps_ops: the kinds of operations that servers keep.
    ps_strategy: the number of the server for an operation.

    >>> with tf.Graph().as_default():
    ...     with tf.compat.v1.device(tf.compat.v1.train.replica_device_setter(ps_tasks=2)):
    ...         variables = [tf.compat.v1.get_variable(name, []) for name in "abc"]
    >>> [one.device for one in variables]
    ['/job:ps/task:0', '/job:ps/task:1', '/job:ps/task:0']

    Raises:
        TypeError: `cluster` describes none; the strategy is no function.
    """
    if cluster is not None:
        jobs = ClusterSpec(cluster).as_dict()
        ps_tasks = len(jobs.get(DeviceSpec.from_string(ps_device).job, ()))
    if not ps_tasks:
        return None
    strategy = in_turn(ps_tasks) if ps_strategy is None else ps_strategy
    if not callable(strategy):
        raise TypeError("ps_strategy must be callable")
    kinds = frozenset(WITH_STATE if ps_ops is None else ps_ops)
    server, worker = DeviceSpec.from_string(ps_device), DeviceSpec.from_string(worker_device)

    def place(operation: Operation) -> str:
        own = DeviceSpec.from_string(operation.device)
        if not merge_devices and operation.device:
            return operation.device
        usual = worker
        if operation.type in kinds:
            is_served = server.job is not None and own.job in (None, server.job)
            usual = server.replace(task=strategy(operation)) if is_served else server
        return usual.make_merged_spec(own).to_string()

    return place


def in_turn(count: int) -> Callable[[Operation], int]:
    """A strategy: numbers below `count`, one after the other."""
    latest = -1

    def take(operation: Operation) -> int:
        nonlocal latest
        del operation
        latest = (latest + 1) % count
        return latest

    return take

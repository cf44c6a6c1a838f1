"""What the code of a replica, and what makes its input, is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ..autograph.api import convert_function
from ..core import context, tree
from ..ops.conversion import as_tensor
from .frames import ReplicaFrame, entered
from .reduction import as_gathered, as_reduce_op


def as_reduced(value: Any) -> Any:
    """A tensor, or the slices that stand for one."""
    return value if hasattr(value, "dense_shape") else as_tensor(value)


def as_traced(function: Callable[..., Any]) -> Callable[..., Any]:
    """A user's function, converted where a graph is built."""
    return convert_function(function) if context.building_graph() else function


class ReplicaContext:
    """What the code of a replica knows.

    >>> strategy = tf.distribute.MirroredStrategy(["/cpu:0"])
    >>> step = lambda x: tf.distribute.get_replica_context().all_reduce("SUM", x)
    >>> strategy.run(step, args=(tf.constant(2.0),)).numpy()
    np.float32(2.0)
    """

    def __init__(self, strategy: Any, replica_id_in_sync_group: int) -> None:
        self._strategy: Final = strategy
        self.number: Final = replica_id_in_sync_group

    @property
    def strategy(self) -> Any:
        """The strategy that runs this replica.

        >>> here = tf.distribute.get_replica_context()
        >>> here.strategy is tf.distribute.get_strategy()
        True
        """
        return self._strategy

    @property
    def surroundings(self) -> str | None:
        """What tells traces of this replica's code apart from others."""
        return self._strategy.surroundings

    @property
    def num_replicas_in_sync(self) -> int:
        """How many replicas there are.

        >>> tf.distribute.get_replica_context().num_replicas_in_sync
        1
        """
        return self._strategy.num_replicas_in_sync

    @property
    def replica_id_in_sync_group(self) -> Any:
        """The number of this replica: an int32 scalar.

        >>> tf.distribute.get_replica_context().replica_id_in_sync_group.numpy()
        np.int32(0)
        """
        return as_tensor(self.number)

    @property
    def devices(self) -> Any:
        """The names of the devices on which this replica runs: of the one that blocks around name,
        "" where none does, if the strategy has none of its own.

        >>> strategy = tf.distribute.OneDeviceStrategy('/cpu:0')
        >>> strategy.run(lambda: tf.distribute.get_replica_context().devices)
        ('/job:localhost/replica:0/task:0/device:CPU:0',)
        """
        return self._strategy.extended.replica_devices

    def all_reduce(self, reduce_op: Any, value: Any, options: Any = None) -> Any:
        """The sum or mean of what all replicas have, as tensors: each gets its own.

        Gradients go back through it, to all replicas. A tensor that is the same object in all
        replicas is taken as it is, not added up.

        value: a structure of tensors or IndexedSlices.

        >>> context = tf.distribute.get_replica_context()
        >>> context.all_reduce(tf.distribute.ReduceOp.SUM, [1.0, 2.0])[1].numpy()
        np.float32(2.0)

        Raises:
            ValueError: `reduce_op` is neither SUM nor MEAN.
        """
        as_reduce_op(reduce_op)
        return tree.map_structure(as_reduced, value)

    def all_gather(self, value: Any, axis: int, options: Any = None) -> Any:
        """What all replicas have, joined along an axis; sizes along it may differ.

        value: a structure of tensors.

        >>> tf.distribute.get_replica_context().all_gather(tf.range(2), axis=0).numpy()
        array([0, 1], dtype=int32)
        """
        return tree.map_structure(as_gathered, value)

    def merge_call(
        self, merge_fn: Callable[..., Any], args: Sequence[Any] = (), kwargs: Any = None
    ) -> Any:
        """`merge_fn(strategy, *args, **kwargs)`, called once, above all replicas.

        It is called when all replicas have come there, with `PerReplica` values of their
        arguments; each replica gets its own part of what it returns.

        >>> context = tf.distribute.get_replica_context()
        >>> context.merge_call(lambda strategy, x: tf.distribute.in_cross_replica_context(), [2])
        True
        """
        function = as_traced(merge_fn)
        with entered(ReplicaFrame(self._strategy)):
            return function(self._strategy, *args, **(kwargs or {}))


@dataclass(frozen=True)
class InputContext:
    """What a function that makes a dataset is told: here one pipeline feeds all replicas."""

    num_input_pipelines: int = 1
    input_pipeline_id: int = 0
    num_replicas_in_sync: int = 1

    def get_per_replica_batch_size(self, global_batch_size: int) -> int:
        """The share of one replica.

        Raises:
            ValueError: there are no equal shares.
        """
        share, rest = divmod(global_batch_size, self.num_replicas_in_sync)
        if rest:
            raise ValueError(
                f"The `global_batch_size` {global_batch_size} is not divisible by "
                f"`num_replicas_in_sync` {self.num_replicas_in_sync}"
            )
        return share

    def __str__(self) -> str:
        return (
            f"tf.distribute.InputContext(input pipeline id {self.input_pipeline_id}, "
            f"total: {self.num_input_pipelines})"
        )


@dataclass(frozen=True)
class ValueContext:
    """What a function that makes a replica's value is told."""

    replica_id_in_sync_group: int = 0
    num_replicas_in_sync: int = 1

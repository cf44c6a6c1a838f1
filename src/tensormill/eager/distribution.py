"""`tf.distribute` on one device: the default strategy, which runs everything here and once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from ..core import tree
from ..errors import UnimplementedError
from ..ops.conversion import as_tensor
from ..ops.math.reduce import reduce_mean, reduce_sum


class ReduceOp(Enum):
    """How values of replicas become one."""

    SUM = "SUM"
    MEAN = "MEAN"


def as_reduce_op(value: Any) -> ReduceOp:
    """The member that `value` is or spells.

    Raises:
        ValueError: there is none.
    """
    spelled = value.upper() if isinstance(value, str) else getattr(value, "value", value)
    return ReduceOp(spelled)


class Strategy:
    """One replica on the CPU. What more than one would need is not there."""

    def __init__(self) -> None:
        self.extended: Final = StrategyExtended()

    num_replicas_in_sync: Final = 1
    cluster_resolver: Final = None
    # Asked for by clients that hand out work to other processes.
    _should_use_with_coordinator: Final = False

    @contextmanager
    def scope(self) -> Iterator[Strategy]:
        """Nothing changes within."""
        yield self

    def run(
        self,
        fn: Callable[..., Any],
        args: Sequence[Any] = (),
        kwargs: dict[str, Any] | None = None,
        options: Any = None,
    ) -> Any:
        """`fn(*args, **kwargs)`."""
        return fn(*args, **(kwargs or {}))

    def reduce(self, reduce_op: Any, value: Any, axis: int | None) -> Any:
        """The one replica's value, reduced along `axis` unless that is None."""
        tensor = as_tensor(value)
        if axis is None:
            return tensor
        reduce = reduce_sum if as_reduce_op(reduce_op) is ReduceOp.SUM else reduce_mean
        return reduce(tensor, axis)

    def experimental_distribute_dataset(self, dataset: Any, options: Any = None) -> Any:
        """The dataset itself: there is one replica, which gets it all.

        >>> data = tf.data.Dataset.range(2)
        >>> tf.distribute.get_strategy().experimental_distribute_dataset(data) is data
        True
        """
        return dataset

    def distribute_datasets_from_function(
        self, dataset_fn: Callable[[Any], Any], options: Any = None
    ) -> Any:
        """What `dataset_fn(InputContext())` returns: there is one replica, which gets it all.

        >>> strategy = tf.distribute.get_strategy()
        >>> data = strategy.distribute_datasets_from_function(
        ...     lambda context: tf.data.Dataset.range(2 * context.num_replicas_in_sync)
        ... )
        >>> list(data.as_numpy_iterator())
        [np.int64(0), np.int64(1)]
        """
        return dataset_fn(InputContext())

    def experimental_local_results(self, value: Any) -> tuple[Any, ...]:
        """The values of all replicas: one."""
        return (value,)

    unwrap = experimental_local_results

    def group(self, value: Any, name: str | None = None) -> Any:
        """The value itself: there is one replica, and nothing to wait for.

        >>> tf.distribute.get_strategy().group([1, 2])
        [1, 2]
        """
        return value


class TPUStrategy(Strategy):
    """For machines with TPUs: programs ask whether a strategy is one."""

    def __init__(self, *_: Any, **__: Any) -> None:
        raise UnimplementedError("there is one device, the CPU: a TPUStrategy cannot be made")


class MultiWorkerMirroredStrategy(Strategy):
    """For several machines: programs ask whether a strategy is one."""

    def __init__(self, *_: Any, **__: Any) -> None:
        raise UnimplementedError("there is one process: no strategy for several can be made")


class StrategyExtended:
    """What libraries ask of a strategy to place and to update variables."""

    @contextmanager
    def colocate_vars_with(self, colocate_with_variable: Any) -> Iterator[None]:
        """A context without effect: there is one device, on which all variables are.

        >>> v = tf.Variable(1.0)
        >>> with tf.distribute.get_strategy().extended.colocate_vars_with(v):
        ...     w = tf.Variable(2.0)
        >>> w.device == v.device
        True
        """
        yield

    # Asked for by callbacks that write files: whether this process is the one to do so.
    should_checkpoint: Final = True
    should_save_summary: Final = True

    def _in_multi_worker_mode(self) -> bool:
        return False

    def call_for_each_replica(
        self, fn: Callable[..., Any], args: Sequence[Any] = (), kwargs: Any = None
    ) -> Any:
        """`fn(*args, **kwargs)`: there is one replica.

        >>> tf.distribute.get_strategy().extended.call_for_each_replica(max, (1, 2))
        2
        """
        return fn(*args, **(kwargs or {}))

    def update(
        self,
        var: Any,
        fn: Callable[..., Any],
        args: Sequence[Any] = (),
        kwargs: dict[str, Any] | None = None,
        group: bool = True,
    ) -> Any:
        """`fn(var, *args, **kwargs)`."""
        return fn(var, *args, **(kwargs or {}))

    def reduce_to(self, reduce_op: Any, value: Any, destinations: Any, options: Any = None) -> Any:
        """The value itself: there is one replica, so sum and mean are what it has.

        >>> extended = tf.distribute.get_strategy().extended
        >>> extended.reduce_to(tf.distribute.ReduceOp.SUM, 2.0, None)
        2.0
        """
        return value

    def broadcast_to(self, tensor: Any, destinations: Any) -> Any:
        """The tensor itself: there is one device.

        >>> tf.distribute.get_strategy().extended.broadcast_to(2.0, None)
        2.0
        """
        return tensor

    def read_var(self, var: Any) -> Any:
        """The value of a variable, as a tensor.

        >>> tf.distribute.get_strategy().extended.read_var(tf.Variable(2.0)).numpy()
        np.float32(2.0)
        """
        return var.value()

    def variable_created_in_scope(self, v: Any) -> bool:
        """True: all variables are those of the one device.

        >>> tf.distribute.get_strategy().extended.variable_created_in_scope(tf.Variable(1.0))
        True
        """
        return True


class ReplicaContext:
    """What the code of a replica knows: that it is the only one."""

    num_replicas_in_sync: Final = 1
    replica_id_in_sync_group: Final = 0

    @property
    def strategy(self) -> Strategy:
        """The strategy that runs this replica: that of a single device."""
        return DEFAULT

    def all_reduce(self, reduce_op: Any, value: Any, options: Any = None) -> Any:
        """The value itself, as tensors."""
        as_reduce_op(reduce_op)
        return tree.map_structure(as_reduced, value)

    def merge_call(
        self, merge_fn: Callable[..., Any], args: Sequence[Any] = (), kwargs: Any = None
    ) -> Any:
        """`merge_fn(strategy, *args, **kwargs)`."""
        return merge_fn(DEFAULT, *args, **(kwargs or {}))


def as_reduced(value: Any) -> Any:
    """A tensor, or the slices that stand for one."""
    return value if hasattr(value, "dense_shape") else as_tensor(value)


@dataclass(frozen=True)
class InputContext:
    """What a function that makes a dataset is told: here one pipeline feeds one replica."""

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


class DistributedValues:
    """Values of several replicas; there are none, but programs ask."""


class DistributedDataset:
    """A dataset divided between replicas; there is none, but programs ask."""


class DistributedIterator:
    """An iterator of such a dataset."""


DEFAULT: Final = Strategy()
CONTEXT: Final = ReplicaContext()


def get_strategy() -> Strategy:
    """The strategy that is in force: the default one, with one replica.

    >>> tf.distribute.get_strategy().num_replicas_in_sync
    1
    """
    return DEFAULT


def has_strategy() -> bool:
    """Whether another strategy than the default was entered: there is no other.

    >>> with tf.distribute.get_strategy().scope():
    ...     print(tf.distribute.has_strategy())
    False
    """
    return False


def get_replica_context() -> ReplicaContext:
    """What the code of a replica knows of itself: that it is the only one.

    >>> tf.distribute.get_replica_context().replica_id_in_sync_group
    0
    """
    return CONTEXT


def in_cross_replica_context() -> bool:
    """Whether the code runs for all replicas rather than in one: it always runs in the only one.

    >>> tf.distribute.in_cross_replica_context()
    False
    """
    return False

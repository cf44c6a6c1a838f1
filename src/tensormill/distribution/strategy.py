"""What all strategies do, and the default one."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final

from ..control.grouping import group as grouped
from ..core import tree
from ..core.values import is_tensor
from .extended import StrategyExtended
from .frames import ReplicaFrame, entered, require_above_replicas, require_unmixed
from .input import RestartableIterator
from .options import InputReplicationMode
from .reduction import as_reduce_op, require_axes
from .regrouping import component_of
from .values import DistributedValues


class Strategy:
    """Runs code for each replica: here, for the one on the device that there is.

    extended: what libraries ask of it.
    """

    # Asked for by clients that hand out work to other processes.
    _should_use_with_coordinator: bool = False
    # What tells traces of its replica's code apart: None as without a strategy.
    surroundings: Any = None

    def __init__(self, extended: StrategyExtended) -> None:
        self._extended: Final = extended

    @property
    def extended(self) -> StrategyExtended:
        """What libraries ask of a strategy.

        >>> tf.distribute.get_strategy().extended.variable_created_in_scope(tf.Variable(1.0))
        True
        """
        return self._extended

    @property
    def num_replicas_in_sync(self) -> int:
        """How many replicas there are.

        >>> tf.distribute.get_strategy().num_replicas_in_sync
        1
        """
        return self._extended.replicas

    @property
    def cluster_resolver(self) -> Any:
        """What knows the other processes: nothing does, there are none.

        >>> print(tf.distribute.get_strategy().cluster_resolver)
        None
        """
        return None

    def scope(self) -> AbstractContextManager[Any]:
        """A block in which this strategy is in force; it gives the strategy.

        >>> strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
        >>> with strategy.scope():
        ...     print(tf.distribute.get_strategy() is strategy)
        True

        Raises:
            RuntimeError: another strategy is in force, or a replica's code runs.
        """
        require_above_replicas()
        require_unmixed(self)
        return entered(ReplicaFrame(self), self)

    def run(
        self,
        fn: Callable[..., Any],
        args: Sequence[Any] = (),
        kwargs: dict[str, Any] | None = None,
        options: Any = None,
    ) -> Any:
        """`fn(*args, **kwargs)`, called by each replica, with its own part of `PerReplica` values.

        Replicas run in turn; each waits for the others wherever they exchange something. Results
        are `PerReplica` values, where there are several replicas and they are not one object. Where
        a graph is built, AutoGraph converts `fn`.

        >>> strategy = tf.distribute.MirroredStrategy()
        >>> strategy.run(lambda x: x + 1, args=(tf.constant(2),)).numpy()
        np.int32(3)

        Raises:
            RuntimeError: another strategy is in force, or a replica's code calls this; or some
                replicas exchange something more often than others.
            ValueError: `args` is no list or tuple.
        """
        _require_arguments(args)
        with self.scope():
            return self.extended.call_for_each_replica(fn, args, kwargs)

    def reduce(self, reduce_op: Any, value: Any, axis: Any) -> Any:
        """The sum or mean of what all replicas have: with an `axis`, of the elements along it, too.

        value: a `PerReplica` value; without an axis, a structure of them. axis: one or several.

        >>> strategy = tf.distribute.MirroredStrategy()
        >>> strategy.reduce("MEAN", tf.constant([1.0, 3.0]), axis=0).numpy()
        np.float32(2.0)

        Raises:
            ValueError: `reduce_op` is neither SUM nor MEAN; or a sum is asked for of what is no
                `PerReplica` value, by one of several replicas' strategies; or values have no such
                axis.
            TypeError: the axis is no int, and no tuple of ints.
            RuntimeError: a replica's code calls this.
        """
        require_above_replicas()
        found, extended = as_reduce_op(reduce_op), self.extended
        if axis is None:
            return tree.map_structure(lambda one: extended.reduce_to(found, one, None), value)
        require_axes(value, axis)
        return extended.reduce_along(found, value, axis)

    def gather(self, value: Any, axis: int) -> Any:
        """What all replicas have, joined along an axis.

        >>> tf.distribute.MirroredStrategy().gather(tf.range(2), axis=0).numpy()
        array([0, 1], dtype=int32)

        Raises:
            RuntimeError: a replica's code calls this.
        """
        require_above_replicas()
        return self.extended.gather_to(value, axis)

    def experimental_distribute_dataset(self, dataset: Any, options: Any = None) -> Any:
        """A dataset whose elements are divided between the replicas: for the only one, the dataset.

        >>> data = tf.data.Dataset.range(2)
        >>> tf.distribute.get_strategy().experimental_distribute_dataset(data) is data
        True
        """
        return self.extended.distributed(dataset, options)

    def distribute_datasets_from_function(
        self, dataset_fn: Callable[[Any], Any], options: Any = None
    ) -> Any:
        """A dataset of what `dataset_fn(InputContext())` returns; replicas get elements in turn.

        >>> strategy = tf.distribute.get_strategy()
        >>> data = strategy.distribute_datasets_from_function(
        ...     lambda context: tf.data.Dataset.range(2 * context.num_replicas_in_sync)
        ... )
        >>> list(data.as_numpy_iterator())
        [np.int64(0), np.int64(1)]
        """
        return self.extended.distributed_from(dataset_fn, options)

    def experimental_distribute_datasets_from_function(
        self, dataset_fn: Callable[[Any], Any], options: Any = None
    ) -> Any:
        """An older name of `distribute_datasets_from_function`.

        >>> strategy = tf.distribute.get_strategy()
        >>> data = strategy.experimental_distribute_datasets_from_function(
        ...     lambda context: tf.data.Dataset.range(2)
        ... )
        >>> list(data.as_numpy_iterator())
        [np.int64(0), np.int64(1)]
        """
        return self.distribute_datasets_from_function(dataset_fn, options)

    def experimental_distribute_values_from_function(self, value_fn: Callable[[Any], Any]) -> Any:
        """What `value_fn(ValueContext())` returns for each replica.

        >>> strategy = tf.distribute.get_strategy()
        >>> strategy.experimental_distribute_values_from_function(
        ...     lambda context: context.replica_id_in_sync_group
        ... )
        0
        """
        return self.extended.values_from(value_fn)

    def make_dataset_iterator(self, dataset: Any) -> RestartableIterator:
        """An iterator over a dataset, which `initialize()` sets back to the beginning.

        >>> iterator = tf.distribute.get_strategy().make_dataset_iterator(tf.data.Dataset.range(3))
        >>> iterator.get_next().numpy()
        np.int64(0)
        """
        return RestartableIterator(self.experimental_distribute_dataset(dataset))

    def make_input_fn_iterator(
        self,
        input_fn: Callable[[Any], Any],
        replication_mode: Any = InputReplicationMode.PER_WORKER,
    ) -> RestartableIterator:
        """The same over the dataset that `input_fn(InputContext())` returns.

        >>> strategy = tf.distribute.get_strategy()
        >>> iterator = strategy.make_input_fn_iterator(lambda context: tf.data.Dataset.range(3))
        >>> iterator.get_next().numpy()
        np.int64(0)
        """
        return RestartableIterator(self.distribute_datasets_from_function(input_fn))

    def experimental_run(self, fn: Callable[..., Any], input_iterator: Any = None) -> Any:
        """`run(fn)`, with the next element of an iterator, where one is given.

        >>> strategy = tf.distribute.get_strategy()
        >>> iterator = strategy.make_dataset_iterator(tf.data.Dataset.range(3))
        >>> strategy.experimental_run(lambda n: n + 5, iterator).numpy()
        np.int64(5)
        """
        args = () if input_iterator is None else (input_iterator.get_next(),)
        return self.run(fn, args)

    def experimental_local_results(self, value: Any) -> tuple[Any, ...]:
        """The values of all replicas: of what is no `PerReplica` value, one, but of a structure
        what each replica has of it.

        >>> tf.distribute.get_strategy().experimental_local_results(7)
        (7,)
        """
        if isinstance(value, DistributedValues):
            return value.values
        if not tree.is_nested(value):
            return (value,)
        return tuple(component_of(number, value) for number in range(self.extended.local_replicas))

    unwrap = experimental_local_results

    def group(self, value: Any, name: str | None = None) -> Any:
        """What waits for all operations of `value`: in eager code None, since they ran.

        >>> tf.distribute.get_strategy().group([1, 2])
        """
        leaves = [
            one for each in self.experimental_local_results(value) for one in tree.flatten(each)
        ]
        return grouped(*filter(is_tensor, leaves), name=name)

    def colocate_vars_with(self, colocate_with_variable: Any) -> AbstractContextManager[None]:
        """An older name of `extended.colocate_vars_with`.

        >>> v = tf.Variable(1.0)
        >>> with tf.distribute.get_strategy().colocate_vars_with(v):
        ...     w = tf.Variable(2.0)
        >>> w.device == v.device
        True
        """
        return self.extended.colocate_vars_with(colocate_with_variable)

    def configure(
        self,
        session_config: Any = None,
        cluster_spec: Any = None,
        task_type: str | None = None,
        task_id: int | None = None,
    ) -> None:
        """Nothing is configured: there is one process.

        >>> tf.distribute.get_strategy().configure()
        """

    def update_config_proto(self, config_proto: Any) -> Any:
        """A copy of a `tf.compat.v1.ConfigProto`, as this strategy wants it: the same.

        >>> config = tf.compat.v1.ConfigProto(allow_soft_placement=True)
        >>> tf.distribute.get_strategy().update_config_proto(config).allow_soft_placement
        True
        """
        return copy.deepcopy(config_proto)


def _require_arguments(args: Any) -> None:
    if not isinstance(args, (list, tuple)):
        raise ValueError(
            f"positional args must be a list or tuple, got {type(args)}: write args=(value,) for "
            "one argument"
        )


class DefaultStrategy(Strategy):
    """What is in force where no strategy was entered. It may be entered everywhere."""

    def __init__(self) -> None:
        super().__init__(StrategyExtended(self))

    def scope(self) -> AbstractContextManager[Any]:
        return nullcontext(self)

    def run(
        self,
        fn: Callable[..., Any],
        args: Sequence[Any] = (),
        kwargs: dict[str, Any] | None = None,
        options: Any = None,
    ) -> Any:
        _require_arguments(args)
        require_above_replicas()
        return self.extended.call_for_each_replica(fn, args, kwargs)


# So TensorFlow calls it, and programs print which strategy they have.
DefaultStrategy.__name__ = "_DefaultDistributionStrategy"

"""What libraries ask of a strategy to place and to update variables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final

from ..eager.placement import device as on_device
from ..graph.devices import named_here
from .contexts import InputContext, ReplicaContext, ValueContext, as_traced
from .frames import FRAME, ReplicaFrame, entered, require_above_replicas
from .input import distributed
from .reduction import as_reduce_op, reduced_along
from .values import only_value

Arguments = tuple[tuple[Any, ...], dict[str, Any]]  # by position, and by name


class StrategyExtended:
    """What libraries ask of a strategy to place and to update variables."""

    def __init__(self, container_strategy: Any) -> None:
        self._strategy: Final = container_strategy

    # How many replicas there are, and how many of them in this process.
    replicas: int = 1
    local_replicas: int = 1
    # Asked for by callbacks that write files: whether this process is the one to do so.
    should_checkpoint: Any = True
    should_save_summary: Any = True
    experimental_should_init: bool = True
    # Whether each process runs a program of its own, and all of them train together.
    experimental_between_graph: bool = False
    # Asked for by Keras 2: batches of a dataset are of all replicas together.
    _global_batch_size: Final = True

    # Whether steps may be told by an Optional that there is no further element.
    experimental_enable_get_next_as_optional: bool = True

    @property
    def experimental_require_static_shapes(self) -> bool:
        """Whether all sizes have to be known when a step is traced: no."""
        return False

    @property
    def worker_devices(self) -> tuple[str, ...]:
        """The names of the devices on which replicas run.

        Raises:
            RuntimeError: this is the default strategy, which has none of its own.
        """
        return self._devices("worker_devices")

    @property
    def worker_devices_by_replica(self) -> list[list[str]]:
        """The names of the devices of each replica.

        Raises:
            RuntimeError: this is the default strategy, which has none of its own.
        """
        return [[device] for device in self.worker_devices]

    @property
    def parameter_devices(self) -> tuple[str, ...]:
        """The names of the devices on which variables are.

        Raises:
            RuntimeError: this is the default strategy, which has none of its own.
        """
        return self._devices("parameter_devices")

    def _devices(self, what: str) -> tuple[str, ...]:
        raise RuntimeError(f"{what}() method unsupported by default tf.distribute.Strategy.")

    @property
    def replica_devices(self) -> tuple[str, ...]:
        """The names of the devices of one replica: what blocks around name, where it has none of
        its own.
        """
        return (named_here(),)

    def _in_multi_worker_mode(self) -> bool:
        return False

    def colocate_vars_with(self, colocate_with_variable: Any) -> AbstractContextManager[None]:
        """A context without effect: there is one device, on which all variables are.

        >>> v = tf.Variable(1.0)
        >>> with tf.distribute.get_strategy().extended.colocate_vars_with(v):
        ...     w = tf.Variable(2.0)
        >>> w.device == v.device
        True
        """
        return nullcontext()

    def call_for_each_replica(
        self, fn: Callable[..., Any], args: Sequence[Any] = (), kwargs: Any = None
    ) -> Any:
        """`fn(*args, **kwargs)`: there is one replica.

        >>> tf.distribute.get_strategy().extended.call_for_each_replica(max, (1, 2))
        2
        """
        function = as_traced(fn)
        given, named = only_value((tuple(args), dict(kwargs or {})))
        with entered(ReplicaFrame(self._strategy, ReplicaContext(self._strategy, 0))):
            return function(*given, **named)

    def update(
        self,
        var: Any,
        fn: Callable[..., Any],
        args: Sequence[Any] = (),
        kwargs: dict[str, Any] | None = None,
        group: bool = True,
    ) -> Any:
        """`fn(part, *args, **kwargs)` for each part of a variable, one per replica; where `group`
        is false, a tuple of what it returned.

        >>> v = tf.Variable(1.0)
        >>> extended = tf.distribute.get_strategy().extended
        >>> extended.update(v, lambda v, by: v.assign_add(by), args=(2.0,)).numpy()
        np.float32(3.0)

        Raises:
            AssertionError: there are several replicas, and the variable was not made in the scope
                of the strategy.
        """
        return self._update(var, fn, (tuple(args), dict(kwargs or {})), group)

    def _update(self, var: Any, fn: Callable[..., Any], given: Arguments, group: bool) -> Any:
        args, kwargs = only_value(given)
        found = as_traced(fn)(var, *args, **kwargs)
        return found if group else (found,)

    def non_slot_devices(self, var_list: Sequence[Any]) -> Any:
        """Where an optimizer is to keep what belongs to all of some variables.

        >>> v = tf.Variable(1.0)
        >>> tf.distribute.get_strategy().extended.non_slot_devices([v]) is v
        True
        """
        return min(var_list, key=lambda one: one.name)

    def update_non_slot(
        self,
        colocate_with: Any,
        fn: Callable[..., Any],
        args: Sequence[Any] = (),
        kwargs: dict[str, Any] | None = None,
        group: bool = True,
    ) -> Any:
        """`fn(*args, **kwargs)` on each device that `non_slot_devices` gave; where `group` is
        false, a tuple of what it returned.

        >>> tf.distribute.get_strategy().extended.update_non_slot(None, max, (1, 2))
        2

        Raises:
            AssertionError: there are several replicas, and `colocate_with` is not what
                `non_slot_devices` gave.
            RuntimeError: a replica's code calls this, and there are several.
        """
        return self._update_non_slot(colocate_with, fn, (tuple(args), dict(kwargs or {})), group)

    def _update_non_slot(
        self, colocate_with: Any, fn: Callable[..., Any], given: Arguments, group: bool
    ) -> Any:
        args, kwargs = only_value(given)
        found = as_traced(fn)(*args, **kwargs)
        return found if group else (found,)

    def reduce_to(self, reduce_op: Any, value: Any, destinations: Any, options: Any = None) -> Any:
        """What the only replica has, which is the sum and the mean.

        >>> extended = tf.distribute.get_strategy().extended
        >>> extended.reduce_to(tf.distribute.ReduceOp.SUM, 2.0, None)
        2.0

        Raises:
            ValueError: `reduce_op` is neither SUM nor MEAN.
            RuntimeError: a replica's code calls this.
        """
        require_above_replicas()
        as_reduce_op(reduce_op)
        return only_value(value)

    def batch_reduce_to(
        self, reduce_op: Any, value_destination_pairs: Iterable[Any], options: Any = None
    ) -> list[Any]:
        """`reduce_to` of each of several pairs of a value and its destinations.

        >>> extended = tf.distribute.get_strategy().extended
        >>> extended.batch_reduce_to("SUM", [(1.0, None), (2.0, None)])
        [1.0, 2.0]

        Raises:
            ValueError: `reduce_op` is neither SUM nor MEAN.
            RuntimeError: a replica's code calls this.
        """
        return [
            self.reduce_to(reduce_op, value, destinations, options)
            for value, destinations in value_destination_pairs
        ]

    def made_variable(self, next_creator: Callable[..., Any], **kwargs: Any) -> Any:
        """A variable as it is made in the scope of the strategy."""
        return next_creator(**kwargs)

    def reduce_along(self, reduce_op: Any, value: Any, axis: Any) -> Any:
        """The sum or mean along axes of what all replicas have together."""
        return reduced_along(as_reduce_op(reduce_op), only_value(value), axis)

    def gather_to(self, value: Any, axis: Any, options: Any = None) -> Any:
        """The values of all replicas, joined along an axis: here, what the only one has."""
        return only_value(value)

    def values_from(self, value_fn: Callable[[Any], Any]) -> Any:
        """What `value_fn` returns for each replica."""
        return value_fn(ValueContext())

    def distributed(self, dataset: Any, options: Any = None) -> Any:
        """A dataset whose elements are divided between the replicas."""
        return dataset

    def distributed_from(self, dataset_fn: Callable[[Any], Any], options: Any = None) -> Any:
        """A dataset of what `dataset_fn` makes, whose elements replicas get in turn."""
        return self.distributed(dataset_fn(InputContext()), options)

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

    def value_container(self, value: Any) -> Any:
        """The variable that a replica's variable is part of: itself.

        >>> v = tf.Variable(1.0)
        >>> tf.distribute.get_strategy().extended.value_container(v) is v
        True
        """
        return value

    def variable_created_in_scope(self, v: Any) -> bool:
        """Whether a variable was made within `strategy.scope()`; the default strategy has all.

        >>> tf.distribute.get_strategy().extended.variable_created_in_scope(tf.Variable(1.0))
        True
        """
        return True


class ScopedExtended(StrategyExtended):
    """The same of a strategy whose scope was entered for what belongs to it."""

    def colocate_vars_with(self, colocate_with_variable: Any) -> AbstractContextManager[None]:
        here = FRAME.get()
        if here is None or here.strategy is not self._strategy:
            raise RuntimeError(f'Need to be inside "with strategy.scope()" for {self._strategy!r}')
        return nullcontext()

    def variable_created_in_scope(self, v: Any) -> bool:
        return getattr(v, "_distribute_strategy", None) is self._strategy


class DeviceExtended(ScopedExtended):
    """The same of a strategy that was told its device."""

    def __init__(self, container_strategy: Any, device: str) -> None:
        super().__init__(container_strategy)
        self._device: Final = device

    def _devices(self, what: str) -> tuple[str, ...]:
        return (self._device,)

    @property
    def replica_devices(self) -> tuple[str, ...]:
        return (self._device,)

    def non_slot_devices(self, var_list: Sequence[Any]) -> Any:
        return (self._device,)

    def call_for_each_replica(
        self, fn: Callable[..., Any], args: Sequence[Any] = (), kwargs: Any = None
    ) -> Any:
        """`fn(*args, **kwargs)` on the device."""
        with on_device(self._device):
            return super().call_for_each_replica(fn, args, kwargs)

    def made_variable(self, next_creator: Callable[..., Any], **kwargs: Any) -> Any:
        """A variable on the device of the strategy, whatever blocks around it name."""
        with on_device(self._device):
            variable = next_creator(**kwargs)
        variable._distribute_strategy = self._strategy
        return variable

    def distributed(self, dataset: Any, options: Any = None) -> Any:
        return distributed(dataset)

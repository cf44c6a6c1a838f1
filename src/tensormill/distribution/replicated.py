"""What strategies do that have several replicas in this process."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Any, Final
from weakref import WeakKeyDictionary

from ..core import tree
from ..core.process.with_blocks import block
from ..eager.creation import variable_creator_scope
from ..eager.placement import device as on_device
from ..eager.variable_options import VariableAggregationV2, VariableSynchronization
from ..function.function import Function
from .contexts import ValueContext, as_traced
from .cross_device import (
    CrossDeviceOps,
    ReductionToOneDevice,
    copied,
    require_no_sum_of_same,
    undistributed,
)
from .extended import Arguments, ScopedExtended
from .frames import FRAME, ReplicaFrame, entered, require_above_replicas
from .input import distributed, distributed_from
from .reduction import (
    ReduceOp,
    as_gathered,
    as_reduce_op,
    mean_along,
    reduced_along,
    reduced_values,
)
from .regrouping import component_of, part_of, regrouped
from .replicas import call_replicas
from .staging import staged_for
from .values import DistributedValues, PerReplica
from .variables.distributed import DistributedVariable, as_mirrored
from .variables.mirrored import AggregatingVariable, MirroredVariable
from .variables.on_read import SyncOnReadVariable

NOT_SYNCHRONIZED: Final = (
    "`NONE` variable synchronization mode is not supported with tf.distribute strategy. Please "
    "change the `synchronization` for variable: {}"
)

NO_MEAN: Final = (
    "creating distributed tf.Variable with aggregation=MEAN and a non-floating dtype is not "
    "supported, please use a different aggregation or dtype"
)


class ReplicatedExtended(ScopedExtended):
    """What libraries ask of a strategy that has a replica, and a part of variables, per device."""

    def __init__(
        self, container_strategy: Any, devices: Sequence[str], cross_device_ops: Any = None
    ) -> None:
        super().__init__(container_strategy)
        self._names: Final = tuple(devices)
        self.operations: Final[CrossDeviceOps] = cross_device_ops or ReductionToOneDevice()
        # The functions that call one for each replica, by it.
        self._together: Final[WeakKeyDictionary[Any, Function]] = WeakKeyDictionary()

    @property
    def replicas(self) -> int:
        return self.local_replicas

    @property
    def local_replicas(self) -> int:
        return len(self._names)

    def _devices(self, what: str) -> tuple[str, ...]:
        return self._names

    def call_for_each_replica(
        self, fn: Callable[..., Any], args: Sequence[Any] = (), kwargs: Any = None
    ) -> Any:
        """What `fn(*args, **kwargs)` returns for each replica, in `PerReplica` values.

        A tf.function becomes one that calls all replicas: so they can meet within it.
        """
        if isinstance(fn, Function):
            return self._calling_all(fn)(*args, **(kwargs or {}))
        return call_replicas(self._strategy, fn, args, dict(kwargs or {}))

    def _calling_all(self, fn: Function) -> Function:
        key = fn.key_of_traces
        found = self._together.get(key)
        if found is None:
            found = self._together[key] = fn.around(self._all_of)
        return found

    def _all_of(self, step: Callable[..., Any]) -> Callable[..., Any]:
        strategy = self._strategy

        def replicated(*args: Any, **kwargs: Any) -> Any:
            with strategy.scope():
                return call_replicas(strategy, step, args, kwargs)

        return replicated

    # ---- variables
    def made_variable(self, next_creator: Callable[..., Any], **kwargs: Any) -> Any:
        """A variable with a part for each replica, instead of the one that is asked for."""
        synchronization, aggregation = kwargs["synchronization"], kwargs["aggregation"]
        name = kwargs["name"]
        if synchronization is VariableSynchronization.NONE:
            raise ValueError(NOT_SYNCHRONIZED.format(name))
        if not isinstance(aggregation, VariableAggregationV2):
            raise ValueError(
                f"Invalid variable aggregation mode: {aggregation} for variable: {name}"
            )
        on_read = synchronization is VariableSynchronization.ON_READ
        parts = [next_creator(**kwargs)]
        for number in range(1, len(self._names)):
            called = f"{name or 'Variable'}/replica_{number}"
            options = {"initial_value": parts[0].read_value, "name": called}
            parts.append(next_creator(**(kwargs | options)))
        for part, device in zip(parts, self._names, strict=True):
            if device != part.device:
                vars(part)["_device"] = device
        if not on_read:
            synchronization = VariableSynchronization.ON_WRITE
        kind = SyncOnReadVariable if on_read else MirroredVariable
        if aggregation == VariableAggregationV2.MEAN and not parts[0].dtype.is_floating:
            raise ValueError(NO_MEAN)
        return kind(self._strategy, parts, synchronization, aggregation)

    @block
    def code_of(self, number: int, made: list[Any]) -> Generator[None]:
        """A block for the code of one replica: on its device, with variables that all share.

        The first replica makes variables, the others take them.
        """
        taken = iter(made)

        def creator(next_creator: Callable[..., Any], **kwargs: Any) -> Any:
            if number:
                return next(taken)
            made.append(next_creator(**kwargs))
            return made[-1]

        name = self._names[number]
        with variable_creator_scope(creator), on_device(name), staged_for(number, name):
            yield

    def value_container(self, value: Any) -> Any:
        """The variable that a replica's part of it belongs to, or the variable itself."""
        container = getattr(value, "_distributed_container", None)
        return value if container is None else container()

    def _update(self, var: Any, fn: Callable[..., Any], given: Arguments, group: bool) -> Any:
        here: Any = FRAME.get()
        if here is not None and here.replica is not None:
            return here.replica.merge_call(
                lambda _, *merged: self._update(var, fn, merged, group), given
            )
        if not isinstance(var, DistributedVariable):
            raise AssertionError(
                f"{var!r} is no variable of {self._strategy!r}: make it within strategy.scope()"
            )
        function, found = as_traced(fn), list[Any]()
        for number, part in enumerate(var.different_parts):
            args, kwargs = component_of(number, given)
            frame = ReplicaFrame(self._strategy, updating=number)
            with entered(frame), staged_for(number, part.device):
                found.append(function(part, *args, **kwargs))
        return regrouped(found, as_mirrored) if group else tuple(found)

    def non_slot_devices(self, var_list: Any) -> tuple[str, ...]:
        return self._names

    def _update_non_slot(
        self, colocate_with: Any, fn: Callable[..., Any], given: Arguments, group: bool
    ) -> Any:
        require_above_replicas()
        if not isinstance(colocate_with, tuple):
            raise AssertionError(
                f"colocate_with is what non_slot_devices gave, a tuple, not {colocate_with!r}"
            )
        function, found = as_traced(fn), list[Any]()
        for number, device in enumerate(colocate_with):
            args, kwargs = component_of(number, given)
            with entered(ReplicaFrame(self._strategy, updating=number)), staged_for(number, device):
                found.append(function(*args, **kwargs))
        result = regrouped(found, as_mirrored)
        if group:
            return result
        return tree.map_structure(self._strategy.experimental_local_results, result)

    # ---- values
    def reduce_to(self, reduce_op: Any, value: Any, destinations: Any, options: Any = None) -> Any:
        """What `strategy.reduce` gives, for a device or the devices of a variable."""
        require_above_replicas()
        found = as_reduce_op(reduce_op)

        def reduced(one: Any) -> Any:
            if not isinstance(one, DistributedValues):
                return undistributed(found, one, self.replicas)
            require_no_sum_of_same(found, one)
            return self.operations.reduce(found, one, destinations, options)

        return tree.map_structure(reduced, value)

    def total(self, reduce_op: ReduceOp, parts: Sequence[Any]) -> Any:
        """The sum or mean of the parts of a variable."""
        return reduced_values(reduce_op, parts)

    def reduce_along(self, reduce_op: Any, value: Any, axis: Any) -> Any:
        """The sum or mean along axes of what all replicas have together."""
        found = as_reduce_op(reduce_op)
        parts = [part_of(number, value) for number in range(self.replicas)]
        if found is ReduceOp.MEAN:
            return mean_along(parts, axis, self._names)
        sums: list[Any] = []
        for number, (part, device) in enumerate(zip(parts, self._names, strict=True)):
            with staged_for(number, device):
                sums.append(reduced_along(found, part, axis))
        return self.reduce_to(found, PerReplica(sums), None)

    @property
    def everywhere(self) -> tuple[str, ...]:
        """The devices of all replicas, as destinations."""
        return self._names

    def batch_reduce_to(
        self, reduce_op: Any, value_destination_pairs: Iterable[Any], options: Any = None
    ) -> list[Any]:
        """`reduce_to` of each of several pairs of a value and its destinations."""
        require_above_replicas()
        found = as_reduce_op(reduce_op)
        return self.operations.batch_reduce(found, list(value_destination_pairs), options)

    def gather_to(
        self, value: Any, axis: Any, options: Any = None, destinations: Any = None
    ) -> Any:
        """The values of all replicas, joined along an axis; what is no `PerReplica`, as it is."""
        if not isinstance(value, DistributedValues):
            return copied(as_gathered(value), destinations)
        return self.operations.gather_implementation(value, destinations, axis, options)

    def broadcast_to(self, tensor: Any, destinations: Any) -> Any:
        """The tensor, for all destinations."""
        require_above_replicas()
        return self.operations.broadcast(tensor, destinations)

    def distributed(self, dataset: Any, options: Any = None) -> Any:
        return distributed(dataset, self.replicas)

    def distributed_from(self, dataset_fn: Callable[[Any], Any], options: Any = None) -> Any:
        return distributed_from(dataset_fn, self.replicas, options)

    def values_from(self, value_fn: Callable[[Any], Any]) -> Any:
        """What `value_fn` returns for each replica, as `PerReplica` values."""
        contexts = [ValueContext(number, self.replicas) for number in range(self.replicas)]
        made = [value_fn(context) for context in contexts]
        return tree.map_structure(lambda *leaves: PerReplica(leaves), *made)


class CentralExtended(ReplicatedExtended):
    """The same of a strategy whose variables are on one device, which all replicas share."""

    def __init__(self, container_strategy: Any, devices: Sequence[str], center: str) -> None:
        super().__init__(container_strategy, devices)
        self._center: Final = center

    @property
    def parameter_devices(self) -> tuple[str, ...]:
        return (self._center,)

    def made_variable(self, next_creator: Callable[..., Any], **kwargs: Any) -> Any:
        """A variable that replicas share, instead of the one that is asked for."""
        with on_device(self._center):
            variable = next_creator(**kwargs)
        options = variable.synchronization, variable.aggregation
        return AggregatingVariable(self._strategy, [variable], *options)

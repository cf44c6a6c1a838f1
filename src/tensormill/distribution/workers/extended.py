"""What libraries ask of a strategy whose replicas run in several processes, one in each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from ...core import context, tree
from ...core.dtypes import string
from ...eager.devices import choices
from ...eager.tensor import from_array
from ...ops.array.shapes import reshape
from ...ops.control.collectives import from_first
from ...ops.conversion import as_tensor
from ...ops.math.cast import cast
from ...ops.math.reduce import reduce_sum
from ..contexts import InputContext, ValueContext, as_reduced, as_traced
from ..cross_device import require_no_sum_of_same
from ..frames import ReplicaFrame, entered, require_above_replicas
from ..reduction import ReduceOp, as_gathered, as_reduce_op, count_along, in_mean
from ..regrouping import part_of
from ..replicated import ReplicatedExtended
from ..values import Mirrored, PerReplica
from .context import WorkerContext
from .exchange import Exchange
from .group import Group
from .sharding import divided_dataset, own_dataset


class WorkersExtended(ReplicatedExtended):
    """The same of a strategy with a replica, and a part of variables, in each of some processes.

    What stands above all replicas is run by every process: it says the same there.
    """

    def __init__(self, container_strategy: Any, group: Group) -> None:
        member = group.member
        task = f"/job:{member.task_type}/replica:0/task:{member.task_id}"
        if member.task_type is not None and member.task_id is not None:
            choices.tasks |= {(member.task_type, member.task_id)}
        super().__init__(container_strategy, (f"{task}/device:CPU:0",))
        self._group: Final = group
        self.rank: Final = group.rank

    experimental_between_graph = True

    @property
    def replicas(self) -> int:
        return self._group.size

    @property
    def should_checkpoint(self) -> bool:
        """Whether this process writes files that all could write: the first one."""
        return self.rank == 0

    should_save_summary = should_checkpoint

    def _in_multi_worker_mode(self) -> bool:
        return True

    def exchange(self, options: Any = None) -> Exchange:
        """How tensors get to the other processes."""
        return Exchange(self.replicas, getattr(options, "timeout_seconds", None) or 0.0)

    def call_for_each_replica(
        self, fn: Callable[..., Any], args: Sequence[Any] = (), kwargs: Any = None
    ) -> Any:
        """What `fn(*args, **kwargs)` returns for the replica of this process."""
        function = as_traced(fn)
        given, named = part_of(0, (tuple(args), dict(kwargs or {})))
        with entered(ReplicaFrame(self._strategy, WorkerContext(self._strategy, 0))):
            return function(*given, **named)

    # ---- variables
    def made_variable(self, next_creator: Callable[..., Any], **kwargs: Any) -> Any:
        """A variable that begins with what the first process gives it."""
        if context.building_graph():
            initial = kwargs["initial_value"]
            kwargs["initial_value"] = lambda: self._of_first(initial, kwargs.get("dtype"))
            return super().made_variable(next_creator, **kwargs)
        made = super().made_variable(next_creator, **kwargs)
        part = made.values[0]
        if part.dtype is not string and part.is_initialized():
            part.assign(from_array(self._group.broadcast(part.numpy())))
        return made

    def _of_first(self, initial: Any, dtype: Any) -> Any:
        own = as_tensor(initial() if callable(initial) else initial, dtype)
        return from_first(own, self.replicas, self.rank)

    # ---- values
    def total(self, reduce_op: ReduceOp, parts: Sequence[Any]) -> Any:
        return self.exchange().reduced(reduce_op, [as_tensor(parts[0])])[0]

    def reduce_to(self, reduce_op: Any, value: Any, destinations: Any, options: Any = None) -> Any:
        """The sum or mean of what the replicas of all processes have."""
        return self.batch_reduce_to(reduce_op, [(value, destinations)], options)[0]

    def batch_reduce_to(
        self, reduce_op: Any, value_destination_pairs: Iterable[Any], options: Any = None
    ) -> list[Any]:
        """`reduce_to` of each of several pairs of a value and its destinations, at once."""
        require_above_replicas()
        found = as_reduce_op(reduce_op)
        values = [value for value, _ in value_destination_pairs]
        for value in values:
            require_no_sum_of_same(found, value)
        if found is ReduceOp.MEAN and all(isinstance(value, Mirrored) for value in values):
            return [part_of(0, value) for value in values]
        return self.exchange(options).reduced(found, [as_reduced(part_of(0, v)) for v in values])

    def reduce_along(self, reduce_op: Any, value: Any, axis: Any) -> Any:
        """The sum or mean along axes of what all replicas have together.

        Scalars are one row each: so Keras 3 asks for the mean of what a step returns, which
        TensorFlow refuses.
        """
        require_above_replicas()
        found = as_reduce_op(reduce_op)
        one = in_mean(found, part_of(0, value))
        if one.shape.rank == 0:
            one = reshape(one, [1])
        total = reduce_sum(one, axis)
        if found is ReduceOp.SUM:
            return self.exchange().reduced(found, [total])[0]
        counted = cast(count_along(one, axis), total.dtype)
        total, count = self.exchange().reduced(ReduceOp.SUM, [total, counted])
        return total / count

    def gather_to(
        self, value: Any, axis: Any, options: Any = None, destinations: Any = None
    ) -> Any:
        """The values of all replicas, joined along an axis."""
        require_above_replicas()
        return self.exchange(options).gathered(as_gathered(part_of(0, value)), axis)

    def broadcast_to(self, tensor: Any, destinations: Any) -> Any:
        """The tensor itself: every process has it."""
        require_above_replicas()
        return tensor

    def distributed(self, dataset: Any, options: Any = None) -> Any:
        return divided_dataset(dataset, self._group)

    def distributed_from(self, dataset_fn: Callable[[Any], Any], options: Any = None) -> Any:
        given = InputContext(self.replicas, self.rank, self.replicas)
        return own_dataset(dataset_fn(given), self._group)

    def values_from(self, value_fn: Callable[[Any], Any]) -> Any:
        """What `value_fn` returns for the replica of this process, as `PerReplica` values."""
        made = value_fn(ValueContext(self.rank, self.replicas))
        return tree.map_structure(lambda leaf: PerReplica([leaf]), made)

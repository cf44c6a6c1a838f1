"""What becomes of the values of all replicas: sums, means, rows, copies.

Devices of one process have one memory: ways of adding up differ in their names, and in what their
makers say. A way of one's own overrides the `..._implementation`s; so do processes that exchange
what their replicas have.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..ops.array.concatenation import concat
from ..ops.array.indexed_slices import IndexedSlices
from ..ops.control.flow import identity
from ..ops.conversion import as_tensor
from ..ops.math.sums import add_n
from .reduction import ReduceOp, as_reduce_op, axis_of, reduced_values
from .values import DistributedValues, Mirrored, MirroredTensors


def count_of(destinations: Any) -> int:
    """For how many devices a result is wanted: those of a variable or value, or the one named."""
    if isinstance(destinations, DistributedValues):
        return len(destinations.values)
    return len(destinations) if isinstance(destinations, (list, tuple)) else 1


def copied(value: Any, destinations: Any) -> Any:
    """A value for all destinations, each its own, where these are several devices."""
    count = count_of(destinations)
    return value if count == 1 else MirroredTensors([_copy(value) for _ in range(count)])


def _copy(value: Any) -> Any:
    if isinstance(value, IndexedSlices):
        return IndexedSlices(value.values, value.indices, value.dense_shape)
    return identity(value)


def undistributed(reduce_op: ReduceOp, value: Any, replicas: int) -> Any:
    """What is to be reduced and is the same for all replicas: its own mean.

    Raises:
        ValueError: a sum is asked for: nobody says whether what one replica has or all.
    """
    if reduce_op is ReduceOp.SUM and replicas > 1:
        raise ValueError(
            f"A non-DistributedValues value {value} cannot be reduced with the given reduce op "
            f"{reduce_op}."
        )
    return value


def require_no_sum_of_same(reduce_op: ReduceOp, value: Any) -> None:
    """Refuse to add up what all replicas have alike.

    Raises:
        AssertionError: it is a mirrored variable, or what changing one gave.
    """
    if reduce_op is ReduceOp.SUM and isinstance(value, Mirrored):
        raise AssertionError(
            "a sum of what replicas have is asked for, of values that are the same on all of them "
            f"({type(value).__name__}): read it in the replicas, or ask for the mean"
        )


class CrossDeviceOps:
    """Brings together what replicas have. Members say by which way."""

    def reduce(
        self, reduce_op: Any, per_replica_value: Any, destinations: Any, options: Any = None
    ) -> Any:
        """The sum or mean of what replicas have.

        >>> value = tf.constant([1.0, 2.0])
        >>> operations = tf.distribute.ReductionToOneDevice()
        >>> operations.reduce(tf.distribute.ReduceOp.SUM, value, "/cpu:0").numpy()
        array([1., 2.], dtype=float32)

        Raises:
            ValueError: `reduce_op` is neither SUM nor MEAN.
        """
        as_reduce_op(reduce_op)
        return self.reduce_implementation(reduce_op, per_replica_value, destinations, options)

    def batch_reduce(
        self, reduce_op: Any, value_destination_pairs: Sequence[Any], options: Any = None
    ) -> list[Any]:
        """`reduce` of each of several pairs of a value and its destinations.

        Raises:
            ValueError: `reduce_op` is neither SUM nor MEAN.
        """
        as_reduce_op(reduce_op)
        return self.batch_reduce_implementation(reduce_op, value_destination_pairs, options)

    def broadcast(self, tensor: Any, destinations: Any) -> Any:
        """The tensor, for all destinations."""
        return self.broadcast_implementation(tensor, destinations)

    def reduce_implementation(
        self, reduce_op: Any, per_replica_value: Any, destinations: Any, options: Any
    ) -> Any:
        """What `reduce` calls: to be overridden by ways of one's own."""
        found = as_reduce_op(reduce_op)
        if not isinstance(per_replica_value, DistributedValues):
            count = count_of(destinations)
            one = undistributed(found, per_replica_value, count)
            return copied(one if hasattr(one, "dense_shape") else as_tensor(one), destinations)
        if isinstance(per_replica_value, Mirrored) and found is ReduceOp.MEAN:
            return copied(per_replica_value.values[0], destinations)
        total = reduced_values(found, per_replica_value.values, self._add)
        return copied(total, destinations)

    def _add(self, values: Sequence[Any]) -> Any:
        return add_n(values)

    def batch_reduce_implementation(
        self, reduce_op: Any, value_destination_pairs: Sequence[Any], options: Any
    ) -> list[Any]:
        """What `batch_reduce` calls: to be overridden by ways of one's own."""
        return [
            self.reduce_implementation(reduce_op, value, destinations, options)
            for value, destinations in value_destination_pairs
        ]

    def broadcast_implementation(self, tensor: Any, destinations: Any) -> Any:
        """What `broadcast` calls: to be overridden by ways of one's own."""
        return copied(tensor, destinations)

    def gather_implementation(
        self, per_replica_value: Any, destinations: Any, axis: Any, options: Any = None
    ) -> Any:
        """The values of all replicas, joined along an axis.

        Raises:
            InvalidArgumentError: they differ in the sizes of other axes.
            ValueError: they have no such axis.
        """
        values = [as_tensor(one) for one in per_replica_value.values]
        joined = concat(values, axis_of(values[0], axis))
        return copied(joined, destinations)


class ReductionToOneDevice(CrossDeviceOps):
    """Copies all values to one device, and adds them up there."""

    def __init__(
        self, reduce_to_device: Any = None, accumulation_fn: Callable[..., Any] | None = None
    ) -> None:
        self.reduce_to_device = reduce_to_device
        self.accumulation_fn = accumulation_fn

    def _add(self, values: Sequence[Any]) -> Any:
        return (self.accumulation_fn or add_n)(values)


class NcclAllReduce(CrossDeviceOps):
    """Adds up by NVIDIA's library, from two GPUs on.

    Raises:
        ValueError: `num_packs` is negative.
    """

    def __init__(self, num_packs: int = 1) -> None:
        if num_packs < 0:
            raise ValueError(
                f"NCCL all-reduce requires num_packs >= 0, but {num_packs} is specified"
            )
        self.num_packs = num_packs


class HierarchicalCopyAllReduce(CrossDeviceOps):
    """Adds up in two steps, for eight GPUs of one machine.

    Raises:
        ValueError: `num_packs` is negative.
    """

    def __init__(self, num_packs: int = 1) -> None:
        if num_packs < 0:
            raise ValueError(
                f"HierarchicalCopy requires num_packs >= 0, but {num_packs} is specified"
            )
        self.num_packs = num_packs

"""By which way values of replicas are added up: with one replica, all ways give the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..ops.conversion import as_tensor
from .reduction import as_reduce_op
from .values import only_value


class CrossDeviceOps:
    """Adds up what replicas have. Members say how, which matters from two devices on."""

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
        value = only_value(per_replica_value)
        return value if hasattr(value, "dense_shape") else as_tensor(value)

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
        return tensor


class ReductionToOneDevice(CrossDeviceOps):
    """Copies all values to one device, and adds them up there."""

    def __init__(
        self, reduce_to_device: Any = None, accumulation_fn: Callable[..., Any] | None = None
    ) -> None:
        self.reduce_to_device = reduce_to_device
        self.accumulation_fn = accumulation_fn


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

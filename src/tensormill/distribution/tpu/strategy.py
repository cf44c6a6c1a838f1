"""A replica on each TPU: what `MirroredStrategy` does, on JAX's devices of this kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from ...config import settings
from ...core import context
from ...function.function import Function
from ...ops.conversion import as_tensor
from ..extended import StrategyExtended
from ..kinds import PerReplicaStrategy, full_name
from ..replicated import ReplicatedExtended


class TPUExtended(ReplicatedExtended):
    """What libraries ask of a strategy for TPUs."""

    # Keras asks for both.
    num_hosts: int = 1

    @property
    def num_replicas_per_host(self) -> int:
        """How many replicas this process has: all."""
        return self.replicas


class TPUReplicas(PerReplicaStrategy):
    """Abstract: runs a replica on each TPU of this machine, all of which have all variables.

    Raises:
        ValueError: there are no TPUs, or others are asked for.
    """

    def __init__(self, tpu_cluster_resolver: Any, assignment: Any, divides: bool) -> None:
        # Keras asks of each strategy whether it is one of these: what they need takes 5 ms.
        from .resolver import TPUClusterResolver, local_tpus

        found = local_tpus(tpu_cluster_resolver)
        if assignment is not None or divides:
            raise ValueError(
                "TPUStrategy: each replica has one TPU; leave out what gives it several, and use "
                "tf.experimental.dtensor to divide tensors"
            )
        self._resolver = tpu_cluster_resolver or TPUClusterResolver()
        super().__init__([full_name(one.name) for one in found])

    def _extended_for(self, devices: Sequence[str], operations: Any) -> StrategyExtended:
        return TPUExtended(self, devices, operations)

    @property
    def cluster_resolver(self) -> Any:
        """What knows the TPUs."""
        return self._resolver

    def run(
        self,
        fn: Callable[..., Any],
        args: Sequence[Any] = (),
        kwargs: dict[str, Any] | None = None,
        options: Any = None,
    ) -> Any:
        """`fn(*args, **kwargs)`, called by each replica, in a tf.function.

        Raises:
            NotImplementedError: neither is `fn` a tf.function, nor does one call this.
            RuntimeError: another strategy is in force, or a replica's code calls this.
            ValueError: `args` is no list or tuple.
        """
        is_run_eagerly = not isinstance(fn, Function) and not context.building_graph()
        if is_run_eagerly and not settings.run_functions_eagerly:
            raise NotImplementedError(
                "TPUStrategy.run(fn, ...) does not support pure eager execution: give it a "
                "tf.function, or call it in one"
            )
        return super().run(fn, args, kwargs, options)


class TPUStrategy(TPUReplicas):
    """Runs a replica on each TPU of this machine, all of which have copies of all variables.

    It is the same as `MirroredStrategy` but for the devices, and for `run`, which wants a
    tf.function. They are JAX's, with XLA as the back end (`TENSORMILL_BACKEND=xla`).

    tpu_cluster_resolver: a `TPUClusterResolver`; None for the TPUs of this machine.

    Raises:
        ValueError: there are no TPUs, or others are asked for, or several for a replica.
    """

    def __init__(
        self,
        tpu_cluster_resolver: Any = None,
        experimental_device_assignment: Any = None,
        experimental_spmd_xla_partitioning: bool = False,
    ) -> None:
        super().__init__(
            tpu_cluster_resolver, experimental_device_assignment, experimental_spmd_xla_partitioning
        )

    def experimental_assign_to_logical_device(self, tensor: Any, logical_device_id: int) -> Any:
        """The tensor, on the only TPU of its replica.

        Raises:
            ValueError: it is another one than the first.
        """
        if logical_device_id != 0:
            raise ValueError(
                f"`logical_device_id` must be 0: a replica has one TPU; got {logical_device_id}"
            )
        return as_tensor(tensor)

    def experimental_split_to_logical_devices(
        self, tensor: Any, partition_dimensions: Sequence[int]
    ) -> Any:
        """The tensor, as a whole on the only TPU of its replica.

        partition_dimensions: into how many parts each axis is divided: 1.

        Raises:
            ValueError: there are not as many numbers as axes, or one is not 1.
        """
        found = as_tensor(tensor)
        if found.shape.rank != len(partition_dimensions) or prod(partition_dimensions) != 1:
            raise ValueError(
                f"`partition_dimensions` must have a 1 for each axis of shape {found.shape}: a "
                f"replica has one TPU; got {list(partition_dimensions)}"
            )
        return found

    def experimental_replicate_to_logical_devices(self, tensor: Any) -> Any:
        """The tensor, on the only TPU of its replica."""
        return as_tensor(tensor)


class ExperimentalTPUStrategy(TPUReplicas):
    """What `TPUStrategy` was called first.

    Raises:
        ValueError: there are no TPUs, or others are asked for, or several for a replica.
    """

    # What else it takes is in another order in TensorFlow 1.
    def __init__(self, tpu_cluster_resolver: Any = None, *more: Any, **named: Any) -> None:
        assigned = [*more[-1:], named.get("device_assignment")]
        super().__init__(tpu_cluster_resolver, next(filter(None, assigned), None), False)

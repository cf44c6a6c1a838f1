"""Strategies whose replicas run in several processes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ..extended import StrategyExtended
from ..kinds import CPU, PerReplicaStrategy
from ..options import CommunicationImplementation, CommunicationOptions


class MultiWorkerMirroredStrategy(PerReplicaStrategy):
    """Runs a replica in each of several processes, which have copies of all variables.

    All processes run the same program, each with its task in TF_CONFIG; they wait for each other
    here, and whenever they exchange tensors, by JAX and Gloo (`pip install 'tensormill[xla]'`).
    What stands above the replicas runs in every process. Only the first process
    (`extended.should_checkpoint`) needs to write files.

    cluster_resolver: what knows the processes; None: `TFConfigClusterResolver()`, which reads the
    environment variable TF_CONFIG. communication_options: their `timeout_seconds` is how long a
    process waits for the others, at the beginning (None: 300 s) and in each exchange (600 s).

    >>> tf.distribute.MultiWorkerMirroredStrategy().num_replicas_in_sync  # without TF_CONFIG
    1

    Raises:
        JSONDecodeError: TF_CONFIG is not JSON.
        ValueError: TF_CONFIG does not have the task, or has one that does not train.
        ImportError: there are several processes, and JAX is not installed.
        DeadlineExceededError: another process did not come in time.
        UnavailableError: another process went away meanwhile.
        UnknownError: the port of the first process is taken.
        InvalidArgumentError: TF_CONFIG lacks the task, or processes were told of different
            clusters.
        FailedPreconditionError: the process belongs to another cluster, or used JAX before.
    """

    def __init__(self, cluster_resolver: Any = None, communication_options: Any = None) -> None:
        # Keras asks of each strategy whether it is one of these: what they need takes 13 ms.
        from ..cluster_resolvers import TFConfigClusterResolver

        self._resolver: Final = cluster_resolver or TFConfigClusterResolver()
        self.communication_options: Final = communication_options
        super().__init__([CPU])

    def _extended_for(self, devices: Sequence[str], operations: Any) -> StrategyExtended:
        from .extended import WorkersExtended  # as above
        from .joining import join
        from .membership import membership

        group = join(membership(self._resolver), self.communication_options)
        if group is None:
            return super()._extended_for(devices, operations)
        return WorkersExtended(self, group)

    @property
    def cluster_resolver(self) -> Any:
        """What knows the processes."""
        return self._resolver


class ExperimentalMultiWorkerMirroredStrategy(MultiWorkerMirroredStrategy):
    """An older form of `tf.distribute.MultiWorkerMirroredStrategy`.

    communication: by which library replicas exchange tensors: here it is Gloo.

    Raises:
        DeadlineExceededError: another process did not come in time; and so on, see there.
    """

    def __init__(
        self,
        communication: Any = CommunicationImplementation.AUTO,
        cluster_resolver: Any = None,
    ) -> None:
        options = CommunicationOptions(implementation=communication)
        super().__init__(cluster_resolver, options)

"""What programs ask for TPUs, by whose ValueError they learn that there are none.

    try:
        resolver = tf.distribute.cluster_resolver.TPUClusterResolver()
        ...
        strategy = tf.distribute.TPUStrategy(resolver)
    except ValueError:
        strategy = tf.distribute.get_strategy()

Those that go on all the same hear it from each of these names.
"""

from __future__ import annotations

from typing import Any, Self

from ..cluster_resolvers import ClusterResolver
from ..strategy import Strategy

NAMELESS = "Please provide a TPU Name to connect to."
ABSENT = "there are no TPUs here; use tf.distribute.MirroredStrategy"


def _no_tpu(asked: Any) -> ValueError:
    """Begins as TensorFlow's error does where no TPU is named."""
    return ValueError(f"{asked!r}: {ABSENT}" if asked else f"{NAMELESS} But {ABSENT}")


class TPUClusterResolver(ClusterResolver):
    """Would know the TPUs of a cloud.

    Raises:
        ValueError: always.
    """

    # Not __init__: the resolver has none of the methods that resolvers must have.
    def __new__(
        cls,
        tpu: str | None = None,
        zone: str | None = None,
        project: str | None = None,
        job_name: str = "worker",
        coordinator_name: str | None = None,
        coordinator_address: str | None = None,
        credentials: Any = "default",
        service: Any = None,
        discovery_url: str | None = None,
    ) -> Self:
        raise _no_tpu(tpu)

    @classmethod
    def connect(
        cls, tpu: str | None = None, zone: str | None = None, project: str | None = None
    ) -> Self:
        """Would find TPUs and get them ready.

        Raises:
            ValueError: always.
        """
        raise _no_tpu(tpu)


class TPUStrategy(Strategy):
    """For machines with TPUs: programs ask whether a strategy is one.

    Raises:
        ValueError: always.
    """

    def __init__(
        self,
        tpu_cluster_resolver: Any = None,
        experimental_device_assignment: Any = None,
        experimental_spmd_xla_partitioning: bool = False,
    ) -> None:
        raise _no_tpu(tpu_cluster_resolver)


class ExperimentalTPUStrategy(Strategy):
    """What `TPUStrategy` was called first.

    Raises:
        ValueError: always.
    """

    # What else it takes is in another order in TensorFlow 1.
    def __init__(self, tpu_cluster_resolver: Any = None, *more: Any, **named: Any) -> None:
        raise _no_tpu(tpu_cluster_resolver)


def initialize_tpu_system(cluster_resolver: Any = None) -> Any:
    """Would get TPUs ready.

    >>> tf.tpu.experimental.initialize_tpu_system("mine")
    Traceback (most recent call last):
    ...
    ValueError: 'mine': there are no TPUs here; use tf.distribute.MirroredStrategy

    Raises:
        ValueError: always.
    """
    raise _no_tpu(cluster_resolver)


def shutdown_tpu_system(cluster_resolver: Any = None) -> None:
    """Would give TPUs back.

    >>> tf.tpu.experimental.shutdown_tpu_system("mine")
    Traceback (most recent call last):
    ...
    ValueError: 'mine': there are no TPUs here; use tf.distribute.MirroredStrategy

    Raises:
        ValueError: always.
    """
    raise _no_tpu(cluster_resolver)

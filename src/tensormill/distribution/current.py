"""Which strategy is in force, as programs ask."""

from __future__ import annotations

from typing import Any, Final

from .contexts import ReplicaContext
from .frames import FRAME, ReplicaFrame
from .strategy import DefaultStrategy, Strategy

DEFAULT: Final = DefaultStrategy()
DEFAULT_CONTEXT: Final = ReplicaContext(DEFAULT, 0)


def get_strategy() -> Strategy:
    """The strategy that is in force: the default one, with one replica, unless one was entered.

    >>> tf.distribute.get_strategy().num_replicas_in_sync
    1
    """
    here = FRAME.get()
    return DEFAULT if here is None else here.strategy


def has_strategy() -> bool:
    """Whether another strategy than the default was entered.

    >>> with tf.distribute.MirroredStrategy().scope():
    ...     print(tf.distribute.has_strategy())
    True
    """
    return get_strategy() is not DEFAULT


def get_replica_context() -> Any:
    """What the code of a replica knows of itself; None above all replicas.

    >>> tf.distribute.get_replica_context().num_replicas_in_sync
    1
    """
    here = FRAME.get()
    return DEFAULT_CONTEXT if here is None else here.replica


def one_of_several_replicas() -> Any:
    """What the code of a replica knows that has others to meet; None elsewhere."""
    here = FRAME.get()
    replica = None if here is None else here.replica
    return None if replica is None or replica.num_replicas_in_sync == 1 else replica


def in_cross_replica_context() -> bool:
    """Whether the code stands above all replicas: in a strategy's scope, or in `merge_call`.

    >>> with tf.distribute.MirroredStrategy().scope():
    ...     print(tf.distribute.in_cross_replica_context())
    True
    """
    return get_replica_context() is None


def experimental_set_strategy(strategy: Any) -> None:
    """Let a strategy be in force from here on; None: the default one again.

    >>> tf.distribute.experimental_set_strategy(tf.distribute.OneDeviceStrategy("/cpu:0"))
    >>> tf.distribute.has_strategy()
    True
    >>> tf.distribute.experimental_set_strategy(None)

    Raises:
        RuntimeError: a block of a strategy is entered here.
        TypeError: it is no strategy.
    """
    here = FRAME.get()
    if here is not None and not here.stays:
        raise RuntimeError("Must not be called inside a `tf.distribute.Strategy` scope")
    if not isinstance(strategy, Strategy | None):
        raise TypeError(f"expected a tf.distribute.Strategy or None, got {strategy!r}")
    FRAME.set(None if strategy in (None, DEFAULT) else ReplicaFrame(strategy, stays=True))

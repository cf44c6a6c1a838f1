"""Which strategy is in force here, and whether the code is a replica's or stands above all of them.

with strategy.scope():          above all replicas
    strategy.run(step)              `step` is a replica's
                                        merge_call(f)       `f` is above all of them again
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from contextvars import ContextVar
from typing import Any, Final, NamedTuple

from ..core.process.with_blocks import setting

IN_A_REPLICA: Final = (
    "Method requires being in cross-replica context, use get_replica_context().merge_call(): this "
    "is called by the code of a replica"
)


class ReplicaFrame(NamedTuple):
    """`replica`: the context of the replica whose code runs; None above all replicas.

    `stays`: whether it was set for good, and not by a block.
    """

    strategy: Any
    replica: Any = None
    stays: bool = False


FRAME: Final[ContextVar[ReplicaFrame | None]] = ContextVar("replica_frame", default=None)


def entered(frame: ReplicaFrame, gives: Any = None) -> AbstractContextManager[Any]:
    """A block in which `frame` is in force."""
    return setting(FRAME, frame, gives)


def require_above_replicas() -> None:
    """Refuse what only code above all replicas may do.

    Raises:
        RuntimeError: a replica's code runs.
    """
    here = FRAME.get()
    if here is not None and here.replica is not None:
        raise RuntimeError(IN_A_REPLICA)


def require_unmixed(strategy: Any) -> None:
    """Refuse a strategy within another one.

    Raises:
        RuntimeError: another one is in force.
    """
    here = FRAME.get()
    if here is not None and here.strategy is not strategy:
        raise RuntimeError(
            f"Mixing different tf.distribute.Strategy objects: {here.strategy!r} is not "
            f"{strategy!r}: leave the scope of the former first"
        )

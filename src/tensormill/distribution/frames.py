"""Which strategy is in force here, and whether the code is a replica's or stands above all of them.

with strategy.scope():          above all replicas
    strategy.run(step)              `step` is a replica's
                                        merge_call(f)       `f` is above all of them again
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from contextvars import ContextVar, Token
from typing import Any, Final

from ..core import context
from ..core.process.replicas import AS_ONE, FRAME, ONE_PART, ReplicaFrame
from ..core.process.with_blocks import Block

IN_A_REPLICA: Final = (
    "Method requires being in cross-replica context, use get_replica_context().merge_call(): this "
    "is called by the code of a replica"
)


class _InForce(Block):
    """Variables of contexts have other values, and functions traces of their own."""

    def __init__(
        self, variable: ContextVar[Any], value: Any, around: str | None, gives: Any = None
    ) -> None:
        self._variable: Final = variable
        self._value: Final = value
        self._around: Final = around
        self._gives: Final = gives

    def __enter__(self) -> Any:
        variable, inside = self._variable, context.top().replace()  # no call goes the shortest way
        frames: list[Token[Any]] = []
        arounds: list[Token[Any]] = []
        contexts: list[Token[Any]] = []
        self.undo_by(
            map(variable.reset, frames),
            map(context.surroundings.reset, arounds),
            map(context.current.reset, contexts),
        )
        try:
            frames.extend(map(variable.set, (self._value,)))  # in C: both or none
            arounds.extend(map(context.surroundings.set, (self._around,)))
            contexts.extend(map(context.current.set, (inside,)))
            return self._gives
        except BaseException:  # a signal's
            self.close()
            raise


def entered(frame: ReplicaFrame, gives: Any = None) -> AbstractContextManager[Any]:
    """A block in which `frame` is in force, and functions have traces of their own.

    As in TensorFlow, all strategies share those that are made above their replicas.
    """
    return _InForce(FRAME, frame, frame.surroundings, gives)


def as_one() -> AbstractContextManager[None]:
    """A block in which variables are one that have a part for each replica: their first part.

    Functions have traces of their own there: what is saved of them.
    """
    around = context.surroundings.get()
    return _InForce(AS_ONE, True, f"{around}, {ONE_PART}" if around else ONE_PART)


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


def part_here(strategy: Any) -> int | None:
    """The number of the replica of `strategy` whose part of values counts here; None above all.

    Where all parts are one, it is the first everywhere.
    """
    if AS_ONE.get():
        return 0
    here = FRAME.get()
    if here is None or here.strategy is not strategy:
        return None
    return here.updating if here.replica is None else here.replica.number

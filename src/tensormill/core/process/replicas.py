"""Which strategy of `tf.distribute` is in force here, as what lies below strategies asks."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any, Final

from .named_tuples import NamedTuple


class ReplicaFrame(NamedTuple):
    """`replica`: the context of the replica whose code runs; None above all replicas.

    `stays`: whether it was set for good, and not by a block. `updating`: whose part of a variable
    `extended.update` changes here, above all replicas.
    """

    strategy: Any
    replica: Any = None
    stays: bool = False
    updating: int | None = None

    @property
    def surroundings(self) -> str | None:
        """What tells traces apart that are made here; those made above replicas are alike."""
        if AS_ONE.get():
            return f"{self._surroundings}, {ONE_PART}"
        return self._surroundings

    @property
    def _surroundings(self) -> str | None:
        if self.replica is not None:
            return self.replica.surroundings
        return ABOVE if self.updating is None else f"{self.strategy.surroundings} {self.updating}"


ABOVE: Final = "above all replicas"
ONE_PART: Final = "all parts are one"
# Whether variables with a part for each replica are one, as what is saved of them is.
AS_ONE: Final[ContextVar[bool]] = ContextVar("as_one", default=False)
FRAME: Final[ContextVar[ReplicaFrame | None]] = ContextVar("replica_frame", default=None)


def has_strategy() -> bool:
    """Whether a strategy was entered."""
    return FRAME.get() is not None


def replica_number() -> Any:
    """The number of the replica whose code runs, among all that train together; None elsewhere."""
    here = FRAME.get()
    replica = None if here is None else here.replica
    return None if replica is None else replica.replica_id_in_sync_group


def replicas_that_share(function: str) -> int:
    """How many replicas train together, where `function` is called by one of them.

    Raises:
        RuntimeError: the code stands above all replicas of a strategy.
    """
    here = FRAME.get()
    if here is None:
        return 1
    if here.replica is None:
        raise RuntimeError(
            f"You are calling `{function}` in cross replica context, while it was expected to be "
            "called in replica context."
        )
    return here.strategy.num_replicas_in_sync

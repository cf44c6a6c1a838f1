"""The one group of processes that this process belongs to."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any, Final

from ...core.process.peers import set_peers
from ...errors import FailedPreconditionError
from .exchange_thread import ExchangeThread
from .group import PATIENCE, Carrier, Group
from .membership import Membership
from .roll_call import any_host, called

# How long all may take to come, where nothing says otherwise: seconds.
ARRIVAL: Final = 300.0
WITHOUT_JAX: Final = (
    "several processes exchange tensors by JAX, which is not installed: `pip install "
    "'tensormill[xla]'` does that"
)


class _Joined:
    group: Group | None = None


def group() -> Group | None:
    """The group that this process joined, if it did."""
    return _Joined.group


def join(member: Membership, options: Any = None) -> Group | None:
    """Connect this process to the others; None where there are no others.

    options: `tf.distribute.experimental.CommunicationOptions`: its `timeout_seconds` is how long
    others may take, to come and in each exchange.

    Raises:
        ImportError: JAX is not installed.
        FailedPreconditionError: it belongs to other processes already, or JAX was used before.
        UnknownError: the port of this process is taken.
        DeadlineExceededError: another process did not come in time.
        InvalidArgumentError: the processes were told of different clusters.
        UnavailableError: another process went away meanwhile.
    """
    if member.size == 1:
        return None
    told = getattr(options, "timeout_seconds", None)
    known = _Joined.group
    if known is None:
        _Joined.group = known = _connected(member, told)
        set_peers(known)
    elif known.member != member:
        raise FailedPreconditionError(
            f"this process is {known.member.named(known.rank)} of {known.size} workers already, "
            "and cannot join others: start a process for each cluster"
        )
    return known


def _connected(member: Membership, told: float | None) -> Group:
    if find_spec("jax") is None:
        raise ImportError(WITHOUT_JAX, name="jax")
    seconds = told or ARRIVAL
    turns = ExchangeThread()

    def connect() -> Carrier:
        from ...xla import between_processes  # JAX comes in before the others are called

        address = member.addresses[0]
        with called(member, seconds):
            return between_processes.connect(
                address, any_host(address), member.size, member.rank, seconds
            )

    # The roll call and JAX look at the time themselves.
    connection = turns.wait_for(connect, 3 * seconds + 60.0)
    return Group(member, connection, turns, told or PATIENCE)

"""The other processes that run this program, for operations that exchange tensors with them."""

from __future__ import annotations

from typing import Any, Final, Protocol


class Peers(Protocol):
    """All processes of the program: who joins them (`distribution/workers`) says how they talk.

    seconds: how long to wait for the others; 0: as long as they agreed on.
    """

    @property
    def size(self) -> int:
        """How many there are."""
        ...

    @property
    def rank(self) -> int:
        """Which one this is."""
        ...

    def reduce(self, value: Any, merge: str, final: str = "Id", seconds: float = 0.0) -> Any:
        """One array of what all have."""
        ...

    def gather(self, value: Any, seconds: float = 0.0) -> Any:
        """What all have, joined along the first axis."""
        ...

    def broadcast(self, value: Any, seconds: float = 0.0) -> Any:
        """What the first one has."""
        ...


class _Meeting:
    peers: Peers | None = None


_meeting: Final = _Meeting()


def peers() -> Peers | None:
    """The processes of this program; None where there is one."""
    return _meeting.peers


def set_peers(found: Peers | None) -> None:
    """Let operations exchange tensors with these."""
    _meeting.peers = found

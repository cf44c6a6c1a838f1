"""How elements are divided among workers."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Final


class ShardingPolicy(IntEnum):
    """What each worker processes: OFF: the whole dataset; DYNAMIC: elements of sources as the
    dispatcher gives them out; DATA: every so many-th element; FILE: every so many-th file;
    FILE_OR_DATA: files where there are any, else elements; HINT: as `shard` with SHARD_HINT says.
    """

    OFF = 0
    DYNAMIC = 1
    FILE = 2
    DATA = 3
    FILE_OR_DATA = 4
    HINT = 5


STATIC: Final = frozenset((ShardingPolicy.FILE, ShardingPolicy.DATA, ShardingPolicy.FILE_OR_DATA))
_WORDS: Final = {
    "parallel_epochs": ShardingPolicy.OFF,
    "distributed_epoch": ShardingPolicy.DYNAMIC,
}


def policy_of(mode: Any) -> ShardingPolicy:
    """The policy that a processing mode means.

    Raises:
        ValueError: it is none.
    """
    if isinstance(mode, ShardingPolicy):
        return mode
    if mode not in _WORDS:
        raise ValueError(
            "a processing mode is a `tf.data.experimental.service.ShardingPolicy`, "
            f"'parallel_epochs' or 'distributed_epoch', not {mode!r}"
        )
    return _WORDS[mode]

"""Names of the files of checkpoints that lie in several."""

from __future__ import annotations

from typing import Any

from ..op import In, Op, Out


class ShardedFilename(Op):
    """`basename-00003-of-00012`."""

    basename = In("str")
    shard = In("i32")
    num_shards = In("i32")
    filename = Out("str")
    differentiable = False

    def eager(self, np: Any) -> Any:
        base, shard, count = self.basename[()], int(self.shard), int(self.num_shards)
        return one_text(np, base + f"-{shard:05d}-of-{count:05d}".encode())


class ShardedFilespec(Op):
    """The pattern of the names of all of them: `basename-?????-of-00012`."""

    basename = In("str")
    num_shards = In("i32")
    filename = Out("str")
    differentiable = False

    def eager(self, np: Any) -> Any:
        base, count = self.basename[()], int(self.num_shards)
        return one_text(np, base + f"-?????-of-{count:05d}".encode())


def one_text(np: Any, value: bytes) -> Any:
    """A string as the kernels give it."""
    found = np.empty((), object)
    found[()] = value
    return found

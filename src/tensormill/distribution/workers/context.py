"""What the code of this process's replica knows of itself and of the other processes."""

from __future__ import annotations

from typing import Any

from ...core import tree
from ...ops.conversion import as_tensor
from ..contexts import ReplicaContext, as_reduced
from ..reduction import as_reduce_op


class WorkerContext(ReplicaContext):
    """What the code of this process's replica knows: the others run in other processes."""

    @property
    def replica_id_in_sync_group(self) -> Any:
        """The number of this replica among those of all processes: an int32 scalar."""
        return as_tensor(self._strategy.extended.rank)

    def all_reduce(self, reduce_op: Any, value: Any, options: Any = None) -> Any:
        found = as_reduce_op(reduce_op)
        leaves = [as_reduced(leaf) for leaf in tree.flatten(value)]
        exchange = self._strategy.extended.exchange(options)
        return tree.pack_sequence_as(value, exchange.reduced(found, leaves))

    def all_gather(self, value: Any, axis: int, options: Any = None) -> Any:
        exchange = self._strategy.extended.exchange(options)
        return tree.map_structure(lambda leaf: exchange.gathered(as_tensor(leaf), axis), value)

"""`tf.distribute`: one replica on one device."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "eager.distribution": (
        "DistributedDataset DistributedIterator DistributedValues InputContext "
        "MultiWorkerMirroredStrategy ReduceOp ReplicaContext Strategy StrategyExtended TPUStrategy "
        "get_replica_context get_strategy has_strategy in_cross_replica_context"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)

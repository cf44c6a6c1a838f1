"""`tf.distribute`: one replica on one device."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": "cluster_resolver=distribute_cluster_resolver experimental=distribute_experimental",
    "distribution.contexts": "InputContext ReplicaContext",
    "distribution.cross_device": (
        "CrossDeviceOps HierarchicalCopyAllReduce NcclAllReduce ReductionToOneDevice"
    ),
    "distribution.current": (
        "experimental_set_strategy get_replica_context get_strategy has_strategy "
        "in_cross_replica_context"
    ),
    "distribution.extended": "StrategyExtended",
    "distribution.input": "DistributedDataset DistributedIterator",
    "distribution.workers.strategy": "MultiWorkerMirroredStrategy",
    "distribution.kinds": "MirroredStrategy OneDeviceStrategy",
    "distribution.tpu.strategy": "TPUStrategy",
    "distribution.options": "InputOptions InputReplicationMode RunOptions",
    "distribution.parameter_servers": "ParameterServerStrategy",
    "distribution.reduction": "ReduceOp",
    "distribution.strategy": "Strategy",
    "distribution.values": "DistributedValues",
}

GONE = {
    "Server": ": processes find each other without servers; run the program itself in each",
    "coordinator": (
        ": there is one process, and no workers to hand work out to; call the functions themselves"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, gone=GONE)

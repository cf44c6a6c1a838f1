# Written by `make stubs` from the table beside it.

"""`tf.distribute`: one replica on one device."""

from ..eager.distribution import DistributedDataset as DistributedDataset
from ..eager.distribution import DistributedIterator as DistributedIterator
from ..eager.distribution import DistributedValues as DistributedValues
from ..eager.distribution import InputContext as InputContext
from ..eager.distribution import MultiWorkerMirroredStrategy as MultiWorkerMirroredStrategy
from ..eager.distribution import ReduceOp as ReduceOp
from ..eager.distribution import ReplicaContext as ReplicaContext
from ..eager.distribution import Strategy as Strategy
from ..eager.distribution import StrategyExtended as StrategyExtended
from ..eager.distribution import TPUStrategy as TPUStrategy
from ..eager.distribution import get_replica_context as get_replica_context
from ..eager.distribution import get_strategy as get_strategy
from ..eager.distribution import has_strategy as has_strategy
from ..eager.distribution import in_cross_replica_context as in_cross_replica_context

__all__ = ['DistributedDataset', 'DistributedIterator', 'DistributedValues', 'InputContext', 'MultiWorkerMirroredStrategy', 'ReduceOp', 'ReplicaContext', 'Strategy', 'StrategyExtended', 'TPUStrategy', 'get_replica_context', 'get_strategy', 'has_strategy', 'in_cross_replica_context']

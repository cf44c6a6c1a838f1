# Written by `make stubs` from the table beside it.

"""`tf.distribute`: one replica on one device."""

from ..distribution.cross_device import CrossDeviceOps as CrossDeviceOps
from ..distribution.input import DistributedDataset as DistributedDataset
from ..distribution.input import DistributedIterator as DistributedIterator
from ..distribution.values import DistributedValues as DistributedValues
from ..distribution.cross_device import HierarchicalCopyAllReduce as HierarchicalCopyAllReduce
from ..distribution.contexts import InputContext as InputContext
from ..distribution.options import InputOptions as InputOptions
from ..distribution.options import InputReplicationMode as InputReplicationMode
from ..distribution.kinds import MirroredStrategy as MirroredStrategy
from ..distribution.workers.strategy import MultiWorkerMirroredStrategy as MultiWorkerMirroredStrategy
from ..distribution.cross_device import NcclAllReduce as NcclAllReduce
from ..distribution.kinds import OneDeviceStrategy as OneDeviceStrategy
from ..distribution.parameter_servers import ParameterServerStrategy as ParameterServerStrategy
from ..distribution.reduction import ReduceOp as ReduceOp
from ..distribution.cross_device import ReductionToOneDevice as ReductionToOneDevice
from ..distribution.contexts import ReplicaContext as ReplicaContext
from ..distribution.options import RunOptions as RunOptions
from ..distribution.strategy import Strategy as Strategy
from ..distribution.extended import StrategyExtended as StrategyExtended
from ..distribution.tpu.strategy import TPUStrategy as TPUStrategy
from . import distribute_cluster_resolver as cluster_resolver
from . import distribute_experimental as experimental
from ..distribution.current import experimental_set_strategy as experimental_set_strategy
from ..distribution.current import get_replica_context as get_replica_context
from ..distribution.current import get_strategy as get_strategy
from ..distribution.current import has_strategy as has_strategy
from ..distribution.current import in_cross_replica_context as in_cross_replica_context

__all__ = ['CrossDeviceOps', 'DistributedDataset', 'DistributedIterator', 'DistributedValues', 'HierarchicalCopyAllReduce', 'InputContext', 'InputOptions', 'InputReplicationMode', 'MirroredStrategy', 'MultiWorkerMirroredStrategy', 'NcclAllReduce', 'OneDeviceStrategy', 'ParameterServerStrategy', 'ReduceOp', 'ReductionToOneDevice', 'ReplicaContext', 'RunOptions', 'Strategy', 'StrategyExtended', 'TPUStrategy', 'cluster_resolver', 'experimental', 'experimental_set_strategy', 'get_replica_context', 'get_strategy', 'has_strategy', 'in_cross_replica_context']

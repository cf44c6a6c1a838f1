# Written by `make stubs` from the table beside it.

"""`tf.data.experimental.service`."""

from ..data_service.client import CrossTrainerCache as CrossTrainerCache
from ..data_service.dispatcher import DispatchServer as DispatchServer
from ..data_service.dispatcher import DispatcherConfig as DispatcherConfig
from ..data_service.policies import ShardingPolicy as ShardingPolicy
from ..data_service.worker import WorkerConfig as WorkerConfig
from ..data_service.worker import WorkerServer as WorkerServer
from ..data_service.client import distribute as distribute
from ..data_service.client import from_dataset_id as from_dataset_id
from ..data_service.client import register_dataset as register_dataset

__all__ = ['CrossTrainerCache', 'DispatchServer', 'DispatcherConfig', 'ShardingPolicy', 'WorkerConfig', 'WorkerServer', 'distribute', 'from_dataset_id', 'register_dataset']

"""`tf.data.experimental.service`."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "data_service.client": "CrossTrainerCache distribute from_dataset_id register_dataset",
    "data_service.dispatcher": "DispatcherConfig DispatchServer",
    "data_service.policies": "ShardingPolicy",
    "data_service.worker": "WorkerConfig WorkerServer",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.data.experimental.service")

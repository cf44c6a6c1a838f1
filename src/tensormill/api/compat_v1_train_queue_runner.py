"""`tf.compat.v1.train.queue_runner`: threads that fill queues."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "version_one.queues.queue_runner": "QueueRunner add_queue_runner start_queue_runners",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.train.queue_runner")

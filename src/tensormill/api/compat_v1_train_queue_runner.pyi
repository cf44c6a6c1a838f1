# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.train.queue_runner`: threads that fill queues."""

from ..version_one.queues.queue_runner import QueueRunner as QueueRunner
from ..version_one.queues.queue_runner import add_queue_runner as add_queue_runner
from ..version_one.queues.queue_runner import start_queue_runners as start_queue_runners

__all__ = ['QueueRunner', 'add_queue_runner', 'start_queue_runners']
